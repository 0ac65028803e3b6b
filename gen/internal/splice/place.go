package splice

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// errLayout is a layout that is not understood. The parser took it, so that it is a rare one.
var errLayout = &fault{what: "the layout here is not understood", remedy: "write it in another one"}

// offset is where a node starts.
func (t *Text) offset(n *yaml.Node) int { return t.at(n.Line, n.Column) }

func (t *Text) at(line, col int) int {
	if line < 1 || line > len(t.lines) {
		return len(t.text)
	}
	const every = 256
	from, end := t.lines[line-1], len(t.text)
	if line < len(t.lines) {
		end = t.lines[line]
	}
	if col > every { // a document is often one long line
		marks, ok := t.marks[line]
		if !ok {
			n := 0
			for i := from; i < end; i++ {
				if utf8.RuneStart(t.text[i]) {
					if n%every == 0 {
						marks = append(marks, i)
					}
					n++
				}
			}
			t.marks[line] = marks
		}
		if i := (col - 1) / every; i < len(marks) {
			from, col = marks[i], (col-1)%every+1
		}
	}
	for ; col > 1 && from < end; col-- {
		_, n := utf8.DecodeRune(t.text[from:])
		from += n
	}
	return from
}

// line is the index of the line that an offset is in.
func (t *Text) line(at int) int {
	return sort.Search(len(t.lines), func(i int) bool { return t.lines[i] > at }) - 1
}

// lineStart is the offset at which the line of an offset starts.
func (t *Text) lineStart(at int) int { return t.lines[t.line(at)] }

// lineEnd is the offset of the line break that ends the line of an offset.
func (t *Text) lineEnd(at int) int {
	end := len(t.text)
	if i := t.line(at) + 1; i < len(t.lines) {
		end = t.lines[i]
	}
	for end > at && t.isBreak(end-1) {
		end--
	}
	return end
}

// isBreak tells whether the byte at an offset belongs to a line break that counts here.
func (t *Text) isBreak(at int) bool {
	switch t.text[at] {
	case '\n', '\r':
		return true
	}
	return false
}

// newline is the line break of the line of an offset, or else the text's first.
func (t *Text) newline(at int) string {
	end := t.lineEnd(at)
	if end == len(t.text) {
		end = max(bytes.IndexByte(t.text, '\n')-1, 0)
	}
	if bytes.HasPrefix(t.text[end:], []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// indentation is the blanks that a line starts with.
func (t *Text) indentation(at int) string {
	from := t.lineStart(at)
	end := from
	for end < len(t.text) && (t.text[end] == ' ' || t.text[end] == '\t') {
		end++
	}
	return string(t.text[from:end])
}

// blanks is the offset behind spaces and tabs.
func (t *Text) blanks(at int) int {
	for at < len(t.text) && (t.text[at] == ' ' || t.text[at] == '\t') {
		at++
	}
	return at
}

// between is the offset behind blanks, line breaks and comments.
func (t *Text) between(at int) int {
	for at < len(t.text) {
		switch c := t.text[at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
		case c == '#' && !t.json && (at == 0 || bytes.IndexByte([]byte(" \t\r\n"), t.text[at-1]) >= 0):
			at = t.lineEnd(at)
		default:
			return at
		}
	}
	return at
}

// content is where the text of a node starts, behind its anchor and its tag.
func (t *Text) content(n *yaml.Node) int {
	at := t.offset(n)
	for !t.json && at < len(t.text) && (t.text[at] == '&' || t.text[at] == '!') {
		for at < len(t.text) && bytes.IndexByte([]byte(" \t\r\n"), t.text[at]) < 0 {
			if n.Style&yaml.FlowStyle == 0 && n.Kind == yaml.ScalarNode && n.Value == "" && bytes.IndexByte([]byte(",]}"), t.text[at]) >= 0 {
				return at // an empty value in a flow
			}
			at++
		}
		if n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0 {
			next := t.blanks(at)
			if next < len(t.text) && (t.text[next] == '&' || t.text[next] == '!') {
				at = next
				continue
			}
			return at
		}
		at = t.between(at)
	}
	return at
}
