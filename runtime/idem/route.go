package idem

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// router tells which operation of the document a request is, by method and path. Where two templates
// match, the one wins that has a literal, or more of one, in the first segment in which they differ.
type router struct {
	base []string // the decoded segments before the document's paths
	root node
}

// anyMethod stands in node.targets for the methods that are not named there.
const anyMethod = ""

// newRouter returns a router for a document's operations below base. passThrough are further routes
// below base, "POST /hooks/{name}" or "/hooks/{name}" for every method; a last segment "{rest...}"
// stands for one segment or more. It is an error when two routes cannot be told apart.
func newRouter(ops Operations, base string, passThrough []string) (*router, error) {
	rt := &router{}
	if base = strings.Trim(base, "/"); base != "" {
		segments, problem := splitPath("/" + base)
		if problem != nil || !normalPath("/"+base) || slices.Contains(segments, "") || strings.ContainsAny(base, "{}") {
			return nil, fmt.Errorf("base path %q: not a path in normal form without parameters", base)
		}
		rt.base = segments
	}
	var errs []error
	for _, op := range ops.Keyed {
		errs = append(errs, rt.add(op.Method, op.Path, op))
	}
	for _, route := range ops.Other {
		errs = append(errs, rt.add(route.Method, route.Path, nil))
	}
	for _, pattern := range passThrough {
		method, path, named := strings.Cut(pattern, " ")
		if !named {
			method, path = anyMethod, pattern
		}
		errs = append(errs, rt.pass(method, strings.TrimLeft(path, " ")))
	}
	if err := errors.Join(append(errs, rt.root.sort()...)...); err != nil {
		return nil, err
	}
	return rt, nil
}

// add adds a route of the document.
func (rt *router) add(method, path string, op *Operation) error {
	t, err := parseTemplate(path)
	if err != nil {
		return err
	}
	end := rt.root.grow(t.segments)
	if other := end.targets[method]; other != nil {
		return fmt.Errorf("%s %s: the same route as %s", method, path, other.template.text)
	}
	setTarget(&end.targets, method, &target{op: op, template: t})
	return nil
}

// pass adds a route of PassThrough. It may repeat an operation without a key, but not undo one with.
func (rt *router) pass(method, path string) error {
	parent, last := path[:strings.LastIndex(path, "/")+1], path[strings.LastIndex(path, "/")+1:]
	if strings.HasPrefix(last, "{") && strings.HasSuffix(last, "...}") {
		t, err := parseTemplate(parent)
		if err != nil {
			return fmt.Errorf("pass through: %w", err)
		}
		from := rt.root.grow(t.segments[:len(t.segments)-1])
		setTarget(&from.below, method, &target{template: t})
		return nil
	}
	t, err := parseTemplate(path)
	if err != nil {
		return fmt.Errorf("pass through: %w", err)
	}
	end := rt.root.grow(t.segments)
	for m, other := range end.targets {
		if other.op != nil && (method == anyMethod || method == m) {
			return fmt.Errorf("pass through %q: the same route as the keyed operation %s", path, other.op.Endpoint)
		}
	}
	if end.targets[method] == nil {
		setTarget(&end.targets, method, &target{template: t})
	}
	return nil
}

// mutating says whether a method is one to guard: every one that RFC 9110 and the QUERY draft do not
// call safe. It looks at nothing but the method itself: no override header.
func mutating(method string) bool {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodTrace, "QUERY":
		return false
	}
	return true
}

// outside is where a request leads that is not below the base path.
var outside = new(target)

// match finds the keyed operation of a request and its path parameters. All three results are nil
// where the request passes: it does not write, it is not below the base path, or its route is a known
// one without a key. Whatever is not known is a problem.
func (rt *router) match(method, escapedPath string) (*Operation, Values, *Problem) {
	if !mutating(method) {
		return nil, nil, nil
	}
	segments, problem := splitPath(escapedPath)
	if problem != nil {
		return nil, nil, problem
	}
	found := rt.find(method, segments)
	switch {
	case !normalPath(escapedPath), rt.misplacedSlash(segments, found), rt.readOtherwise(method, escapedPath, found):
		return nil, nil, invalid("path is not in normal form")
	case found == nil:
		return nil, nil, unknownRoute()
	case found.op == nil:
		return nil, nil, nil
	}
	values := make(Values)
	found.template.match(segments[len(rt.base):], values)
	return found.op, values, nil
}

// find returns the target of a method and decoded segments; nil where none is known.
func (rt *router) find(method string, segments []string) *target {
	n := len(rt.base)
	if len(segments) < n || !slices.Equal(segments[:n], rt.base) {
		return outside
	}
	return rt.root.find(method, segments[n:])
}

// misplacedSlash says whether segments has an empty one that no route of ours has: another layer may
// drop it, and so find a route of ours after all. Outside the base path a slash at the end is harmless.
func (rt *router) misplacedSlash(segments []string, found *target) bool {
	if found == outside {
		segments = segments[:len(segments)-1]
	} else if found != nil || len(segments) == 1 {
		return false
	}
	return slices.Contains(segments, "")
}

// readOtherwise says whether a router that decodes a path in another way finds another route: one that
// compares escaped text, or one that decodes before it splits at the slashes.
func (rt *router) readOtherwise(method, escapedPath string, found *target) bool {
	if !strings.Contains(escapedPath, "%") {
		return false
	}
	readings := [][]string{splitReserved(escapedPath), splitDecoded(escapedPath)}
	for _, segments := range readings {
		other := rt.find(method, segments)
		if other != found && (other != nil || found == outside) {
			return true
		}
		if slices.Contains(segments, ".") || slices.Contains(segments, "..") {
			return true
		}
	}
	return false
}
