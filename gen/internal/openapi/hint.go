package openapi

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// hints gives t what helps to make up a value: limits, of several schemas the narrowest, and values that the document has
// itself.
func (c *converter) hints(t *ir.Type, s *shape) {
	t.Format = cmp.Or(s.format, t.Format)
	narrow(t, s.parts)
	if t.Tag == "" {
		c.ownTag(t, s)
	}
	examples(t, s.parts)
}

// hintKeywords are what a schema may say beside a reference, or beside the schema that says of what type a value is,
// without making another type of it.
var hintKeywords = []string{
	"example", "examples", "default", "minLength", "maxLength", "pattern", "minimum", "maximum", "exclusiveMinimum",
	"exclusiveMaximum", "multipleOf", "maxItems", "uniqueItems", "minProperties", "maxProperties",
}

// hinting is the view, if it has such a keyword.
func hinting(v view) []view {
	if slices.ContainsFunc(hintKeywords, func(key string) bool { return !v.node.Get(key).IsZero() }) {
		return []view{v}
	}
	return nil
}

// use is a type, and the numbers of the schemas that say something beside it.
type use struct {
	of     *ir.Type
	beside string
}

// hinted is t with what is said beside it. A type that is not complete, which contains itself, stays as it is.
func (c *converter) hinted(t *ir.Type, beside []view) *ir.Type {
	if len(beside) == 0 || c.open[t] {
		return t
	}
	use := use{of: t}
	for _, v := range beside {
		use.beside += " " + strconv.Itoa(c.number(v.node))
	}
	out := c.uses[use]
	if out == nil {
		out = &ir.Type{}
		*out = *t
		out.MorePatterns, out.Wanted, out.Unwanted = slices.Clip(t.MorePatterns), slices.Clip(t.Wanted), slices.Clip(t.Unwanted)
		narrow(out, beside)
		examples(out, beside)
		c.uses[use], c.never[out] = out, c.never[t]
	}
	return out
}

// narrow takes the limits that schemas say, beside those that t has.
func narrow(t *ir.Type, parts []view) {
	for _, v := range parts {
		n := v.node
		if t.Media == "" && n.Get("contentEncoding").IsZero() {
			t.Media = text(n, "contentMediaType")
		}
		if t.Format == "" && strings.HasPrefix(text(n, "contentEncoding"), "base64") {
			t.Format = "byte"
		}
		t.MinLength = max(t.MinLength, count(n.Get("minLength")))
		t.MaxLength = least(t.MaxLength, count(n.Get("maxLength")))
		t.MinItems = max(t.MinItems, count(n.Get("minItems")))
		t.MaxItems = least(t.MaxItems, count(n.Get("maxItems")))
		t.MinMembers = max(t.MinMembers, count(n.Get("minProperties")))
		t.MaxMembers = least(t.MaxMembers, count(n.Get("maxProperties")))
		if unique, _ := n.Get("uniqueItems").Bool(); unique {
			t.Unique = true
		}
		switch p := text(n, "pattern"); {
		case p == "" || p == t.Pattern || slices.Contains(t.MorePatterns, p):
		case t.Pattern == "":
			t.Pattern = p
		default:
			t.MorePatterns = append(t.MorePatterns, p)
		}
		if t.MultipleOf == "" && n.Get("multipleOf").IsNumber() {
			t.MultipleOf, _ = n.Get("multipleOf").JSON()
		}
		wanted, unwanted := alternatives(n)
		t.Wanted, t.Unwanted = append(t.Wanted, wanted...), append(t.Unwanted, unwanted...)
		t.Minimum, t.AboveMinimum = narrower(t.Minimum, t.AboveMinimum, n.Get("minimum"), n.Get("exclusiveMinimum"), +1)
		t.Maximum, t.BelowMaximum = narrower(t.Maximum, t.BelowMaximum, n.Get("maximum"), n.Get("exclusiveMaximum"), -1)
	}
}

// mostExamples is how many examples of one schema are kept.
const mostExamples = 4

