// Package sample makes example requests from a document's operations: for each a valid one, one for
// every field that differs, and those that differ only in what the identity leaves out. They are data
// for generated tests, so they are few and small: bodies stop at a sensible depth and size, and the same
// document gives the same samples.
//
// A sample satisfies what a typed handler checks: required members, types, enum members, closed objects. Because the
// user's service may check more, it follows lengths, ranges, multiples, formats, patterns and discriminators as well, and
// takes the document's own examples where they fit. A value that nothing is known for is the user's to fill.
package sample

import (
	"cmp"
	"fmt"
	"slices"
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
	Form, Files  string // of a form, in place of Body: encoded pairs; a multipart type has no boundary
}

// Case is an operation's samples.
type Case struct {
	Operation *ir.Operation
	Request   Request
	Changed   []Change // each differs in one field of the identity
	Same      []Change // each differs in nothing that counts
	// Unfilled are values of Request whose pattern is none that a text is known for: the user's to fill.
	Unfilled []string
}

const (
	// mostRequired is how large the smallest value of a body may be.
	mostRequired = 2_000
	// mostInDocument is how large the smallest values of all bodies may be, and what the samples of a
	// document share beyond that.
	mostInDocument = 100_000
)

// Cases makes the samples of every operation, in document order. A body that no finite document can
// satisfy, or only one too large for a test, is a problem.
func Cases(doc *ir.Document) ([]Case, []ir.Problem) {
	var cases []Case
	var problems []ir.Problem
	m := newMaker(doc)
	total := 0
	for _, op := range doc.Operations {
		p, size := m.refuse(op)
		if total += size; p == nil && total > mostInDocument {
			p = &ir.Problem{
				Pos:    op.EndpointPos,
				What:   fmt.Sprintf("the smallest bodies of the operations up to %s have more than %d values together", op.Endpoint, mostInDocument),
				Remedy: "make members optional, or split the document",
			}
			total = 0 // said once
		}
		if p != nil {
			problems = append(problems, *p)
			continue
		}
		cases = append(cases, m.caseOf(op))
	}
	return cases, problems
}

// maker is what making one operation's samples takes from the whole document.
type maker struct {
	*source
	sizes    sizes
	fieldsOf func(*ir.Type) []*ir.Field // sorted by name
	reserved map[string]bool            // path segments that lead to other operations
	most     int                        // how large a body may grow
}

func newMaker(doc *ir.Document) maker {
	fields := map[*ir.Type][]*ir.Field{}
	return maker{
		source:   newSource(),
		sizes:    sizesOf(doc),
		reserved: literalSegments(doc),
		most:     min(enough, mostInDocument/max(1, len(doc.Operations))),
		fieldsOf: func(t *ir.Type) []*ir.Field {
			if fields[t] == nil {
				fields[t] = slices.SortedStableFunc(slices.Values(t.Fields), func(a, b *ir.Field) int { return cmp.Compare(a.Name, b.Name) })
			}
			return fields[t]
		},
	}
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

// refuse finds a body that no sample can be made of, and else says how large the smallest are.
func (m maker) refuse(op *ir.Operation) (*ir.Problem, int) {
	total := 0
	for _, b := range op.Bodies {
		if b.Type == nil {
			continue
		}
		size := m.sizes.of(b.Type)
		problem := ir.Problem{Pos: b.Pos, Remedy: "make a member of the cycle optional or nullable"}
		switch {
		case size == never:
			problem.What = fmt.Sprintf("the %s body of %s requires itself, so that no request can satisfy it", b.MediaType, op.Endpoint)
			return &problem, 0
		case size > mostRequired:
			problem.What = fmt.Sprintf("the smallest %s body of %s has more than %d values, each of them required", b.MediaType, op.Endpoint, mostRequired)
			problem.Remedy = "make members optional, so that a request can be sent"
			return &problem, 0
		}
		total += size
	}
	return nil, total
}

func (m maker) caseOf(op *ir.Operation) Case {
	base := m.newDraft(op)
	c := Case{Operation: op, Request: base.request()}
	c.Changed, c.Same = base.parameterChanges()
	changed, same := m.bodyChanges(base)
	c.Changed = append(c.Changed, changed...)
	c.Same = append(c.Same, same...)
	c.Unfilled = m.unfilled(base)
	return c
}
