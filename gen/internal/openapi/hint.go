package openapi

import (
	"strconv"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// hints gives t what helps to make up a value: limits, and a value that the document has itself.
func hints(t *ir.Type, s *shape) {
	t.Format = s.format
	for _, v := range s.parts {
		n := v.node
		if t.Media == "" && n.Get("contentEncoding").IsZero() {
			t.Media = text(n, "contentMediaType")
		}
		t.MinLength = either(t.MinLength, n.Get("minLength"))
		t.MaxLength = either(t.MaxLength, n.Get("maxLength"))
		t.MinItems = either(t.MinItems, n.Get("minItems"))
		t.MinMembers = either(t.MinMembers, n.Get("minProperties"))
		if t.Pattern == "" {
			t.Pattern = text(n, "pattern")
		}
		t.Wanted = append(t.Wanted, alternative(n)...)
		t.Minimum = bound(t.Minimum, n.Get("minimum"), n.Get("exclusiveMinimum"))
		t.Maximum = bound(t.Maximum, n.Get("maximum"), n.Get("exclusiveMaximum"))
	}
	for _, read := range []func(document.Node) document.Node{
		func(n document.Node) document.Node { return n.Get("example") },
		func(n document.Node) document.Node {
			if all := n.Get("examples").Items(); len(all) > 0 {
				return all[0]
			}
			return document.Node{}
		},
		func(n document.Node) document.Node { return n.Get("const") },
		func(n document.Node) document.Node { return n.Get("default") },
	} {
		for _, v := range s.parts {
			if t.Example == "" {
				t.Example = example(t, read(v.node))
			}
		}
	}
}

// alternative are the members that the first branch of a oneOf or anyOf requires, where all that branches say is what they
// require: amount or amount_string, say.
func alternative(n document.Node) []string {
	for _, word := range []string{"oneOf", "anyOf"} {
		branches := n.Get(word).Items()
		if len(branches) == 0 {
			continue
		}
		var names []string
		for _, name := range branches[0].Get("required").Items() {
			if text, ok := name.Text(); ok {
				names = append(names, text)
			}
		}
		return names
	}
	return nil
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

// either is have, or else the count that n is. A count that is none is no problem: it is a hint.
func either(have int, n document.Node) int {
	if have != 0 {
		return have
	}
	if v, err := strconv.Atoi(n.Spelt()); err == nil && v > 0 && v < 1<<30 {
		return v
	}
	return 0
}

// bound is have, or else the first of the nodes that is a number. As from OpenAPI 3.1, an exclusive
// bound is one; in 3.0 it is a boolean beside it.
func bound(have string, nodes ...document.Node) string {
	for _, n := range nodes {
		if have == "" && n.IsNumber() {
			have, _ = n.JSON()
		}
	}
	return have
}
