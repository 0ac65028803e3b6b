package sample

import (
	"math"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

const (
	// largest is how many parts a pattern may have, repetitions written out: what Go's matching costs for each character.
	largest = 20_000
	// mostFuel is what the patterns of a document may cost together, in parts of a pattern times characters.
	mostFuel = 1_000_000_000
)

// pattern is a pattern of a document, as it is meant: those of JSON Schema are of ECMA-262. Of what Go's do not have, lookaheads
// behind the beginning are understood.
type pattern struct {
	tree       *syntax.Regexp
	whole      *regexp.Regexp
	conditions []condition
	size       int
}

// patternOf reads a pattern; false where it cannot be followed.
func patternOf(text string) (*pattern, bool) {
	if len(text) > largest {
		return nil, false
	}
	rest, conditions, ok := withoutLookaheads(likeGo(text))
	if !ok {
		return nil, false
	}
	tree, err := syntax.Parse(rest, syntax.Perl)
	if err != nil {
		return nil, false
	}
	p := &pattern{tree: tree, conditions: conditions, size: size(tree)}
	for _, c := range conditions {
		p.size = min(p.size+c.size, largest+1)
	}
	if p.size > largest {
		return nil, false
	}
	for i := range p.conditions {
		if p.conditions[i].here, err = regexp.Compile(p.conditions[i].text); err != nil {
			return nil, false
		}
	}
	p.whole, err = regexp.Compile(rest)
	return p, err == nil
}

// accepts reports whether a pattern accepts a text; false too when patterns have cost too much already.
func (s *source) accepts(p *pattern, text string) bool {
	if s.fuel -= p.size * (len(text) + 1); s.fuel < 0 {
		return false
	}
	for _, c := range p.conditions {
		if c.here.MatchString(text) != c.wanted {
			return false
		}
	}
	return p.whole.MatchString(text)
}

// size is how many parts a pattern has, up to more than the largest.
func size(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)
	for _, sub := range re.Sub {
		n = min(n+size(sub), largest+1)
	}
	if re.Op == syntax.OpRepeat {
		n *= max(re.Min, re.Max, 1)
	}
	return min(n, largest+1)
}

// made are up to n texts that a pattern and the type's lengths accept, an empty one last.
func (s *source) made(p *pattern, t *ir.Type, n int) []string {
	var all []string
	for variant := range 18 {
		if len(all) >= n || s.fuel < 0 {
			break
		}
		if text, ok := s.make(p, t, walk{variant: variant % 6, mixed: variant / 6}); ok && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	if len(all) < n {
		for _, text := range longer(p, t) {
			if len(all) < n && !slices.Contains(all, text) && s.takes(p, t, text) {
				all = append(all, text)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b string) int { return min(len(b), 1) - min(len(a), 1) })
	return all
}

// longer are texts for a pattern that is open on one side, as "^cus_" is: with more there, and as much as the type demands.
func longer(p *pattern, t *ir.Type) []string {
	base := walk{}.text(p.tree, 0)
	missing := max(1, min(t.MinLength, longestText)-utf8.RuneCountInString(base))
	var all []string
	for _, c := range []string{"0", "1", "2", "a", "b", "c"} {
		all = append(all, base+strings.Repeat(c, missing), strings.Repeat(c, missing)+base)
	}
	return all
}

// takes reports whether a pattern and the type's lengths accept a text that a test may send.
func (s *source) takes(p *pattern, t *ir.Type, text string) bool {
	return fitsLength(t, text) && strings.IndexFunc(text, unwanted) < 0 && s.accepts(p, text)
}

// make makes one text: with each part that may be missing where that is no more than the type's lengths admit, and then in
// other ways.
func (s *source) make(p *pattern, t *ir.Type, w walk) (string, bool) {
	least := min(t.MinLength, longestText)
	for _, mode := range []walk{{stars: true}, {}, {stars: true, quests: true}} {
		w.stars, w.quests = mode.stars, mode.quests
		short := least - utf8.RuneCountInString(w.text(p.tree, 0))
		for _, extra := range []int{0, 1, 4, 9, 20} {
			text := w.text(p.tree, max(0, short)+extra)
			s.fuel -= len(text) // what making it took
			if s.takes(p, t, text) {
				return text, true
			}
			if t.MaxLength > 0 && utf8.RuneCountInString(text) > t.MaxLength {
				break
			}
		}
	}
	return "", false
}

// unwanted are characters that no test sends because a pattern happens to admit them.
func unwanted(r rune) bool { return r == 0 || r == utf8.RuneError || r > math.MaxUint16 }
