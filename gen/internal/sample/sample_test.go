package sample

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
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
			{MediaType: "image/*", Form: ir.Digest},
		},
	}
}

func TestCase(t *testing.T) {
	t.Parallel()
	cases, problems := Cases(&ir.Document{Operations: []*ir.Operation{claims()}})
	if len(cases) != 1 || len(problems) != 0 {
		t.Fatalf("%d cases, problems %v", len(cases), problems)
	}
	want := strings.Join([]string{
		`POST /submissions/one/claims?mode=only&notify=true&trace=one [X-Source: one] application/json ` +
			`{"amount":12.50,"clientTime":"2026-01-02T03:04:05Z","evidence":[{"seen":1,"url":"https://example.com/one"},{"seen":1,"url":"https://example.com/two"}],"kind":"late"}`,
		`differs {Name:path.id Path:/submissions/two/claims}`,
		`differs {Name:query.notify Query:notify=false}`,
		`differs {Name:header.x-source Header:[X-Source: two]}`,
		`differs {Name:query.mode left out NoQuery:mode}`,
		`differs {Name:query.notify left out NoQuery:notify}`,
		`differs {Name:header.x-source left out NoHeader:X-Source}`,
		`differs {Name:body.amount At:/amount Value:1}`,
		`differs {Name:body.evidence[0].url At:/evidence/0/url Value:"https://example.com/three"}`,
		`differs {Name:body.kind At:/kind Value:"lost"}`,
		`differs {Name:body with another member At:/undeclared Value:"one"}`,
		`differs {Name:body.evidence left out At:/evidence}`,
		`differs {Name:body.evidence[0] left out At:/evidence/0}`,
		`differs {Name:type image/png ContentType:image/png Body:one}`,
		`differs {Name:body left out NoBody:true}`,
		`same {Name:query.trace Query:trace=two}`,
		`same {Name:query.trace left out NoQuery:trace}`,
		`same {Name:body.clientTime At:/clientTime Value:"2026-01-03T03:04:05Z"}`,
		`same {Name:body.clientTime left out At:/clientTime}`,
		`same {Name:body.evidence[0].seen At:/evidence/0/seen Value:2}`,
		`same {Name:body.evidence[0].seen left out At:/evidence/0/seen}`,
		`same {Name:body.evidence in another order At:/evidence Reversed:true}`,
	}, "\n")
	if got := dump(cases[0]); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func dump(c Case) string {
	r := c.Request
	lines := []string{fmt.Sprintf("%s %s?%s %v %s %s", r.Method, r.Path, r.Query, r.Header, r.ContentType, r.Body)}
	for _, ch := range c.Changed {
		lines = append(lines, "differs "+set(ch))
	}
	for _, ch := range c.Same {
		lines = append(lines, "same "+set(ch))
	}
	return strings.Join(lines, "\n")
}

// set shows the fields of a change that are set.
func set(c Change) string {
	v := reflect.ValueOf(c)
	var fields []string
	for i := range v.NumField() {
		if !v.Field(i).IsZero() {
			fields = append(fields, fmt.Sprintf("%s:%v", v.Type().Field(i).Name, v.Field(i)))
		}
	}
	return "{" + strings.Join(fields, " ") + "}"
}

func bodyOf(t *ir.Type) string {
	op := &ir.Operation{Bodies: []*ir.Body{{MediaType: "application/json", Type: t}}}
	m := newMaker(&ir.Document{Operations: []*ir.Operation{op}})
	return m.body(t, "", m.most).json()
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
		"optional member": {list, `{"next":{"v":"one"},"v":"one"}`},
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
	long := &ir.Type{Kind: ir.Object}
	for i := range 100 {
		long.Fields = append(long.Fields, &ir.Field{Name: fmt.Sprint("f", i), Type: &ir.Type{Kind: ir.String, MinLength: 4000}})
	}
	if got := len(bodyOf(long)); got > 20_000 {
		t.Errorf("long texts: %d bytes", got)
	}
}

// doubling is n objects, each of which requires two of the next.
func doubling(n int) *ir.Type {
	typ := text()
	for range n {
		typ = &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "a", Required: true, Type: typ}, {Name: "b", Required: true, Type: typ}}}
	}
	return typ
}

func taking(types ...*ir.Type) *ir.Document {
	doc := &ir.Document{}
	for i, t := range types {
		doc.Operations = append(doc.Operations, &ir.Operation{
			Endpoint: fmt.Sprint("a.", i), EndpointPos: ir.Pos{File: "a.yaml", Line: i},
			Bodies: []*ir.Body{{Pos: ir.Pos{File: "a.yaml", Line: i, Col: 2}, MediaType: "application/json", Type: t}},
		})
	}
	return doc
}

