// Package sample makes example requests from a document's operations: for each a valid one, one for
// every field that differs, and those that differ only in what the identity leaves out. They are data
// for generated tests, so they are few and small: bodies stop at a sensible depth and size, and the same
// document gives the same samples.
//
// A sample satisfies what a typed handler checks: required members, types, enum members, closed
// objects. Formats, patterns and ranges are followed where that is cheap, and the document's own
// examples are used where they fit, because the user's service may check those.
package sample

import (
	"fmt"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Request is one HTTP request without its idempotency key.
type Request struct {
	Method, Path string // the path is escaped
	Query        string // encoded
	ContentType  string // empty without a body
	Header       []string
	Body         string
}

// Change is a request that differs in one way, and what differs: "body.amount".
type Change struct {
	Name    string
	Request Request
}

// Case is an operation's samples.
type Case struct {
	Operation *ir.Operation
	Request   Request
	Changed   []Change // each differs in one field of the identity
	Same      []Change // each differs in nothing that counts
}

// Cases makes the samples of every operation, in document order. A body that no finite document can
// satisfy is a problem.
func Cases(doc *ir.Document) ([]Case, []ir.Problem) {
	var cases []Case
	var problems []ir.Problem
	m := maker{depthsOf(doc), literalSegments(doc)}
	for _, op := range doc.Operations {
		if p, ok := endless(op, m.depths); ok {
			problems = append(problems, p)
			continue
		}
		cases = append(cases, m.caseOf(op))
	}
	return cases, problems
}

// maker is what making one operation's samples takes from the whole document.
type maker struct {
	depths   depths
	literals map[string]bool // path segments that lead to other operations
}

// literalSegments are the fixed segments of the document's paths. /orders/{id} and /orders/search
// lie side by side, so no sample may have an id that is called search.
func literalSegments(doc *ir.Document) map[string]bool {
	literals := map[string]bool{}
	add := func(r ir.Route) {
		for s := range strings.SplitSeq(r.Path, "/") {
			literals[s] = true
		}
	}
	for _, op := range doc.Operations {
		add(op.Route)
	}
	for _, e := range doc.Exempt {
		add(e.Route)
	}
	for _, r := range doc.Unkeyed {
		add(r)
	}
	return literals
}

// endless finds a body whose required members need each other for ever.
func endless(op *ir.Operation, depths depths) (ir.Problem, bool) {
	for _, b := range op.Bodies {
		if b.Type != nil && depths.of(b.Type) == never {
			return ir.Problem{
				Pos:    b.Pos,
				What:   fmt.Sprintf("the %s body of %s requires itself, so that no request can satisfy it", b.MediaType, op.Endpoint),
				Remedy: "make a member of the cycle optional or nullable",
			}, true
		}
	}
	return ir.Problem{}, false
}

func (m maker) caseOf(op *ir.Operation) Case {
	base := m.newDraft(op)
	c := Case{Operation: op, Request: base.request()}
	c.Changed, c.Same = base.parameterChanges()
	changed, same := base.bodyChanges(m.depths)
	c.Changed = append(c.Changed, changed...)
	c.Same = append(c.Same, same...)
	return c
}
