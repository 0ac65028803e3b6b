package openapi

import (
	"fmt"
	"slices"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// routes checks that of each request it can be told which keyed operation it is of. A route without a key may
// have the shape of one that has: it is guarded then.
func (l *loader) routes() {
	first := map[string]*operation{}
	tree := routeTree{}
	for _, op := range l.scope.keyed {
		if same, ok := first[op.Shape()]; ok {
			l.lib.ReportAs(ir.LintRoute, op.Pos, fmt.Sprintf("%s %s answers the same requests as %s, on %s", op.Method, op.spelt, same.spelt, on(same.Pos, op.Pos)), "remove one of the two endpoint keys: the other guards both")
			continue
		}
		first[op.Shape()] = op
		if other := tree.add(op.Route, true); other != nil {
			l.clash(op.Route, *other)
		}
	}
	unkeyed := slices.Clone(l.scope.unkeyed)
	for _, e := range l.scope.exempt {
		unkeyed = append(unkeyed, e.Route)
	}
	for _, other := range unkeyed {
		other.Path = ir.RequestPath(other.Path)
		if keyed := tree.add(other, false); keyed != nil {
			l.clash(*keyed, other)
		}
	}
}

func (l *loader) clash(keyed, other ir.Route) {
	l.lib.ReportAs(ir.LintRoute, keyed.Pos, fmt.Sprintf("%s %s: a request can match %s as well, on %s, and neither is the special case of the other", keyed.Method, keyed.Path, other.Path, on(other.Pos, keyed.Pos)),
		"give each parameter a segment of its own, or leave both operations without an endpoint key")
}

// routeTree holds, by what stands before them, the segments that are neither a literal nor a parameter.
type routeTree map[string]*routeNode

type routeNode struct {
	segments []routeSegment
	known    map[string]bool
}

type routeSegment struct {
	ir.Segment
	route ir.Route // the first that has it
	keyed bool
}

// add adds a route. It returns the first route that clashes with it, where one of the two is keyed.
func (t routeTree) add(r ir.Route, keyed bool) (clash *ir.Route) {
	before := ""
	for _, s := range ir.Segments(r.Path) {
		text := fmt.Sprintf("/%q", s)
		if s.Mixed() {
			if t[before] == nil {
				t[before] = &routeNode{known: map[string]bool{}}
			}
			if other := t[before].add(text, routeSegment{s, r, keyed}); clash == nil && other != nil {
				clash = &other.route
			}
		}
		before += text
	}
	return clash
}

// add adds a segment, unless it is there. It returns the first that clashes with it, where one of the two is keyed.
func (n *routeNode) add(text string, s routeSegment) (clash *routeSegment) {
	for i := range n.segments {
		other := &n.segments[i]
		if (s.keyed || other.keyed) && s.Clashes(other.Segment) {
			clash = other
			break
		}
	}
	if !n.known[text] {
		n.known[text] = true
		n.segments = append(n.segments, s)
	}
	return clash
}
