package splice

import (
	"bytes"
	"strings"

	"go.yaml.in/yaml/v4"
)

// manner is how a text is written.
type manner struct {
	quote  byte   // ' or "
	step   int    // by how much a mapping below a key is indented
	dash   int    // the same of a list
	unit   string // the same inside brackets; empty: the whole text is one line
	colon  string // in brackets
	comma  string
	pad    string // inside the brackets of a mapping in one line
	single int
	double int
}

// look finds the manner of the text: how most of it is written, or the first that shows it.
func (t *Text) look() manner {
	m := manner{quote: '\'', step: -1, dash: -1, colon: ": ", comma: ", ", pad: "?"}
	t.visit(t.tree, &m)
	if m.double > m.single {
		m.quote = '"'
	}
	if m.step < 1 {
		m.step = 2
	}
	if m.dash < 0 {
		m.dash = m.step
	}
	m.pad = strings.Trim(m.pad, "?")
	if t.tree.Kind != yaml.MappingNode || !t.isFlow(t.tree) {
		m.unit = strings.Repeat(" ", m.step)
		return m
	}
	if len(t.tree.Content) > 0 {
		t.brackets(&m)
	}
	return m
}

// brackets finds the manner of a text that is a mapping in brackets.
func (t *Text) brackets(m *manner) {
	open, first := t.content(t.tree), t.keyStart(t.tree, 0)
	if t.line(first) != t.line(open) {
		m.unit = t.indentation(first)
		if m.unit == "" {
			m.unit = "  "
		}
	}
	if !t.json {
		return
	}
	if end, err := t.end(t.tree.Content[0], -1); err == nil {
		if between := t.text[end:t.offset(t.tree.Content[1])]; bytes.IndexByte(between, '\n') < 0 {
			m.colon = string(between)
		}
	}
	if strings.HasSuffix(m.colon, ":") {
		m.comma = ","
	}
}

func (t *Text) visit(n *yaml.Node, m *manner) {
	switch {
	case n.Kind == yaml.AliasNode:
		t.aliased[n.Alias] = true
	case n.Kind == yaml.ScalarNode && n.Style&yaml.SingleQuotedStyle != 0:
		m.single++
	case n.Kind == yaml.ScalarNode && n.Style&yaml.DoubleQuotedStyle != 0:
		m.double++
	case n.Kind == yaml.MappingNode && !t.isFlow(n):
		if m.step < 0 {
			m.step = max(t.stepOf(n), m.step)
		}
		if m.dash < 0 {
			m.dash = t.dashOf(n)
		}
	case n.Kind == yaml.MappingNode && len(n.Content) > 0 && m.pad == "?":
		if at := t.content(n); t.text[at] == '{' && t.line(at) == t.line(t.offset(n.Content[0])) {
			m.pad = string(t.text[at+1 : t.blanks(at+1)])
		}
	}
	for _, c := range n.Content {
		t.visit(c, m)
	}
}

// stepOf is by how much the first mapping below a key of n is indented; 0: there is none.
func (t *Text) stepOf(n *yaml.Node) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		v := n.Content[i+1]
		if v.Kind == yaml.MappingNode && !t.isFlow(v) && len(v.Content) > 0 {
			return t.column(t.keyStart(v, 0)) - t.column(t.keyStart(n, i/2))
		}
	}
	return 0
}

// dashOf is by how much the first list below a key of n is indented; -1: there is none.
func (t *Text) dashOf(n *yaml.Node) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if v := n.Content[i+1]; v.Kind == yaml.SequenceNode && !t.isFlow(v) {
			return max(t.column(t.content(v))-t.column(t.keyStart(n, i/2)), 0)
		}
	}
	return -1
}

// inline tells whether a node is a mapping in brackets that stands in one line.
func (t *Text) inline(n *yaml.Node) bool {
	if n == nil || n.Kind != yaml.MappingNode || !t.isFlow(n) || len(n.Content) == 0 {
		return false
	}
	end, err := t.flowEnd(n)
	return err == nil && t.line(t.offset(n)) == t.line(end-1)
}
