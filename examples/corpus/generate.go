package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/idemgen/idemgen/gen"
)

// importPath is the generated package's, in the temporary module.
const importPath = "example.com/corpus/generated"

// result is what became of a document.
type result struct {
	name     string
	mutating int
	exempt   int // by the document itself
	unkeyed  int // refused by annotate already
	refused  []refusal
	whole    string // why the whole document is refused, where it is no OpenAPI 3
	out      *gen.Output
	took     time.Duration // of the generate that succeeded
	rounds   int
	lines    int
	steps    []step
	err      error
}

// refusal is a problem and the operations that it takes out.
type refusal struct {
	problem gen.Problem
	ops     []operation
}

func (r *result) generated() int {
	if r.out == nil {
		return 0
	}
	return r.out.Summary.Keyed
}

// generate annotates the document and generates, again and again without what is refused.
func (r *result) generate(d source) error {
	ops, _, err := operations(disk(d), d.spec)
	if err != nil {
		return err
	}
	r.mutating = len(ops)
	changed, problems, err := annotate(disk(d), d.spec)
	if errors.As(err, &problems); len(problems) > 0 && wholly(problems) {
		r.whole = problems[0].String()
		return nil
	}
	if err != nil {
		return fmt.Errorf("annotate: %w", err)
	}
	for _, p := range problems {
		concerned := about(p, ops)
		if len(concerned) != 1 {
			return fmt.Errorf("annotate refuses %d operations by %v", len(concerned), p)
		}
		r.refused = append(r.refused, refusal{p, concerned})
		r.unkeyed++
	}
	fsys := overlay{disk(d), changed}
	for {
		r.rounds++
		start := time.Now()
		out, err := gen.Generate(fsys, gen.Config{Spec: d.spec, Package: "generated", ImportPath: importPath})
		r.took = time.Since(start)
		var problems gen.Problems
		switch {
		case err == nil:
			return r.settle(&out)
		case !errors.As(err, &problems):
			return fmt.Errorf("generate: %w", err)
		case wholly(problems):
			r.whole = problems[0].String()
			return nil
		}
		if err := r.refuse(fsys, d.spec, problems); err != nil {
			return err
		}
		if r.dropped() == r.mutating {
			return nil // all of them: a document without keys gives no package
		}
	}
}

// wholly tells whether a document is refused as a whole and rightly so.
func wholly(problems gen.Problems) bool {
	return strings.HasPrefix(problems[0].What, "the document is Swagger ")
}

func disk(d source) fs.FS { return os.DirFS(d.dir) }

// settle checks that every operation ended as something.
func (r *result) settle(out *gen.Output) error {
	r.out = out
	dropped := r.dropped()
	r.exempt = out.Summary.Exempt - (dropped - r.unkeyed)
	if ends := out.Summary.Keyed + dropped + r.exempt; ends != r.mutating || r.exempt < 0 {
		return fmt.Errorf("%d mutating operations, of which %d are code, %d refused and %d exempt: the others are lost: %v",
			r.mutating, out.Summary.Keyed, dropped, r.exempt, out.Summary.Unkeyed)
	}
	return nil
}

// dropped are the operations that are refused.
func (r *result) dropped() (n int) {
	for _, f := range r.refused {
		n += len(f.ops)
	}
	return n
}

// refuse takes the operations out that problems are about.
func (r *result) refuse(fsys overlay, spec string, problems gen.Problems) error {
	ops, _, err := operations(fsys, spec)
	if err != nil {
		return err
	}
	ops = slices.DeleteFunc(ops, func(o operation) bool { return member(o.node, "x-idempotency-endpoint") == nil })
	drops := map[string][]operation{}
	gone := map[*yaml.Node]bool{}
	for _, p := range problems {
		if p.Line == 0 || p.Remedy == "" || strings.Contains(p.String(), "fault of the generator") {
			return fmt.Errorf("a problem without a place or a remedy, or a panic: %v", p)
		}
		concerned := about(p, ops)
		if len(concerned) == 0 {
			return fmt.Errorf("no operation is to be told from this problem, among %d: %v", len(problems), p)
		}
		f := refusal{problem: p}
		for _, o := range concerned {
			if !gone[o.node] {
				gone[o.node] = true
				f.ops = append(f.ops, o)
				drops[o.file] = append(drops[o.file], o)
			}
		}
		if len(f.ops) > 0 { // else all of them are refused for other reasons too
			r.refused = append(r.refused, f)
		}
	}
	for name, list := range drops {
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		fsys.over[name] = drop(text, list)
	}
	return nil
}

var neededBy = regexp.MustCompile(`\(needed by (.*)\)$`)

// about are the operations that a problem is about: the one that it names, or those whose part of a file it is in.
func about(p gen.Problem, ops []operation) []operation {
	pick := func(ok func(operation) bool) (out []operation) {
		for _, o := range ops {
			if ok(o) {
				out = append(out, o)
			}
		}
		return out
	}
	if m := neededBy.FindStringSubmatch(p.What); m != nil {
		return pick(func(o operation) bool { return o.String() == m[1] })
	}
	within := func(o operation, line, col, toLine, toCol int) bool {
		return p.File == o.file && !before(p.Line, p.Col, line, col) && !before(toLine, toCol, p.Line, p.Col)
	}
	for _, found := range [][]operation{
		pick(func(o operation) bool {
			line, col := end(o.node)
			return within(o, o.line, o.col, line, col)
		}),
		pick(func(o operation) bool {
			key := member(o.node, "x-idempotency-endpoint")
			return key != nil && strings.Contains(p.What, key.Value)
		}),
		pick(func(o operation) bool {
			line, col := end(o.item)
			return within(o, o.item.Line-1, 0, line, col)
		}),
	} {
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

func before(line, col, thanLine, thanCol int) bool {
	return line < thanLine || line == thanLine && col < thanCol
}

// overlay reads files before those of the disk.
type overlay struct {
	fs.FS
	over files
}

func (o overlay) Open(name string) (fs.File, error) {
	if text, ok := o.over[name]; ok {
		return fstest.MapFS{name: {Data: text, Mode: 0o444}}.Open(name)
	}
	return o.FS.Open(name)
}
