package golang

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// A root is where types are named from: a component schema, or a part of an operation. An inline type
// gets its name from its root and the way to it alone, so that two operations which share an inline
// schema do not share a name that one of them could take away.
type root struct {
	id    string // the schema's Ref, or the name of the operation's part
	name  string // Go name that inline types below it begin with
	where string // for comments: NewClaim, the body of claims.create
}

// An inlineKey is an inline type below a root.
type inlineKey struct {
	root string
	typ  *ir.Type
}

// An inline is an inline type that is declared under a name: an object or an enum.
type inline struct {
	key   inlineKey
	name  string // wanted, then chosen
	path  string // the way from its root, unambiguous
	trail string // the same for readers: lines[].address
	where string
}

// typeNames are the names of all declared types.
type typeNames struct {
	doc        *ir.Document
	components map[string]*ir.Type // by Ref
	named      map[string]string   // Ref -> Go name
	inlines    []*inline
	inlineName map[inlineKey]string
	fields     map[*ir.Type]map[string]string // wire name -> Go field
	constants  map[string]map[string]string   // enum's Go name -> JSON literal -> constant
}

// nameTypes chooses a name for every type that is declared: first the components', then those of
// inline types, then the constants'. Each level gives way to the one before.
func nameTypes(doc *ir.Document, ops []*operation, names scope) *typeNames {
	t := &typeNames{
		doc:        doc,
		components: make(map[string]*ir.Type),
		inlineName: make(map[inlineKey]string),
		fields:     make(map[*ir.Type]map[string]string),
		constants:  make(map[string]map[string]string),
	}
	t.collect(ops)
	var wanted []candidate
	for _, typ := range t.declared() {
		wanted = append(wanted, candidate{id: refOf(typ), base: exportedName(typ.Name), wire: typ.Name})
	}
	t.named = names.allocate("Schema", wanted)

	for _, typ := range t.declared() {
		name := t.named[refOf(typ)]
		t.walkBelow(root{id: refOf(typ), name: name, where: name}, typ)
	}
	for _, op := range ops {
		t.walkOperation(op)
	}
	t.nameInlines(names)
	t.nameConstants(names)
	return t
}

// collect finds the component schemas that the operations use. The document lists them; what it does
// not list but refers to is found all the same.
func (t *typeNames) collect(ops []*operation) {
	met := make(map[*ir.Type]bool)
	var visit func(*ir.Type)
	visit = func(typ *ir.Type) {
		if typ == nil || met[typ] {
			return
		}
		met[typ] = true
		if _, listed := t.components[refOf(typ)]; typ.Name != "" && !listed {
			t.components[refOf(typ)] = typ
		}
		visit(typ.Items)
		visit(typ.Rest)
		for _, f := range typ.Fields {
			visit(f.Type)
		}
	}
	for _, typ := range t.doc.Types {
		t.components[refOf(typ)] = typ
	}
	for _, typ := range t.doc.Types {
		visit(typ)
	}
	for _, op := range ops {
		for _, p := range slices.Concat(op.PathParams, op.QueryParams, op.Headers) {
			visit(p.Type)
		}
		for _, b := range op.Bodies {
			visit(b.Type)
		}
	}
}

// refOf identifies a component schema.
func refOf(t *ir.Type) string { return cmp.Or(t.Ref, t.Name) }

// declared are the component schemas that become a Go type, sorted: objects, arrays, maps and enums.
// Any other is written as what it is.
func (t *typeNames) declared() []*ir.Type {
	var out []*ir.Type
	for _, typ := range t.components {
		if isEnum(typ) || isComposite(typ) {
			out = append(out, typ)
		}
	}
	slices.SortFunc(out, func(a, b *ir.Type) int { return strings.Compare(refOf(a), refOf(b)) })
	return out
}

func isEnum(t *ir.Type) bool { return len(t.Enum) > 0 }

func isComposite(t *ir.Type) bool {
	return t.Kind == ir.Array || t.Kind == ir.Map || t.Kind == ir.Object
}

// isStruct is true of what becomes a struct; an object that may have no members at all is one, too.
func isStruct(t *ir.Type) bool {
	return !isEnum(t) && (t.Kind == ir.Object || t.Kind == ir.Map && t.Closed)
}

// A step is a type on the way through a root's inline types.
type step struct {
	typ               *ir.Type
	name, path, trail string
}

