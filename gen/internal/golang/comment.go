package golang

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

const (
	columns    = 96 // of a comment's text
	typeLines  = 6  // of a description at a type
	fieldLines = 3  // and at a field
)

// clean makes a text of the document fit for a comment: one line, blanks for every kind of white space,
// without characters that control or cannot be seen. What a comment holds can neither end it nor be a
// directive, because each line of ours begins with "// ".
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r) || r == utf8.RuneError:
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	return strings.Join(strings.Fields(text), " ")
}

// bold is Markdown's strong emphasis: a pair of signs round words, not the powers of x**2 + y**2.
var bold = regexp.MustCompile(`\B\*\*([^\s*](?:[^*]*[^\s*])?)\*\*\B`)

// What is HTML, of the tags that descriptions have. Others stay: <id> can stand for an id.
var (
	isHTML = regexp.MustCompile(`(?i)</[a-z]+[1-6]?>|<br ?/?>`)
	breaks = regexp.MustCompile(`(?i)</?(?:br|div|h[1-6]|li|ol|p|pre|ul)(?:\s[^<>]*)?/?>`)
	inLine = regexp.MustCompile(`(?i)</?(?:a|b|code|em|i|span|strong)(?:\s[^<>]*)?/?>`)
)

// unmarked drops what a Go comment does not have: the signs of strong emphasis, and the tags of HTML. Other signs
// stay: they can be read as they are, and can mean something else.
func unmarked(text string) string {
	if isHTML.MatchString(text) {
		text = inLine.ReplaceAllString(breaks.ReplaceAllString(text, " "), "")
		text = strings.Join(strings.Fields(text), " ")
	}
	return bold.ReplaceAllString(text, "$1")
}

// aName is what some tools write where a description is missing.
var aName = regexp.MustCompile(`^[A-Za-z0-9]+(_[A-Za-z0-9]+)+$`)

// prose makes a description fit for a comment.
func prose(text string) string {
	text = clean(text)
	if aName.MatchString(text) {
		return ""
	}
	return sentence(unmarked(text))
}

// sentence puts a full stop at the end of a clean text that has no other sign there.
func sentence(text string) string {
	end, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, "*_`'\")]"))
	if text == "" || strings.ContainsRune(".!?:;…", end) {
		return text
	}
	return text + "."
}

// wrap breaks a clean text into lines, and cuts it after so many. No line is a build constraint, which
// gofmt would carry off to the head of the file.
func wrap(text string, most int) []string {
	var out []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		word = cut(word, columns)
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > columns {
			if len(out)+1 == most {
				return append(out, line+" …")
			}
			out = append(out, line)
			line = ""
		}
		switch {
		case line != "":
			line += " " + word
		case strings.HasPrefix(word, "+build"):
			line = word[1:]
		default:
			line = word
		}
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// cut bounds a text that would not end.
func cut(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-1]) + "…"
}

// comments are the lines of a comment, each a statement of its own. An empty line parts paragraphs.
func comments(lines ...string) []jen.Code {
	var out []jen.Code
	for _, l := range lines {
		out = append(out, commentLine(l))
	}
	return out
}

// commentLine emits one line by itself: left to jennifer, a text with a line break would become a
// general comment that */ ends, and one that begins with // would stand as it is.
func commentLine(line string) *jen.Statement {
	return jen.Comment(strings.TrimRight("// "+line, " "))
}