// A body that is as large as it must be has few changes; one that nobody can send is a problem, and so
// is a document full of them.
func TestRequiredMembersAreBounded(t *testing.T) {
	t.Parallel()
	cases, problems := Cases(taking(doubling(9)))
	if len(cases) != 1 || len(problems) != 0 || len(cases[0].Request.Body) < 1<<9 || len(cases[0].Changed) > 2*mostChanges {
		t.Errorf("%d cases, problems %v", len(cases), problems)
	}
	_, problems = Cases(taking(text(), doubling(1000)))
	want := []ir.Problem{{Pos: ir.Pos{File: "a.yaml", Line: 1, Col: 2},
		What:   "the smallest application/json body of a.1 has more than 2000 values, each of them required",
		Remedy: "make members optional, so that a request can be sent"}}
	if !reflect.DeepEqual(problems, want) {
		t.Errorf("problems %v", problems)
	}
	_, problems = Cases(taking(slices.Repeat([]*ir.Type{doubling(9)}, 120)...))
	want = []ir.Problem{{Pos: ir.Pos{File: "a.yaml", Line: 97},
		What:   "the smallest bodies of the operations up to a.97 have more than 100000 values together",
		Remedy: "make members optional, or split the document"}}
	if !reflect.DeepEqual(problems, want) {
		t.Errorf("problems %v", problems)
	}
}

// A union whose first branch doubles is not followed beyond the room that there is.
func TestBranchesAreBounded(t *testing.T) {
	t.Parallel()
	typ := text()
	for range 40 {
		two := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "a", Required: true, Type: typ}, {Name: "b", Required: true, Type: typ}}}
		typ = &ir.Type{Kind: ir.Any, Branches: []*ir.Type{two, text()}}
	}
	if got := len(bodyOf(typ)); got > 1000 {
		t.Errorf("%d bytes", got)
	}
}

// Moving a property changes nothing, and adding one leaves the changes of all others as they are.
func TestPropertiesAreIndependent(t *testing.T) {
	t.Parallel()
	before := dump(caseOf(claims()))
	moved := claims()
	slices.Reverse(moved.QueryParams)
	slices.Reverse(moved.Bodies[0].Type.Fields)
	slices.Reverse(moved.Bodies[0].Type.Fields[0].Type.Items.Fields)
	if got := dump(caseOf(moved)); got != before {
		t.Errorf("moved:\n%s\nwas:\n%s", got, before)
	}
	more := claims()
	evidence := more.Bodies[0].Type.Fields[3].Type.Items
	evidence.Fields = append(evidence.Fields, &ir.Field{Name: "a", Type: &ir.Type{Kind: ir.Bool}})
	more.Bodies[0].Type.Fields = append(more.Bodies[0].Type.Fields, &ir.Field{Name: "b", Type: evidence})
	more.QueryParams = append(more.QueryParams, &ir.Parameter{Name: "a", Type: text()})
	got := strings.Split(dump(caseOf(more)), "\n")
	for line := range strings.SplitSeq(before, "\n") {
		whole := strings.HasPrefix(line, "POST")
		if !whole && !slices.Contains(got, line) {
			t.Errorf("%s is gone from\n%s", line, strings.Join(got, "\n"))
		}
	}
}

func caseOf(op *ir.Operation) Case {
	cases, _ := Cases(&ir.Document{Operations: []*ir.Operation{op}})
	return cases[0]
}

