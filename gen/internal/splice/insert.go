package splice

import (
	"bytes"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v4"
)

// insertion is text that goes in at an offset.
type insertion struct {
	at, depth int
	text      string
}

// insertion lays out the edits of one mapping or sequence.
func (t *Text) insertion(s spot, edits []Edit) ([]insertion, error) {
	n, depth := s.node, len(s.path)
	if t.isFlow(n) && len(n.Content) == 0 {
		return t.intoEmpty(n, depth, edits)
	}
	var all []insertion
	for _, e := range edits {
		var ins insertion
		var err error
		switch i := memberIndex(n, e.Key); {
		case i >= 0 && isEmpty(n.Content[2*i+1]):
			ins, err = t.fill(n, i, e)
		case i >= 0:
			err = &fault{what: fmt.Sprintf("%q is there already", e.Key), remedy: "remove it, or write it out"}
		case t.isFlow(n):
			ins, err = t.intoFlow(n, e)
		default:
			ins, err = t.intoBlock(n, e)
		}
		if err != nil {
			return nil, err
		}
		ins.depth = depth
		all = append(all, ins)
	}
	return all, nil
}

// memberIndex is the index of a mapping's member; -1: there is none.
func memberIndex(n *yaml.Node, key string) int {
	if n.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Kind == yaml.ScalarNode && n.Content[i].Value == key {
				return i / 2
			}
		}
	}
	return -1
}

// position is how many members or items come before the new one.
func position(n *yaml.Node, e Edit) int {
	if n.Kind == yaml.SequenceNode {
		return len(n.Content)
	}
	if e.After == "" {
		return 0
	}
	if i := memberIndex(n, e.After); i >= 0 {
		return i + 1
	}
	return len(n.Content) / 2
}

// neighbour is the key and the value that a new member stands beside: what they look like, it looks like.
func neighbour(n *yaml.Node, at int) (key, value *yaml.Node) {
	switch {
	case len(n.Content) == 0:
		return nil, nil
	case n.Kind == yaml.SequenceNode:
		return nil, n.Content[len(n.Content)-1]
	case at == 0:
		return n.Content[0], n.Content[1]
	}
	return n.Content[2*at-2], n.Content[2*at-1]
}

// intoBlock adds to a mapping that is written in lines: behind the line in which the member before ends, or
// the key that the mapping belongs to.
func (t *Text) intoBlock(n *yaml.Node, e Edit) (insertion, error) {
	at := position(n, e)
	key, value := neighbour(n, at)
	p := t.pen(t.inline(value))
	if n.Kind == yaml.SequenceNode {
		dash := t.content(n)
		if t.text[dash] != '-' {
			return insertion{}, errLayout
		}
		column := t.column(dash)
		end, err := t.end(value, column)
		if err != nil {
			return insertion{}, err
		}
		p.newline = t.newline(dash)
		text := "-" + p.item(e.Value, column+2)
		return t.below(end, p.newline+strings.Repeat(" ", column)+text)
	}
	first := t.keyStart(n, 0)
	column := t.column(first)
	p.newline = t.newline(first)
	if step := t.stepOf(n); step > 0 {
		p.step = step
	}
	indent := strings.Repeat(" ", column)
	text := p.key(e.Key, key) + ":" + p.block(e.Value, column)
	if at > 0 {
		end, err := t.memberEnd(n, at-1)
		if err != nil {
			return insertion{}, err
		}
		return t.below(end, p.newline+indent+text)
	}
	if header, ok := t.header(first); ok {
		return insertion{at: header, text: p.newline + indent + text}, nil
	}
	return insertion{at: first, text: text + p.newline + indent}, nil
}

// below inserts behind the line in which something ends.
func (t *Text) below(end int, text string) (insertion, error) {
	stop := t.lineEnd(end)
	if stop == len(t.text) && t.endsInBlock() { // a line break more would be part of it
		return insertion{}, &fault{what: "the file ends inside a text, without a newline", remedy: "end it with one"}
	}
	if rest := t.between(end); rest < stop {
		return insertion{}, errLayout
	}
	return insertion{at: stop, text: text}, nil
}

