package sample

import (
	"container/heap"
	"math"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

const (
	// never is the size of a type that no finite value satisfies.
	never = math.MaxInt
	// huge is where sizes end: required members that need two of each other double them.
	huge = 1 << 40
)

// sizes is how large the smallest value of each type is: its objects, arrays and scalars, long texts
// counted more than once. Building the smallest value always ends, because each part is smaller.
type sizes struct {
	least map[*ir.Type]int
	// solid is the same for a type that may be null, when it is not.
	solid map[*ir.Type]int
}

func (s sizes) of(t *ir.Type) int {
	if t == nil {
		return 1
	}
	return s.least[t]
}

// sizesOf settles every type that a body reaches, the smallest first, so that each is looked at once:
// schemas recurse, and a type is settled when all that it requires is.
func sizesOf(doc *ir.Document) sizes {
	s := sizes{map[*ir.Type]int{}, map[*ir.Type]int{}}
	all := reached(doc)
	missing := map[*ir.Type]int{}
	users := map[*ir.Type][]*ir.Type{}
	var ready sizeHeap
	for _, t := range all {
		s.least[t] = never
		parts := required(t)
		for _, part := range parts {
			users[part] = append(users[part], t)
		}
		if missing[t] = len(parts); len(t.Branches) > 0 {
			missing[t] = min(1, len(parts)) // one of them is enough
		}
		if missing[t] == 0 || t.Nullable {
			heap.Push(&ready, sized{t, s.smallest(t)})
		}
	}
	for len(ready) > 0 {
		next := heap.Pop(&ready).(sized)
		if s.least[next.typ] != never {
			continue
		}
		s.least[next.typ] = next.size
		for _, t := range users[next.typ] {
			if missing[t]--; missing[t] == 0 {
				heap.Push(&ready, sized{t, s.smallest(t)})
			}
		}
	}
	for _, t := range all {
		s.solid[t] = s.measure(t)
	}
	return s
}

// required are the types that every value of t has, one of which a union has. What may be anything
// requires nothing.
func required(t *ir.Type) []*ir.Type {
	var parts []*ir.Type
	switch {
	case len(t.Branches) > 0:
		parts = append(parts, t.Branches...)
	case t.Kind == ir.Array:
		for range min(t.MinItems, mostItems) {
			parts = append(parts, t.Items)
		}
	case t.Kind == ir.Map:
		for range min(t.MinMembers, mostItems) {
			parts = append(parts, t.Rest)
		}
	case t.Kind == ir.Object:
		for _, f := range t.Fields {
			if f.Required {
				parts = append(parts, f.Type)
			}
		}
	}
	return slices.DeleteFunc(parts, func(t *ir.Type) bool { return t == nil })
}

func (s sizes) smallest(t *ir.Type) int {
	if t.Nullable {
		return 1
	}
	return s.measure(t)
}

// sized is a type whose size is known, and sizeHeap has the smallest first.
type sized struct {
	typ  *ir.Type
	size int
}

type sizeHeap []sized

func (h sizeHeap) Len() int           { return len(h) }
func (h sizeHeap) Less(i, j int) bool { return h[i].size < h[j].size }
func (h sizeHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *sizeHeap) Push(x any)        { *h = append(*h, x.(sized)) }
func (h *sizeHeap) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// reached are the types of the document's bodies.
func reached(doc *ir.Document) []*ir.Type {
	var all []*ir.Type
	seen := map[*ir.Type]bool{nil: true}
	var reach func(*ir.Type)
	reach = func(t *ir.Type) {
		if seen[t] {
			return
		}
		seen[t] = true
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
			for _, p := range b.Fields {
				reach(p.JSON)
			}
		}
	}
	return all
}

// measure is the size of the smallest value of t that is not null.
func (s sizes) measure(t *ir.Type) int {
	if len(t.Branches) > 0 {
		least := never
		for _, b := range t.Branches {
			least = min(least, s.of(b))
		}
		return least
	}
	n := 1 + t.MinLength/200 // a text is as long as it must be
	for _, part := range required(t) {
		n = plus(n, s.of(part))
	}
	return n
}

func plus(a, b int) int {
	if a == never || b == never {
		return never
	}
	return min(a+b, huge)
}
