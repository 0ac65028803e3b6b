package openapi

import (
	"cmp"
	"fmt"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// check looks at the finished types as a whole.
func (c *converter) check(ops []*ir.Operation) {
	c.finite(reached(ops))
	for _, op := range ops {
		for _, b := range op.Bodies {
			for _, p := range ir.Disagreements(b.Type) {
				c.lib.Report(p.Pos, p.What, p.Remedy)
			}
		}
	}
}

// finite reports objects that no finite value can be: each needs another one of its kind.
func (c *converter) finite(types []*ir.Type) {
	ends := map[*ir.Type]bool{nil: true}
	// Types were met before what they are made of, so that going backwards settles most at once.
	for changed := true; changed; {
		changed = false
		for i := len(types) - 1; i >= 0; i-- {
			if t := types[i]; !ends[t] && canEnd(t, ends) {
				ends[t], changed = true, true
			}
		}
	}
	told := map[*ir.Type]bool{}
	for _, start := range types {
		var last *ir.Field
		walk := map[*ir.Type]bool{}
		for t := start; !ends[t] && !told[t]; {
			told[t], walk[t] = true, true
			next, f := endless(t, ends)
			if last = cmp.Or(f, last); walk[next] && last != nil {
				c.lib.Report(last.Pos, fmt.Sprintf("the required member %q leads back to the object that it is in, so that no value ends", last.Name), "make a member on the way optional or nullable")
			}
			t = next
		}
	}
}

// canEnd tells whether t has a finite value, given types that do.
func canEnd(t *ir.Type, ends map[*ir.Type]bool) bool {
	switch {
	case t.Nullable || t.Kind == ir.Map:
		return true
	case t.Kind == ir.Object:
		for _, f := range t.Fields {
			if f.Required && !ends[f.Type] {
				return false
			}
		}
		return true
	case t.Kind == ir.Array:
		return t.MinItems == 0 || ends[t.Items]
	case len(t.Branches) > 0:
		for _, b := range t.Branches {
			if ends[b] {
				return true
			}
		}
		return false
	}
	return true
}

// endless is a type that keeps t from ending, and the member that has it.
func endless(t *ir.Type, ends map[*ir.Type]bool) (*ir.Type, *ir.Field) {
	switch {
	case t.Kind == ir.Object:
		for _, f := range t.Fields {
			if f.Required && !ends[f.Type] {
				return f.Type, f
			}
		}
	case t.Kind == ir.Array:
		return t.Items, nil
	case len(t.Branches) > 0:
		return t.Branches[0], nil
	}
	return nil, nil
}
