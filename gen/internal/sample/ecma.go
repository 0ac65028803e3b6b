package sample

import (
	"regexp"
	"strconv"
	"strings"
)

// likeGo is a pattern in Go's spelling, where another language's says the same: it may be written in slashes, as in
// JavaScript, escape what Go spells differently, or repeat more often than Go does.
func likeGo(pattern string) string {
	var b strings.Builder
	pattern = unslashed(pattern)
	class := false
	for i := 0; i < len(pattern); {
		taken, text := step(pattern[i:], class)
		switch {
		case text == "[":
			class = true
		case text == "]":
			class = false
		}
		b.WriteString(text)
		i += taken
	}
	return b.String()
}

// named are Java's names of character classes.
var named = map[string]string{
	"Alpha": "alpha", "Digit": "digit", "Alnum": "alnum", "Upper": "upper", "Lower": "lower", "Punct": "punct",
	"XDigit": "xdigit", "Space": "space", "ASCII": "ascii", "Graph": "graph", "Print": "print",
}

var (
	hexEscape  = regexp.MustCompile(`^\\u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})`)
	nameEscape = regexp.MustCompile(`^\\p\{(?:(\w+)|(?:Script|sc|General_Category|gc)=(\w+))\}`)
	often      = regexp.MustCompile(`^\{(\d{1,4}),(\d{4,9})\}`)
	possessive = regexp.MustCompile(`^(?:[*+?]|\{\d+(?:,\d*)?\})\+`)
)

// step is the next part of a pattern in Go's spelling, and how many bytes it takes.
func step(rest string, class bool) (taken int, text string) {
	if rest[0] == '\\' {
		return escape(rest, class)
	}
	if class {
		return 1, rest[:1]
	}
	if m := often.FindStringSubmatch(rest); m != nil {
		if most, _ := strconv.Atoi(m[2]); most > 1000 { // no text of ours is so long
			return len(m[0]), "{" + m[1] + ",}"
		}
	}
	if m := possessive.FindString(rest); m != "" {
		return len(m), m[:len(m)-1]
	}
	switch {
	case strings.HasPrefix(rest, "[^]"):
		return len("[^]"), `[\s\S]`
	case strings.HasPrefix(rest, "(?>"):
		return len("(?>"), "(?:"
	}
	return 1, rest[:1]
}

func escape(rest string, class bool) (taken int, text string) {
	if m := hexEscape.FindStringSubmatch(rest); m != nil {
		return len(m[0]), `\x{` + m[1] + m[2] + `}`
	}
	if m := nameEscape.FindStringSubmatch(rest); m != nil {
		switch posix := named[m[1]]; {
		case posix != "" && class:
			return len(m[0]), "[:" + posix + ":]"
		case posix != "":
			return len(m[0]), "[[:" + posix + ":]]"
		case m[2] != "":
			return len(m[0]), `\p{` + m[2] + `}`
		}
		return len(m[0]), m[0]
	}
	switch {
	case strings.HasPrefix(rest, `\Z`):
		return 2, `\z`
	case strings.HasPrefix(rest, `\h`) && class:
		return 2, ` \t`
	case strings.HasPrefix(rest, `\h`):
		return 2, `[ \t]`
	}
	return min(2, len(rest)), rest[:min(2, len(rest))]
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
