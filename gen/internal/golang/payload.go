package golang

import (
	"net/http"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// plan fills in what is printed of an operation.
func (op *operation) plan(t *typeNames) {
	op.payload = &structType{
		name: op.name + "Payload",
		doc:  wrap(op.name+"Payload is everything that makes two requests of "+op.Endpoint+" the same.", typeLines),
	}
	add := func(field, wire string, typ goType, omitzero bool) {
		op.payload.fields = append(op.payload.fields, structField{name: field, wire: wire, typ: typ, omitzero: omitzero})
	}
	part := func(s *structType) goType {
		op.parts = append(op.parts, s)
		return plain(s.name)
	}
	if len(op.PathParams) > 0 {
		s := t.parameters(op.name+"Path", op.PathParams)
		s.doc = wrap(s.name+" holds the path parameters of "+op.Endpoint+".", typeLines)
		add("Path", "path", part(s), false)
	}
	query := inIdem("Query")
	if len(op.QueryParams) > 0 {
		s := t.parameters(op.name+"Query", op.QueryParams)
		s.sort()
		s.doc = wrap(s.name+" holds the query parameters of "+op.Endpoint+", and in Extra any others.", typeLines)
		values := inIdem("Values")
		s.extra = &values
		query = part(s)
	}
	add("Query", "query", query, true)
	if len(op.Headers) > 0 {
		s := t.parameters(op.name+"Header", op.Headers)
		s.sort()
		s.doc = wrap(s.name+" holds the headers that belong to the identity of "+op.Endpoint+".", typeLines)
		for i := range s.fields {
			s.fields[i].wire = http.CanonicalHeaderKey(s.fields[i].wire)
		}
		add("Header", "header", part(s), true)
	}
	if len(op.Scope) > 0 {
		add("Scope", "scope", part(op.facts()), false)
	}
	if severalTypes(op.Bodies) {
		add("Type", "type", plain("string"), true) // the media type that was sent
	}
	groups := groupBodies(op.Bodies)
	required := op.Required && len(groups) == 1
	for _, g := range groups {
		var typ goType
		switch {
		case g.field == "Body":
			typ = t.body(op, g.bodies)
		case len(g.bodies) == 1:
			s := t.form(op, g)
			typ = part(s)
		default: // of multipart/form-data and multipart/mixed, say
			typ = inIdem("FormParts")
		}
		if !required {
			typ = optional(typ)
		}
		add(g.field, strings.ToLower(g.field), typ, !required)
	}
}

// A bodyGroup are the bodies of an operation that one field of the payload holds.
type bodyGroup struct {
	field  string
	bodies []*ir.Body
}

// groupBodies groups bodies by what they are to a reader: a document, a form, or parts.
func groupBodies(bodies []*ir.Body) []bodyGroup {
	groups := []bodyGroup{{field: "Body"}, {field: "Form"}, {field: "Parts"}}
	for _, b := range bodies {
		i := map[ir.Form]int{ir.Fields: 1, ir.Multipart: 2}[b.Form]
		groups[i].bodies = append(groups[i].bodies, b)
	}
	return slices.DeleteFunc(groups, func(g bodyGroup) bool { return len(g.bodies) == 0 })
}

// unformed are the bodies that are no forms.
func unformed(bodies []*ir.Body) []*ir.Body {
	return slices.DeleteFunc(slices.Clone(bodies), func(b *ir.Body) bool { return b.Form == ir.Fields || b.Form == ir.Multipart })
}

// form plans the struct of a form.
func (t *typeNames) form(op *operation, g bodyGroup) *structType {
	fields := g.bodies[0].Fields
	s := t.parameters(op.name+g.field, fields)
	for i, p := range fields {
		if p.Type.Unordered && !p.Ignore {
			s.fields[i].note = unordered
		}
	}
	s.sort()
	about := " holds the fields of " + op.Endpoint
	values := inIdem("Values")
	if g.field == "Parts" {
		about = " holds the parts of " + op.Endpoint
		values = inIdem("Parts")
	}
	if g.bodies[0].Closed {
		s.doc = wrap(s.name+about+".", typeLines)
		return s
	}
	s.doc = wrap(s.name+about+", and in Extra any others.", typeLines)
	s.extra = &values
	return s
}

// parameters plans the struct of one part of the payload.
func (t *typeNames) parameters(name string, ps []*ir.Parameter) *structType {
	s := &structType{name: name}
	names := fieldNames(ps, func(p *ir.Parameter) string { return p.Name })
	for _, p := range ps {
		typ := parameterType(p)
		f := structField{name: names[p.Name], wire: p.Name, typ: t.textType(name, typ), omitzero: !p.Required, doc: p.Doc}
		if p.Part {
			f.typ = partType(typ)
		}
		if p.Ignore {
			f.note = ignored
		}
		if !p.Required && typ.Kind != ir.Array {
			f.typ = optional(f.typ)
		}
		s.fields = append(s.fields, f)
	}
	return s
}

// facts plans the struct of the facts about who acts.
func (op *operation) facts() *structType {
	s := &structType{name: op.name + "Scope"}
	s.doc = wrap(s.name+" holds the facts about who acts that belong to the identity of "+op.Endpoint+".", typeLines)
	names := fieldNames(op.Scope, func(fact string) string { return fact })
	for _, fact := range op.Scope {
		s.fields = append(s.fields, structField{name: names[fact], wire: fact, typ: plain("string")})
	}
	s.sort()
	return s
}

// asSent is the type of a parameter that is not taken apart.
var asSent = &ir.Type{Kind: ir.String}

// parameterType is a parameter's type as far as a text can have it: a scalar, or an array of scalars.
func parameterType(p *ir.Parameter) *ir.Type {
	scalar := func(t *ir.Type) bool { return t != nil && t.Kind != ir.Any && !isComposite(t) }
	if scalar(p.Type) || p.Type != nil && p.Type.Kind == ir.Array && !isEnum(p.Type) && scalar(p.Type.Items) {
		return p.Type
	}
	return asSent
}

// partType is the Go type of a part that is no text.
func partType(typ *ir.Type) goType {
	if typ.Kind == ir.Array {
		return sliceOf(inIdem("Part"))
	}
	return inIdem("Part")
}

// textType is the Go type of a parameter. A text is never null, whatever its schema allows.
func (t *typeNames) textType(root string, typ *ir.Type) goType {
	if typ.Kind != ir.Array || isEnum(typ) || typ.Name != "" && !typ.Items.Nullable {
		return t.notNull(root, typ, nil)
	}
	if typ.Name != "" {
		root = refOf(typ)
	}
	return sliceOf(t.notNull(root, typ.Items, nil))
}

// severalTypes is true where a request can choose its media type, or a parameter of it that means something: so the bytes
// of a digest may mean something else.
func severalTypes(bodies []*ir.Body) bool {
	return len(bodies) > 1 || slices.ContainsFunc(bodies, func(b *ir.Body) bool {
		return strings.Contains(b.MediaType, "*") || b.Form == ir.Digest || b.Form == ir.Multipart && b.MediaType != "multipart/form-data"
	})
}

// body is the Go type of the bodies of an operation that are no forms.
func (t *typeNames) body(op *operation, bodies []*ir.Body) goType {
	if body := typedBody(bodies); body != nil {
		return t.goType(op.name+"Body", body)
	}
	for _, b := range bodies {
		if b.Type == nil {
			return inIdem("Opaque")
		}
	}
	return canonValue
}

// typedBody is the one schema of an operation's bodies; nil where they have several, or one has none.
func typedBody(bodies []*ir.Body) *ir.Type {
	var typ *ir.Type
	for _, b := range bodies {
		if b.Type == nil || typ != nil && !sameSchema(typ, b.Type, nil) {
			return nil
		}
		if typ == nil {
			typ = b.Type
		}
	}
	return typ
}

// sameSchema is true of two types that give the same Go type. within holds the types that are being
// compared already.
func sameSchema(a, b *ir.Type, within []*ir.Type) bool {
	switch {
	case a == b || slices.Contains(within, a):
		return true
	case a == nil || b == nil || a.Nullable != b.Nullable:
		return false
	case a.Name != "" || b.Name != "":
		return refOf(a) == refOf(b)
	case a.Kind != b.Kind || a.Bits != b.Bits || a.Unsigned != b.Unsigned || a.Closed != b.Closed:
		return false
	}
	within = append(within, a)
	return slices.Equal(a.Enum, b.Enum) &&
		slices.EqualFunc(sortedFields(a), sortedFields(b), func(f, g *ir.Field) bool {
			return f.Name == g.Name && f.Required == g.Required && sameSchema(f.Type, g.Type, within)
		}) &&
		sameSchema(a.Items, b.Items, within) && sameSchema(a.Rest, b.Rest, within)
}

// sortedFields are an object's fields by name.
func sortedFields(t *ir.Type) []*ir.Field {
	byName := func(f, g *ir.Field) int { return strings.Compare(f.Name, g.Name) }
	return slices.SortedFunc(slices.Values(t.Fields), byName)
}