// endsInBlock tells whether the last thing of the text is a literal or folded scalar.
func (t *Text) endsInBlock() bool {
	n := t.tree
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	return n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0
}

// header is the end of the line with the key that a mapping belongs to, where its first key stands in a line of its
// own. Comments in between stay with what they are about.
func (t *Text) header(first int) (int, bool) {
	line := t.line(first)
	if t.blanks(t.lines[line]) != first {
		return 0, false
	}
	for line--; line >= 0; line-- {
		start := t.blanks(t.lines[line])
		text := bytes.TrimRight(t.text[start:t.lineEnd(start)], " \t")
		if len(text) > 0 && text[0] != '#' {
			if t.column(start) == 0 && (bytes.HasPrefix(text, []byte("---")) || text[0] == '%') {
				return 0, false
			}
			return t.lineEnd(start), true
		}
	}
	return 0, false
}

// fill gives a member a value that has none.
func (t *Text) fill(n *yaml.Node, i int, e Edit) (insertion, error) {
	end, err := t.memberEnd(n, i)
	if err != nil {
		return insertion{}, err
	}
	if t.text[end-1] != ':' {
		return insertion{}, errLayout
	}
	p := t.pen(false)
	if t.isFlow(n) {
		return insertion{at: end, text: " " + p.inline(e.Value)}, nil
	}
	p.newline = t.newline(end)
	text := p.block(e.Value, t.column(t.keyStart(n, i)))
	if !strings.HasPrefix(text, p.newline) {
		return insertion{at: end, text: text}, nil
	}
	return t.below(end, text)
}

// intoFlow adds to a collection in brackets that is not empty.
func (t *Text) intoFlow(n *yaml.Node, e Edit) (insertion, error) {
	open := t.content(n)
	if c := t.text[open]; c != '{' && c != '[' {
		return insertion{}, errLayout
	}
	at := position(n, e)
	key, value := neighbour(n, at)
	p := t.pen(t.inline(value))
	first := t.offset(n.Content[0])
	if n.Kind == yaml.MappingNode {
		first = t.keyStart(n, 0)
	}
	separator, indent := p.comma, ""
	text := ""
	if t.line(first) != t.line(open) {
		indent = t.indentation(first)
		p.newline = t.newline(first)
		separator = "," + p.newline + indent
		text = p.flow(e.Value, indent, t.unit(open, first))
	} else {
		text = p.inline(e.Value)
	}
	if e.Key != "" {
		text = p.key(e.Key, key) + p.colon + text
	}
	if at == 0 {
		return insertion{at: first, text: text + separator}, nil
	}
	var end int
	var err error
	if n.Kind == yaml.MappingNode {
		end, err = t.memberEnd(n, at-1)
	} else {
		end, err = t.end(value, -1)
	}
	return insertion{at: end, text: separator + text}, err
}

// unit is by how much the lines of a collection are indented beyond the line of its bracket.
func (t *Text) unit(open, first int) string {
	if rest, ok := strings.CutPrefix(t.indentation(first), t.indentation(open)); ok && rest != "" {
		return rest
	}
	return t.manner.unit
}

// intoEmpty fills {} or [], in one line where that reads well.
func (t *Text) intoEmpty(n *yaml.Node, depth int, edits []Edit) ([]insertion, error) {
	open := t.content(n)
	if c := t.text[open]; c != '{' && c != '[' {
		return nil, errLayout
	}
	p := t.pen(false)
	p.newline = t.newline(open)
	var value Value
	if n.Kind == yaml.SequenceNode {
		var list List
		for _, e := range edits {
			list = append(list, e.Value)
		}
		value = list
	} else {
		var m Map
		for _, e := range edits {
			m = append(m, Member{e.Key, e.Value})
		}
		value = m
	}
	broken := t.line(t.between(open+1)) != t.line(open)
	text := p.inline(value)
	if broken || t.manner.unit != "" && (t.json || len(text) > mostInline) {
		text = p.flow(value, t.indentation(open), t.manner.unit)
	}
	text = text[1 : len(text)-1] // the brackets are there
	if broken {
		text = strings.TrimRight(text, " \t\r\n")
	}
	return []insertion{{at: open + 1, depth: depth, text: text}}, nil
}
