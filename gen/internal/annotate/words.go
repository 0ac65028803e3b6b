package annotate

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// path are the words of an operation's path, the same with those of its placeholders, and the verb that stands for what
// it does.
func (n *namer) path(op *operation) (words, params []string, verb string) {
	segments := strings.Split(strings.Trim(op.path, "/"), "/")
	segments = segments[min(n.prefix, len(segments)-1):]
	last := segments[len(segments)-1]
	head, custom := splitCustom(last)
	segments[len(segments)-1] = head
	acts := custom == "" && op.method != "DELETE" && n.acts(segments)
	if acts {
		segments = segments[:len(segments)-1]
	}
	for _, s := range segments {
		literal := word(placeholder.ReplaceAllString(s, " "))
		if literal != "" {
			words = append(words, literal)
		}
		if all := word(s); all != "" {
			params = append(params, all)
		}
	}
	switch {
	case custom != "":
		verb = word(custom)
	case acts:
		verb = word(last)
	default:
		verb = n.verb(op, last)
	}
	if len(words) == 0 && !acts && custom == "" {
		words = []string{"root"}
	}
	if len(params) == 0 {
		params = words
	}
	return words, params, verb
}

// splitCustom takes a custom method off a segment: {id}:cancel, orders:batchCreate.
func splitCustom(segment string) (head, custom string) {
	i := strings.LastIndexByte(segment, ':')
	if i <= 0 || word(segment[i+1:]) == "" || strings.ContainsAny(segment[i+1:], "{}") {
		return segment, ""
	}
	return segment[:i], segment[i+1:]
}

// verb is what a method does to what a path ends with.
func (n *namer) verb(op *operation, last string) string {
	item := placeholder.MatchString(last)
	switch op.method {
	case "POST":
		if item {
			return "update"
		}
		return "create"
	case "PUT":
		if n.patch[op.path] || !item && isPlural(word(last)) {
			return "replace"
		}
		return "update"
	case "PATCH":
		return "update"
	case "DELETE":
		return "delete"
	}
	return strings.ToLower(op.method)
}

// acts tells whether the last segment of a path reads as something that is done, not as something that is there.
func (n *namer) acts(segments []string) bool {
	last := segments[len(segments)-1]
	if placeholder.MatchString(last) {
		return false
	}
	ws := split(last)
	if len(ws) == 0 || len(ws) == 1 && isPlural(ws[0]) {
		return false
	}
	first := ws[0]
	if slices.Contains(verbs, first) {
		return true
	}
	// A word that is a thing as well is something that is done to one thing.
	ofOne := len(segments) > 1 && placeholder.MatchString(segments[len(segments)-2])
	return ofOne && slices.Contains(both, first) && !isPlural(ws[len(ws)-1])
}

// isPlural tells whether the last of a word's parts is many things.
func isPlural(w string) bool {
	if i := strings.LastIndexAny(w, "._-"); i >= 0 {
		w = w[i+1:]
	}
	for _, end := range []string{"ss", "us", "is", "news"} {
		if strings.HasSuffix(w, end) {
			return false
		}
	}
	return strings.HasSuffix(w, "s") && len(w) > 2
}

// suffixes are formats that a path may end with, and that say nothing of what it is about.
var suffixes = regexp.MustCompile(`(?i)\.(json|xml|yaml|yml)$`)

// word is a segment as a part of an endpoint key; empty: it has nothing for one.
func word(segment string) string {
	if decoded, err := url.PathUnescape(segment); err == nil {
		segment = decoded
	}
	segment = suffixes.ReplaceAllString(segment, "")
	var b strings.Builder
	gap := byte(0)
	for i, part := range splitKeeping(segment) {
		if part.separator != 0 {
			gap = part.separator
			continue
		}
		if i > 0 && b.Len() > 0 {
			if gap == 0 {
				gap = '-'
			}
			b.WriteByte(gap)
		}
		b.WriteString(part.text)
		gap = 0
	}
	return b.String()
}

// part is a word in lower case, or what stands between two.
type part struct {
	text      string
	separator byte // - or _
}

// splitKeeping splits a text into words of a-z and 0-9, where it has other characters and where its case changes. Letters
// of other alphabets are written as their numbers.
func splitKeeping(s string) []part {
	var out []part
	rs := []rune(s)
	var w strings.Builder
	flush := func() {
		if w.Len() > 0 {
			out = append(out, part{text: w.String()})
			w.Reset()
		}
	}
	for i, r := range rs {
		switch {
		case 'A' <= r && r <= 'Z':
			lowerBefore := i > 0 && (unicode.IsLower(rs[i-1]) || unicode.IsDigit(rs[i-1]))
			lowerAfter := i > 0 && unicode.IsUpper(rs[i-1]) && i+1 < len(rs) && unicode.IsLower(rs[i+1]) && !plural(rs[i+1:])
			if lowerBefore || lowerAfter {
				flush()
			}
			w.WriteRune(unicode.ToLower(r))
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9':
			w.WriteRune(r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			fmt.Fprintf(&w, "u%04x", unicode.ToLower(r))
		default:
			flush()
			separator := byte('-')
			if r == '_' {
				separator = '_'
			}
			out = append(out, part{separator: separator})
		}
	}
	flush()
	return out
}

// plural tells whether letters after capitals are their plural: the s of IDs.
func plural(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || !unicode.IsLower(rest[1]))
}

// split are the words of a text.
func split(s string) []string {
	var out []string
	for _, p := range splitKeeping(s) {
		if p.separator == 0 {
			out = append(out, p.text)
		}
	}
	return out
}

// idWords is an operationId as an endpoint key: what stands between dots and slashes are parts of their own.
func idWords(id string) string {
	var parts []string
	for _, p := range strings.FieldsFunc(id, func(r rune) bool { return r == '.' || r == '/' || r == ':' }) {
		if w := word(p); w != "" {
			parts = append(parts, w)
		}
	}
	return strings.Join(parts, ".")
}
