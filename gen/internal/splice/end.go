package splice

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// A node says where it starts, and the parser does not say where it ends. These functions find that from the text:
// the end of a collection is that of its last part, and a scalar shows its own end.

// end is the offset behind a node. indent is the column, from 0, of the block collection that the node is in; -1: none.
func (t *Text) end(n *yaml.Node, indent int) (int, error) {
	switch {
	case n.Kind == yaml.AliasNode:
		return t.offset(n) + 1 + len(n.Value), nil
	case n.Kind == yaml.ScalarNode:
		return t.scalarEnd(n, indent)
	case t.isFlow(n):
		return t.flowEnd(n)
	case len(n.Content) == 0:
		return 0, errLayout
	case n.Kind == yaml.SequenceNode:
		return t.end(n.Content[len(n.Content)-1], t.column(t.content(n)))
	default:
		return t.memberEnd(n, len(n.Content)/2-1)
	}
}

// isFlow tells whether a collection is written in brackets.
func (t *Text) isFlow(n *yaml.Node) bool { return t.json || n.Style&yaml.FlowStyle != 0 }

// column is the column of an offset, from 0.
func (t *Text) column(at int) int { return utf8.RuneCount(t.text[t.lineStart(at):at]) }

// isEmpty tells whether a value has no text at all.
func isEmpty(n *yaml.Node) bool {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	return n.Kind == yaml.ScalarNode && n.Value == "" && n.Style&quoted == 0
}

// memberEnd is the offset behind the member i of a mapping.
func (t *Text) memberEnd(n *yaml.Node, i int) (int, error) {
	key, value := n.Content[2*i], n.Content[2*i+1]
	indent := -1
	if !t.isFlow(n) {
		indent = t.column(t.keyStart(n, i))
	}
	if !isEmpty(value) {
		return t.end(value, indent)
	}
	if at := t.content(value); at > t.offset(value) { // an anchor or a tag, and nothing else
		return at, nil
	}
	at, err := t.end(key, indent)
	if err != nil {
		return 0, err
	}
	if colon := t.between(at); colon < len(t.text) && t.text[colon] == ':' {
		return colon + 1, nil
	}
	return at, nil
}

// keyStart is where the member i of a mapping starts: at its key, or at the question mark before that.
func (t *Text) keyStart(n *yaml.Node, i int) int {
	at := t.offset(n.Content[2*i])
	before := bytes.TrimRight(t.text[:at], " \t")
	if !t.json && len(before) < at && bytes.HasSuffix(before, []byte("?")) {
		return len(before) - 1
	}
	return at
}

// flowEnd is the offset behind the bracket that closes a collection. A pair in a list has none of its own.
func (t *Text) flowEnd(n *yaml.Node) (int, error) {
	at := t.content(n)
	open := at < len(t.text) && (t.text[at] == '{' || t.text[at] == '[')
	if open {
		at++
	}
	if len(n.Content) > 0 {
		var err error
		if n.Kind == yaml.MappingNode {
			at, err = t.memberEnd(n, len(n.Content)/2-1)
		} else {
			at, err = t.end(n.Content[len(n.Content)-1], -1)
		}
		if err != nil || !open {
			return at, err
		}
	}
	at = t.between(at)
	if at < len(t.text) && t.text[at] == ',' {
		at = t.between(at + 1)
	}
	if at < len(t.text) && (t.text[at] == '}' || t.text[at] == ']') {
		return at + 1, nil
	}
	return 0, errLayout
}

func (t *Text) scalarEnd(n *yaml.Node, indent int) (int, error) {
	at := t.content(n)
	if at >= len(t.text) {
		return len(t.text), nil
	}
	switch c := t.text[at]; {
	case c == '"' && n.Style&yaml.DoubleQuotedStyle != 0:
		for at++; at < len(t.text); at++ {
			switch t.text[at] {
			case '\\':
				at++
			case '"':
				return at + 1, nil
			}
		}
	case c == '\'' && n.Style&yaml.SingleQuotedStyle != 0:
		for at++; at < len(t.text); at++ {
			if t.text[at] != '\'' {
				continue
			}
			if at++; at == len(t.text) || t.text[at] != '\'' {
				return at, nil
			}
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return t.blockEnd(at, indent)
	default:
		return t.plainEnd(at, n.Value)
	}
	return 0, errLayout
}

// plainEnd finds the end of a scalar without quotes. The text and the value differ in blanks only.
func (t *Text) plainEnd(at int, value string) (int, error) {
	end := at
	for _, r := range value {
		if blank(r) {
			continue
		}
		for {
			if at >= len(t.text) {
				return 0, errLayout
			}
			c, n := utf8.DecodeRune(t.text[at:])
			if at += n; c == r {
				break
			}
			if !blank(c) {
				return 0, errLayout
			}
		}
		end = at
	}
	return end, nil
}

func blank(r rune) bool { return unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' || r == '\u0085' }

// blockEnd finds the end of a literal or folded text: the end of its last line, without the break.
func (t *Text) blockEnd(at, indent int) (int, error) {
	end := t.lineEnd(at)
	header := t.text[at+1 : end]
	if i := bytes.IndexByte(header, ' '); i >= 0 {
		header = header[:i]
	}
	level := -1
	keep := bytes.IndexByte(header, '+') >= 0
	for _, c := range header {
		if '1' <= c && c <= '9' {
			level = max(indent, 0) + int(c-'0')
		}
	}
	for i := t.line(at) + 1; i < len(t.lines); i++ {
		from := t.lines[i]
		text := t.blanks(from)
		if text >= len(t.text) && text == from {
			break
		}
		if text >= len(t.text) || t.isBreak(text) {
			if keep || level >= 0 && text-from > level { // more blanks than the indentation are text
				end = t.lineEnd(from)
			}
			continue
		}
		width := text - from
		if level < 0 {
			if level = width; width <= indent {
				break
			}
		}
		if width < level {
			break
		}
		end = t.lineEnd(from)
	}
	return end, nil
}
