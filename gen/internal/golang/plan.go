// Package golang writes the Go files that the generator owns, from the plain structs of package ir.
//
// Reading, planning and printing are three passes. [NewPlan] chooses every name, from the set of
// things that want one and never from their order, and reports what has no good name. Where things want
// one name, none gets it: what is added to a document may end a name, but never change what it means. Only
// the names that follow from an endpoint key always belong to the operation. [Plan.Files] prints and decides nothing
// but which file a thing is in, so that the same document gives the same bytes.
package golang

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// A Plan holds everything that is printed, each name chosen.
type Plan struct {
	title      string
	most       int          // lines of a file
	operations []*operation // sorted by endpoint key, so that a new one moves no other
	other      []ir.Route   // mutating operations without a key, sorted
	schemas    []schema     // component schemas, sorted by Go name
}

// A schema is a component schema that becomes a Go type.
type schema struct {
	name  string
	types []declaration // it, and the inline types below it, sorted by name
}

// An operation is a keyed operation with its names.
type operation struct {
	*ir.Operation
	name     string // ClaimsCreate
	variable string // claimsCreate
	payload  *structType
	parts    []*structType // path, query, header, scope and forms
	types    []declaration // inline types of the parts and the body, sorted by name
	identity ir.Identity
}

// NewPlan plans the files for a document. With problems there is no plan to print.
func NewPlan(doc *ir.Document) (*Plan, []ir.Problem) {
	p := &Plan{title: doc.Title, most: mostLines, other: passing(doc)}
	for _, op := range doc.Operations {
		p.operations = append(p.operations, &operation{Operation: op, name: exportedName(op.Endpoint)})
	}
	slices.SortFunc(p.operations, func(a, b *operation) int { return strings.Compare(a.Endpoint, b.Endpoint) })

	names := scope{}
	if problems := takeOperations(p.operations, names); len(problems) > 0 {
		return nil, problems
	}
	t := nameTypes(doc, p.operations, names)
	marked := ir.Marked(doc.Operations)
	for _, op := range p.operations {
		op.identity = ir.NewIdentity(op.Operation, marked)
		op.plan(t)
	}
	p.takeTypes(t)
	return p, nil
}

// reserved are the names of the package that no operation gives.
var reserved = []string{"Middleware", "Operations", "init", "main"}

// locals are the names that the generated files import or declare inside functions. A package-level
// variable of that name would not compile, or be hidden where it is used.
var locals = []string{
	"canon", "context", "http", "idem", "idemtest", "memstore", "testing", "time",
	"ctx", "data", "fn", "key", "next", "p", "scope", "store", "svc", "t", "v",
}

// names are the exported names that come from an operation. All of them are taken whether they are used
// or not: a first query parameter must not rename a schema.
func (op *operation) names() []string { return OperationNames(op.Endpoint) }

// OperationNames are the exported names that an endpoint key gives. Two keys of a document share none.
func OperationNames(endpoint string) []string {
	n := exportedName(endpoint)
	return []string{
		"Endpoint" + n, n + "Payload", n + "Path", n + "Query", n + "Header", n + "Scope", n + "Form", n + "Parts",
		"Handle" + n, "Handle" + n + "Tx", "Wrap" + n, "Begin" + n, "Fingerprint" + n,
	}
}

// takeOperations takes the names that come from endpoint keys. They are the package's interface and
// follow from the key alone, so that two operations which want one name are a problem, not renamed.
func takeOperations(ops []*operation, names scope) []ir.Problem {
	names.take(reserved...)
	names.take(locals...)
	names.take(types.Universe.Names()...)
	var all []*ir.Operation
	var variables []candidate
	for _, op := range ops {
		base := unexportedName(op.Endpoint)
		if token.IsKeyword(base) {
			names.take(base)
		}
		variables = append(variables, candidate{id: op.Endpoint, base: names.beside(base, "Operation"), wire: op.Endpoint})
		names.take(op.names()...)
		all = append(all, op.Operation)
	}
	if problems := SameNames(all); len(problems) > 0 {
		return problems
	}
	chosen := names.allocate(variables)
	for _, op := range ops {
		op.variable = chosen[op.Endpoint]
	}
	return nil
}

// SameNames are the operations whose endpoint keys give a Go name that another's gives, each once. Only the
// keys and their places are read.
func SameNames(ops []*ir.Operation) []ir.Problem {
	ops = slices.Clone(ops)
	slices.SortFunc(ops, func(a, b *ir.Operation) int { return strings.Compare(a.Endpoint, b.Endpoint) })
	owner := make(map[string]*ir.Operation)
	var problems []ir.Problem
	for _, op := range ops {
		for _, n := range OperationNames(op.Endpoint) {
			first, ok := owner[n]
			if !ok {
				owner[n] = op
				continue
			}
			problems = append(problems, sameName(first, op, n))
			break
		}
	}
	return problems
}

// sameName is the problem of two operations that want one Go name.
func sameName(first, second *ir.Operation, name string) ir.Problem {
	at := first.EndpointPos
	what := fmt.Sprintf("endpoint key %q gives the Go name %s, and so does %q at %s:%d:%d",
		second.Endpoint, name, first.Endpoint, at.File, at.Line, at.Col)
	remedy := "rename the one that has no records yet, so that they differ in more than their separators"
	if first.Endpoint == second.Endpoint {
		what = fmt.Sprintf("endpoint key %q is also that of %s %s at %s:%d:%d",
			second.Endpoint, first.Method, first.Path, at.File, at.Line, at.Col)
		remedy = "give each operation a key of its own"
	}
	return ir.Problem{Pos: second.EndpointPos, What: what, Remedy: remedy, Lint: ir.LintEndpointName}
}
