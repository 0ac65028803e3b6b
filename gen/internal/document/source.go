package document

import (
	"bytes"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// BOM is a byte order mark. It is no part of the text that places are counted in.
const BOM = "\uFEFF"

// Text is the text of a file of the document once more, for those who edit it. The file was read
// before, and counts once.
func (l *Library) Text(name string) ([]byte, error) {
	defer func(total int) { l.total = total }(l.total)
	l.total = 0
	return l.read(name)
}

// Tree parses a text as it stands: aliases are nodes, merge keys are keys, nothing is guarded. It is for texts that a
// Library has read, and for edits of them. The places are those that [Node.Pos] gives. The bool tells whether
// the text is JSON.
func Tree(name string, text []byte) (*yaml.Node, bool, []ir.Problem) {
	l, f := newLibrary(nil), &file{name: name}
	tree := l.tree(f, text)
	return tree, f.json, l.problems
}

// LineStarts are the offsets at which the lines of a text begin, as places count them: YAML ends a line at more
// characters than JSON.
func LineStarts(text []byte, json bool) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		n := 0
		switch c := text[i]; {
		case c == '\n':
			n = 1
		case json:
		case c == '\r':
			if n = 1; i+1 < len(text) && text[i+1] == '\n' {
				n = 2
			}
		case c == 0xC2 && bytes.HasPrefix(text[i:], []byte("\u0085")):
			n = 2
		case c == 0xE2 && (bytes.HasPrefix(text[i:], []byte("\u2028")) || bytes.HasPrefix(text[i:], []byte("\u2029"))):
			n = 3
		}
		if n > 0 {
			starts = append(starts, i+n)
			i += n - 1
		}
	}
	return starts
}
