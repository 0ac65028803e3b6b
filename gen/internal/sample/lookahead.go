package sample

import (
	"regexp"
	"strings"
)

// accepting is a pattern as a function; false where it cannot be read. An empty one accepts everything. Patterns are those of
// ECMA-262: of what Go's do not have, a lookahead behind the beginning is understood.
func accepting(pattern string) (func(string) bool, bool) {
	rest, conditions, ok := withoutLookaheads(pattern)
	if !ok {
		return nil, false
	}
	accepts, err := regexp.Compile(rest)
	if err != nil {
		return nil, false
	}
	return func(text string) bool {
		for _, c := range conditions {
			if c.here.MatchString(text) != c.wanted {
				return false
			}
		}
		return accepts.MatchString(text)
	}, true
}

// condition is what a lookahead asks for at the beginning.
type condition struct {
	here   *regexp.Regexp
	wanted bool
}

// withoutLookaheads takes the lookaheads out that stand behind the beginning of a pattern: "^(?!tmp_)[a-z_]+$" is
// "^[a-z_]+$" of what does not begin with tmp_.
func withoutLookaheads(pattern string) (rest string, conditions []condition, ok bool) {
	rest = unslashed(pattern)
	for strings.HasPrefix(rest, "^(?!") || strings.HasPrefix(rest, "^(?=") {
		end := closing(rest, 1)
		if end < 0 {
			return "", nil, false
		}
		here, err := regexp.Compile("^(?:" + rest[4:end] + ")")
		if err != nil {
			return "", nil, false
		}
		conditions = append(conditions, condition{here, rest[3] == '='})
		rest = "^" + rest[end+1:]
	}
	return rest, conditions, true
}

// unslashed is a pattern that some documents write as JavaScript does, "/^[a-z]+$/i", as it is meant.
func unslashed(pattern string) string {
	end := strings.LastIndexByte(pattern, '/')
	if len(pattern) < 2 || pattern[0] != '/' || end == 0 || strings.Trim(pattern[end+1:], "gimsuy") != "" {
		return pattern
	}
	if strings.Contains(pattern[end+1:], "i") {
		return "(?i)" + pattern[1:end]
	}
	return pattern[1:end]
}

// closing is where the group closes that opens at i; -1: nowhere.
func closing(pattern string, i int) int {
	depth, class := 0, false
	for ; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\':
			i++
		case class:
			class = c != ']'
		case c == '[':
			class = true
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}
