package golang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// passing are the routes without a key, which Middleware lets through, sorted. Of such a route only the requests
// matter that it has: a query or a fragment is no part of its path, two placeholders side by side are one. A route
// that a keyed one has too is left out, and so guarded; one that no path of a request can be is left out as well.
func passing(doc *ir.Document) []ir.Route {
	routes := slices.Clone(doc.Unkeyed)
	for _, e := range doc.Exempt {
		routes = append(routes, e.Route)
	}
	slices.SortFunc(routes, func(a, b ir.Route) int { return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method) })
	taken := map[string]bool{}
	for _, op := range doc.Operations {
		taken[op.Shape()] = true
	}
	var out []ir.Route
	for _, r := range routes {
		path, ok := requestPath(r.Path)
		r.Path = path
		if ok && !taken[r.Shape()] {
			taken[r.Shape()] = true
			out = append(out, r)
		}
	}
	return out
}

var adjacent = regexp.MustCompile(`(\{[^{}/]+\})(\{[^{}/]+\})+`)

// requestPath is the template of the paths that requests for a template have, with no name twice.
func requestPath(path string) (string, bool) {
	path = adjacent.ReplaceAllString(ir.RequestPath(path), "$1")
	seen := map[string]bool{}
	path = ir.Placeholder.ReplaceAllStringFunc(path, func(p string) string {
		for n := 2; seen[p]; n++ {
			p = fmt.Sprintf("%s.%d}", strings.TrimSuffix(p, "}"), n)
		}
		seen[p] = true
		return p
	})
	return path, strings.HasPrefix(path, "/") && !strings.ContainsAny(ir.Placeholder.ReplaceAllString(path, ""), "{}")
}
