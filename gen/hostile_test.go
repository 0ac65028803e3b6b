package gen

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// chain is a document whose operations take S0, and n schemas, each written by each.
func chain(operations, n int, each func(i int) string) string {
	var b strings.Builder
	b.WriteString("openapi: 3.1.0\ninfo: {title: Orders, version: '1'}\npaths:\n")
	for i := range operations {
		fmt.Fprintf(&b, "  /a%d:\n    post:\n      x-idempotency-endpoint: a.n%d\n      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/S0'}}}}\n", i, i)
	}
	b.WriteString("components:\n  schemas:\n")
	for i := range n {
		fmt.Fprintf(&b, "    S%d: %s\n", i, each(i))
	}
	return b.String()
}

// Each of these takes a generator that follows schemas without a budget for ever, so that this test does not end: what
// two members of each schema refer to doubles from level to level.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	const levels = 40
	next := func(i int) string { return fmt.Sprintf("{$ref: '#/components/schemas/S%d'}", i+1) }
	leaf := func(each func(i int) string) func(int) string {
		return func(i int) string {
			if i == levels {
				return "{type: string}"
			}
			return each(i)
		}
	}
	for _, tt := range []struct {
		name, document, problem string
	}{
		{"required members", chain(1, levels+1, leaf(func(i int) string {
			return "{type: object, required: [a, b], properties: {a: " + next(i) + ", b: " + next(i) + "}}"
		})), "openapi.yaml:7:47: the smallest application/json body of a.n0 has more than 2000 values, each of them required: make members optional, so that a request can be sent"},
		{"optional members", chain(20, levels+1, leaf(func(i int) string {
			return "{type: object, properties: {a: " + next(i) + ", b: " + next(i) + "}}"
		})), ""},
		{"required items", chain(1, levels+1, leaf(func(i int) string {
			return "{type: array, minItems: 2, items: " + next(i) + "}"
		})), "openapi.yaml:7:47: the smallest application/json body of a.n0 has more than 2000 values, each of them required: make members optional, so that a request can be sent"},
		{"nullable members", chain(20, levels+1, leaf(func(i int) string {
			return "{type: [object, 'null'], required: [a, b], properties: {a: " + next(i) + ", b: " + next(i) + "}}"
		})), ""},
		{"branches", chain(20, levels+1, leaf(func(i int) string {
			return "{oneOf: [{type: object, required: [a, b], properties: {a: " + next(i) + ", b: " + next(i) + "}}, {type: string}]}"
		})), ""},
		{"unordered arrays", chain(20, levels+1, leaf(func(i int) string {
			return "{type: array, x-idempotency-unordered: true, items: " + next(i) + "}"
		})), ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			out, err := Generate(document(tt.document), Config{Spec: "openapi.yaml", Package: "a", ImportPath: "example.com/a"})
			if _, err := Lint(document(tt.document), LintConfig{Spec: "openapi.yaml"}); err != nil {
				t.Errorf("lint: %v", err)
			}
			if got := fmt.Sprint(err); (err != nil || tt.problem != "") && got != tt.problem {
				t.Errorf("problem %.500s, want %q", got, tt.problem)
			}
			size := 0
			for _, f := range out.Files {
				size += len(f.Data)
			}
			if size > 1<<20 {
				t.Errorf("%d bytes of Go", size)
			}
		})
	}
}

// A query parameter that is spread over such a chain is no way in either.
func TestHostileQuery(t *testing.T) {
	t.Parallel()
	text := chain(0, 40, func(i int) string {
		return fmt.Sprintf("{type: object, properties: {a: {$ref: '#/components/schemas/S%d'}, b: {$ref: '#/components/schemas/S%d'}}}", (i+1)%40, (i+1)%40)
	})
	text = strings.Replace(text, "paths:\n", `paths:
  /a:
    post:
      x-idempotency-endpoint: a.create
      parameters: [{name: q, in: query, style: deepObject, schema: {$ref: '#/components/schemas/S0'}}]
`, 1)
	if _, err := Generate(document(text), Config{Spec: "openapi.yaml", Package: "a"}); err != nil {
		t.Error(err)
	}
}

// Long lists are read once, however often something is asked of their parts: four times the members do not take
// sixteen times as long.
func TestLongLists(t *testing.T) { // not parallel: it compares times
	spent := func(n int) time.Duration {
		var list strings.Builder
		for i := range n {
			fmt.Fprintf(&list, "v%d, ", i)
		}
		long := chain(1, 1, func(int) string { return "{enum: [" + list.String() + "]}" })
		long = strings.Replace(long, "a.n0\n", "a.n0\n      x-idempotency: {scope: ["+list.String()+"]}\n", 1)
		least := time.Hour
		for range 2 {
			start := time.Now()
			if _, err := Generate(document(long), Config{Spec: "openapi.yaml", Package: "a"}); err != nil {
				t.Fatal(err)
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	const few = 20_000
	if a, b := spent(few), spent(4*few); b > 10*a {
		t.Errorf("%d members took %v, and %d took %v", few, a, 4*few, b)
	}
}

// The generated test grows with the body, not with its square.
func TestTestsGrowWithTheBody(t *testing.T) {
	t.Parallel()
	size := func(members int) int {
		schema := "{type: object, properties: {"
		for i := range members {
			schema += fmt.Sprintf("member%02d: {type: string}, ", i)
		}
		out, err := Generate(document(chain(1, 1, func(int) string { return schema + "}}" })), Config{Spec: "openapi.yaml", Package: "a"})
		if err != nil {
			t.Fatal(err)
		}
		return len(out.Files[3].Data)
	}
	if a, b := size(20), size(40); b > 2*a {
		t.Errorf("%d bytes for 20 members, %d for 40", a, b)
	}
}
