package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// A TestCase is what is tested of one keyed operation. It mirrors idemtest.Case, which the generator
// cannot import: the runtime is another module.
type TestCase struct {
	Endpoint string
	Request  TestRequest
	Changed  []TestChange
	Same     []TestChange
}

// A TestChange is what differs from a case's request, and its name: the fields that are set.
type TestChange struct {
	Name                           string
	Path, Query, ContentType, Body string
	NoBody                         bool
	Header                         []string
	At, Value                      string
	Form, Files                    string
	Reversed                       bool
}

// A TestRequest is an HTTP request without its idempotency key.
type TestRequest struct {
	Method, Path, Query, ContentType string
	Header                           []string
	Body, Form, Files                string
}

// TestFile prints idempotency.gen_test.go: the cases as data, sorted by endpoint key. It is of the
// external test package and imports nothing of pkg: the service that is tested imports pkg, so that a
// test inside pkg could not reach it. An endpoint that the plan does not have is an error.
func (p *Plan) TestFile(pkg string, cases []TestCase) (File, error) {
	operations := make(map[string]*operation)
	for _, op := range p.operations {
		operations[op.Endpoint] = op
	}
	for _, c := range cases {
		if operations[c.Endpoint] == nil {
			return File{}, fmt.Errorf("print tests: no operation has the endpoint key %q", c.Endpoint)
		}
	}
	byEndpoint := func(a, b TestCase) int { return strings.Compare(a.Endpoint, b.Endpoint) }
	cases = slices.SortedStableFunc(slices.Values(cases), byEndpoint)
	return render(pkg+"_test", "idempotency.gen_test.go", func(f *jen.File) {
		add(f, comments(
			"idempotencyCases are a valid request of each keyed operation, the changes that its key must refuse",
			"and those that it must not notice.")...)
		var items []jen.Code
		for _, c := range cases {
			items = append(items, c.code(operations[c.Endpoint]))
		}
		f.Var().Id("idempotencyCases").Op("=").Index().Qual(idemtestPath, "Case").Add(lines(items...))
	})
}

// code prints a case.
func (c TestCase) code(op *operation) jen.Code {
	out := []jen.Code{keyed("Endpoint", text(op.Endpoint))}
	seen := ir.Policy{Header: op.Policy.Header, MaxLength: op.Policy.MaxLength, ConflictStatus: op.Policy.ConflictStatus}
	if seen != (ir.Policy{}) { // what a client can tell
		out = append(out, keyed("Policy", jen.Qual(idemPath, "Policy").Values(policyFields(seen)...)))
	}
	out = append(out, keyed("Request", jen.Qual(idemtestPath, "Request").Add(c.Request.code())))
	for _, l := range []struct {
		field   string
		changes []TestChange
	}{{"Changed", c.Changed}, {"Same", c.Same}} {
		if len(l.changes) == 0 {
			continue
		}
		var changes []jen.Code
		for _, ch := range l.changes {
			changes = append(changes, ch.code())
		}
		out = append(out, keyed(l.field, jen.Index().Qual(idemtestPath, "Change").Add(lines(changes...))))
	}
	return lines(out...)
}

// code prints a request's elements: what names it in one line, then its header and body.
func (r TestRequest) code() *jen.Statement {
	var first, rest []jen.Code
	for _, e := range []struct{ field, value string }{
		{"Method", r.Method}, {"Path", r.Path}, {"Query", r.Query}, {"ContentType", r.ContentType},
	} {
		if e.value != "" {
			first = append(first, keyed(e.field, text(e.value)))
		}
	}
	if len(r.Header) > 0 {
		rest = append(rest, keyed("Header", texts(r.Header)))
	}
	for _, e := range []struct{ field, value string }{{"Body", r.Body}, {"Form", r.Form}, {"Files", r.Files}} {
		if e.value != "" {
			rest = append(rest, keyed(e.field, text(e.value)))
		}
	}
	if len(rest) == 0 {
		return jen.Values(first...)
	}
	return lines(append([]jen.Code{jen.List(first...)}, rest...)...)
}

// code prints a change in one line.
func (c TestChange) code() jen.Code {
	out := []jen.Code{keyed("Name", text(c.Name))}
	for _, e := range []struct{ field, value string }{
		{"Path", c.Path}, {"Query", c.Query}, {"ContentType", c.ContentType}, {"Body", c.Body}, {"Form", c.Form}, {"Files", c.Files},
		{"At", c.At}, {"Value", c.Value},
	} {
		if e.value != "" {
			out = append(out, keyed(e.field, text(e.value)))
		}
	}
	if len(c.Header) > 0 {
		out = append(out, keyed("Header", texts(c.Header)))
	}
	for _, e := range []struct {
		field string
		is    bool
	}{{"NoBody", c.NoBody}, {"Reversed", c.Reversed}} {
		if e.is {
			out = append(out, keyed(e.field, jen.True()))
		}
	}
	return jen.Values(out...)
}
