package sample

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

func text() *ir.Type { return &ir.Type{Kind: ir.String} }

// claims is an operation with every kind of field.
func claims() *ir.Operation {
	evidence := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{
		{Name: "url", Required: true, Type: &ir.Type{Kind: ir.String, Format: "uri"}},
		{Name: "seen", Ignore: true, Type: &ir.Type{Kind: ir.Int, Bits: 64}},
	}}
	return &ir.Operation{
		Route:    ir.Route{Method: "POST", Path: "/submissions/{id}/claims"},
		Endpoint: "claims.create",
		PathParams: []*ir.Parameter{
			{Name: "id", Required: true, Type: text()},
		},
		QueryParams: []*ir.Parameter{
			{Name: "notify", Type: &ir.Type{Kind: ir.Bool}},
			{Name: "trace", Ignore: true, Type: text()},
			{Name: "mode", Type: &ir.Type{Kind: ir.String, Enum: []string{`"only"`}}},
		},
		Headers: []*ir.Parameter{{Name: "x-source", Type: text()}},
		Bodies: []*ir.Body{
			{MediaType: "application/json", Type: &ir.Type{Kind: ir.Object, Fields: []*ir.Field{
				{Name: "kind", Required: true, Type: &ir.Type{Kind: ir.String, Enum: []string{`"late"`, `"lost"`}}},
				{Name: "amount", Required: true, Type: &ir.Type{Kind: ir.Number, Minimum: "0", Example: "12.50"}},
				{Name: "clientTime", Ignore: true, Type: &ir.Type{Kind: ir.String, Format: "date-time"}},
				{Name: "evidence", Type: &ir.Type{Kind: ir.Array, Unordered: true, Items: evidence}},
			}}},
			{MediaType: "image/*"},
		},
	}
}

