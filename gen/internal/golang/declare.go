package golang

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// A declaration is a type that is declared.
type declaration interface {
	typeName() string
	print(*jen.File)
}

// A structType is declared as a struct.
type structType struct {
	name    string
	doc     []string
	fields  []structField
	extra   *goType // type of the field Extra
	methods bool    // it is a JSON object by itself
}

// A structField is a field of a struct.
type structField struct {
	name     string
	wire     string
	typ      goType
	omitzero bool
	doc      string // the document's description
	note     string // behind the field
}

// A listType is declared as a slice or a map.
type listType struct {
	name string
	doc  []string
	typ  goType
}

// An enumType is declared over a basic type, with its members.
type enumType struct {
	name      string
	doc       []string
	typ       goType
	members   []string // JSON literals
	constants []constant
}

func (s *structType) typeName() string { return s.name }
func (l *listType) typeName() string   { return l.name }
func (e *enumType) typeName() string   { return e.name }

const (
	ignored   = "not part of the identity"
	unordered = "compared as a multiset"
)

// takeTypes gives each operation and each component schema the types that are declared for it.
func (p *Plan) takeTypes(t *typeNames) {
	own := make(map[string][]declaration) // inline types by owner
	for _, in := range t.inlines {
		own[in.owner] = append(own[in.owner], t.declare(in.name, in.key.root, in.key.typ, in.name+" is "+t.place(in)+"."))
	}
	for _, types := range own {
		slices.SortFunc(types, func(a, b declaration) int { return strings.Compare(a.typeName(), b.typeName()) })
	}
	for _, op := range p.operations {
		op.types = own[op.name]
	}
	for _, typ := range t.declared() {
		ref := refOf(typ)
		name := t.named[ref]
		first := t.declare(name, ref, typ, name+" is "+clean(ref)+".")
		p.schemas = append(p.schemas, schema{name, append([]declaration{first}, own[ref]...)})
	}
	slices.SortFunc(p.schemas, func(a, b schema) int { return strings.Compare(a.name, b.name) })
}

// place says where an inline type stands.
func (t *typeNames) place(in *inline) string {
	return placeOf(clean(in.trail), clean(cmp.Or(in.where, t.named[in.key.root])))
}

func placeOf(trail, where string) string {
	switch {
	case trail == "":
		return where
	case strings.HasSuffix(trail, "[]"):
		return "an item of " + placeOf(strings.TrimSuffix(trail, "[]"), where)
	case strings.HasSuffix(trail, "{}"):
		return "a value of " + placeOf(strings.TrimSuffix(trail, "{}"), where)
	default:
		return "the member " + trail + " of " + where
	}
}

// declare plans the declaration of one type.
func (t *typeNames) declare(name, root string, typ *ir.Type, first string) declaration {
	if typ.Unordered {
		first = strings.TrimSuffix(first, ".") + ", " + unordered + "."
	}
	doc := append(wrap(first, typeLines), described(typ.Doc)...)
	switch {
	case isEnum(typ):
		return t.enum(name, typ, doc)
	case isStruct(typ):
		return t.object(name, root, typ, doc)
	default:
		return &listType{name: name, doc: doc, typ: t.spelled(root, typ, nil)}
	}
}

// described is a description as a paragraph below the first line of a doc comment.
func described(text string) []string {
	lines := wrap(prose(text), typeLines)
	if len(lines) == 0 {
		return nil
	}
	return append([]string{""}, lines...)
}

// object plans a struct for an object.
func (t *typeNames) object(name, root string, typ *ir.Type, doc []string) *structType {
	s := &structType{name: name, doc: doc, methods: true}
	names := fieldNames(typ.Fields, func(f *ir.Field) string { return f.Name })
	for _, f := range typ.Fields {
		field := structField{
			name: names[f.Name], wire: f.Name, typ: t.goType(root, f.Type), doc: f.Doc, note: t.note(f.Ignore, f.Type),
		}
		if !f.Required {
			field.typ, field.omitzero = optional(field.typ), true
		}
		s.fields = append(s.fields, field)
	}
	s.sort()
	if typ.Closed {
		return s
	}
	extra := inCanon("Extra")
	if typ.Rest != nil {
		if rest := t.goType(root, typ.Rest); rest != canonValue {
			extra = mapOf(rest)
		}
	}
	s.extra = &extra
	return s
}

