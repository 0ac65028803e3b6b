package ir

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// Placeholder is a parameter of a path template: "{id}".
var Placeholder = regexp.MustCompile(`\{[^{}/]+\}`)

// RequestPath is a path template without the query or the fragment that some documents put behind it, to tell
// operations of one path apart. No route is matched by either.
func RequestPath(path string) string {
	hide := func(s string) string { return strings.Repeat("\x00", len(s)) }
	if i := strings.IndexAny(Placeholder.ReplaceAllStringFunc(path, hide), "?#"); i >= 0 {
		return path[:i]
	}
	return path
}

// A Segment is what stands between two slashes of a path template, as the runtime's router sees it: the
// decoded literals before, between and after its placeholders. One literal is a fixed segment.
type Segment []string

// Segments takes a path template apart.
func Segments(path string) []Segment {
	var out []Segment
	for part := range strings.SplitSeq(strings.TrimPrefix(path, "/"), "/") {
		s := Segment(Placeholder.Split(part, -1))
		for i, literal := range s {
			if decoded, err := url.PathUnescape(literal); err == nil {
				s[i] = decoded
			}
		}
		out = append(out, s)
	}
	return out
}

// Mutating tells whether a method may change something: all do but those that RFC 9110, section 9.2.1, calls safe, and
// QUERY. So may the methods of additionalOperations.
func Mutating(method string) bool {
	switch method {
	case "GET", "HEAD", "OPTIONS", "TRACE", "QUERY":
		return false
	}
	return true
}

// Shape is equal for routes that answer the same requests, and for no others.
func (r Route) Shape() string { return fmt.Sprintf("%s %q", r.Method, Segments(r.Path)) }

// Clashes tells whether a request can match both segments while neither is the special case of the other, so
// that no router can tell which is meant: {a}-{b} and {a}.{b}, of x-y.z.
func (s Segment) Clashes(other Segment) bool {
	last, otherLast := s[len(s)-1], other[len(other)-1]
	if !strings.HasSuffix(last, otherLast) && !strings.HasSuffix(otherLast, last) ||
		!strings.HasPrefix(s[0], other[0]) && !strings.HasPrefix(other[0], s[0]) {
		return false
	}
	return s.Mixed() && other.Mixed() && !s.within(other) && !other.within(s)
}

// Mixed tells whether a segment is neither a literal nor a single placeholder.
func (s Segment) Mixed() bool { return len(s) > 2 || len(s) == 2 && s[0]+s[1] != "" }

// within tells whether all that s matches, other matches too. A byte that no literal has stands for each
// placeholder of s.
func (s Segment) within(other Segment) bool { return other.matches(strings.Join(s, "\xff")) }

// matches tells whether a text has this form. A placeholder has at least one byte.
func (s Segment) matches(text string) bool {
	rest, begins := strings.CutPrefix(text, s[0])
	rest, ends := strings.CutSuffix(rest, s[len(s)-1])
	if !begins || !ends {
		return false
	}
	for _, literal := range s[1 : len(s)-1] {
		if rest == "" {
			return false
		}
		_, after, found := strings.Cut(rest[1:], literal)
		if !found {
			return false
		}
		rest = after
	}
	return rest != ""
}
