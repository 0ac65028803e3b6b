package openapi

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// maxCombined bounds what combining branches can make of a small document.
const maxCombined = 3000

// typ is the type of a value that meets all of views, of the JSON types in restricted. The same
// schemas give the same type, so that recursion ends.
func (c *converter) typ(views []view, restricted mask, label string) *ir.Type {
	views, null, beside := c.distinct(views)
	key := strconv.Itoa(int(restricted))
	for _, v := range views {
		key += fmt.Sprintf(" %d/%d", c.number(v.node), v.skip)
	}
	t := c.types[key]
	if t == nil {
		t = &ir.Type{Pos: pos(views)}
		if decided(views) {
			c.combined++
		}
		if c.combined > maxCombined {
			if !c.full {
				c.full = true
				c.lib.Report(t.Pos, fmt.Sprintf("oneOf, anyOf and allOf combine to more than %d types", maxCombined), "use fewer of them inside each other")
			}
			return t
		}
		c.types[key] = t
		c.build(t, views, restricted, label)
	}
	t = c.hinted(t, beside)
	if null {
		return c.orNull(t)
	}
	return t
}

// distinct leads views to what they stand for, and leaves out those that say nothing or that are there
// already. null: null is admitted whatever the rest says. beside are those that are left out, and help to make
// up a value.
func (c *converter) distinct(views []view) (out []view, null bool, beside []view) {
	for _, v := range views {
		to, n, passed := c.plain(v)
		if n && len(views) > 1 {
			to, passed = v, nil // with others beside it, null is admitted if they admit it
		} else {
			null = n
		}
		beside = append(beside, passed...)
		same := func(w view) bool { return w.node.Same(to.node) && w.skip == to.skip }
		if !slices.ContainsFunc(out, same) {
			out = append(out, to)
		}
	}
	if len(out) > 1 {
		first := out[0]
		out = slices.DeleteFunc(out, func(v view) bool {
			says := v.isRef() || constrains(v)
			if !says {
				beside = append(beside, hinting(v)...)
			}
			return !says
		})
		if len(out) == 0 {
			out = append(out, first)
		}
	}
	return out, null, beside
}

// number numbers nodes, so that a set of them has a name.
func (c *converter) number(n document.Node) int {
	i, ok := c.numbers[n.ID()]
	if !ok {
		i = len(c.numbers)
		c.numbers[n.ID()] = i
	}
	return i
}

// build fills t.
func (c *converter) build(t *ir.Type, views []view, restricted mask, label string) {
	c.open[t] = true
	s := c.shape(views, label)
	c.never[t] = s.quiet && s.failed
	if len(views) == 1 && !s.quiet && restricted == anything {
		c.name(t, views[0].node)
	}
	m := s.kind(restricted)
	t.Nullable = s.nullable || s.typed && s.types&isNull != 0 || s.enum != nil && s.enum.types()&isNull != 0
	for _, v := range s.parts {
		if t.Doc == "" {
			t.Doc = doc(v.node)
		}
	}
	kinds := m.kinds()
	switch {
	case len(s.groups) > 0:
		c.branches(t, views, s.groups[0], restricted, label)
	case len(kinds) != 1 && s.typed, len(kinds) > 1 && m != anything:
		for _, k := range kinds {
			t.Branches = append(t.Branches, c.typ(views, k, label))
		}
	case len(kinds) == 1:
		c.single(t, s, kinds[0], label)
	}
	c.hints(t, s)
	if !s.unordered.IsZero() && !s.quiet && restricted == anything && t.Kind != ir.Array && !(len(t.Branches) > 0 && m&isArray != 0) {
		c.breaks(ir.LintPlace, s.unordered, "x-idempotency-unordered on what is no array", "move it to the array, or say "+s.unordered.Spell("type: array", `"type": "array"`))
	}
	delete(c.open, t)
	for _, w := range c.waiting[t] {
		*w = *t
		w.Nullable = true
	}
	delete(c.waiting, t)
}

