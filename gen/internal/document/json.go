package document

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// parseJSON builds the tree of a JSON text. YAML's own parser would take it too, but needs three to
// five times as long, and encoding/json loses places, order and duplicate keys.
func parseJSON(text []byte) (*yaml.Node, *jsonError) {
	p := &jsonParser{text: text, line: 1}
	p.blanks()
	n := p.value(1)
	if p.bad == nil {
		if p.blanks(); p.at < len(text) {
			p.fail("not JSON: there is text after the end of the value", "remove it")
		}
	}
	return n, p.bad
}

// jsonError is where and why a text is not JSON. limit: it is, but beyond what is read.
type jsonError struct {
	line, col    int
	what, remedy string
	limit        bool
}

type jsonParser struct {
	text  []byte
	at    int
	line  int
	start int // offset of the line's first byte
	// Columns are counted from the last place asked for: a JSON text is often one long line.
	colAt, col int
	nodes      int
	bad        *jsonError
}

func (p *jsonParser) place() (line, col int) {
	if p.colAt < p.start || p.colAt > p.at {
		p.colAt, p.col = p.start, 0
	}
	p.col += utf8.RuneCount(p.text[p.colAt:p.at])
	p.colAt = p.at
	return p.line, p.col + 1
}

func (p *jsonParser) fail(what, remedy string) *yaml.Node {
	if p.bad == nil {
		line, col := p.place()
		p.bad = &jsonError{line: line, col: col, what: what, remedy: remedy}
	}
	return &yaml.Node{}
}

func (p *jsonParser) unexpected(wanted string) *yaml.Node {
	found := "the end of the file"
	if p.at < len(p.text) {
		r, _ := utf8.DecodeRune(p.text[p.at:])
		found = strconv.QuoteRune(r)
	}
	return p.fail(fmt.Sprintf("not JSON: %s where %s is due", found, wanted), "correct the JSON")
}

func (p *jsonParser) peek() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

func (p *jsonParser) blanks() {
	for ; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\n':
			p.line, p.start = p.line+1, p.at+1
		case ' ', '\t', '\r':
		default:
			return
		}
	}
}

func (p *jsonParser) node(kind yaml.Kind, tag string) *yaml.Node {
	line, col := p.place()
	if p.nodes++; p.nodes > maxNodes && p.bad == nil {
		p.fail(fmt.Sprintf("the file has more than %d values", maxNodes), "split the document")
		p.bad.limit = true
	}
	return &yaml.Node{Kind: kind, Tag: tag, Line: line, Column: col}
}

func (p *jsonParser) value(depth int) *yaml.Node {
	if depth > maxDepth {
		p.fail(fmt.Sprintf("values are nested more than %d deep", maxDepth), "flatten the document, with $ref for instance")
		p.bad.limit = true
		return &yaml.Node{}
	}
	switch c := p.peek(); {
	case c == '{':
		return p.object(depth)
	case c == '[':
		return p.array(depth)
	case c == '"':
		return p.string()
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	for word, tag := range map[string]string{"true": "!!bool", "false": "!!bool", "null": "!!null"} {
		if len(p.text)-p.at >= len(word) && string(p.text[p.at:p.at+len(word)]) == word {
			n := p.node(yaml.ScalarNode, tag)
			n.Value = word
			p.at += len(word)
			return n
		}
	}
	return p.unexpected("a value")
}

func (p *jsonParser) object(depth int) *yaml.Node {
	n := p.node(yaml.MappingNode, "!!map")
	p.at++
	for first := true; p.bad == nil; first = false {
		p.blanks()
		if p.peek() == '}' && first {
			break
		}
		if !first {
			if p.peek() == '}' {
				break
			}
			if p.peek() != ',' {
				return p.unexpected("a comma or }")
			}
			p.at++
			p.blanks()
		}
		if p.peek() != '"' {
			return p.unexpected("a member's name")
		}
		key := p.string()
		if p.blanks(); p.bad == nil && p.peek() != ':' {
			return p.unexpected("a colon")
		}
		p.at++
		p.blanks()
		n.Content = append(n.Content, key, p.value(depth+1))
	}
	p.at++
	return n
}

func (p *jsonParser) array(depth int) *yaml.Node {
	n := p.node(yaml.SequenceNode, "!!seq")
	p.at++
	for first := true; p.bad == nil; first = false {
		p.blanks()
		if p.peek() == ']' && first {
			break
		}
		if !first {
			if p.peek() == ']' {
				break
			}
			if p.peek() != ',' {
				return p.unexpected("a comma or ]")
			}
			p.at++
			p.blanks()
		}
		n.Content = append(n.Content, p.value(depth+1))
	}
	p.at++
	return n
}

func (p *jsonParser) number() *yaml.Node {
	n := p.node(yaml.ScalarNode, "!!int")
	from := p.at
	for c := p.peek(); c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E' || '0' <= c && c <= '9'; c = p.peek() {
		p.at++
	}
	n.Value = string(p.text[from:p.at])
	if !isNumber(n.Value) {
		p.at = from
		return p.fail(fmt.Sprintf("not JSON: %s is not a number", n.Value), "correct the JSON")
	}
	if !isInteger(n.Value) {
		n.Tag = "!!float"
	}
	return n
}

func (p *jsonParser) string() *yaml.Node {
	n := p.node(yaml.ScalarNode, "!!str")
	n.Style = yaml.DoubleQuotedStyle
	var out []byte
	p.at++
	from := p.at
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == '"':
			n.Value = string(append(out, p.text[from:p.at]...))
			p.at++
			return n
		case c < ' ':
			return p.fail("not JSON: a control character inside a string", "write it as an escape")
		case c == '\\':
			out = append(out, p.text[from:p.at]...)
			r, ok := p.escape()
			if !ok {
				return p.fail("not JSON: an escape that does not exist", "correct the JSON")
			}
			out = utf8.AppendRune(out, r)
			from = p.at
		default:
			p.at++
		}
	}
	return p.unexpected("the end of a string")
}

// escape reads an escape and leaves the place behind it. A lone surrogate is no character.
func (p *jsonParser) escape() (rune, bool) {
	rest := p.text[p.at:]
	if len(rest) < 2 {
		return 0, false
	}
	for i, c := range []byte(`"\/bfnrt`) {
		if rest[1] == c {
			p.at += 2
			return rune("\"\\/\b\f\n\r\t"[i]), true
		}
	}
	r, ok := hex4(rest)
	if !ok {
		return 0, false
	}
	p.at += 6
	if !utf16.IsSurrogate(r) {
		return r, true
	}
	low, ok := hex4(rest[6:])
	if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
		p.at -= 6
		return 0, false
	}
	p.at += 6
	return r, true
}

// hex4 reads \uXXXX.
func hex4(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(v), err == nil
}