// examples are the values that the document gives, those that are meant as examples first.
func examples(t *ir.Type, parts []view) {
	var all []string
	add := func(n document.Node) {
		if len(all) > 0 && !n.IsScalar() {
			return // one object or list says enough
		}
		if l := example(t, n); l != "" && len(all) < mostExamples && !slices.Contains(all, l) {
			all = append(all, l)
		}
	}
	for _, v := range parts {
		add(v.node.Get("example"))
	}
	for _, v := range parts {
		for i, n := range v.node.Get("examples").Items() {
			if i < mostExamples {
				add(n)
			}
		}
	}
	for _, key := range []string{"const", "default"} {
		for _, v := range parts {
			add(v.node.Get(key))
		}
	}
	if len(all) > 0 {
		for _, l := range append([]string{t.Example}, t.MoreExamples...) {
			if l != "" && len(all) < mostExamples && !slices.Contains(all, l) {
				all = append(all, l)
			}
		}
		t.Example, t.MoreExamples = all[0], slices.Clip(all[1:])
	}
}

// alternatives are the members that the first branch of a oneOf or anyOf requires, where all that branches say is what they
// require, and those that only other branches of a oneOf do.
func alternatives(n document.Node) (wanted, unwanted []string) {
	for _, key := range []string{"oneOf", "anyOf"} {
		for i, b := range n.Get(key).Items() {
			if !b.Get("properties").IsZero() {
				break
			}
			for _, name := range b.Get("required").Items() {
				switch {
				case i == 0:
					wanted = append(wanted, name.Spelt())
				case key == "oneOf" && !slices.Contains(wanted, name.Spelt()):
					unwanted = append(unwanted, name.Spelt())
				}
			}
			if i == 0 && len(wanted) == 0 {
				break
			}
		}
		if len(wanted) > 0 {
			return wanted, unwanted
		}
	}
	return nil, nil
}

// given is the example of a parameter or a media type, as JSON: the first of examples, where there is no example.
func (c *converter) given(t *ir.Type, n document.Node) string {
	if l := example(t, n.Get("example")); l != "" {
		return l
	}
	tried := 0
	for _, named := range n.Get("examples").Members() {
		if tried++; tried > mostExamples {
			break
		}
		if _, ref, ok := named.Ref(); ok && strings.HasPrefix(ref, "#") { // no file is read for an example
			named = c.lib.Find(named, "examples")
		}
		if l := example(t, named.Get("value")); l != "" {
			return l
		}
	}
	return ""
}

// example is a value as JSON, or empty where it is not of t's kind: examples are often wrong.
func example(t *ir.Type, n document.Node) string {
	if n.IsZero() || n.IsNull() {
		return ""
	}
	if _, ok := n.Text(); !ok && t.Kind == ir.String && n.IsNumber() {
		return document.Quote(n.Spelt()) // example: 007 means the text
	}
	l := readLiteral(n)
	kinds := map[ir.Kind]mask{
		ir.Any: anything, ir.String: isString, ir.Bool: isBool, ir.Int: isWhole, ir.Integer: isWhole,
		ir.Number: isNumber, ir.Array: isArray, ir.Map: isObject, ir.Object: isObject,
	}
	if l.mask&kinds[t.Kind] == 0 {
		return ""
	}
	return l.json
}

// count is the count that n is, or 0. One that is none is no problem: it is a hint.
func count(n document.Node) int {
	if v, err := strconv.Atoi(n.Spelt()); err == nil && v > 0 && v < 1<<30 {
		return v
	}
	return 0
}

// least is the smaller of two counts, of which 0 is none.
func least(a, b int) int {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// narrower is a bound, and whether it is exclusive: the one that there is, or the one that a schema says, whichever leaves
// out more. As from OpenAPI 3.1, an exclusive bound is a number; in 3.0 it is a boolean beside one. Sign is +1 for a minimum.
func narrower(have string, open bool, bound, exclusive document.Node, sign int) (string, bool) {
	excluded, _ := exclusive.Bool()
	for _, b := range []struct {
		n    document.Node
		open bool
	}{{bound, excluded}, {exclusive, true}} {
		if !b.n.IsNumber() {
			continue
		}
		text, _ := b.n.JSON()
		switch order, ok := compared(text, have); {
		case have == "", ok && order*sign > 0:
			have, open = text, b.open
		case ok && order == 0:
			open = open || b.open
		}
	}
	return have, open
}

// compared is how two numbers compare; false where that takes too long to find out.
func compared(a, b string) (int, bool) {
	if len(a) > 50 || len(b) > 50 || strings.ContainsAny(a+b, "eE") {
		return 0, a == b
	}
	x, ok := new(big.Rat).SetString(a)
	y, fine := new(big.Rat).SetString(b)
	if !ok || !fine {
		return 0, false
	}
	return x.Cmp(y), true
}