func TestCase(t *testing.T) {
	t.Parallel()
	cases, problems := Cases(&ir.Document{Operations: []*ir.Operation{claims()}})
	if len(cases) != 1 || len(problems) != 0 {
		t.Fatalf("%d cases, problems %v", len(cases), problems)
	}
	const base = `/submissions/one/claims?notify=true&trace=one&mode=only [X-Source: one] application/json `
	const one, two = `{"url":"https://example.com/one","seen":1}`, `{"url":"https://example.com/two","seen":1}`
	const day = `"2026-01-02T03:04:05Z"`
	full := func(kind, amount, time, evidence string) string {
		return fmt.Sprintf(`{"kind":"%s","amount":%s,"clientTime":%s,"evidence":[%s]}`, kind, amount, time, evidence)
	}
	sample := full("late", "12.50", day, one+","+two)
	want := strings.Join([]string{
		"POST " + base + sample,
		"differs path.id: " + strings.Replace(base, "/one/", "/two/", 1) + sample,
		"differs query.notify: " + strings.Replace(base, "true", "false", 1) + sample,
		"differs header.x-source: " + strings.Replace(base, ": one", ": two", 1) + sample,
		"differs body.kind: " + base + full("lost", "12.50", day, one+","+two),
		"differs body.amount: " + base + full("late", "1", day, one+","+two),
		"differs body.evidence[0].url: " + base + full("late", "12.50", day, strings.Replace(one, "one", "three", 1)+","+two),
		"differs type image/png: " + strings.Replace(base, "application/json", "image/png", 1) + "one",
		"differs body left out: " + strings.Replace(base, " application/json", " ", 1),
		"same query.trace: " + strings.Replace(base, "trace=one", "trace=two", 1) + sample,
		"same body.clientTime: " + base + full("late", "12.50", `"2026-01-03T03:04:05Z"`, one+","+two),
		"same body.evidence[0].seen: " + base + full("late", "12.50", day, strings.Replace(one, ":1}", ":2}", 1)+","+two),
		"same body.evidence in another order: " + base + full("late", "12.50", day, two+","+one),
		`same body in another spelling: ` + base + ` { "\u0065vidence" : [ { "\u0073een" : 1.0, "\u0075rl" : "\u0068ttps://example.com/one" }, { "\u0073een" : 1.0, "\u0075rl" : "\u0068ttps://example.com/two" } ], "\u0063lientTime" : "\u0032026-01-02T03:04:05Z", "\u0061mount" : 12.500, "\u006bind" : "\u006cate" }`,
	}, "\n")
	if got := dump(cases[0]); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func dump(c Case) string {
	show := func(r Request) string {
		return fmt.Sprintf("%s?%s %v %s %s", r.Path, r.Query, r.Header, r.ContentType, r.Body)
	}
	lines := []string{c.Request.Method + " " + show(c.Request)}
	for _, ch := range c.Changed {
		lines = append(lines, "differs "+ch.Name+": "+show(ch.Request))
	}
	for _, ch := range c.Same {
		lines = append(lines, "same "+ch.Name+": "+show(ch.Request))
	}
	return strings.Join(lines, "\n")
}

func bodyOf(t *ir.Type) string {
	op := &ir.Operation{Bodies: []*ir.Body{{MediaType: "application/json", Type: t}}}
	d := depthsOf(&ir.Document{Operations: []*ir.Operation{op}})
	return body(t, d).json()
}

func TestRecursionStops(t *testing.T) {
	t.Parallel()
	list := &ir.Type{Kind: ir.Object}
	list.Fields = []*ir.Field{{Name: "v", Required: true, Type: text()}, {Name: "next", Type: list}}
	tree := &ir.Type{Kind: ir.Object}
	tree.Fields = []*ir.Field{{Name: "children", Required: true, Type: &ir.Type{Kind: ir.Array, Items: tree}}}
	nullable := &ir.Type{Kind: ir.Object, Nullable: true}
	nullable.Fields = []*ir.Field{{Name: "next", Required: true, Type: nullable}}
	expr := &ir.Type{Kind: ir.Any, Example: `{"not":{}}`}
	not := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "not", Required: true, Type: expr}}}
	expr.Branches = []*ir.Type{not, text()}
	for name, tt := range map[string]struct {
		typ  *ir.Type
		want string
	}{
		"optional member": {list, `{"v":"one","next":{"v":"one"}}`},
		"array":           {tree, `{"children":[{"children":[]}]}`},
		"nullable":        {nullable, `{"next":{"next":null}}`},
		"branch":          {expr, `{"not":"one"}`},
	} {
		if got := bodyOf(tt.typ); got != tt.want {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}

func TestABodyThatRequiresItselfIsAProblem(t *testing.T) {
	t.Parallel()
	a := &ir.Type{Kind: ir.Object}
	a.Fields = []*ir.Field{{Name: "b", Required: true, Type: &ir.Type{Kind: ir.Array, MinItems: 1, Items: a}}}
	pos := ir.Pos{File: "a.yaml", Line: 3, Col: 7}
	cases, problems := Cases(&ir.Document{Operations: []*ir.Operation{{
		Endpoint: "a.b", Bodies: []*ir.Body{{Pos: pos, MediaType: "application/json", Type: a}},
	}}})
	want := []ir.Problem{{Pos: pos,
		What:   "the application/json body of a.b requires itself, so that no request can satisfy it",
		Remedy: "make a member of the cycle optional or nullable"}}
	if len(cases) != 0 || !reflect.DeepEqual(problems, want) {
		t.Errorf("cases %v, problems %v", cases, problems)
	}
}

func TestBodiesStaySmall(t *testing.T) {
	t.Parallel()
	typ := text()
	for range 4 { // 20^4 leaves in all
		wide := &ir.Type{Kind: ir.Object}
		for i := range 20 {
			wide.Fields = append(wide.Fields, &ir.Field{Name: fmt.Sprint("f", i), Type: typ})
		}
		typ = wide
	}
	if got := len(bodyOf(typ)); got > 1000 {
		t.Errorf("%d bytes", got)
	}
}

func TestExamplesAreUsedWhereTheyFit(t *testing.T) {
	t.Parallel()
	typ := &ir.Type{
		Kind:    ir.Object,
		Example: `{"n": 7, "s": 8, "list": [{"a": "x"}], "undeclared": 1, "any": {"deep": [1.50]}}`,
		Fields: []*ir.Field{
			{Name: "n", Required: true, Type: &ir.Type{Kind: ir.Int, Bits: 32}},
			{Name: "s", Required: true, Type: &ir.Type{Kind: ir.String, Example: `"own\ud800"`}},
			{Name: "list", Type: &ir.Type{Kind: ir.Array, Items: &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "a", Type: text()}}}}},
			{Name: "any", Type: &ir.Type{}},
		},
	}
	const want = `{"n":7,"s":"own\ufffd","list":[{"a":"x"}],"any":{"deep":[1.50]}}`
	if got := bodyOf(typ); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		typ  ir.Type
		want string
	}{
		{ir.Type{Kind: ir.String}, `"one" "two" "three"`},
		{ir.Type{Kind: ir.String, MaxLength: 3, MinLength: 3, Pattern: "^[A-Z]{3}$"}, `"AAA" "BBB" "CCC"`},
		{ir.Type{Kind: ir.String, MaxLength: 2}, `"a" "b" "c"`},
		{ir.Type{Kind: ir.String, MinLength: 5}, `"oneone" "twotwo" "three"`},
		{ir.Type{Kind: ir.String, Pattern: `^(?=x)y$`}, `"one" "two" "three"`},
		{ir.Type{Kind: ir.String, Pattern: `^(cus|acc)_[0-9a-f]{4,8}$`}, `"cus_0000" "acc_1111" "cus_2222"`},
		{ir.Type{Kind: ir.String, Pattern: `^\d+$`, MinLength: 4}, `"00000" "11111" "22222"`},
		{ir.Type{Kind: ir.String, Format: "date"}, `"2026-01-02" "2026-01-03" "2026-01-04"`},
		{ir.Type{Kind: ir.String, Enum: []string{`"x"`}, Nullable: true}, `"x" null`},
		{ir.Type{Kind: ir.Bool}, `true false`},
		{ir.Type{Kind: ir.Int, Bits: 32}, `1 2 3`},
		{ir.Type{Kind: ir.Int, Bits: 32, Minimum: "2147483646"}, `2147483647 2147483646`},
		{ir.Type{Kind: ir.Int, Bits: 64, Unsigned: true, Minimum: "-5"}, `1 2 3`},
		{ir.Type{Kind: ir.Integer, Minimum: "100", Maximum: "101"}, `101 100`},
		{ir.Type{Kind: ir.Number, Minimum: "0", Maximum: "1"}, `0.5 0.25 1`},
		{ir.Type{Kind: ir.Number, Maximum: "-7.5"}, `-9 -10 -11`},
		{ir.Type{Kind: ir.Int, Bits: 64, Example: "10.0"}, `1 2 3`},
		{ir.Type{Kind: ir.Int, Bits: 64, Example: "-9"}, `-9 1 2`},
	} {
		if got := strings.Join(literals(&tt.typ, ""), " "); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.typ, got, tt.want)
		}
	}
}

