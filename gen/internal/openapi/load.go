// Package openapi reads an OpenAPI document into package ir. [Load] is its one door.
//
// What is in scope is found in the tree of package document; the part that matters is decoded and
// resolved by kin-openapi, which decides what types and references mean. Literals, order and places
// are read from the tree, because decoding loses them.
package openapi

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Load reads the OpenAPI document name of fsys and the files below its folder that it refers to. It
// collects all problems, sorted by place; there is a document only when there are none. It never
// panics, and never uses a network.
func Load(fsys fs.FS, name string) (*ir.Document, []ir.Problem) {
	r := Read(fsys, name)
	return r.Document, r.Problems
}

// A Reading is a document as far as it could be read, for those who have more to say about it.
type Reading struct {
	Library  *document.Library
	Document *ir.Document    // nil where there are problems
	Problems []ir.Problem    // sorted by place
	Keyed    []*ir.Operation // method, path, endpoint key and their places, with problems too; keys that are none are empty
	// Heeds tells whether an extension on a node is read by any operation; nil where that is not known, because the
	// document was not read to its end.
	Heeds func(document.Node) bool
}

// Read is [Load] for a document that may have problems.
func Read(fsys fs.FS, name string) (r Reading) {
	defer func() {
		if fault := recover(); fault != nil { // a fault of ours or of a library, not of the caller
			if r.Document, r.Heeds = nil, nil; r.Library != nil {
				r.Problems = sorted(r.Library.Problems())
			}
			r.Problems = append(r.Problems, ir.Problem{
				Pos:    ir.Pos{File: name, Line: 1, Col: 1},
				What:   fmt.Sprintf("reading the document failed: %v", fault),
				Remedy: "this is a fault of the generator: please report it with the document",
			})
		}
	}()
	r.Library = document.Open(fsys, name)
	l := &loader{lib: r.Library, root: r.Library.Root(), checked: map[any]bool{}}
	doc := l.load(name)
	for _, op := range l.scope.keyed {
		r.Keyed = append(r.Keyed, &ir.Operation{Route: op.Route, Endpoint: op.key, EndpointPos: op.endpoint.Pos()})
	}
	if doc != nil {
		r.Heeds = func(n document.Node) bool { return l.checked[n.ID()] }
	}
	if r.Problems = sorted(r.Library.Problems()); len(r.Problems) == 0 {
		r.Document = doc
	}
	return r
}

// loader reads one document.
type loader struct {
	lib     *document.Library
	root    document.Node
	checked map[any]bool // nodes whose extensions were looked at
	scope   scope
	policy  policy // the document's
}

// bad reports a problem at n.
func (l *loader) bad(n document.Node, what, remedy string) {
	l.lib.Report(n.Pos(), what, remedy)
}

// breaks reports a problem at n that a rule of lint is about.
func (l *loader) breaks(id ir.LintID, n document.Node, what, remedy string) {
	l.lib.ReportAs(id, n.Pos(), what, remedy)
}

// readFor says which operation needs what is read from now on.
func (l *loader) readFor(op *operation) {
	if op == nil {
		l.lib.For("", document.Node{}, document.Node{})
		return
	}
	l.lib.For(op.Method+" "+op.spelt, op.item, op.node)
}

func (l *loader) load(name string) *ir.Document {
	if l.root.IsZero() || !l.lib.IsOpenAPI() {
		return nil
	}
	l.extensions(l.root, onDocument)
	l.policy = l.readPolicy(l.root.Get("x-idempotency"), onDocument)
	doc := &ir.Document{File: name, Title: l.root.Get("info").Get("title").Spelt()}
	l.paths()
	doc.Exempt, doc.Unkeyed = l.scope.exempt, l.scope.unkeyed
	if len(l.scope.keyed) == 0 {
		if len(l.lib.Problems()) == 0 {
			at, _ := l.root.Member("paths")
			if at.IsZero() {
				at = l.root
			}
			l.breaks(ir.LintNoEndpoint, at, "no operation has x-idempotency-endpoint", "mark the operations that are to be safe to retry: "+at.Spell("x-idempotency-endpoint: orders.create", `"x-idempotency-endpoint": "orders.create"`))
		}
		return nil
	}
	l.unique()
	l.routes()
	prune := document.NewPruner(l.lib, !strings.HasPrefix(l.root.Get("openapi").Spelt(), "3.0"))
	for _, op := range l.scope.keyed {
		l.readFor(op)
		op.pruned = prune.Operation(nodes(op.parameters), op.body)
	}
	t := &openapi3.T{}
	if err := prune.Decode(t); err != nil {
		l.kin(err)
		return nil
	}
	if err := openapi3.NewLoader().ResolveRefsIn(t, nil); err != nil {
		l.kin(err)
		return nil
	}
	c := newConverter(l, prune, t)
	for _, op := range l.scope.keyed {
		l.readFor(op)
		doc.Operations = append(doc.Operations, c.operation(op))
	}
	c.check(doc.Operations)
	l.readFor(nil)
	doc.Types = named(doc.Operations)
	return doc
}

// kin reports an error of kin-openapi. What it can object to is checked before, with places.
func (l *loader) kin(err error) {
	if len(l.lib.Problems()) == 0 {
		l.bad(l.root, fmt.Sprintf("kin-openapi cannot read the document: %v", err), "correct what it names")
	}
}

// on is a place for a message about from: "line 7", with the file where that is another one.
func on(at, from ir.Pos) string {
	if at.File != from.File {
		return fmt.Sprintf("line %d of %s", at.Line, at.File)
	}
	return fmt.Sprintf("line %d", at.Line)
}

// sorted sorts problems by place.
func sorted(problems []ir.Problem) []ir.Problem {
	return slices.SortedStableFunc(slices.Values(problems), func(a, b ir.Problem) int {
		return compare(a.Pos, b.Pos)
	})
}

func compare(a, b ir.Pos) int {
	if c := strings.Compare(a.File, b.File); c != 0 {
		return c
	}
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Col - b.Col
}
