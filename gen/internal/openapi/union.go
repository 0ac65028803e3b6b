package openapi

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// branches makes t one of several types: each branch of g together with all the rest.
func (c *converter) branches(t *ir.Type, views []view, g group, restricted mask, label string) {
	rest := make([]view, 0, len(views)+1)
	found := false
	for _, v := range views {
		if v.node.Same(g.of.node) && v.skip == g.of.skip {
			v.skip |= g.which
			found = true
		}
		rest = append(rest, v)
	}
	if !found { // the group is inside an allOf: take the other members of that out of it
		rest = c.spread(views, g)
	}
	c.chain = append(c.chain, t)
	d, tagged := discriminatorOf(g.of.node)
	for _, b := range g.branches {
		branch := c.typ(append(slices.Clone(rest), b), restricted, label)
		// A union that is a branch of itself adds nothing to itself.
		if !c.never[branch] && !slices.Contains(c.chain, branch) {
			t.Branches = append(t.Branches, branch)
			if tagged {
				t.Tag, t.Tags = d.property, append(t.Tags, d.tags(b.node.Get("$ref").Spelt()))
			}
		}
	}
	c.chain = c.chain[:len(c.chain)-1]
	switch {
	case len(t.Branches) == 0 && decided(views):
		c.never[t] = true
	case len(t.Branches) == 0:
		c.bad(g.of.node, fmt.Sprintf("%s admits no value: no branch agrees with the schemas beside it", label), "make one of them agree")
	case len(t.Branches) == 1 && !c.open[t.Branches[0]]:
		only := *t.Branches[0]
		only.Pos, only.Ref, only.Name, only.Nullable = t.Pos, t.Ref, t.Name, only.Nullable || t.Nullable
		only.Doc = cmp.Or(t.Doc, only.Doc)
		if tagged {
			only.Tag, only.Tags = t.Tag, t.Tags
		}
		*t = only
	}
}

// spread are all the flattened parts of views, with g decided.
func (c *converter) spread(views []view, g group) []view {
	var out []view
	for _, v := range c.shape(views, "").parts {
		v.skip |= skipAllOf
		if v.node.Same(g.of.node) {
			v.skip |= g.which
		}
		out = append(out, v)
	}
	return out
}