// sort puts the fields in the order of their names: the order of members in a document means nothing
// and leaves no trace.
func (s *structType) sort() {
	slices.SortFunc(s.fields, func(a, b structField) int { return strings.Compare(a.name, b.name) })
}

// note is what a reader of a field has to know beside its type.
func (t *typeNames) note(ignore bool, typ *ir.Type) string {
	switch {
	case ignore:
		return ignored
	case typ == nil:
		return ""
	case typ.Unordered:
		return unordered
	default:
		return t.choice(typ)
	}
}

// choice names the types that a value of oneOf or anyOf can be read into, where all of a few have a name.
func (t *typeNames) choice(typ *ir.Type) string {
	const few = 4
	var names []string
	for _, b := range typ.Branches {
		names = append(names, t.named[refOf(b)])
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 || len(names) > few || names[0] == "" {
		return ""
	}
	return strings.Join(names, " or ")
}

// enum plans an enum over the type that holds its values.
func (t *typeNames) enum(name string, typ *ir.Type, doc []string) *enumType {
	e := &enumType{name: name, doc: doc, typ: basic(typ), members: unique(typ.Enum)}
	kind := enumKind(typ)
	for _, literal := range constantLiterals(typ) {
		value, _ := constantValue(typ, kind, literal)
		e.constants = append(e.constants, constant{name: t.constants[name][literal], literal: value})
	}
	return e
}

// unique drops what was there before.
func unique(ss []string) []string {
	var out []string
	seen := make(map[string]bool)
	for _, s := range ss {
		if !seen[s] {
			out = append(out, s)
			seen[s] = true
		}
	}
	return out
}

// goType is how a type is written inside the declarations of a root.
func (t *typeNames) goType(root string, typ *ir.Type) goType {
	return t.written(root, typ, nil)
}

// written is goType; above holds the inline types that it is within, so that one which contains
// itself without a name to refer to ends as any value.
func (t *typeNames) written(root string, typ *ir.Type, above []*ir.Type) goType {
	if typ == nil {
		return canonValue
	}
	g := t.notNull(root, typ, above)
	if typ.Nullable && g != canonValue {
		return nullable(g)
	}
	return g
}

// notNull is a type's declared name, or its spelling where it has none.
func (t *typeNames) notNull(root string, typ *ir.Type, above []*ir.Type) goType {
	if typ.Name != "" {
		if name, ok := t.named[refOf(typ)]; ok {
			return plain(name)
		}
	}
	if name, ok := t.inlineName[inlineKey{root, typ}]; ok {
		return plain(name)
	}
	return t.spelled(root, typ, above)
}

// spelled is a type in terms of others.
func (t *typeNames) spelled(root string, typ *ir.Type, above []*ir.Type) goType {
	if slices.Contains(above, typ) {
		return canonValue
	}
	above = append(above, typ)
	switch {
	case isEnum(typ):
		return basic(typ)
	case typ.Kind == ir.Array:
		return sliceOf(t.written(root, typ.Items, above))
	case typ.Kind == ir.Map:
		return mapOf(t.written(root, typ.Rest, above))
	default:
		return basic(typ)
	}
}

// basic is the Go type of a scalar; what is not typed is any value.
func basic(t *ir.Type) goType {
	kind := t.Kind
	if isEnum(t) {
		kind = enumKind(t)
	}
	switch kind {
	case ir.String:
		return plain("string")
	case ir.Bool:
		return plain("bool")
	case ir.Int:
		switch {
		case t.Unsigned && bitsOf(t) == 32:
			return plain("uint32")
		case t.Unsigned:
			return plain("uint64")
		case bitsOf(t) == 32:
			return plain("int32")
		default:
			return plain("int64")
		}
	case ir.Integer:
		return inCanon("Integer")
	case ir.Number:
		return inCanon("Number")
	default:
		return canonValue
	}
}