// An optional member that has only one value can still be left out, and names are escaped in pointers.
func TestPointers(t *testing.T) {
	t.Parallel()
	only := &ir.Type{Kind: ir.String, Enum: []string{`"x"`}}
	cases, _ := Cases(taking(&ir.Type{Kind: ir.Object, Fields: []*ir.Field{
		{Name: "a/b", Type: only}, {Name: "c~d", Type: &ir.Type{Kind: ir.Bool}}, {Name: "e", Required: true, Type: only},
	}}, text(), &ir.Type{Kind: ir.Array, Unordered: true, Items: text()}))
	var got []string
	for _, c := range cases {
		got = append(got, dump(c))
	}
	want := strings.Join([]string{
		` ? [] application/json {"a/b":"x","c~d":true,"e":"x"}`,
		`differs {Name:body.a/b left out At:/a~1b}`,
		`differs {Name:body.c~d At:/c~0d Value:false}`,
		`differs {Name:body with another member At:/undeclared Value:"one"}`,
		`differs {Name:body.c~d left out At:/c~0d}`,
		`differs {Name:body left out NoBody:true}`,
		` ? [] application/json "one"`,
		`differs {Name:body Body:"two"}`,
		`differs {Name:body left out NoBody:true}`,
		` ? [] application/json ["one","two"]`,
		`differs {Name:body[0] At:/0 Value:"three"}`,
		`differs {Name:body[0] left out At:/0}`,
		`differs {Name:body left out NoBody:true}`,
		`same {Name:body in another order Reversed:true}`,
	}, "\n")
	if got := strings.Join(got, "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
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
	const want = `{"any":{"deep":[1.50]},"list":[{"a":"x"}],"n":7,"s":"own\ufffd"}`
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
		{ir.Type{Kind: ir.String, Pattern: `^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)(?=.*[!@#]).{12,}$`}, `"Sample!Password1" "Sample!Password2"`},
		{ir.Type{Kind: ir.String, Pattern: `^cus_`}, `"cus_" "cus_0" "cus_1"`},
		{ir.Type{Kind: ir.String, Pattern: `_id$`, MinLength: 8}, `"00000_id" "11111_id" "22222_id"`},
		{ir.Type{Kind: ir.String, Pattern: `^c-`, MorePatterns: []string{`[0-9]$`}, MaxLength: 3}, `"c-0" "c-1"`},
		{ir.Type{Kind: ir.String, Pattern: `^(cus|acc)_[0-9a-f]{4,8}$`}, `"cus_0000" "acc_1111" "cus_2222"`},
		{ir.Type{Kind: ir.String, Pattern: `^\d+$`, MinLength: 4}, `"0000" "1111" "2222"`},
		{ir.Type{Kind: ir.String, Pattern: "^[a-f]+$", MinLength: 4, MaxLength: 4}, `"aaaa" "bbbb" "cccc"`},
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
		if got := strings.Join(newSource().literals(&tt.typ, ""), " "); got != tt.want {
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
		got += " " + c.Path
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

// Patterns are JavaScript's: some are written in slashes, and some look ahead.
func TestPatternsOfJavaScript(t *testing.T) {
	t.Parallel()
	for pattern, texts := range map[string]map[string]bool{
		`/^[a-z]+$/i`:                 {"One": true, "one1": false},
		`/^[a-z]+$/`:                  {"one": true, "One": false},
		`^(?!tmp_)[a-z_]+$`:           {"one": true, "tmp_one": false, "One": false},
		`^(?=.*[0-9])(?!x)[a-z0-9]+$`: {"a1": true, "ab": false, "x1": false},
		`^(?!a(b|c\))[)]).*$`:         {"abc": true},
		`[a-z`:                        nil,
		`^(?!unclosed`:                nil,
		`a(?<=b)`:                     nil,
		``:                            {"anything": true},
	} {
		s := newSource()
		p, ok := patternOf(pattern)
		if ok != (texts != nil) {
			t.Errorf("%s: read %t", pattern, ok)
			continue
		}
		for text, want := range texts {
			if s.accepts(p, text) != want {
				t.Errorf("%s: %q is accepted: %t", pattern, text, !want)
			}
		}
		if p == nil || pattern == "" {
			continue
		}
		made := s.made(p, &ir.Type{Kind: ir.String, MinLength: 3}, 3)
		if len(made) == 0 {
			t.Errorf("%s: nothing is made of it", pattern)
		}
		for _, text := range made {
			if !s.accepts(p, text) || len(text) < 3 {
				t.Errorf("%s: %q is made of it", pattern, text)
			}
		}
	}
}

// Whatever a document asks for, texts are made in bounded time, and those that are made of a pattern are accepted by it.
func FuzzTexts(f *testing.F) {
	for _, p := range []string{"", `^[A-Z]{3}-\d{4,8}$`, `^(?=.*[0-9])(?!x)[a-z0-9]+$`, `/^[a-z]+$/i`, `(a|b|cd)*e?`, `^(\w+\.)+$`, `[^a]`, `(((((((a{1,100}){1,100}){1,100})))))`, `\p{L}+`, `\u0041{2}`, `(?>a)++`} {
		f.Add(p, 0, 0, "")
		f.Add(p, 5, 9, "email")
	}
	f.Fuzz(func(t *testing.T, pattern string, least, most int, format string) {
		typ := &ir.Type{Kind: ir.String, Pattern: pattern, MinLength: max(0, least) % (1 << 30), MaxLength: max(0, most) % (1 << 30), Format: format}
		s := newSource()
		all := s.literals(typ, "")
		if len(all) == 0 {
			t.Fatal("there is no text")
		}
		for _, l := range all {
			if !json.Valid([]byte(l)) || len(l) > 12*2*longestText {
				t.Errorf("%.100s, of %d bytes", l, len(l))
			}
		}
		if p := s.pattern(pattern); p != nil && pattern != "" {
			for _, text := range s.made(p, typ, 3) {
				if !newSource().accepts(p, text) {
					t.Errorf("%q is made of %q", text, pattern)
				}
			}
		}
	})
}

// A branch is chosen of which a value is no other's too, and members that a document wants in some way are there.
func TestOneBranchAlone(t *testing.T) {
	t.Parallel()
	kind := func(l string) *ir.Type { return &ir.Type{Kind: ir.String, Enum: []string{l}} }
	wide := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "a", Type: text()}}}
	narrow := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "a", Required: true, Type: text()}, {Name: "k", Required: true, Type: kind(`"n"`)}}}
	other := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "k", Required: true, Type: kind(`"o"`)}}}
	if got := clear([]*ir.Type{wide, narrow, other}, wide); got != wide { // wide has no k, which both others require
		t.Errorf("of three branches, %+v", got)
	}
	if got := clear([]*ir.Type{narrow, wide}, narrow); got != wide {
		t.Errorf("a value of the narrow branch is one of the wide one too, and it was chosen: %+v", got)
	}
	maybe := &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Name: "k", Type: kind(`"n"`)}}}
	if got := telling([]*ir.Type{maybe, other}, maybe); len(got) != 1 {
		t.Errorf("k tells the first of two branches, and %d members do", len(got))
	}
	broad := &ir.Type{Kind: ir.Object}
	for i := range 1000 {
		broad.Fields = append(broad.Fields, &ir.Field{Name: fmt.Sprint(i), Type: kind(fmt.Sprint(i))})
	}
	if got := clear([]*ir.Type{narrow, wide, broad}, narrow); got != narrow {
		t.Errorf("branches of a thousand members were compared: %+v", got)
	}
	if got := telling([]*ir.Type{maybe, other, broad}, maybe); got != nil {
		t.Errorf("branches of a thousand members were compared: %+v", got)
	}
	cases, _ := Cases(taking(&ir.Type{Kind: ir.Object, MinMembers: 2, Wanted: []string{"w"}, Fields: []*ir.Field{
		{Name: "a", Type: text()}, {Name: "b", Type: text()}, {Name: "w", Type: text()},
	}}))
	if got := cases[0].Request.Body; got != `{"a":"one","b":"one","w":"one"}` {
		t.Errorf("the body is %s", got)
	}
}

