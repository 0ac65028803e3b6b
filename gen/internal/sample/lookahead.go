package sample

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// condition is what a lookahead asks for at the beginning.
type condition struct {
	text   string
	size   int
	here   *regexp.Regexp
	wanted bool
}

// withoutLookaheads takes the lookaheads out that stand behind the beginning of a pattern: "^(?!tmp_)[a-z_]+$" is
// "^[a-z_]+$" of what does not begin with tmp_. It is false where one cannot be read, or stands before an alternative, of
// which it may be the first's alone.
func withoutLookaheads(pattern string) (rest string, conditions []condition, ok bool) {
	flags := ""
	if rest = pattern; strings.HasPrefix(rest, "(?i)") {
		flags, rest = "(?i)", strings.TrimPrefix(rest, "(?i)")
	}
	for strings.HasPrefix(rest, "^(?!") || strings.HasPrefix(rest, "^(?=") {
		end := closing(rest, 1)
		if end < 0 {
			return "", nil, false
		}
		c := condition{text: flags + "^(?:" + rest[4:end] + ")", wanted: rest[3] == '='}
		tree, err := syntax.Parse(c.text, syntax.Perl)
		if err != nil {
			return "", nil, false
		}
		c.size = size(tree)
		conditions = append(conditions, c)
		rest = "^" + rest[end+1:]
	}
	return flags + rest, conditions, len(conditions) == 0 || !alternates(rest)
}

// alternates reports whether a pattern is a choice on its outermost level.
func alternates(pattern string) bool {
	found := false
	scan(pattern, func(i, depth int, class bool) bool {
		found = found || pattern[i] == '|' && depth == 0 && !class
		return !found
	})
	return found
}

// closing is where the group closes that opens at i; -1: nowhere.
func closing(pattern string, i int) int {
	end := -1
	scan(pattern[i:], func(j, depth int, class bool) bool {
		if pattern[i+j] == ')' && depth == 0 && !class {
			end = i + j
		}
		return end < 0
	})
	return end
}

// scan calls fn with each character of a pattern that is not escaped, how many groups are open behind it, and whether it is in a
// character class, until fn returns false.
func scan(pattern string, fn func(i, depth int, class bool) bool) {
	depth, class := 0, false
	for i := 0; i < len(pattern); i++ {
		inside := class
		switch c := pattern[i]; {
		case c == '\\':
			i++
			continue
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if !fn(i, depth, inside) {
			return
		}
	}
}
