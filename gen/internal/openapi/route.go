package openapi

import (
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// routes checks that of each request it can be told which keyed operation it is of. A route without a key may
// have the shape of one that has: it is guarded then.
func (l *loader) routes() {
	first := map[string]ir.Route{}
	tree := routeTree{}
	for _, op := range l.scope.keyed {
		if same, ok := first[op.Shape()]; ok {
			l.lib.Report(op.Pos, fmt.Sprintf("%s %s answers the same requests as %s, on %s", op.Method, op.Path, same.Path, on(same.Pos, op.Pos)), "keep one of the two paths")
			continue
		}
		first[op.Shape()] = op.Route
		if other := tree.add(op.Route, true); other != nil {
			l.clash(op.Route, *other)
		}
	}
	unkeyed := slices.Clone(l.scope.unkeyed)
	for _, e := range l.scope.exempt {
		unkeyed = append(unkeyed, e.Route)
	}
	for _, other := range unkeyed {
		if keyed := tree.add(other, false); keyed != nil {
			l.clash(*keyed, other)
		}
	}
}

func (l *loader) clash(keyed, other ir.Route) {
	l.lib.Report(keyed.Pos, fmt.Sprintf("%s %s: a request can match %s as well, on %s, and neither is the special case of the other", keyed.Method, keyed.Path, other.Path, on(other.Pos, keyed.Pos)),
		"give each parameter a segment of its own, or leave both operations without an endpoint key")
}

// routeTree holds, by what stands before them, the segments that have parameters.
type routeTree map[string][]routeSegment

type routeSegment struct {
	ir.Segment
	route ir.Route // the first that has it
	keyed bool
}

// add adds a route. It returns the first route that clashes with it, where one of the two is keyed.
func (t routeTree) add(r ir.Route, keyed bool) (clash *ir.Route) {
	before := ""
	for _, s := range ir.Segments(r.Path) {
		if len(s) > 1 {
			known := false
			for _, other := range t[before] {
				known = known || slices.Equal(other.Segment, s)
				if clash == nil && (keyed || other.keyed) && s.Clashes(other.Segment) {
					clash = &other.route
				}
			}
			if !known {
				t[before] = append(t[before], routeSegment{s, r, keyed})
			}
		}
		before += fmt.Sprintf("/%q", s)
	}
	return clash
}
