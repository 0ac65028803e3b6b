package openapi

import (
	"fmt"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// mostBrackets is how many names in brackets a field has that is made up for a sample.
const mostBrackets = 6

// undeclared are the fields that the lists and deeper objects of a form with names in brackets may be sent as,
// items[0][sku]: no field is declared for them, and a request may need them. Those are Required which stand for what is
// required around them.
func (c *converter) undeclared(t *ir.Type, styles map[string]style) []*ir.Parameter {
	var out []*ir.Parameter
	for _, f := range t.Fields {
		if typ := c.without(f.Type); styles[f.Name].name == "deepObject" && !f.ReadOnly && !scalar(typ) {
			out = append(out, c.undeclaredBelow(f, typ, 1)...)
		}
	}
	return unite(nil, out)
}

// undeclaredBelow are those of one member; spreadBelow says what is declared.
func (c *converter) undeclaredBelow(f *ir.Field, t *ir.Type, level int) []*ir.Parameter {
	if level > mostBrackets || t == nil || level > deepest && !f.Required {
		return nil
	}
	child := func(name string, of *ir.Type, required, ignore bool, level int) []*ir.Parameter {
		if of == nil {
			return nil
		}
		below := &ir.Field{Pos: f.Pos, Name: fmt.Sprintf("%s[%s]", f.Name, name), Required: required, Ignore: f.Ignore || ignore}
		return c.undeclaredBelow(below, c.without(of), level)
	}
	var out []*ir.Parameter
	switch {
	case scalar(t) && level > deepest+1:
		out = append(out, &ir.Parameter{Pos: f.Pos, Name: f.Name, Required: f.Required, Ignore: f.Ignore, Type: t})
	case t.Kind == ir.Any && level > deepest+1 && textOf(t) != nil:
		out = append(out, &ir.Parameter{Pos: f.Pos, Name: f.Name, Required: f.Required, Ignore: f.Ignore, Type: textOf(t)})
	case t.Kind == ir.Array && level == 1 && !f.Required && t.Items != nil && scalar(c.without(t.Items)):
		out = append(out, &ir.Parameter{Pos: f.Pos, Name: f.Name + "[0]", Ignore: f.Ignore, Type: c.without(t.Items)})
	case t.Kind == ir.Array && f.Required:
		out = append(out, child("0", t.Items, true, false, deepest+2)...)
	case t.Kind == ir.Object:
		for _, m := range t.Fields {
			if !m.ReadOnly {
				out = append(out, child(m.Name, m.Type, m.Required, m.Ignore, level+1)...)
			}
		}
	}
	return out
}
