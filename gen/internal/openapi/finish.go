package openapi

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// check looks at the finished types as a whole.
func (c *converter) check(ops []*ir.Operation) {
	c.finite(ops)
	for i, op := range ops {
		c.readFor(c.scope.keyed[i])
		for _, b := range op.Bodies {
			for _, p := range ir.Disagreements(b.Type) {
				c.lib.Report(p.Pos, p.What, p.Remedy)
			}
		}
	}
}

// finite reports objects that no finite value can be: each needs another one of its kind.
func (c *converter) finite(ops []*ir.Operation) {
	var types []*ir.Type
	var users []int // of types: the first operation that needs each
	seen := map[*ir.Type]bool{nil: true}
	for i, op := range ops {
		types = append(types, reached(op, seen)...)
		users = append(users, slices.Repeat([]int{i}, len(types)-len(users))...)
	}
	ends := ending(types)
	told := map[*ir.Type]bool{}
	for i, start := range types {
		c.readFor(c.scope.keyed[users[i]])
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

// ending are the types that have a finite value. Each is looked at when all that it needs is settled.
func ending(types []*ir.Type) map[*ir.Type]bool {
	ends := map[*ir.Type]bool{nil: true}
	missing := map[*ir.Type]int{}
	users := map[*ir.Type][]*ir.Type{}
	var ready []*ir.Type
	for _, t := range types {
		parts, enough := needs(t)
		for _, part := range parts {
			users[part] = append(users[part], t)
		}
		if missing[t] = enough; enough == 0 {
			ready = append(ready, t)
		}
	}
	for len(ready) > 0 {
		t := ready[len(ready)-1]
		ready = ready[:len(ready)-1]
		ends[t] = true
		for _, u := range users[t] {
			if missing[u]--; missing[u] == 0 {
				ready = append(ready, u)
			}
		}
	}
	return ends
}

// needs are the types that a value of t has to have values of, and of how many of them.
func needs(t *ir.Type) (parts []*ir.Type, enough int) {
	switch {
	case t.Nullable || t.Kind == ir.Map:
		return nil, 0
	case t.Kind == ir.Object:
		for _, f := range t.Fields {
			if f.Required && f.Type != nil {
				parts = append(parts, f.Type)
			}
		}
		return parts, len(parts)
	case t.Kind == ir.Array && t.MinItems > 0 && t.Items != nil:
		return []*ir.Type{t.Items}, 1
	case len(t.Branches) > 0:
		return t.Branches, 1
	}
	return nil, 0
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
