package gen

import (
	"strings"

	"github.com/idemgen/idemgen/gen/internal/routes"
)

// RouteReport is what is wrong with the routes of a program.
type RouteReport struct {
	Findings   []Finding // by place; files as the go command names them
	Errors     []string  // of packages that do not compile: nothing else is reported then
	Routes     int       // registrations that were seen
	Operations int       // keyed operations of the generated packages
}

// Routes finds routes of keyed operations that are not guarded, in the packages that the go command knows by patterns in
// dir. What is generated for a document says which operations there are.
func Routes(dir string, patterns ...string) (RouteReport, error) {
	found, err := routes.Check(dir, patterns)
	if err != nil {
		return RouteReport{}, err
	}
	report := RouteReport{Errors: found.Errors, Routes: found.Routes, Operations: found.Operations}
	for _, f := range found.Findings {
		what, remedy := f.Message, ""
		if i := strings.LastIndex(what, ": "); i >= 0 {
			what, remedy = what[:i], what[i+2:]
		}
		report.Findings = append(report.Findings, Finding{
			Problem: Problem{File: f.Pos.Filename, Line: f.Pos.Line, Col: f.Pos.Column, What: what, Remedy: remedy},
			Rule:    f.Rule, At: f.Package,
		})
	}
	return report, nil
}

// VetRoutes is the whole of a command that go vet -vettool calls: it reads the arguments itself, and does not return.
func VetRoutes() { routes.Vet() }

// RouteRules are the rules of [Routes].
func RouteRules() []LintRule {
	const policy = `"Guardrails in CI": every in-scope route enforces the key`
	return []LintRule{
		{"route-bare", false, "a keyed operation is registered and nothing guards it", "its retries run again", "register its generated wrapper, or put Middleware before the router", policy},
		{"route-wrapper", false, "a route has the wrapper of another operation", "its requests are compared by the other's rules, and share its records", "register its own wrapper", policy},
		{"route-unknown", false, "a route that writes is in no document", "nobody has decided whether it needs a key", "add it to the document, or exempt it with a reason", policy},
		{"route-none", false, "a keyed operation is registered nowhere", "the document promises what the service does not do", "register it, or take it out of the document", policy},
		{"timeout-inside", false, "http.TimeoutHandler stands inside of a wrapper", "an answer that it gives up on is stored, while the work goes on", "put it outside, or give the operation a timeout", `"Handler standard"`},
		{"cookie", false, "a keyed handler sets a cookie", "no record keeps it, so that a replay lacks it", "set it in an operation without a key, or put it into the body", `"Handler standard"`},
		{"exempt-reason", false, "a comment exempts a route without saying why", "an exemption is a decision that others must be able to read", "write the reason behind it", `"Where a key is required"`},
		{"exempt-unused", false, "a comment exempts nothing", "it would hide the next finding in its place", "remove it", `"Where a key is required"`},
	}
}