// single makes t the one kind that m is.
func (c *converter) single(t *ir.Type, s *shape, m mask, label string) {
	chain := c.chain
	c.chain = nil // below an array or an object, a union may come back
	defer func() { c.chain = chain }()
	switch {
	case m == isBool:
		t.Kind = ir.Bool
	case m == isString:
		t.Kind = ir.String
	case m == isWhole:
		integer(t, s.format)
	case m&isNumber != 0:
		t.Kind = ir.Number
	case m == isArray:
		t.Kind = ir.Array
		t.Unordered = !s.unordered.IsZero()
		t.Items = &ir.Type{Pos: t.Pos}
		if len(s.items) > 0 {
			c.misplaced(s.items, "the items of an array")
			t.Items = c.typ(s.items, anything, "an item of "+label)
		}
	case m == isObject:
		c.object(t, s, label)
	}
	t.Enum = c.admitted(s, m)
}

// integer has the format's size, and any size without one.
func integer(t *ir.Type, format string) {
	switch format {
	case "int32", "uint32":
		t.Kind, t.Bits, t.Unsigned = ir.Int, 32, format == "uint32"
	case "int64", "uint64":
		t.Kind, t.Bits, t.Unsigned = ir.Int, 64, format == "uint64"
	default:
		t.Kind = ir.Integer
	}
}

// object gives t its members.
func (c *converter) object(t *ir.Type, s *shape, label string) {
	t.Kind = ir.Map
	t.Closed = s.closed && !s.loose
	if !t.Closed && len(s.rest) > 0 {
		c.misplaced(s.rest, "additionalProperties")
		if rest := c.typ(s.rest, anything, "a member of "+label); rest.Kind != ir.Any || len(rest.Branches) > 0 {
			t.Rest = rest
		}
	}
	required := map[string]bool{}
	for _, n := range s.required {
		name := n.Spelt()
		required[name] = true
		if s.byName[name] != nil || n.IsNull() {
			continue
		}
		if t.Closed {
			c.bad(n, fmt.Sprintf("required names %q, which %s forbids", name, n.Spell("additionalProperties: false", `"additionalProperties": false`)), "declare it under properties, or do not require it")
			continue
		}
		s.field(n).views = s.rest
	}
	for _, f := range s.fields {
		out := &ir.Field{Pos: f.key.Pos(), Name: f.key.Spelt(), Required: required[f.key.Spelt()]}
		for _, v := range f.views {
			ctx := c.context(v)
			if out.Doc == "" {
				out.Doc = ctx.doc
			}
			out.Ignore = out.Ignore || ctx.ignore
			out.ReadOnly = out.ReadOnly || ctx.readOnly
		}
		out.Required = out.Required && !out.ReadOnly
		out.Type = &ir.Type{Pos: out.Pos}
		if len(f.views) > 0 {
			out.Type = c.typ(f.views, anything, strconv.Quote(out.Name))
		}
		t.Kind = ir.Object
		t.Fields = append(t.Fields, out)
	}
}

// misplaced reports x-idempotency-ignore where a value has no name to be ignored by.
func (c *converter) misplaced(views []view, where string) {
	for _, v := range views {
		if ctx := c.context(v); ctx.ignore {
			c.breaks(ir.LintPlace, ctx.ignoreKey, "x-idempotency-ignore on "+where, "put it on a property, or on a query parameter itself")
		}
	}
}

// orNull is t, or null.
func (c *converter) orNull(t *ir.Type) *ir.Type {
	if t.Nullable && !c.open[t] {
		return t
	}
	n := c.null[t]
	if n == nil {
		n = &ir.Type{}
		c.null[t] = n
		c.copy(n, t)
		n.Nullable = true
	}
	return n
}

// copy copies t, now or when it is complete.
func (c *converter) copy(to, t *ir.Type) {
	*to = *t
	if c.open[t] {
		c.waiting[t] = append(c.waiting[t], to)
	}
}

// without is t, not null. It is only asked for complete types.
func (c *converter) without(t *ir.Type) *ir.Type {
	if !t.Nullable {
		return t
	}
	s := c.solid[t]
	if s == nil {
		out := *t
		out.Nullable = false
		s = &out
		c.solid[t] = s
	}
	return s
}
