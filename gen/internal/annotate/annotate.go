// Package annotate brings the extension to documents that do not have it: for each mutating operation that nobody
// decided about, it proposes an endpoint key, the header parameter and the responses that go with it. [Run] is its
// one door. It decides what is to be added where; package splice writes it into the text.
package annotate

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/contract"
	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
	"github.com/idemgen/idemgen/gen/internal/splice"
)

// Config says what to annotate, and how.
type Config struct {
	Spec  string // the document's name in the file system
	Style Style
	// Exempt are "METHOD:/path=reason".
	Exempt []string
	// Names are the Go names that an endpoint key gives: no two keys may share one.
	Names func(key string) []string
	// Template says what keeps any request from having a path, and what to do; nothing where requests can.
	Template func(path string) (what, remedy string)
}

// Style is what endpoint keys are made of.
type Style string

// The styles of endpoint keys.
const (
	FromPath        Style = "path"         // words of the path, and a verb
	FromOperationID Style = "operation-id" // words of the operationId; of the path where there is none
)

// Output is what is to change, and what is to be known about it.
type Output struct {
	Files    []File       // those that change, by name
	Keyed    int          // operations that got a key
	Exempted int          // operations that got a reason instead
	Notes    []ir.Problem // what was there already and is not what it should be
	Refused  []ir.Problem // operations that got nothing, and why; also what is wrong with the document
}

// File is a file of the document before and after.
type File struct {
	Name     string
	Old, New []byte
}

// A UsageError is a wrong Config.
type UsageError struct{ What string }

func (e UsageError) Error() string { return e.What }

// Run annotates the document of fsys. An operation that cannot be annotated does not keep the others from it. With
// no document at all, Refused says why and Files is empty. It never panics.
func Run(fsys fs.FS, cfg Config) (out Output, err error) {
	defer func() {
		if r := recover(); r != nil { // a fault of ours, not of the caller
			out, err = Output{}, fmt.Errorf("annotating %s failed: %v: this is a fault of the generator: please report it with the document", cfg.Spec, r)
		}
	}()
	lib := document.Open(fsys, cfg.Spec)
	a := &annotator{Contract: contract.New(lib), cfg: cfg, lib: lib, root: lib.Root(), texts: map[string]*splice.Text{}, edits: map[string][]splice.Edit{}, notes: map[string]*note{}}
	if !a.root.IsZero() && lib.IsOpenAPI() {
		if err := a.run(); err != nil {
			return Output{}, err
		}
	}
	files := a.files()
	if len(files) == 0 {
		a.keyed, a.exempted = 0, 0
	}
	return Output{Files: files, Keyed: a.keyed, Exempted: a.exempted, Notes: a.told(), Refused: sorted(lib.Problems())}, nil
}

// annotator annotates one document.
type annotator struct {
	contract.Contract
	cfg    Config
	lib    *document.Library
	root   document.Node
	texts  map[string]*splice.Text
	edits  map[string][]splice.Edit // by file
	shared shared
	notes  map[string]*note

	keyed, exempted int
	broken          bool // what operations refer to cannot be added, so that nothing is
}

func (a *annotator) run() error {
	ops := a.operations()
	exempt, err := a.exemptions(ops)
	if err != nil {
		return err
	}
	routes := indexOf(ops, exempt)
	var open []*operation
	for _, op := range ops {
		reason, ok := exempt[op]
		switch {
		case !op.mutating() || op.keyed() || op.exempt() || !a.stands(op, routes):
		case ok:
			if a.edit(op, []splice.Edit{op.head("x-idempotency-exempt", reason)}) {
				a.exempted++
				a.noteExempt(op)
			}
		case a.takes(op, routes):
			open = append(open, op)
		}
	}
	a.findShared()
	keys := a.keys(ops, open)
	for _, op := range open {
		if a.annotate(op, keys[op]) {
			a.keyed++
		}
	}
	a.addShared()
	return nil
}

// refuse reports why an operation is left as it is. It returns false.
func (a *annotator) refuse(op *operation, pos ir.Pos, what, remedy string) bool {
	a.lib.Report(pos, op.name()+" is not annotated: "+what, remedy)
	return false
}

// annotate gives an operation its key and what goes with it.
func (a *annotator) annotate(op *operation, key string) bool {
	before := a.shared
	edits := []splice.Edit{op.head("x-idempotency-endpoint", key)}
	edits = append(edits, a.parameter(op)...)
	responses, ok := a.responses(op)
	if ok && a.edit(op, append(edits, responses...)) {
		return true
	}
	a.shared = before // nothing of it is needed by this operation
	return false
}

// edit takes the edits of an operation, all of them or none.
func (a *annotator) edit(op *operation, edits []splice.Edit) bool {
	for _, e := range edits {
		text, problems := a.text(e.At.File)
		if len(problems) > 0 {
			return a.refuse(op, problems[0].Pos, problems[0].What, problems[0].Remedy)
		}
		if p := text.Check(e); p != nil {
			return a.refuse(op, p.Pos, p.What, p.Remedy)
		}
	}
	for _, e := range edits {
		a.edits[e.At.File] = append(a.edits[e.At.File], e)
	}
	return true
}

// text is a file's text, opened once.
func (a *annotator) text(name string) (*splice.Text, []ir.Problem) {
	if t, ok := a.texts[name]; ok {
		return t, nil
	}
	data, err := a.lib.Text(name)
	if err != nil {
		return nil, []ir.Problem{{Pos: ir.Pos{File: name}, What: err.Error(), Remedy: "try again"}}
	}
	t, problems := splice.Open(name, data)
	if len(problems) == 0 {
		a.texts[name] = t
	}
	return t, problems
}

// files makes the edits. Where those of one file fail, no file changes.
func (a *annotator) files() []File {
	if a.broken {
		return nil
	}
	var files []File
	for _, name := range slices.Sorted(maps.Keys(a.edits)) {
		edited, p := a.texts[name].Apply(a.edits[name])
		if p != nil {
			a.lib.Report(p.Pos, "the document is not annotated: "+p.What, p.Remedy)
			return nil
		}
		files = append(files, File{name, a.texts[name].Bytes(), edited})
	}
	return files
}

func sorted(problems []ir.Problem) []ir.Problem {
	return slices.SortedStableFunc(slices.Values(problems), func(p, q ir.Problem) int {
		if c := strings.Compare(p.Pos.File, q.Pos.File); c != 0 {
			return c
		}
		if p.Pos.Line != q.Pos.Line {
			return p.Pos.Line - q.Pos.Line
		}
		return p.Pos.Col - q.Pos.Col
	})
}
