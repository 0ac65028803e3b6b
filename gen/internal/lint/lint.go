// Package lint tells whether a document says the truth about its write operations. [Run] is its one door, [Rules]
// say what it looks at. What generate refuses was found before and is part of what it reports; the rest is found
// here: what clients are told in the header parameter and the responses, and extensions that nothing reads.
package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/contract"
	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/ir"
)

// Input is a document that was read.
type Input struct {
	Spec     string
	Library  *document.Library
	Problems []ir.Problem // what generate refuses
	// Heeds tells whether extensions of a node are read; nil where that is not known.
	Heeds func(document.Node) bool
}

// Finding is a problem, and the part of the document that it is in.
type Finding struct {
	ir.Problem
	// At is "POST /orders", "#/components/schemas/Order" or the like: it stays when lines move.
	At string
}

// Run finds all that is wrong, by place. It never panics.
func Run(in Input) (out []Finding, err error) {
	defer func() {
		if r := recover(); r != nil { // a fault of ours, not of the caller
			out, err = nil, fmt.Errorf("linting %s failed: %v: this is a fault of the generator: please report it with the document", in.Spec, r)
		}
	}()
	l := &linter{Contract: contract.New(in.Library), lib: in.Library, problems: slices.Clone(in.Problems), once: map[string]bool{}}
	if root := in.Library.Root(); root.IsMapping() && in.Library.IsOpenAPI() {
		l.document()
		l.unread(in.Heeds)
	}
	parts := partsOf(in.Library.Roots(), in.Spec)
	for _, p := range l.problems {
		p.Lint = cmp.Or(p.Lint, ir.LintDocument)
		out = append(out, Finding{p, parts.at(p.Pos)})
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return compare(a.Pos, b.Pos) })
	return out, nil
}

func compare(a, b ir.Pos) int {
	return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Col-b.Col)
}

// linter looks at one document.
type linter struct {
	contract.Contract
	lib      *document.Library
	problems []ir.Problem
	once     map[string]bool // what is shared, and was looked at
	keyed    int
	told     int      // keyed operations that document the header of a replay
	silent   []ir.Pos // and those that do not
}

func (l *linter) report(id ir.LintID, pos ir.Pos, what, remedy string) {
	l.problems = append(l.problems, ir.Problem{Pos: pos, What: what, Remedy: remedy, Lint: id})
}

// operation is an operation with its parameters.
type operation struct {
	document.Operation
	path       document.PathItem
	parameters []contract.Parameter
}

func (op *operation) name() string { return op.Method + " " + op.path.Path.Spelt() }

// document looks at each operation, and at what they share.
func (l *linter) document() {
	for _, path := range l.lib.PathItems() {
		for _, o := range path.Operations {
			if o.Node.IsMapping() {
				l.operation(&operation{o, path, contract.Parameters(path, o.Node, l.Peek)})
			}
		}
	}
	l.definitions()
	if len(l.silent) > 0 && l.told < l.keyed {
		l.report(ir.LintReplayHeader, l.silent[0], fmt.Sprintf("%d of %d keyed operations do not document the response header Idempotent-Replayed, this is the first", len(l.silent), l.keyed),
			"declare it on the responses of success, so that clients can tell a replay")
	}
}

func (l *linter) operation(op *operation) {
	endpoint := !op.Node.Get("x-idempotency-endpoint").IsZero()
	exempt, _ := op.Node.Member("x-idempotency-exempt")
	p, declared := l.KeyHeader(op.parameters)
	switch {
	case !ir.Mutating(op.Method):
		if declared && l.IsHeader(p.Node) {
			l.report(ir.LintSafeMethod, p.Item.Pos(), fmt.Sprintf("the header parameter %s on %s, which changes nothing", p.Name, op.name()), "remove it: only operations that change something need a key")
		}
	case endpoint:
		l.contract(op)
	case !exempt.IsZero():
		if declared {
			l.report(ir.LintExemptKeyed, p.Item.Pos(), fmt.Sprintf("%s is exempt, and has the header parameter %s", op.name(), p.Name), "take it off the operation")
		}
	default:
		l.report(ir.LintUnkeyed, op.Key.Pos(), op.name()+" is neither keyed nor exempt", "give it x-idempotency-endpoint, or x-idempotency-exempt with a reason")
	}
}

// contract looks at a keyed operation.
func (l *linter) contract(op *operation) {
	l.keyed++
	l.header(op)
	l.responses(op)
	if at := l.Stream(op.Node); !at.IsZero() {
		l.report(ir.LintStreaming, at.Pos(), fmt.Sprintf("%s answers with %s, which is held back until it is complete and stored", op.name(), at.Spelt()), "know it, or exempt the operation")
	}
	if l.nothing(op) {
		l.report(ir.LintNothing, op.Key.Pos(), op.name()+" has no path parameter, no query and no body: all its requests are the same", "nothing, if a reused key is to replay whatever was meant")
	}
}

// nothing tells whether all requests of an operation are the same.
func (l *linter) nothing(op *operation) bool {
	included := slices.ContainsFunc(op.parameters, func(p contract.Parameter) bool {
		for _, n := range []document.Node{p.Item, p.Node} {
			if yes, _ := n.Get("x-idempotency-include").Bool(); yes {
				return true
			}
		}
		return p.In == "query" || p.In == "querystring"
	})
	return !included && !ir.Placeholder.MatchString(op.path.Path.Spelt()) && op.Node.Get("requestBody").IsZero()
}
