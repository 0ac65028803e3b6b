package sample

import (
	"encoding/json"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// source makes literals of scalar types. It remembers them: one type is in many bodies, and following a pattern takes time.
type source struct {
	known    map[*ir.Type][]string
	patterns map[string]*pattern // nil: cannot be followed
	fuel     int                 // what following patterns may still cost in this document
}

func newSource() *source {
	return &source{known: map[*ir.Type][]string{}, patterns: map[string]*pattern{}, fuel: mostFuel}
}

// literals are up to three valid JSON literals of a scalar type, the best first. There is at least one. Hint is the
// document's example for this place, or empty.
func (s *source) literals(t *ir.Type, hint string) []string {
	all := s.candidates(t, hint)
	return all[:min(len(all), 3)]
}

// candidates are valid JSON literals of a scalar type: what the document gives as an example, then its enum, or our own.
func (s *source) candidates(t *ir.Type, hint string) []string {
	if hint != "" && s.fits(t, hint) {
		return distinct(append([]string{compact(hint)}, s.candidates(t, "")...))
	}
	if s.known[t] == nil {
		s.known[t] = s.several(t, 3)
	}
	return s.known[t]
}

// several are candidates, n of them that are not examples where the type has so many.
func (s *source) several(t *ir.Type, n int) []string {
	var all []string
	for _, given := range append([]string{t.Example}, t.MoreExamples...) {
		if s.fits(t, given) {
			all = append(all, compact(given))
		}
	}
	if t.Kind == ir.Bool && len(t.Enum) == 0 {
		all = append(all, "true", "false")
	}
	for _, l := range t.Enum {
		if s.admits(t, l) {
			all = append(all, l)
		}
	}
	if len(all) == 0 {
		all = append(all, t.Enum...) // the document contradicts itself
	}
	if len(t.Enum) == 0 {
		switch t.Kind {
		case ir.String, ir.Any:
			given := len(all) > 0
			for _, text := range s.texts(t, n) {
				if !given || s.fitsText(t, text) { // beside an example, what may not fit is worth nothing
					all = append(all, quote(text))
				}
			}
		case ir.Int, ir.Integer, ir.Number:
			all = append(all, numbers(t)...)
		}
	}
	if t.Nullable {
		all = append(all, "null")
	}
	return distinct(all)
}

// fits reports whether a literal that the document gives is one of the type, and short enough for a test.
func (s *source) fits(t *ir.Type, l string) bool {
	const longest = 200 // bytes
	if l == "" || len(l) > longest || !json.Valid([]byte(l)) {
		return false
	}
	l = compact(l)
	if len(t.Enum) > 0 && !slices.Contains(t.Enum, l) {
		return false
	}
	return s.admits(t, l)
}

// admits reports whether a scalar is one of the type, its enum apart, as far as that can be told.
func (s *source) admits(t *ir.Type, l string) bool {
	switch t.Kind {
	case ir.String:
		return l[0] == '"' && s.fitsText(t, unquote(l))
	case ir.Bool:
		return l == "true" || l == "false"
	case ir.Int, ir.Integer:
		n, ok := new(big.Int).SetString(l, 10)
		return ok && integerLiteral(l) && inRange(new(big.Rat).SetInt(n), t)
	case ir.Number:
		r := bound(l)
		return strings.ContainsAny(l[:1], "-0123456789") && len(l) <= 40 && (r == nil || inRange(r, t))
	default:
		return t.Kind == ir.Any && len(t.Branches) == 0 && l != "null" && !isContainer(l)
	}
}

// fitsText reports whether lengths, pattern and format accept a text, as far as they can be read.
func (s *source) fitsText(t *ir.Type, text string) bool {
	return fitsLength(t, text) && fitsFormat(t.Format, text) && s.fitsPattern(t, text)
}

func fitsLength(t *ir.Type, text string) bool {
	n := utf8.RuneCountInString(text)
	return n >= t.MinLength && (t.MaxLength == 0 || n <= t.MaxLength)
}

func (s *source) fitsPattern(t *ir.Type, text string) bool {
	for _, p := range s.patternsOf(t) {
		if p != nil && !s.accepts(p, text) {
			return false
		}
	}
	return true
}

// patternsOf are the patterns of a type, nil for each that cannot be followed.
func (s *source) patternsOf(t *ir.Type) []*pattern {
	var out []*pattern
	for _, text := range append([]string{t.Pattern}, t.MorePatterns...) {
		if text != "" {
			out = append(out, s.pattern(text))
		}
	}
	return out
}

// pattern is a pattern of the document; nil where it cannot be followed.
func (s *source) pattern(text string) *pattern {
	p, known := s.patterns[text]
	if !known {
		p, _ = patternOf(text)
		s.patterns[text] = p
	}
	return p
}

// unknown reports whether no value is known that the schema of a scalar accepts: its parts contradict each other, or its
// pattern cannot be followed and no example is given.
func (s *source) unknown(t *ir.Type) bool {
	if t == nil || !isScalar(t) {
		return false
	}
	l := s.candidates(t, "")[0]
	if l == "null" {
		return false
	}
	readable := !slices.Contains(s.patternsOf(t), nil) || s.fits(t, t.Example) || len(t.Enum) > 0
	return !readable || len(t.Enum) > 0 && !slices.Contains(t.Enum, l) || !s.admits(t, l)
}

// compact respells a string in ASCII, so that no odd escape of a document gets into a request.
func compact(l string) string {
	l = strings.TrimSpace(l)
	var s string
	if strings.HasPrefix(l, `"`) && json.Unmarshal([]byte(l), &s) == nil {
		return quote(s)
	}
	return l
}

func distinct(all []string) []string {
	var kept []string
	seen := make(map[string]bool, len(all))
	for _, l := range all {
		if !seen[l] {
			kept = append(kept, l)
			seen[l] = true
		}
	}
	return kept
}
