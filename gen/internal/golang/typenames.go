package golang

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// A root is where types are named from: a component schema, or a part of an operation. An inline type
// gets its name from its root and the way to it alone, so that two operations which share an inline
// schema do not share a name that one of them could take away.
type root struct {
	id    string // the schema's Ref, or the name of the operation's part
	owner string // the schema's Ref, or the operation's name
	base  string // what the names of inline types below it begin with
	wire  string // what it is called in the document: NewClaim, body
	where string // for comments: the body of claims.create; empty: the schema's Go name
}

// An inlineKey is an inline type below a root.
type inlineKey struct {
	root string
	typ  *ir.Type
}

// An inline is an inline type that is declared under a name: an object or an enum.
type inline struct {
	key   inlineKey
	owner string // its root's
	base  string // the name it wants
	name  string // chosen
	wire  string // its root's and the way from there, unambiguous
	trail string // the way for readers: lines[].address
	where string
}

// typeNames are the names of all declared types.
type typeNames struct {
	doc        *ir.Document
	components map[string]*ir.Type // by Ref
	bases      map[string]string   // Ref -> Go name that is wanted
	named      map[string]string   // Ref -> Go name
	inlines    []*inline
	inlineName map[inlineKey]string
	constants  map[string]map[string]string // enum's Go name -> JSON literal -> constant
}

// nameTypes chooses a name for every type that is declared, and then for the constants, which give way.
// Types give way to what operations have: Schema or Inline is appended.
func nameTypes(doc *ir.Document, ops []*operation, names scope) *typeNames {
	t := &typeNames{
		doc:        doc,
		components: make(map[string]*ir.Type),
		bases:      make(map[string]string),
		named:      make(map[string]string),
		inlineName: make(map[inlineKey]string),
		constants:  make(map[string]map[string]string),
	}
	t.collect(ops)
	for _, typ := range t.declared() {
		ref := refOf(typ)
		t.bases[ref] = names.beside(exportedName(typ.Name), "Schema")
		t.walkBelow(root{id: ref, owner: ref, base: t.bases[ref], wire: wireOf(ref)}, typ)
	}
	for _, op := range ops {
		t.walkOperation(op)
	}
	t.chooseTypes(names)
	t.nameConstants(names)
	return t
}

// chooseTypes settles the names of components and inline types, which are in one scope.
func (t *typeNames) chooseTypes(names scope) {
	var wanted []candidate
	for ref, base := range t.bases {
		wanted = append(wanted, candidate{id: ref, base: base, wire: wireOf(ref)})
	}
	for _, in := range t.inlines {
		in.base = names.beside(in.base, "Inline")
		wanted = append(wanted, candidate{id: in.id(), base: in.base, wire: in.wire})
	}
	chosen := names.allocate(wanted)
	for ref := range t.bases {
		t.named[ref] = chosen[ref]
	}
	for _, in := range t.inlines {
		in.name = chosen[in.id()]
		t.inlineName[in.key] = in.name
	}
}

// wireOf is what a component schema is called: its name, and the file where that is another.
func wireOf(ref string) string {
	return strings.TrimPrefix(strings.Replace(ref, "#/components/schemas/", "#", 1), "#")
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
			for _, f := range b.Fields {
				visit(f.Type)
			}
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

// A step is a type on the way through a root's inline types. Its name follows from the wire names on the
// way alone: not from the fields' names, which depend on what else there is.
type step struct {
	typ               *ir.Type
	base, wire, trail string
}

func (s step) items() step  { return step{s.typ.Items, s.base + "Item", s.wire + "[", s.trail + "[]"} }
func (s step) values() step { return step{s.typ.Rest, s.base + "Value", s.wire + "{", s.trail + "{}"} }
func (s step) extra() step  { return step{s.typ.Rest, s.base + "Extra", s.wire + "{", s.trail + "{}"} }

// unstep keeps member names apart from the signs of a way.
var unstep = strings.NewReplacer("~", "~0", "/", "~1", "[", "~2", "{", "~3")

func (s step) member(name string, typ *ir.Type) step {
	return step{typ, s.base + fieldBase(name), s.wire + "/" + unstep.Replace(name), strings.TrimPrefix(s.trail+"."+name, ".")}
}

// walkOperation walks the inline types of an operation.
func (t *typeNames) walkOperation(op *operation) {
	type part struct {
		name       string
		parameters []*ir.Parameter
	}
	parts := []part{{"Path", op.PathParams}, {"Query", op.QueryParams}, {"Header", op.Headers}}
	for _, g := range groupBodies(op.Bodies) {
		if g.field != "Body" && len(g.bodies) == 1 {
			parts = append(parts, part{g.field, g.bodies[0].Fields})
		}
	}
	for _, part := range parts {
		r := op.root(part.name)
		r.where = r.id
		var steps []step
		for _, param := range part.parameters {
			steps = append(steps, r.step(nil).member(param.Name, parameterType(param)))
		}
		t.walk(r, steps)
	}
	if body := typedBody(unformed(op.Bodies)); body != nil {
		r := op.root("Body")
		r.where = "the body of " + op.Endpoint
		t.walk(r, []step{r.step(body)})
	}
}

// root is a part of an operation as a root. Its wire name is short: the base has the operation's.
func (op *operation) root(part string) root {
	return root{id: op.name + part, owner: op.name, base: op.name + part, wire: strings.ToLower(part)}
}

func (r root) step(typ *ir.Type) step { return step{typ: typ, base: r.base, wire: r.wire} }

// walkBelow walks what lies below a component schema.
func (t *typeNames) walkBelow(r root, typ *ir.Type) {
	t.walk(r, children(r.step(typ)))
}

// walk finds the inline types of a root that need a name. It goes level by level and sorted by member
// name, so that a type which is met twice has the name of the shortest way, wherever the file begins.
func (t *typeNames) walk(r root, level []step) {
	met := make(map[*ir.Type]bool)
	for len(level) > 0 {
		slices.SortFunc(level, func(a, b step) int { return strings.Compare(a.wire, b.wire) })
		var next []step
		for _, s := range level {
			if s.typ == nil || s.typ.Name != "" || met[s.typ] {
				continue
			}
			met[s.typ] = true
			if isEnum(s.typ) || isStruct(s.typ) {
				t.inlines = append(t.inlines, &inline{
					key: inlineKey{r.id, s.typ}, owner: r.owner, base: s.base, wire: s.wire, trail: s.trail, where: r.where,
				})
			}
			next = append(next, children(s)...)
		}
		level = next
	}
}

// children are the types directly below one.
func children(s step) []step {
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
	for _, f := range s.typ.Fields {
		out = append(out, s.member(f.Name, f.Type))
	}
	return out
}

func (in *inline) id() string { return in.key.root + "\x00" + in.wire }