// A sample has no room for every member of a large body, and each is changed or added nevertheless.
func TestEveryFieldIsChanged(t *testing.T) {
	t.Parallel()
	large := &ir.Type{Kind: ir.Object}
	form := &ir.Body{MediaType: "application/x-www-form-urlencoded", Form: ir.Fields}
	for i := range 150 {
		name := fmt.Sprintf("f%03d", i)
		large.Fields = append(large.Fields, &ir.Field{Name: name, Type: text(), Ignore: i == 140})
		form.Fields = append(form.Fields, &ir.Parameter{Name: name, Type: text(), Ignore: i == 140})
	}
	doc := taking(large, text())
	doc.Operations[1].Bodies = []*ir.Body{form}
	cases, _ := Cases(doc)
	for i, where := range []string{"body.", "form."} {
		found := map[string]int{}
		for j, changes := range [][]Change{cases[i].Changed, cases[i].Same} {
			for _, c := range changes {
				name, how, _ := strings.Cut(strings.TrimPrefix(c.Name, where), " ")
				if strings.HasPrefix(c.Name, where) && how != "left out" {
					found[name] += 1 + 10*j
				}
			}
		}
		for j := range 150 {
			want := 1
			if j == 140 {
				want = 11 // it is no part of the identity
			}
			if name := fmt.Sprintf("f%03d", j); found[name] != want {
				t.Errorf("%s%s: %d, want %d", where, name, found[name], want)
			}
		}
	}
}

// What no text is known for is the user's to fill where it is required, and left out where it can be.
func TestUnfilled(t *testing.T) {
	t.Parallel()
	behind := func() *ir.Type { return &ir.Type{Kind: ir.String, Pattern: "a(?<=b)c"} }
	cases, _ := Cases(taking(&ir.Type{Kind: ir.Object, Fields: []*ir.Field{
		{Name: "x", Required: true, Type: behind()}, {Name: "y", Type: behind()}, {Name: "z", Required: true, Type: &ir.Type{Kind: ir.String, Pattern: "a(?<=b)c", Example: `"given"`}},
	}}))
	if got := cases[0]; !slices.Equal(got.Unfilled, []string{"body.x"}) || got.Request.Body != `{"x":"one","z":"given"}` {
		t.Errorf("unfilled %v of %s", got.Unfilled, got.Request.Body)
	}
}
