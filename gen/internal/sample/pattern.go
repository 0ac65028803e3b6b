package sample

import (
	"regexp/syntax"
	"strings"
)

// match finds a string that pattern accepts: the variant-th choice of each character class and
// alternative, repetitions as few as possible, or as many as make atLeast characters. It fails where the pattern is
// not one that is understood, or asks for more than a walk over it can see.
func match(pattern string, variant, atLeast int) (string, bool) {
	accepts, ok := accepting(pattern)
	if !ok {
		return "", false
	}
	rest, _, _ := withoutLookaheads(pattern)
	re, err := syntax.Parse(rest, syntax.Perl)
	if err != nil {
		return "", false
	}
	re = re.Simplify()
	for _, extra := range []int{0, max(0, atLeast-1), atLeast} { // "[a-z]+" of at least 40 has 39 more than it must
		w := walk{variant: variant, extra: extra}
		w.node(re)
		if s := w.b.String(); accepts(s) && len(s) >= atLeast {
			return s, true
		}
	}
	return "", false
}

// longestMatch bounds what a nested repetition can make.
const longestMatch = 1000

type walk struct {
	b       strings.Builder
	variant int
	extra   int // repetitions beyond the minimum, where there is no maximum
}

func (w *walk) node(re *syntax.Regexp) {
	if w.b.Len() > longestMatch {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.b.WriteRune(r)
		}
	case syntax.OpCharClass:
		w.b.WriteRune(pick(re.Rune, w.variant))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.b.WriteByte("abcdef"[w.variant%6])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			w.node(sub)
		}
	case syntax.OpAlternate:
		w.node(re.Sub[w.variant%len(re.Sub)])
	case syntax.OpPlus:
		for range 1 + w.extra {
			w.node(re.Sub[0])
		}
	case syntax.OpStar:
		// One where none would do: an empty string tells less, and differs in nothing.
		for range max(1, w.extra) {
			w.node(re.Sub[0])
		}
	}
}

// pick is the n-th character of a class, letters and digits before others.
func pick(class []rune, n int) rune {
	var good, all []rune
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1] && len(all) < 300; r++ {
			all = append(all, r)
			if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' {
				good = append(good, r)
			}
		}
	}
	if len(good) > 0 {
		all = good
	}
	if len(all) == 0 {
		return 'a'
	}
	return all[n%len(all)]
}