func (s step) items() step  { return step{s.typ.Items, s.name + "Item", s.path + "[", s.trail + "[]"} }
func (s step) values() step { return step{s.typ.Rest, s.name + "Value", s.path + "{", s.trail + "{}"} }
func (s step) extra() step  { return step{s.typ.Rest, s.name + "Extra", s.path + "{", s.trail + "{}"} }

func (s step) member(name, field string, typ *ir.Type) step {
	return step{typ, s.name + field, s.path + strconv.Quote(name), strings.TrimPrefix(s.trail+"."+name, ".")}
}

// walkOperation walks the inline types of an operation.
func (t *typeNames) walkOperation(op *operation) {
	for _, part := range []struct {
		name       string
		parameters []*ir.Parameter
	}{{"Path", op.PathParams}, {"Query", op.QueryParams}, {"Header", op.Headers}} {
		name := op.name + part.name
		fields := fieldNames(parameterNames(part.parameters))
		r := root{id: name, name: name, where: name}
		var steps []step
		for _, param := range part.parameters {
			steps = append(steps, step{name: name}.member(param.Name, fields[param.Name], parameterType(param)))
		}
		t.walk(r, steps)
	}
	if body := typedBody(op.Bodies); body != nil {
		name := op.name + "Body"
		t.walk(root{id: name, name: name, where: "the body of " + op.Endpoint}, []step{{typ: body, name: name}})
	}
}

// walkBelow walks what lies below a component schema.
func (t *typeNames) walkBelow(r root, typ *ir.Type) {
	t.walk(r, t.children(step{typ: typ, name: r.name}))
}

// walk finds the inline types of a root that need a name. It goes level by level and sorted by member
// name, so that a type which is met twice has the name of the shortest way, wherever the file begins.
func (t *typeNames) walk(r root, level []step) {
	met := make(map[*ir.Type]bool)
	for len(level) > 0 {
		slices.SortFunc(level, func(a, b step) int { return strings.Compare(a.path, b.path) })
		var next []step
		for _, s := range level {
			if s.typ == nil || s.typ.Name != "" || met[s.typ] {
				continue
			}
			met[s.typ] = true
			if isEnum(s.typ) || isStruct(s.typ) {
				t.inlines = append(t.inlines, &inline{
					key: inlineKey{r.id, s.typ}, name: s.name, path: s.path, trail: s.trail, where: r.where,
				})
			}
			next = append(next, t.children(s)...)
		}
		level = next
	}
}

// children are the types directly below one.
func (t *typeNames) children(s step) []step {
	switch {
	case isEnum(s.typ):
		return nil
	case s.typ.Kind == ir.Array:
		return []step{s.items()}
	case s.typ.Kind == ir.Map:
		return []step{s.values()}
	case s.typ.Kind != ir.Object:
		return nil
	}
	out := []step{s.extra()}
	fields := t.fieldsOf(s.typ)
	for _, f := range s.typ.Fields {
		out = append(out, s.member(f.Name, fields[f.Name], f.Type))
	}
	return out
}

// nameInlines settles the names of inline types against each other and the components'.
func (t *typeNames) nameInlines(names scope) {
	var wanted []candidate
	for _, in := range t.inlines {
		wanted = append(wanted, candidate{id: in.id(), base: in.name})
	}
	chosen := names.allocate("Inline", wanted)
	for _, in := range t.inlines {
		in.name = chosen[in.id()]
		t.inlineName[in.key] = in.name
	}
}

func (in *inline) id() string { return in.key.root + "\x00" + in.path }

// fieldsOf are the Go field names of an object.
func (t *typeNames) fieldsOf(typ *ir.Type) map[string]string {
	if names, ok := t.fields[typ]; ok {
		return names
	}
	var wire []string
	for _, f := range typ.Fields {
		wire = append(wire, f.Name)
	}
	t.fields[typ] = fieldNames(wire)
	return t.fields[typ]
}

// fieldNames gives each wire name of one struct a Go field. A struct's methods and Extra are taken.
func fieldNames(wire []string) map[string]string {
	names := scope{}
	names.take("Extra", "MarshalJSON", "UnmarshalJSON")
	var wanted []candidate
	for _, w := range wire {
		wanted = append(wanted, candidate{id: w, base: exportedName(w), wire: w})
	}
	return names.allocate("Field", wanted)
}

func parameterNames(ps []*ir.Parameter) []string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Name)
	}
	return out
}