func TestPathsDoNotLeadToOtherOperations(t *testing.T) {
	t.Parallel()
	id := &ir.Type{Kind: ir.String, Example: `"one"`, Enum: []string{`"one"`, `"."`, `"a/b"`, `"two"`}}
	cases, _ := Cases(&ir.Document{
		Operations: []*ir.Operation{{
			Route:      ir.Route{Method: "PUT", Path: "/orders/{id}"},
			PathParams: []*ir.Parameter{{Name: "id", Required: true, Type: id}},
		}},
		Unkeyed: []ir.Route{{Method: "PUT", Path: "/orders/one"}},
	})
	got := cases[0].Request.Path
	for _, c := range cases[0].Changed {
		got += " " + c.Request.Path
	}
	if want := "/orders/two /orders/one"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A trial's same and changed requests are what they say, judged by encoding/json's view of the body.
func TestTrials(t *testing.T) {
	t.Parallel()
	doc := &ir.Document{Operations: []*ir.Operation{claims()}}
	doc.Operations[0].Bodies = doc.Operations[0].Bodies[:1]
	trials := Trials(doc, 300, 1)["claims.create"]
	if again := Trials(doc, 300, 1)["claims.create"]; !reflect.DeepEqual(trials, again) {
		t.Error("the same seed gives other trials")
	}
	for _, tr := range trials {
		if tr.Request.Body != "" && !json.Valid([]byte(tr.Request.Body)) {
			t.Fatalf("not JSON: %s", tr.Request.Body)
		}
		if tr.Same.Body != "" && !json.Valid([]byte(tr.Same.Body)) {
			t.Fatalf("not JSON: %s", tr.Same.Body)
		}
		if tr.Changed == nil || reflect.DeepEqual(*tr.Changed, tr.Request) {
			t.Fatalf("nothing changed: %+v", tr)
		}
	}
}
