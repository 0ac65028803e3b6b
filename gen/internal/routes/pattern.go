package routes

import (
	"slices"
	"strings"
)

// unknown stands in a text for what only a running program knows.
const unknown = "\x00"

// pattern is what a registration takes: methods and a path.
type pattern struct {
	methods []string // none: every one
	some    bool     // only the running program knows which: none is in methods then
	text    string   // the path as it is written
	path    []string // segments; "*" is a parameter
	open    bool     // something unknown stands before path
	below   bool     // everything below path too
}

// mutating says whether the pattern names a method that may write.
func (p pattern) mutating() bool { return slices.ContainsFunc(p.methods, mutating) }

func mutating(method string) bool {
	switch method {
	case "POST", "PUT", "PATCH", "DELETE":
		return true
	}
	return false
}

// setMethods has the pattern take methods; none of them is every one.
func (p *pattern) setMethods(methods []string) {
	p.methods, p.some = methods, false
	if slices.ContainsFunc(methods, func(m string) bool { return strings.Contains(m, unknown) }) {
		p.methods, p.some = nil, true
	}
}

// takes says whether the pattern may be meant for a route of the document. What the document does not have stands
// before its path: a base path, which has no parameters.
func (p pattern) takes(r Route) bool {
	if len(p.methods) > 0 && !slices.Contains(p.methods, r.Method) {
		return false
	}
	if p.below {
		return false // a subtree is no operation's
	}
	route := segments(r.Path)
	base := len(p.path) - len(route)
	switch {
	case base > 0 && !hasLiteral(route):
		return false
	case base >= 0:
		return endsWith(p.path, route) && !slices.ContainsFunc(p.path[:base], isParameter)
	case p.open:
		return hasLiteral(p.path) && endsWith(route, p.path)
	}
	return false
}

func isParameter(segment string) bool { return strings.Contains(segment, "*") }

func hasLiteral(path []string) bool {
	return slices.ContainsFunc(path, func(s string) bool { return !isParameter(s) })
}

// endsWith compares segments of a router with those of a document, either of which may be the longer one. A parameter of
// the router takes a segment of which only a part is one: {id}:cancel.
func endsWith(path, end []string) bool {
	return slices.EqualFunc(path[len(path)-len(end):], end, func(a, b string) bool {
		return a == b || a == "*" && strings.Contains(b, "*") || b == "*" && strings.Contains(a, "*")
	})
}

// String is the pattern for messages.
func (p pattern) String() string {
	path := strings.ReplaceAll(p.text, unknown, "…")
	if !strings.HasPrefix(path, "/") && !strings.HasPrefix(path, "…") {
		path = "/" + path
	}
	if p.open && !strings.Contains(path, "…") {
		path = "…" + path
	}
	if len(p.methods) == 0 {
		return path
	}
	return strings.Join(p.methods, ", ") + " " + path
}

// httpPattern reads a pattern of net/http: "POST /orders/{id}", with a host or without a method.
func httpPattern(text string) pattern {
	var p pattern
	if method, rest, ok := strings.Cut(text, " "); ok && method != "" && !strings.Contains(method, "/") {
		p.setMethods([]string{method})
		text = strings.TrimLeft(rest, " \t")
	}
	if i := strings.IndexAny(text, "/"+unknown); i > 0 { // a host
		text = text[i:]
	}
	if rest, exact := strings.CutSuffix(text, "{$}"); exact {
		p.setPath(rest)
		return p
	}
	p.setPath(text)
	p.below = p.below || strings.HasSuffix(text, "/")
	return p
}

// setPath takes a path apart. Of one with something unknown in it, what follows counts.
func (p *pattern) setPath(path string) {
	p.text = path
	if i := strings.LastIndex(path, unknown); i >= 0 {
		p.open, path = true, path[i+len(unknown):]
		if !strings.HasPrefix(path, "/") { // the rest of an unknown segment
			_, path, _ = strings.Cut(path, "/")
		}
	}
	p.path = segments(path)
	last := path[strings.LastIndexByte(path, '/')+1:]
	p.below = strings.HasPrefix(last, "*") || strings.HasSuffix(last, "...}")
}

// prefixed puts the paths of groups before the pattern's own.
func (p pattern) prefixed(prefix string) pattern {
	if prefix == "" {
		return p
	}
	below, path := p.below, prefix
	if p.text != "" {
		path = strings.TrimSuffix(prefix, "/") + "/" + strings.TrimPrefix(p.text, "/")
	}
	p.setPath(path)
	p.below = p.below || below
	return p
}

// segments are those of a path in the spelling of any router, with "*" for each parameter.
func segments(path string) []string {
	path = withoutExpressions(path)
	var out []string
	for s := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		switch {
		case s == "" && len(out) == 0:
		case strings.HasPrefix(s, ":"), strings.HasPrefix(s, "*"):
			out = append(out, "*")
		default:
			out = append(out, withoutNames(s))
		}
	}
	return out
}

// withoutNames has "*" for each {placeholder} of a segment.
func withoutNames(s string) string {
	for {
		open := strings.IndexByte(s, '{')
		end := strings.IndexByte(s, '}')
		if open < 0 || end < open {
			return s
		}
		s = s[:open] + "*" + s[end+1:]
	}
}

// withoutExpressions drops the regular expressions of {id:[0-9]{3}}.
func withoutExpressions(path string) string {
	var b strings.Builder
	depth, skip := 0, false
	for _, c := range path {
		switch {
		case c == '{':
			if depth++; depth == 1 {
				b.WriteRune(c)
			}
			continue
		case c == '}' && depth > 0:
			if depth--; depth == 0 {
				skip = false
				b.WriteRune(c)
			}
			continue
		case c == ':' && depth == 1:
			skip = true
		}
		if !skip && depth < 2 {
			b.WriteRune(c)
		}
	}
	return b.String()
}
