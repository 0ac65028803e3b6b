package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"
)

// A TestCase is what is tested of one keyed operation. It mirrors idemtest.Case, which the generator
// cannot import: the runtime is another module.
type TestCase struct {
	Endpoint string
	Request  TestRequest
	Changed  []TestChange
	Same     []TestChange
	Unfilled []string // values that the user has to fill
}

// A TestChange is what differs from a case's request, and its name: the fields that are set.
type TestChange struct {
	Name                           string
	Path, Query, ContentType, Body string
	NoBody                         bool
	Header                         []string
	At, Value                      string
	Form, Files                    string
	NoQuery, NoHeader, NoForm      string
	Reversed                       bool
}

// A TestRequest is an HTTP request without its idempotency key.
type TestRequest struct {
	Method, Path, Query, ContentType string
	Header                           []string
	Body, Form, Files                string
}

// A caseList is a file of cases: all of them, or those of one group.
type caseList struct {
	name, about string // of the variable
	group       string
	cases       []TestCase
}

const (
	allCases = "idempotencyCases"
	aboutAll = "are a valid request of each keyed operation, the changes that its key must refuse and those that it must not notice."
	suite    = "idempotency" // the user's variable
)

// rules are the methods of the suite, each of which is a test.
var rules = []struct{ name, about string }{
	{"Replay", "the same request under the same key gets the first result again, and nothing is done for it."},
	{"Conflict", "another request under a key that was used is refused, for each field of the identity."},
	{"InProgress", "a request whose first one still runs is told to wait."},
	{"Key", "a key is required, bounded and well formed, and nothing is reserved without one."},
	{"Race", "of concurrent duplicates one runs."},
	{"Scope", "a key is its caller's own."},
	{"Failure", "a client that hangs up, a panic, an error and a store that is down never have the work done twice."},
	{"Crash", "a process that dies at any point never has the work done twice."},
	{"Routes", "every operation is guarded, in whatever spelling a path is routed."},
}

// tests prints idempotency.gen_test.go: the cases as data, sorted by endpoint key. It is of the external test
// package and imports nothing of pkg: the service that is tested imports pkg, so that a test inside pkg could
// not reach it. Where it gets too long it is parted as other files are, and puts together what the parts have.
func (p *Plan) tests(pkg string, cases []TestCase) ([]File, error) {
	for _, c := range cases {
		if !slices.ContainsFunc(p.operations, func(op *operation) bool { return op.Endpoint == c.Endpoint }) {
			return nil, fmt.Errorf("print tests: no operation has the endpoint key %q", c.Endpoint)
		}
	}
	byEndpoint := func(a, b TestCase) int { return strings.Compare(a.Endpoint, b.Endpoint) }
	cases = slices.SortedStableFunc(slices.Values(cases), byEndpoint)
	lists := casesByGroup(cases)
	parts := make([]File, len(lists))
	for i, l := range lists {
		var err error
		if parts[i], err = renderTests(pkg, l, caseCodes(l.cases)); err != nil {
			return nil, err
		}
	}
	if !p.tooLong(parts) {
		all, err := renderTests(pkg, caseList{allCases, aboutAll, "", cases}, caseCodes(cases), printRules)
		return []File{all}, err
	}
	all, err := renderTests(pkg, caseList{name: allCases, about: aboutAll}, concatenated(lists), printRules)
	return append([]File{all}, parts...), err
}

// casesByGroup parts cases, and names what has them.
func casesByGroup(cases []TestCase) []caseList {
	groups := grouped(cases, func(c TestCase) string { return segment(c.Endpoint) })
	var wanted []candidate
	for _, g := range groups {
		wanted = append(wanted, candidate{id: g.name, base: allCases + nameTail(g.name), wire: g.name})
	}
	names := scope{}.allocate(wanted)
	var out []caseList
	for _, g := range groups {
		out = append(out, caseList{names[g.name], "are those of " + g.name + ".", g.name, g.items})
	}
	return out
}

func concatenated(lists []caseList) *jen.Statement {
	var names []jen.Code
	for _, l := range lists {
		names = append(names, jen.Id(l.name))
	}
	return jen.Qual("slices", "Concat").Custom(jen.Options{Open: "(", Close: ")", Separator: ",", Multi: true}, names...)
}

func caseCodes(cases []TestCase) jen.Code {
	var items []jen.Code
	for _, c := range cases {
		items = append(items, c.code())
	}
	return jen.Index().Qual(idemtestPath, "Case").Add(lines(items...))
}

// renderTests prints a file that declares one list of cases, and what else it has.
func renderTests(pkg string, l caseList, value jen.Code, more ...func(*jen.File)) (File, error) {
	return render(pkg+"_test", fileName("idempotency", l.group, ".gen_test.go"), func(f *jen.File) {
		for _, print := range more {
			print(f)
		}
		add(f, comments(wrap(l.name+" "+l.about, fieldLines)...)...)
		f.Var().Id(l.name).Op("=").Add(value)
	})
}

// printRules prints a test for each rule.
func printRules(f *jen.File) {
	add(f, comments(append(wrap("A test for each rule of the policy, with a subtest for each operation. "+suite+", in "+suite+"_test.go, which is yours, "+
		"says how the service is built. One operation under one rule:", fieldLines), "", "\tgo test -run 'Replay/ENDPOINT'")...)...)
	f.Line()
	for _, r := range rules {
		name := "TestIdempotency" + r.name
		add(f, comments(wrap(name+": "+r.about, fieldLines)...)...)
		f.Func().Id(name).Params(jen.Id("t").Op("*").Qual("testing", "T")).Block(jen.Id(suite).Dot(r.name).Call(jen.Id("t"), jen.Id(allCases)))
		f.Line()
	}
}

// code prints a case.
func (c TestCase) code() jen.Code {
	out := []jen.Code{keyed("Endpoint", text(c.Endpoint))}
	request := jen.Add(keyed("Request", jen.Qual(idemtestPath, "Request").Add(c.Request.code())))
	if len(c.Unfilled) > 0 {
		request = commentLine("No text is known for the pattern of " + clean(strings.Join(c.Unfilled, ", ")) +
			": put a request of yours into the suite's Requests.").Line().Add(request)
	}
	out = append(out, request)
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
		{"At", c.At}, {"Value", c.Value}, {"NoQuery", c.NoQuery}, {"NoHeader", c.NoHeader}, {"NoForm", c.NoForm},
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
