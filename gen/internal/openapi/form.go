package openapi

import (
	"fmt"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// style is how a value becomes names and texts in a form or a query (OpenAPI, "Style Values").
type style struct {
	name    string // form, spaceDelimited, pipeDelimited, deepObject
	explode bool
	part    bool   // of a multipart body
	media   string // contentType of the encoding
}

// spreadQuery are the query parameters that the members of an object are sent as. It is false where they are not: any other
// parameter is sent under its own name.
func (c *converter) spreadQuery(p *parameter, k *openapi3.Parameter) (fields []*ir.Parameter, ignored []string, ok bool) {
	if p.in != "query" || k.Schema == nil {
		return nil, nil, false
	}
	s := style{name: "form", explode: k.Explode == nil || *k.Explode}
	if k.Style != "" {
		s.name = k.Style
	}
	v := view{ref: k.Schema, node: p.node.Get("schema")}
	if s.name != "deepObject" && !(s.name == "form" && s.explode) {
		return nil, nil, false
	}
	t := c.schemaOf(p, k)
	if scalar(t) || s.name == "form" && t.Kind != ir.Object && t.Kind != ir.Map {
		return nil, nil, false
	}
	c.noRules(v, "a parameter")
	ignore, key := c.flag("x-idempotency-ignore", p.uses, p.node)
	if ignore && s.name == "form" {
		c.breaks(ir.LintPlace, key, fmt.Sprintf("x-idempotency-ignore on %q, whose members are sent under other names", p.name), "declare the members as query parameters and ignore those")
	}
	f := &ir.Field{Pos: p.uses.Pos(), Name: p.name, Required: k.Required, Ignore: ignore, Type: t}
	fields, ignored = c.spreadMembers(f, s)
	return fields, ignored, true
}

// unite adds the parameters that no other has the name of.
func unite(params, more []*ir.Parameter) []*ir.Parameter {
	names := map[string]bool{}
	for _, p := range params {
		names[p.Name] = true
	}
	for _, p := range more {
		if !names[p.Name] {
			names[p.Name] = true
			params = append(params, p)
		}
	}
	return params
}

// noneLeftOut reports parameters that count, and have a name that is to be ignored as part of another.
func (c *converter) noneLeftOut(params []*ir.Parameter, ignored []string) {
	names := ir.LeftOut(slices.Clone(ignored))
	for _, p := range params {
		if !p.Ignore && ir.IsLeftOut(names, p.Name) {
			c.lib.ReportAs(ir.LintPlace, p.Pos, fmt.Sprintf("%q counts, and is ignored as part of another parameter or member", p.Name), "give both the same x-idempotency-ignore")
		}
	}
}

// form reads the fields of a form: the members of its schema, each as it is sent. A schema that is no one object
// declares none of them.
func (c *converter) form(body *ir.Body, media document.Node, k *openapi3.MediaType) {
	schema := media.Get("schema")
	if schema.IsZero() || k == nil || k.Schema == nil {
		return
	}
	v := view{ref: k.Schema, node: schema}
	if ctx := c.context(v); ctx.ignore {
		c.breaks(ir.LintPlace, ctx.ignoreKey, "x-idempotency-ignore on a whole body", "put it on the members that are no part of the identity")
	}
	styles := c.encodings(media.Get("encoding"), body.Form == ir.Multipart)
	t := c.typ([]view{v}, anything, "the form")
	if t.Kind != ir.Object {
		c.formRules(t, "the form", t.Pos)
		body.Closed = t.Kind == ir.Map && t.Closed
		return
	}
	body.Closed = t.Closed
	body.Example = c.given(t, media)
	var all []*ir.Parameter
	for _, f := range t.Fields {
		s, ok := styles[f.Name]
		if !ok {
			s = style{name: "form", explode: true, part: body.Form == ir.Multipart}
		}
		fields, ignored := c.field(f, s)
		all = append(all, fields...)
		body.Ignored = append(body.Ignored, ignored...)
		if len(fields) != 1 || fields[0].Name != f.Name || s.spreads(c.without(f.Type)) {
			body.Closed = false // it is sent under names that nothing declares
		}
	}
	body.Fields = unite(nil, all)
	body.Undeclared = c.undeclared(t, styles)
	c.noneLeftOut(body.Fields, body.Ignored)
}

// encodings is how the members of a form are sent, as far as the document says. Multipart bodies have no styles before
// OpenAPI 3.1; where a document has them nevertheless they mean the same.
func (c *converter) encodings(n document.Node, part bool) map[string]style {
	styles := map[string]style{}
	for key, encoding := range n.Members() {
		if !encoding.IsMapping() {
			c.bad(encoding, "an encoding is "+encoding.What(), "write a mapping")
			continue
		}
		c.extensions(encoding, elsewhere)
		s := style{name: "form", explode: true, part: part, media: text(encoding, "contentType")}
		if named := encoding.Get("style"); !named.IsZero() {
			s.name, s.explode = named.Spelt(), named.Spelt() == "form"
			if !slices.Contains([]string{"form", "spaceDelimited", "pipeDelimited", "deepObject"}, s.name) {
				c.bad(named, fmt.Sprintf("style is %q", s.name), "write form, spaceDelimited, pipeDelimited or deepObject")
			}
		}
		if explode := encoding.Get("explode"); !explode.IsZero() {
			var ok bool
			if s.explode, ok = explode.Bool(); !ok {
				c.bad(explode, "explode is "+explode.What()+", not true or false", "write true or false, without quotes")
			}
		}
		styles[key.Spelt()] = s
	}
	return styles
}

// field is how one member of a form is sent: as a field or part of its own name, and otherwise under other names.
func (c *converter) field(f *ir.Field, s style) (fields []*ir.Parameter, ignored []string) {
	t := c.without(f.Type)
	if s.name == "deepObject" && !scalar(t) {
		return c.spreadMembers(f, s)
	}
	p := &ir.Parameter{Pos: f.Pos, Name: f.Name, Doc: f.Doc, Required: f.Required, Ignore: f.Ignore}
	switch {
	case scalar(t):
		p.Part = s.part && isPart(t, s)
		p.Type = t
	case t.Kind == ir.Array && s.explode:
		c.formRules(t.Items, fmt.Sprintf("the items of %q", f.Name), f.Pos)
		items := c.without(t.Items)
		p.Part = s.part && (!scalar(items) || isPart(items, s))
		if p.Part && !mayBeText(items) {
			p.JSON = items
		}
		out := *t
		out.Ref, out.Name, out.Nullable, out.Items = "", "", false, items
		if p.Part || !scalar(items) {
			out.Items = &ir.Type{Pos: t.Pos, Kind: ir.String}
		}
		p.Type = &out
	default:
		c.formRules(t, fmt.Sprintf("%q", f.Name), f.Pos)
		p.Part = s.part
		p.Type, p.Text = asSent(t, s.explode), textOf(t)
		if s.part && !mayBeText(t) {
			p.JSON = t
		}
		p.Required = p.Required && s.part // as one text, or spread: documents differ
	}
	if p.Part && scalar(t) {
		p.Type = &ir.Type{Pos: t.Pos, Kind: ir.String}
	}
	return []*ir.Parameter{p}, nil
}

// spreads is true of a value that may be sent under the names of its members.
func (s style) spreads(t *ir.Type) bool {
	return s.explode && !s.part && (t.Kind == ir.Object || t.Kind == ir.Map || t.Kind == ir.Any)
}

// mayBeText tells whether a value may be a scalar, which a part has as it is; any other is JSON in a part.
func mayBeText(t *ir.Type) bool {
	return scalar(t) || t.Kind == ir.Any && (len(t.Branches) == 0 || slices.ContainsFunc(t.Branches, mayBeText))
}

// textOf is what stands for a value as a text: of a list one item, of a union the first branch that is a scalar; nil where
// there is none.
func textOf(t *ir.Type) *ir.Type {
	if t.Kind == ir.Array && t.Items != nil && scalar(t.Items) {
		return t.Items
	}
	for _, b := range t.Branches {
		if scalar(b) {
			return b
		}
		if deeper := textOf(b); deeper != nil {
			return deeper
		}
	}
	return nil
}

// asSent is the type of a value that is not taken apart: its text, or several where it may be an array that is repeated.
func asSent(t *ir.Type, explode bool) *ir.Type {
	text := &ir.Type{Pos: t.Pos, Kind: ir.String}
	if explode && slices.ContainsFunc(t.Branches, func(b *ir.Type) bool { return b.Kind == ir.Array }) {
		return &ir.Type{Pos: t.Pos, Kind: ir.Array, Items: text}
	}
	return text
}

// isPart tells whether a scalar is sent as what has a media type of its own, as files have.
func isPart(t *ir.Type, s style) bool {
	if s.media != "" {
		return !strings.HasPrefix(strings.ToLower(s.media), "text/plain")
	}
	return t.Kind == ir.String && (t.Format == "binary" || t.Media != "")
}

// deepest is how many names in brackets a declared field has: filter[a][b]. OpenAPI leaves undefined how deeper objects,
// and arrays inside them, are sent; they are among the undeclared fields.
const deepest = 2

// spreadMembers are the fields that the members of an object are sent as.
func (c *converter) spreadMembers(f *ir.Field, s style) (fields []*ir.Parameter, ignored []string) {
	fields, ignored = c.spreadBelow(f, s, 1)
	if f.Ignore {
		ignored = append(ignored, f.Name, f.Name+"[")
	}
	return fields, ignored
}

func (c *converter) spreadBelow(f *ir.Field, s style, level int) (fields []*ir.Parameter, ignored []string) {
	t := c.without(f.Type)
	if t.Kind != ir.Object || level > deepest {
		c.formRules(t, fmt.Sprintf("%q", f.Name), f.Pos)
		if t.Kind != ir.Any {
			return nil, ignored
		}
		// It may be a text, which has the name itself.
		return []*ir.Parameter{{Pos: f.Pos, Name: f.Name, Doc: f.Doc, Ignore: f.Ignore, Type: &ir.Type{Pos: t.Pos, Kind: ir.String}, Text: textOf(t)}}, ignored
	}
	for _, m := range t.Fields {
		below := *m
		if s.name == "deepObject" {
			below.Name = f.Name + "[" + m.Name + "]"
		}
		below.Required, below.Ignore = f.Required && m.Required, f.Ignore || m.Ignore
		typ := c.without(m.Type)
		list := typ.Kind == ir.Array && s.name == "form"
		if !scalar(typ) && !list {
			more, names := c.spreadBelow(&below, s, level+1)
			for _, p := range more {
				p.Kept = p.Kept || p.Name == below.Name && m.Required
			}
			if s.name == "deepObject" || typ.Kind == ir.Any {
				fields, ignored = append(fields, more...), append(ignored, names...)
			}
			if m.Ignore {
				ignored = append(ignored, below.Name, below.Name+"[")
			}
			continue
		}
		p := &ir.Parameter{Pos: m.Pos, Name: below.Name, Doc: m.Doc, Required: below.Required, Kept: m.Required, Ignore: below.Ignore, Type: typ}
		if list {
			c.formRules(typ, fmt.Sprintf("%q", p.Name), m.Pos)
			items := c.without(typ.Items)
			if !scalar(items) {
				items = &ir.Type{Pos: typ.Pos, Kind: ir.String}
			}
			p.Type = &ir.Type{Pos: typ.Pos, Kind: ir.Array, Items: items}
		} else if p.Part = s.part && isPart(typ, s); p.Part {
			p.Type = &ir.Type{Pos: typ.Pos, Kind: ir.String}
		}
		fields = append(fields, p)
	}
	return fields, ignored
}

// formRules reports members to ignore and arrays without order where a form has no name for them.
func (c *converter) formRules(t *ir.Type, where string, pos ir.Pos) {
	if t == nil || ir.Rules(t) == nil {
		return
	}
	c.lib.ReportAs(ir.LintPlace, pos, "x-idempotency-ignore or x-idempotency-unordered inside "+where+", whose parts are not sent under names of their own",
		"put the extension on the field itself, or use another schema here")
}
