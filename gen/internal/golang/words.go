package golang

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are the words that Go writes in capitals. The list is fixed: another word in it would
// rename what users have written.
var initialisms = func() map[string]string {
	m := map[string]string{"ids": "IDs", "urls": "URLs", "uris": "URIs", "uuids": "UUIDs", "apis": "APIs"}
	for _, w := range []string{
		"ACL", "API", "ASCII", "CPU", "CSS", "DB", "DNS", "EOF", "GUID", "HTML", "HTTP", "HTTPS", "ID", "IP",
		"JSON", "JWT", "OTP", "PDF", "QPS", "RAM", "RPC", "SDK", "SKU", "SLA", "SMS", "SMTP", "SQL", "SSH",
		"SSO", "TCP", "TLS", "TTL", "UDP", "UI", "UID", "URI", "URL", "URN", "UTC", "UTF", "UUID", "VAT", "VM", "XML",
	} {
		m[strings.ToLower(w)] = w
	}
	return m
}()

// symbols name the characters of a text that has neither letters nor digits.
var symbols = map[rune]string{
	' ': "Space", '!': "Bang", '"': "Quote", '#': "Hash", '$': "Dollar", '%': "Percent", '&': "And",
	'\'': "Apostrophe", '(': "Open", ')': "Close", '*': "Star", '+': "Plus", ',': "Comma", '-': "Minus",
	'.': "Dot", '/': "Slash", ':': "Colon", ';': "Semicolon", '<': "Less", '=': "Equal", '>': "Greater",
	'?': "Question", '@': "At", '[': "OpenBracket", '\\': "Backslash", ']': "CloseBracket", '^': "Caret",
	'_': "Underscore", '`': "Backquote", '{': "OpenBrace", '|': "Or", '}': "CloseBrace", '~': "Tilde",
}

// maxMember is where the name of an enum's member is cut: members can be sentences.
const maxMember = 60

// exportedName turns a text of the document into an exported Go name. What Go cannot export by an
// upper-case first letter (digits, scripts without case) gets an X in front.
func exportedName(text string) string {
	name := nameTail(text)
	if first, _ := utf8.DecodeRuneInString(name); !unicode.IsUpper(first) {
		name = "X" + name
	}
	return name
}

// unexportedName is the unexported form of exportedName: its first word in lower case.
func unexportedName(text string) string {
	ws := words(text)
	if len(ws) == 0 {
		return "x" + nameTail(text)
	}
	first := strings.ToLower(ws[0])
	if r, _ := utf8.DecodeRuneInString(first); !unicode.IsLetter(r) {
		first = "x" + first
	}
	return join(append([]string{first}, titled(ws[1:])...))
}

// nameTail is a name that stands behind another one, so that it may begin with a digit.
func nameTail(text string) string {
	if ws := titled(words(text)); len(ws) > 0 {
		return join(ws)
	}
	if text == "" {
		return "Empty"
	}
	var named []string
	for _, r := range text {
		name, ok := symbols[r]
		if !ok {
			name = fmt.Sprintf("U%04X", r)
		}
		named = append(named, name)
	}
	return join(named)
}

// memberName is a nameTail of bounded length, cut between words where there are some.
func memberName(text string) string {
	name := nameTail(text)
	if utf8.RuneCountInString(name) <= maxMember {
		return name
	}
	short := string([]rune(name)[:maxMember])
	ws := titled(words(text))
	for n := range ws {
		whole := join(ws[:n+1])
		if utf8.RuneCountInString(whole) > maxMember {
			break
		}
		short = whole
	}
	return short
}

// join puts words together; an underscore keeps 1.2 apart from 12.
func join(ws []string) string {
	var b strings.Builder
	var last rune
	for _, w := range ws {
		if first, _ := utf8.DecodeRuneInString(w); unicode.IsDigit(last) && unicode.IsDigit(first) {
			b.WriteByte('_')
		}
		b.WriteString(w)
		last, _ = utf8.DecodeLastRuneInString(w)
	}
	return b.String()
}

// titled gives each word its first letter in upper case, or all of them.
func titled(ws []string) []string {
	lower := func(w string) bool { return strings.IndexFunc(w, unicode.IsLower) >= 0 }
	// Words of a text in capitals are PENDING_REVIEW; one short word is a code: GBP, SE.
	shouted := !slices.ContainsFunc(ws, lower) && (len(ws) > 1 || len(ws) == 1 && utf8.RuneCountInString(ws[0]) > 3)
	out := make([]string, 0, len(ws))
	for _, w := range ws {
		stem := strings.TrimRightFunc(w, unicode.IsDigit) // id2 is ID2
		if initialism, ok := initialisms[strings.ToLower(stem)]; ok {
			out = append(out, initialism+w[len(stem):])
			continue
		}
		first, n := utf8.DecodeRuneInString(w)
		rest := w[n:]
		if shouted {
			rest = strings.ToLower(rest)
		}
		out = append(out, string(unicode.ToUpper(first))+rest)
	}
	return out
}

// words splits a text at what is neither letter nor digit, and where its case changes. Signs that
// tell two texts apart, +1 and -1, become words.
func words(text string) []string {
	var out []string
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out = append(out, splitCase(word)...)
			word = nil
		}
	}
	rs := []rune(text)
	for i, r := range rs {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = append(word, r)
		case unicode.IsMark(r): // no part of a Go name; the letter that it stands on is
		default:
			flush()
			digit := i+1 < len(rs) && unicode.IsDigit(rs[i+1])
			if digit && r == '+' {
				out = append(out, "Plus")
			}
			if digit && r == '-' && i == 0 {
				out = append(out, "Minus")
			}
		}
	}
	flush()
	return out
}

// splitCase splits submissionID into submission and ID, HTTPServer into HTTP and Server, userIDs into
// user and IDs.
func splitCase(rs []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(rs); i++ {
		if !unicode.IsUpper(rs[i]) {
			continue
		}
		next := i+1 < len(rs) && unicode.IsLower(rs[i+1])
		plural := next && rs[i+1] == 's' && (i+2 == len(rs) || unicode.IsUpper(rs[i+2]))
		if !unicode.IsUpper(rs[i-1]) || next && !plural {
			out = append(out, string(rs[start:i]))
			start = i
		}
	}
	return append(out, string(rs[start:]))
}
