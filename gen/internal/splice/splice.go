// Package splice edits the text of a YAML or JSON document and leaves every other byte alone: it only ever inserts.
// It knows nothing of OpenAPI. [Open] reads a text, [Text.Check] says whether an edit can be made, and [Text.Apply]
// makes all of them in one pass; what comes out was parsed again, and is the old document with the edits and
// nothing else.
package splice

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// An Edit adds a member to a mapping or an item to a sequence.
type Edit struct {
	// At is where the mapping or the sequence starts, as package document says.
	At ir.Pos
	// Key is the member's. A member that is there already may have no text for a value, and gets this one.
	// The empty Key: an item, which becomes the last.
	Key   string
	Value Value
	// After is the member that the new one follows; empty: it becomes the first. Where the mapping itself has no such
	// member, because it merges it from elsewhere for instance, the new one becomes the last.
	After string
}

// A Value is what is written: a string, an int, a bool, a Map or a List.
type Value any

// Map is a mapping, in the order in which it is written.
type Map []Member

// Member is a member of a Map.
type Member struct {
	Key   string
	Value Value
}

// List is a sequence.
type List []Value

// Text is a text that can be edited.
type Text struct {
	name    string
	bom     []byte
	text    []byte
	json    bool
	tree    *yaml.Node
	lines   []int
	marks   map[int][]int // of long lines: the offset of each 256th character
	aliased map[*yaml.Node]bool
	manner  manner
}

// Open reads a text, which package document has accepted.
func Open(name string, text []byte) (*Text, []ir.Problem) {
	t := &Text{name: name, text: text, marks: map[int][]int{}, aliased: map[*yaml.Node]bool{}}
	if rest, ok := bytes.CutPrefix(text, []byte(document.BOM)); ok {
		t.bom, t.text = text[:len(text)-len(rest)], rest
	}
	tree, isJSON, problems := document.Tree(name, t.text)
	if len(problems) > 0 {
		return nil, problems
	}
	t.tree, t.json = tree, isJSON
	t.lines = document.LineStarts(t.text, isJSON)
	t.manner = t.look()
	return t, nil
}

// Bytes is the text as it was opened.
func (t *Text) Bytes() []byte { return append(slices.Clone(t.bom), t.text...) }

// Check says why an edit cannot be made; nil: it can. Edits of one mapping are checked each by itself.
func (t *Text) Check(e Edit) *ir.Problem {
	s, err := t.find(e)
	if err == nil {
		_, err = t.insertion(s, []Edit{e})
	}
	if err != nil {
		return t.problem(e, err)
	}
	return nil
}

func (t *Text) problem(e Edit, err error) *ir.Problem {
	p := &ir.Problem{Pos: e.At, What: err.Error(), Remedy: "write it in another layout"}
	if f := (*fault)(nil); errors.As(err, &f) {
		p.What, p.Remedy = f.what, f.remedy
		if f.line > 0 {
			p.Pos.Line, p.Pos.Col = f.line, f.col
		}
	}
	p.Pos.File = t.name
	return p
}

// Apply makes the edits. Those at one place come in the order that they are given in. The text is not changed but
// copied.
func (t *Text) Apply(edits []Edit) ([]byte, *ir.Problem) {
	if len(edits) == 0 {
		return t.Bytes(), nil
	}
	var all []insertion
	first := edits[0]
	for _, g := range group(edits) {
		s, err := t.find(g[0])
		if err != nil {
			return nil, t.problem(g[0], err)
		}
		ins, err := t.insertion(s, g)
		if err != nil {
			return nil, t.problem(g[0], err)
		}
		all = append(all, ins...)
	}
	// What is deeper ends first.
	slices.SortStableFunc(all, func(a, b insertion) int {
		return cmp.Or(cmp.Compare(a.at, b.at), -cmp.Compare(a.depth, b.depth))
	})
	out := slices.Clone(t.bom)
	from := 0
	for _, ins := range all {
		out = append(append(out, t.text[from:ins.at]...), ins.text...)
		from = ins.at
	}
	out = append(out, t.text[from:]...)
	if err := t.verify(edits, out[len(t.bom):]); err != nil {
		return nil, t.problem(first, err)
	}
	return out, nil
}

// group puts edits of one mapping or sequence together.
func group(edits []Edit) [][]Edit {
	type place struct {
		line, col int
		list      bool
	}
	index := map[place]int{}
	var out [][]Edit
	for _, e := range edits {
		at := place{e.At.Line, e.At.Col, e.Key == ""}
		i, ok := index[at]
		if !ok {
			i = len(out)
			index[at] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// spot is where an edit is made.
type spot struct {
	path []*yaml.Node // from the root to the mapping or sequence
	node *yaml.Node   // the last of path
}

// find finds the mapping or the sequence of an edit, which nothing else may share: an edit would change that too.
func (t *Text) find(e Edit) (spot, error) {
	kind := yaml.MappingNode
	if e.Key == "" {
		kind = yaml.SequenceNode
	}
	s := spot{path: t.locate(e.At, kind)}
	if s.path == nil {
		return s, fmt.Errorf("there is nothing to edit")
	}
	s.node = s.path[len(s.path)-1]
	for _, n := range s.path {
		if t.aliased[n] {
			return s, &fault{what: fmt.Sprintf("what stands here has the anchor &%s, and an edit would change what the aliases of it name as well", n.Anchor), remedy: "write it out in place of each alias"}
		}
	}
	return s, nil
}

// locate is the way to the node of a kind that starts at a place.
func (t *Text) locate(at ir.Pos, kind yaml.Kind) []*yaml.Node {
	var path []*yaml.Node
	for n := t.tree; n != nil; {
		path = append(path, n)
		if n.Kind == kind && n.Line == at.Line && n.Column == at.Col {
			return path
		}
		// The last that does not start behind the place.
		i, exact := slices.BinarySearchFunc(n.Content, at, func(c *yaml.Node, at ir.Pos) int {
			return cmp.Or(cmp.Compare(c.Line, at.Line), cmp.Compare(c.Column, at.Col))
		})
		for exact && i < len(n.Content) && n.Content[i].Kind != kind && i+1 < len(n.Content) && n.Content[i+1].Line == at.Line && n.Content[i+1].Column == at.Col {
			i++ // a value without text starts where the next key does
		}
		if !exact {
			i--
		}
		if i < 0 {
			return nil
		}
		n = n.Content[i]
	}
	return nil
}

// fault is why an edit cannot be made, and what to do; with a place where that is not the edit's own.
type fault struct {
	what, remedy string
	line, col    int
}

func (f *fault) Error() string { return f.what }
