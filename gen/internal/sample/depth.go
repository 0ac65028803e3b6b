package sample

import (
	"math"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// never is the depth of a type that no finite value satisfies.
const never = math.MaxInt

// depths is how deep the shallowest value of each type is, so that building one always ends.
type depths map[*ir.Type]int

func (d depths) of(t *ir.Type) int {
	if t == nil {
		return 0
	}
	return d[t]
}

// depthsOf settles every type that a body reaches. Schemas recurse, so it repeats until nothing gets
// shallower.
func depthsOf(doc *ir.Document) depths {
	d := depths{}
	var all []*ir.Type
	var reach func(*ir.Type)
	reach = func(t *ir.Type) {
		if t == nil {
			return
		}
		if _, ok := d[t]; ok {
			return
		}
		d[t] = never
		all = append(all, t)
		for _, f := range t.Fields {
			reach(f.Type)
		}
		for _, b := range t.Branches {
			reach(b)
		}
		reach(t.Items)
		reach(t.Rest)
	}
	for _, op := range doc.Operations {
		for _, b := range op.Bodies {
			reach(b.Type)
		}
	}
	for settled := false; !settled; {
		settled = true
		for _, t := range all {
			if n := d.measure(t); n < d[t] {
				d[t], settled = n, false
			}
		}
	}
	return d
}

func (d depths) measure(t *ir.Type) int {
	deepest := 0
	switch {
	case t.Nullable:
		return 0
	case t.Kind == ir.Any && len(t.Branches) > 0:
		deepest = never
		for _, b := range t.Branches {
			deepest = min(deepest, d.of(b))
		}
	case t.Kind == ir.Array && t.MinItems > 0:
		deepest = d.of(t.Items)
	case t.Kind == ir.Object:
		for _, f := range t.Fields {
			if f.Required {
				deepest = max(deepest, d.of(f.Type))
			}
		}
	default:
		return 0
	}
	if deepest == never {
		return never
	}
	return deepest + 1
}
