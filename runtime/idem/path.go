package idem

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// pathTemplate is a path of the document: "/jobs/{id}:cancel".
type pathTemplate struct {
	text     string
	segments []segment
}

// segment is what stands between two slashes of a template: literals and parameters in turn, with a
// literal, perhaps empty, at either end. One literal is the whole of a fixed segment.
type segment struct {
	literals   []string // decoded
	parameters []string // one less
}

// parseTemplate takes a path template apart.
func parseTemplate(text string) (*pathTemplate, error) {
	if !strings.HasPrefix(text, "/") {
		return nil, fmt.Errorf("path %q: must begin with a slash", text)
	}
	t := &pathTemplate{text: text}
	var names []string
	for part := range strings.SplitSeq(text[1:], "/") {
		s, err := parseSegment(part)
		if err != nil {
			return nil, fmt.Errorf("path %q: %w", text, err)
		}
		for _, name := range s.parameters {
			if slices.Contains(names, name) {
				return nil, fmt.Errorf("path %q: parameter %q is there twice", text, name)
			}
			names = append(names, name)
		}
		t.segments = append(t.segments, s)
	}
	return t, nil
}

func parseSegment(text string) (segment, error) {
	var s segment
	for {
		literal, rest, opened := strings.Cut(text, "{")
		if strings.Contains(literal, "}") {
			return segment{}, fmt.Errorf("%q: brace without its partner", literal)
		}
		if decoded, err := url.PathUnescape(literal); err == nil {
			literal = decoded
		}
		if literal == "" && len(s.parameters) > 0 && opened {
			return segment{}, fmt.Errorf("nothing between {%s} and the next parameter", s.parameters[len(s.parameters)-1])
		}
		s.literals = append(s.literals, literal)
		if !opened {
			return s, nil
		}
		name, after, closed := strings.Cut(rest, "}")
		if !closed || name == "" || strings.Contains(name, "{") {
			return segment{}, fmt.Errorf("%q: brace without its partner", "{"+rest)
		}
		s.parameters = append(s.parameters, name)
		text = after
	}
}

// fixed says whether the segment has no parameter.
func (s *segment) fixed() bool { return len(s.parameters) == 0 }

// plain says whether the segment is one parameter and nothing else.
func (s *segment) plain() bool {
	return len(s.parameters) == 1 && s.literals[0] == "" && s.literals[1] == ""
}

// match says whether a decoded segment of a request has this shape, and adds the parameters' texts to
// values. A parameter has at least one byte, and no more than it must: of "x.y.z", "{a}.{b}" takes "x"
// and "y.z".
func (s *segment) match(text string, values Values) bool {
	if s.fixed() {
		return text == s.literals[0]
	}
	last := len(s.parameters) - 1
	rest, begins := strings.CutPrefix(text, s.literals[0])
	rest, ends := strings.CutSuffix(rest, s.literals[last+1])
	if !begins || !ends {
		return false
	}
	for i, name := range s.parameters {
		value := rest
		if i < last {
			literal := s.literals[i+1]
			at := -1
			if rest != "" {
				at = strings.Index(rest[1:], literal)
			}
			if at < 0 {
				return false
			}
			value, rest = rest[:at+1], rest[at+1+len(literal):]
		}
		if value == "" {
			return false
		}
		if values != nil {
			values[name] = []string{value}
		}
	}
	return true
}

// splitPath returns the decoded segments of an escaped path: decoded once, so that an escaped slash
// stays inside its segment.
func splitPath(escaped string) ([]string, *Problem) {
	segments := strings.Split(strings.TrimPrefix(escaped, "/"), "/")
	for i, s := range segments {
		decoded, err := url.PathUnescape(s)
		if err != nil {
			return nil, invalid("path has a malformed escape")
		}
		if !utf8.ValidString(decoded) {
			return nil, invalid("path is not valid UTF-8")
		}
		segments[i] = decoded
	}
	return segments, nil
}

// normalPath says whether an escaped path is in the normal form of RFC 3986, section 6.2.2, as far as
// two layers may read it in two ways: no dot segments, and no escape of a character that needs none.
// Empty segments are for the router to judge.
func normalPath(escaped string) bool {
	if escaped != "" && escaped[0] != '/' {
		return false
	}
	for i := 0; i+2 < len(escaped); i++ {
		if escaped[i] == '%' && unreserved(unhex(escaped[i+1])<<4|unhex(escaped[i+2])) {
			return false
		}
	}
	for s := range strings.SplitSeq(escaped, "/") {
		if s == "." || s == ".." {
			return false
		}
	}
	return true
}

// unreserved says whether c never needs an escape: RFC 3986, section 2.3.
func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// unhex returns the value of a hexadecimal digit.
func unhex(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}

// splitReserved is splitPath, but it leaves the escapes of what may stand in a segment unescaped too
// (RFC 3986, section 3.3: "!$&'()*+,;=:@"), as a router does that compares escaped text. The path is
// known to be well escaped.
func splitReserved(escaped string) []string {
	var kept strings.Builder
	for i := 0; i < len(escaped); i++ {
		kept.WriteByte(escaped[i])
		if escaped[i] == '%' && strings.IndexByte("!$&'()*+,;=:@", unhex(escaped[i+1])<<4|unhex(escaped[i+2])) >= 0 {
			kept.WriteString("25") // the escape of a percent sign: what follows is text
		}
	}
	segments, _ := splitPath(kept.String())
	return segments
}

// splitDecoded splits a path at its escaped slashes too, as a router does that decodes it first. The
// path is known to be well escaped.
func splitDecoded(escaped string) []string {
	decoded, _ := url.PathUnescape(escaped)
	return strings.Split(strings.TrimPrefix(decoded, "/"), "/")
}

// templates holds the parsed templates of operations: few, and there for good.
var templates sync.Map // string -> *pathTemplate

func templateOf(text string) (*pathTemplate, error) {
	if t, known := templates.Load(text); known {
		return t.(*pathTemplate), nil
	}
	t, err := parseTemplate(text)
	if err != nil {
		return nil, err
	}
	templates.Store(text, t)
	return t, nil
}

// pathValues returns the path parameters of a request that a router has given to the operation with
// this template. The path is the template's alone, or below base: what else stood before it would be a
// difference that the handler sees and the identity does not. A path of another shape is a fault in the
// wiring.
func pathValues(base, template, escapedPath string) (Values, *Problem) {
	t, err := templateOf(template)
	if err != nil {
		return nil, internalError("the operation's path template is malformed")
	}
	segments, problem := splitPath(escapedPath)
	if problem != nil {
		return nil, problem
	}
	values := make(Values)
	n := len(segments) - len(t.segments)
	if n < 0 || !t.match(segments[n:], values) {
		return nil, internalError("the request's path is not the operation's: the handler is registered for another route")
	}
	if before := strings.Join(segments[:n], "/"); n > 0 && before != strings.Trim(base, "/") {
		return nil, internalError("the request's path is not the service's BasePath and the operation's path")
	}
	return values, nil
}

// match says whether these segments, as many as the template's, have its shape.
func (t *pathTemplate) match(segments []string, values Values) bool {
	for i := range t.segments {
		if !t.segments[i].match(segments[i], values) {
			return false
		}
	}
	return true
}
