// Package document turns the text of an OpenAPI document into a tree that keeps what decoding loses:
// places, order, and literals as they are spelt. It refuses what would make a later pass slow or
// ambiguous (alias bombs, deep nesting, duplicate keys), follows references without ever using a
// network, and cuts the tree down to what the operations in scope need.
//
// Start with [Open]; read with [Node]; follow references with [Library.Follow]; hand what is needed to
// an OpenAPI library with [Pruner].
package document

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Limits on what is read. They are far above real documents: the largest public ones have 4 MiB, 26
// levels, 3,000 schemas and 300 files.
const (
	maxFileSize  = 32 << 20
	maxTotalSize = 64 << 20
	maxFiles     = 1000
	maxDepth     = 200
	maxNodes     = 2 << 20
	maxWidth     = 20_000  // members of one mapping: decoders compare keys pairwise
	maxExpanded  = 1 << 20 // nodes that aliases may add, beside twice the nodes that are there
	maxHops      = 64      // $ref to $ref to ...
	maxRefs      = 200_000
	maxSchemas   = 150_000 // of all sizes: what walks them recurses
	maxTargets   = 20_000  // distinct targets of references
	maxRefDepth  = 1000    // shortest way from an operation to a target, in references
)

// Library holds a document and the files that it refers to, each read once.
type Library struct {
	fsys     fs.FS
	root     *file
	files    map[string]*file
	total    int
	indexes  map[*yaml.Node]map[string]Node
	problems []ir.Problem
	reported map[ir.Problem]bool
	user     user // who needs what is read now
}

// file is one file of a document; tree is nil where it could not be read.
type file struct {
	name string
	tree *yaml.Node
	json bool // not YAML
}

// Open reads the document name of fsys. Where it cannot be used, [Library.Problems] says why and
// [Library.Root] is the zero Node.
func Open(fsys fs.FS, name string) *Library {
	l := newLibrary(fsys)
	l.root = &file{name: name}
	l.files[name] = l.root
	text, err := l.read(name)
	if err != nil {
		l.Report(ir.Pos{File: name, Line: 1, Col: 1}, err.Error(), "check the name of the document")
		return l
	}
	l.parse(l.root, text)
	return l
}

func newLibrary(fsys fs.FS) *Library {
	return &Library{fsys: fsys, files: map[string]*file{}, indexes: map[*yaml.Node]map[string]Node{}, reported: map[ir.Problem]bool{}}
}

// Root is the root of the document.
func (l *Library) Root() Node { return Node{l.root, l.root.tree} }

// Problems are the problems found so far.
func (l *Library) Problems() []ir.Problem { return l.problems }

// Report adds a problem, unless the same is there already: what is shared is read more than once. Where the place
// does not tell who needs what is there, the problem does.
func (l *Library) Report(pos ir.Pos, what, remedy string) {
	l.ReportAs(ir.LintDocument, pos, what, remedy)
}

// ReportAs is Report for a problem that a rule of lint is about.
func (l *Library) ReportAs(id ir.LintID, pos ir.Pos, what, remedy string) {
	p := ir.Problem{Pos: pos, What: what, Remedy: remedy, Lint: id}
	if l.reported[p] {
		return
	}
	l.reported[p] = true
	p.What += l.user.note(p)
	l.problems = append(l.problems, p)
}

// read reads a file within the limits.
func (l *Library) read(name string) ([]byte, error) {
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("%q is not a path inside the document's folder", name)
	}
	if len(l.files) > maxFiles {
		return nil, fmt.Errorf("the document has more than %d files", maxFiles)
	}
	info, err := fs.Stat(l.fsys, name)
	if err != nil {
		return nil, readError(name, err)
	}
	if !info.Mode().IsRegular() { // opening a pipe would wait for ever
		return nil, fmt.Errorf("%s is not a regular file", name)
	}
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil, readError(name, err)
	}
	defer f.Close()
	limit := min(maxFileSize, maxTotalSize-l.total)
	text, err := io.ReadAll(io.LimitReader(f, int64(limit)+1))
	if err != nil {
		return nil, readError(name, err)
	}
	if len(text) > limit {
		return nil, fmt.Errorf("%s is too large: a file has at most %d MiB and a document %d", name, maxFileSize>>20, maxTotalSize>>20)
	}
	l.total += len(text)
	return text, nil
}

// readError leaves out the path that a file system puts into its errors: it is the machine's.
func readError(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no file %s", name)
	}
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		err = pe.Err
	}
	return fmt.Errorf("read %s: %w", name, err)
}

// load is the file name, read when it is first asked for.
func (l *Library) load(name string) (*file, error) {
	if f, ok := l.files[name]; ok {
		return f, nil
	}
	f := &file{name: name}
	l.files[name] = f
	text, err := l.read(name)
	if err != nil {
		delete(l.files, name) // each reference to it is told so
		return nil, err
	}
	l.parse(f, text)
	return f, nil
}

// parse gives f its tree, or reports why it has none.
func (l *Library) parse(f *file, text []byte) {
	before := len(l.problems)
	tree := l.tree(f, text)
	if tree != nil {
		l.guard(f, tree)
	}
	if len(l.problems) == before {
		f.tree = tree
	}
}

// tree parses a text; nil: what is reported is why not.
func (l *Library) tree(f *file, text []byte) *yaml.Node {
	text, ok := l.plain(f, text)
	if !ok {
		return nil
	}
	first := strings.TrimLeft(string(text[:min(len(text), 4096)]), " \t\r\n")
	isJSON := strings.EqualFold(path.Ext(f.name), ".json")
	if isJSON || strings.HasPrefix(first, "{") {
		tree, bad := parseJSON(text)
		if bad == nil {
			f.json = true
			return tree
		}
		// A YAML document may start with a brace as well, and then YAML decides.
		if isJSON || bad.limit {
			l.Report(ir.Pos{File: f.name, Line: bad.line, Col: bad.col}, bad.what, bad.remedy)
			return nil
		}
	}
	return l.parseYAML(f, text)
}
