package splice

import (
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/document"
)

// verify parses an edited text, and compares it with what the edits make of the tree.
func (t *Text) verify(edits []Edit, text []byte) error {
	got, _, problems := document.Tree(t.name, text)
	if len(problems) > 0 {
		p := problems[0]
		return &fault{"an edit would break the file: " + p.What, errLayout.remedy, p.Pos.Line, p.Pos.Col}
	}
	v := verifier{added: map[*yaml.Node][]*yaml.Node{}, filled: map[*yaml.Node]*yaml.Node{}, fresh: map[*yaml.Node]bool{}, last: t.tree}
	for _, e := range edits {
		s, err := t.find(e)
		if err != nil {
			return err
		}
		v.edit(s.node, e)
	}
	return v.same(t.tree, got)
}

// verifier knows the edits by node, so that the tree itself stays as it is.
type verifier struct {
	added  map[*yaml.Node][]*yaml.Node // a collection's content with what is added
	filled map[*yaml.Node]*yaml.Node   // values without text, and what they become
	fresh  map[*yaml.Node]bool
	last   *yaml.Node // of the old tree, looked at
}

func (v *verifier) edit(n *yaml.Node, e Edit) {
	value := v.tree(e.Value)
	if i := memberIndex(n, e.Key); i >= 0 {
		v.filled[n.Content[2*i+1]] = value
		return
	}
	content, ok := v.added[n]
	if !ok {
		content = slices.Clone(n.Content)
	}
	if n.Kind == yaml.SequenceNode {
		v.added[n] = append(content, value)
		return
	}
	// Edits of one place follow one another.
	at := 2 * position(n, e)
	if at > 0 {
		at = slices.Index(content, n.Content[at-2]) + 2
	}
	for at < len(content) && v.fresh[content[at]] {
		at += 2
	}
	v.added[n] = slices.Insert(content, at, v.tree(e.Key), value)
}

// tree is a value as a parser would give it.
func (v *verifier) tree(value Value) *yaml.Node {
	n := &yaml.Node{Kind: yaml.ScalarNode}
	v.fresh[n] = true
	switch value := value.(type) {
	case Map:
		n.Kind = yaml.MappingNode
		for _, m := range value {
			n.Content = append(n.Content, v.tree(m.Key), v.tree(m.Value))
		}
	case List:
		n.Kind = yaml.SequenceNode
		for _, item := range value {
			n.Content = append(n.Content, v.tree(item))
		}
	case string:
		n.Tag, n.Value = "!!str", value
	case int:
		n.Tag, n.Value = "!!int", fmt.Sprint(value)
	case bool:
		n.Tag, n.Value = "!!bool", fmt.Sprint(value)
	}
	return n
}

// same compares a node of the old tree, or a new one, with the node that came out.
func (v *verifier) same(want, got *yaml.Node) error {
	if w, ok := v.filled[want]; ok {
		want = w
	}
	content := want.Content
	if c, ok := v.added[want]; ok {
		content = c
	}
	differ := want.Kind != got.Kind || want.Value != got.Value || want.Anchor != got.Anchor || len(content) != len(got.Content)
	if v.fresh[want] {
		differ = differ || want.Kind == yaml.ScalarNode && want.Tag != got.ShortTag() && !(want.Tag == "!!str" && number.MatchString(want.Value))
	} else {
		v.last = want
		differ = differ || want.Tag != got.Tag || want.Style != got.Style
	}
	if differ {
		return &fault{"an edit would change what is here", errLayout.remedy, v.last.Line, v.last.Column}
	}
	for i, c := range content {
		if err := v.same(c, got.Content[i]); err != nil {
			return err
		}
	}
	return nil
}
