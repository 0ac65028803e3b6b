package openapi

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// schemaOf is the type of a parameter's schema, whatever its style makes of it.
func (c *converter) schemaOf(p *parameter, k *openapi3.Parameter) *ir.Type {
	return c.typ([]view{{ref: k.Schema, node: p.node.Get("schema")}}, anything, p.name)
}

// textPattern is the pattern of a value that is taken as the text as sent, for samples: of a scalar, or of the items
// of an array in one text. It is empty where any text will do.
func textPattern(t *ir.Type, k *openapi3.Parameter, name string) string {
	item, count := t, 1
	if t.Kind == ir.Array && t.Items != nil {
		item, count = t.Items, min(max(t.MinItems, 1), 20)
	}
	one := itemPattern(item)
	before, between := "", ","
	switch k.Style {
	case "label":
		before, between = ".", "."
	case "matrix":
		before = ";" + name + "="
	case "pipeDelimited":
		between = "|"
	case "spaceDelimited":
		between = " "
	}
	if one == "" && before == "" && count == 1 {
		return ""
	}
	items := slices.Repeat([]string{"(" + cmp.Or(one, "[a-z]+") + ")"}, count)
	return "^" + regexp.QuoteMeta(before) + strings.Join(items, regexp.QuoteMeta(between)) + "$"
}

// itemPattern is the pattern of a scalar; empty for a string.
func itemPattern(t *ir.Type) string {
	switch {
	case len(t.Enum) > 0:
		all := make([]string, len(t.Enum))
		for i, text := range t.Enum {
			if unquoted, err := strconv.Unquote(text); err == nil {
				text = unquoted
			}
			all[i] = regexp.QuoteMeta(text)
		}
		return strings.Join(all, "|")
	case t.Kind == ir.Bool:
		return "true|false"
	case t.Kind == ir.Int, t.Kind == ir.Integer, t.Kind == ir.Number:
		return "[1-9]"
	}
	return ""
}
