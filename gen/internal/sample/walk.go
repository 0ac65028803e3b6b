package sample

import (
	"regexp/syntax"
	"strings"
)

// walk makes a text of a pattern: the variant-th choice of each character class and alternative; mixed, another choice at
// each place.
type walk struct {
	variant, mixed int
	stars, quests  bool // once what may be repeated or be missing, and what may be there once

	b     strings.Builder
	spare int // characters that repetitions may still add
	steps int // what it may still take
}

// text is the text with so many characters more than it must have, if repetitions make them.
func (w walk) text(re *syntax.Regexp, spare int) string {
	w.b.Reset()
	w.spare, w.steps = spare, 4*longestText
	w.node(re)
	return w.b.String()
}

func (w *walk) node(re *syntax.Regexp) {
	if w.steps--; w.steps < 0 || w.b.Len() > longestText {
		return
	}
	switch re.Op {
	case syntax.OpLiteral:
		for _, r := range re.Rune {
			w.b.WriteRune(r)
		}
	case syntax.OpCharClass:
		w.b.WriteRune(pick(re.Rune, w.choice()))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
		w.b.WriteByte(letters[w.choice()%len(letters)])
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			w.node(sub)
		}
	case syntax.OpAlternate:
		w.node(re.Sub[w.choice()%len(re.Sub)])
	case syntax.OpStar:
		w.repeat(re.Sub[0], 0, -1)
	case syntax.OpPlus:
		w.repeat(re.Sub[0], 1, -1)
	case syntax.OpQuest:
		w.repeat(re.Sub[0], 0, 1)
	case syntax.OpRepeat:
		w.repeat(re.Sub[0], re.Min, re.Max)
	}
}

// choice is the number of the choice to make here.
func (w *walk) choice() int { return w.variant + w.mixed*w.b.Len()*11 }

// repeat writes a part as often as it must be, once where that tells more, and more often while characters are to spare.
func (w *walk) repeat(sub *syntax.Regexp, least, most int) {
	n := least
	if least == 0 && (most == 1 && w.quests || most != 1 && most != 0 && w.stars) {
		n = 1 // an empty string tells less, and differs in nothing
	}
	for i := 0; i < n || w.spare > 0 && (most < 0 || i < most); i++ {
		was, before := w.b.Len(), w.steps
		w.node(sub)
		if i >= n {
			w.spare -= max(1, w.b.Len()-was)
		}
		if w.steps < 0 || w.b.Len() > longestText || before == w.steps {
			return
		}
	}
}

// pick is the n-th character of a class, letters and digits before others, and what can be seen before the rest.
func pick(class []rune, n int) rune {
	var good, seen, all []rune
	for i := 0; i+1 < len(class); i += 2 {
		for r := class[i]; r <= class[i+1] && len(all) < 300; r++ {
			all = append(all, r)
			switch {
			case r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z':
				good = append(good, r)
			case r > ' ' && r < 0x7f:
				seen = append(seen, r)
			}
		}
	}
	for _, of := range [][]rune{good, seen, all} {
		if len(of) > 0 {
			return of[n%len(of)]
		}
	}
	return 'a'
}
