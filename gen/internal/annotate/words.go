package annotate

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// route is an operation's path and method in words.
type route struct {
	parts []piece
	verb  string
	// guessed: the verb is what the method means, and not what the path says.
	guessed bool
}

// piece is a segment of a path.
type piece struct {
	literal string // its words without placeholders
	all     string // with them
	vain    bool   // a version, or what stands before one
}

// detail says what of a route goes into its key, beside what it is about and the verb.
type detail uint8

const (
	trailing detail = 1 << iota // placeholders at the end
	versions
	everything // all placeholders
	method
)

// words are the parts of an endpoint key.
func (r route) words(d detail) []string {
	var out, behind []string
	for _, p := range r.parts {
		switch {
		case p.vain && d&versions == 0:
		case p.vain || p.all != "" && d&everything != 0:
			out = append(out, p.all)
		case p.literal != "":
			out, behind = append(out, p.literal), nil
		case p.all != "":
			behind = append(behind, p.all)
		}
	}
	if d&trailing != 0 {
		out = append(out, behind...)
	}
	if len(out) == 0 { // nothing but placeholders and versions
		for _, p := range r.parts {
			if p.all != "" {
				out = append(out, p.all)
			}
		}
	}
	return out
}

// does is the last part of an endpoint key.
func (r route) does(op *operation, d detail) string {
	name := strings.ToLower(op.Method)
	switch {
	case d&method == 0:
		return r.verb
	case r.guessed:
		return name
	}
	return r.verb + "-" + name
}

// version are segments that say nothing of what a path is about, and so are the api and rest before them.
var (
	version = regexp.MustCompile(`(?i)^(v[0-9]+([._-]?[0-9a-z]+)*|[0-9]{4}-[0-9]{2}-[0-9]{2})$`)
	prefix  = regexp.MustCompile(`(?i)^(api|rest)$`)
)

// route reads an operation's path and method.
func (n *namer) route(op *operation) route {
	segments := strings.Split(strings.Trim(op.template(), "/"), "/")
	var r route
	var custom string
	segments[len(segments)-1], custom = splitCustom(segments[len(segments)-1])
	if custom != "" {
		r.verb = word(custom)
	} else if segments, r.verb = n.said(op, segments); r.verb == "" {
		r.verb, r.guessed = n.guess(op, segments[len(segments)-1]), true
	}
	for i, s := range segments {
		p := piece{literal: word(ir.Placeholder.ReplaceAllString(s, " ")), all: word(s)}
		p.vain = version.MatchString(s) || prefix.MatchString(s) && (i == 0 || i+1 < len(segments) && version.MatchString(segments[i+1]))
		r.parts = append(r.parts, p)
	}
	if r.guessed && len(r.words(everything)) == 0 {
		r.parts = []piece{{literal: "root", all: "root"}}
	}
	return r
}

// splitCustom takes a custom method off a segment: {id}:cancel, orders:batchCreate.
func splitCustom(segment string) (head, custom string) {
	i := strings.LastIndexByte(segment, ':')
	if i <= 0 || word(segment[i+1:]) == "" || strings.ContainsAny(segment[i+1:], "{}") {
		return segment, ""
	}
	return segment[:i], segment[i+1:]
}

// said is what a path says that is done, and what is left of the path; empty: it says nothing. What is deleted is a
// thing.
func (n *namer) said(op *operation, segments []string) (rest []string, verb string) {
	last := len(segments) - 1
	item := ir.Placeholder.MatchString(segments[last])
	switch {
	case n.things[op.template()]:
		return segments, ""
	case acts(segments):
		return segments[:last], word(segments[last])
	case op.Method != "POST" || last < 1 || !isVerb(segments[last-1]):
		return segments, ""
	case item: // /send/{asset}
		return append(slices.Clone(segments[:last-1]), segments[last]), word(segments[last-1])
	case last > 1 && !isPlural(word(segments[last])): // /sign/transaction
		return segments[:last-1], word(segments[last-1]) + "-" + word(segments[last])
	}
	return segments, ""
}

// guess is what a method does to what a path ends with.
func (n *namer) guess(op *operation, last string) string {
	item := ir.Placeholder.MatchString(last)
	switch {
	case op.Method == "DELETE":
		return "delete"
	case op.Method == "POST" && !item:
		return "create"
	case op.Method == "PUT" && (n.patched[op.template()] || !item && isPlural(word(last))):
		return "replace"
	}
	return "update"
}

// acts tells whether the last segment of a path reads as something that is done, not as something that is there.
func acts(segments []string) bool {
	last := segments[len(segments)-1]
	ws := split(last)
	switch {
	case ir.Placeholder.MatchString(last) || len(ws) == 0:
		return false
	case isVerb(last):
		return true
	case isPlural(ws[len(ws)-1]) || len(segments) == 1 || !slices.Contains(both, ws[0]):
		return false
	}
	before := segments[len(segments)-2]
	return ir.Placeholder.MatchString(before) || isPlural(word(before))
}

// isVerb tells whether a segment starts with a verb.
func isVerb(segment string) bool {
	ws := split(segment)
	if len(ws) > 1 && slices.Contains([]string{"bulk", "batch", "mass", "force"}, ws[0]) {
		ws = ws[1:]
	}
	if len(ws) == 0 || ir.Placeholder.MatchString(segment) || !slices.Contains(verbs, ws[0]) {
		return false
	}
	return !isPlural(ws[len(ws)-1]) || !slices.Contains(kinds, ws[0])
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
