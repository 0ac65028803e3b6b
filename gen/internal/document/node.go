package document

import (
	"fmt"
	"iter"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Node is a value of a document, or nothing: every method works on the zero Node.
type Node struct {
	file *file
	yaml *yaml.Node
}

// IsZero tells whether there is no value.
func (n Node) IsZero() bool { return n.yaml == nil }

// Same tells whether two nodes are the same place of a document, not only equal.
func (n Node) Same(m Node) bool { return n.yaml == m.yaml }

// ID identifies the place of a node: equal for nodes that are the Same.
func (n Node) ID() any { return n.yaml }

// Pos is the node's place.
func (n Node) Pos() ir.Pos {
	if n.file == nil || n.yaml == nil {
		return ir.Pos{}
	}
	return ir.Pos{File: n.file.name, Line: max(n.yaml.Line, 1), Col: max(n.yaml.Column, 1)}
}

// File is the name of the node's file.
func (n Node) File() string {
	if n.file == nil {
		return ""
	}
	return n.file.name
}

// IsMapping tells whether the node is a mapping.
func (n Node) IsMapping() bool { return n.yaml != nil && n.yaml.Kind == yaml.MappingNode }

// IsList tells whether the node is a sequence.
func (n Node) IsList() bool { return n.yaml != nil && n.yaml.Kind == yaml.SequenceNode }

// IsScalar tells whether the node is a scalar.
func (n Node) IsScalar() bool { return n.yaml != nil && n.yaml.Kind == yaml.ScalarNode }

// IsNull tells whether the node is null.
func (n Node) IsNull() bool { return n.IsScalar() && n.yaml.ShortTag() == "!!null" }

// Member is the key and the value of a mapping's member name, zero Nodes where there is none.
func (n Node) Member(name string) (key, value Node) {
	if n.IsMapping() {
		for i := 0; i+1 < len(n.yaml.Content); i += 2 {
			if n.yaml.Content[i].Value == name {
				return Node{n.file, n.yaml.Content[i]}, Node{n.file, n.yaml.Content[i+1]}
			}
		}
	}
	return Node{}, Node{}
}

// Get is the value of a mapping's member name.
func (n Node) Get(name string) Node {
	_, value := n.Member(name)
	return value
}

// Members are the keys and values of a mapping in their order.
func (n Node) Members() iter.Seq2[Node, Node] {
	return func(yield func(Node, Node) bool) {
		if !n.IsMapping() {
			return
		}
		for i := 0; i+1 < len(n.yaml.Content); i += 2 {
			if !yield(Node{n.file, n.yaml.Content[i]}, Node{n.file, n.yaml.Content[i+1]}) {
				return
			}
		}
	}
}

// Len is the number of members or items.
func (n Node) Len() int {
	switch {
	case n.IsMapping():
		return len(n.yaml.Content) / 2
	case n.IsList():
		return len(n.yaml.Content)
	}
	return 0
}

// Items are the items of a list.
func (n Node) Items() []Node {
	if !n.IsList() {
		return nil
	}
	items := make([]Node, len(n.yaml.Content))
	for i, c := range n.yaml.Content {
		items[i] = Node{n.file, c}
	}
	return items
}

// Spell is the spelling of the node's file: a remedy has to stand in it.
func (n Node) Spell(yaml, json string) string {
	if n.file != nil && n.file.json {
		return json
	}
	return yaml
}

// Spelt is a scalar as the document spells it, whatever its type; quoted text without its quotes.
func (n Node) Spelt() string {
	if !n.IsScalar() {
		return ""
	}
	return n.yaml.Value
}

// Text is the value of a text. A plain date is text: YAML 1.2 has no dates.
func (n Node) Text() (string, bool) {
	if !n.IsScalar() {
		return "", false
	}
	switch n.yaml.ShortTag() {
	case "!!str", "!!timestamp", "!!merge":
		return n.yaml.Value, true
	}
	return "", false
}

// Bool is the value of a boolean.
func (n Node) Bool() (value, ok bool) {
	if !n.IsScalar() || n.yaml.ShortTag() != "!!bool" {
		return false, false
	}
	return strings.EqualFold(n.yaml.Value, "true"), true
}

// IsNumber tells whether the node is a number, however it is spelt.
func (n Node) IsNumber() bool {
	return n.IsScalar() && (n.yaml.ShortTag() == "!!int" || n.yaml.ShortTag() == "!!float")
}

// What says what a node is, for messages: "the number 1.10".
func (n Node) What() string {
	switch {
	case n.IsZero():
		return "nothing"
	case n.IsMapping():
		return "a mapping"
	case n.IsList() && n.Len() == 0:
		return "an empty list"
	case n.IsList():
		return "a list"
	case n.IsNull():
		return "null"
	}
	if _, ok := n.Bool(); ok {
		return "the boolean " + n.yaml.Value
	}
	if n.IsNumber() {
		return "the number " + n.yaml.Value
	}
	return quote(n.yaml.Value)
}

// JSON is the value as a JSON text, with numbers digit for digit. It fails for what JSON cannot hold
// and for numbers that readers of YAML disagree about.
func (n Node) JSON() (string, error) {
	var b strings.Builder
	if err := n.json(&b, maxExpanded); err != nil {
		return "", err
	}
	return b.String(), nil
}

func (n Node) json(b *strings.Builder, most int) error {
	switch {
	case n.IsZero():
		return fmt.Errorf("there is no value")
	case b.Len() > most:
		return fmt.Errorf("the value is too large")
	case n.IsMapping():
		b.WriteByte('{')
		first := true
		for key, value := range n.Members() {
			if !first {
				b.WriteByte(',')
			}
			first = false
			b.WriteString(Quote(key.Spelt()))
			b.WriteByte(':')
			if err := value.json(b, most); err != nil {
				return err
			}
		}
		b.WriteByte('}')
		return nil
	case n.IsList():
		b.WriteByte('[')
		for i, item := range n.Items() {
			if i > 0 {
				b.WriteByte(',')
			}
			if err := item.json(b, most); err != nil {
				return err
			}
		}
		b.WriteByte(']')
		return nil
	}
	switch n.yaml.ShortTag() {
	case "!!null":
		b.WriteString("null")
	case "!!bool":
		b.WriteString(strings.ToLower(n.yaml.Value))
	case "!!int", "!!float":
		text, ok := number(n.yaml.Value)
		if !ok {
			return fmt.Errorf("%s is not spelt as JSON spells numbers", n.yaml.Value)
		}
		b.WriteString(text)
	default:
		b.WriteString(Quote(n.yaml.Value))
	}
	return nil
}
