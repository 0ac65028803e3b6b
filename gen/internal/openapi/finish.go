package openapi

import (
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// check looks at the finished types as a whole.
func (c *converter) check(ops []*ir.Operation) {
	c.finite(ops)
	marked := ir.Marked(ops)
	for i, op := range ops {
		c.readFor(c.scope.keyed[i])
		for _, b := range op.Bodies {
			if !marked[b.Type] {
				continue
			}
			for _, p := range ir.Disagreements(b.Type) {
				c.lib.ReportAs(p.Lint, p.Pos, p.What, p.Remedy)
			}
		}
	}
}

// finite demands no more than a finite value can have: a member, or an item, that leads back to where it is in
// cannot be required all the way round. Documents say so by mistake, often in schemas that serve requests and
// responses; what such a request may leave out is its handler's to decide. Every such member of a circle becomes
// optional, so that the result does not depend on where the circle is entered.
func (c *converter) finite(ops []*ir.Operation) {
	var types []*ir.Type
	seen := map[*ir.Type]bool{nil: true}
	for _, op := range ops {
		types = append(types, reached(op, seen)...)
	}
	ends := ending(types)
	types = slices.DeleteFunc(types, func(t *ir.Type) bool { return ends[t] })
	circle := circles(types, ends)
	for _, t := range types {
		for _, f := range t.Fields {
			if f.Required && circle[f.Type] == circle[t] {
				f.Required = false
			}
		}
		if t.Kind == ir.Array && circle[t.Items] == circle[t] {
			t.MinItems = 0
		}
	}
}

// circles numbers types from 1, so that those have one number that need each other: Tarjan's strongly connected
// components of what does not end.
func circles(types []*ir.Type, ends map[*ir.Type]bool) map[*ir.Type]int {
	circle, index, low := map[*ir.Type]int{}, map[*ir.Type]int{}, map[*ir.Type]int{}
	var stack []*ir.Type
	var visit func(t *ir.Type)
	visit = func(t *ir.Type) {
		index[t] = len(index) + 1
		low[t] = index[t]
		stack = append(stack, t)
		parts, _ := needs(t)
		for _, part := range parts {
			switch {
			case ends[part] || circle[part] != 0:
			case index[part] == 0:
				visit(part)
				low[t] = min(low[t], low[part])
			default:
				low[t] = min(low[t], index[part])
			}
		}
		for low[t] == index[t] && circle[t] == 0 { // t is the first of its circle: the others stand above it
			member := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			circle[member] = index[t]
		}
	}
	for _, t := range types {
		if index[t] == 0 {
			visit(t)
		}
	}
	return circle
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
