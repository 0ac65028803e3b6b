package openapi

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/idemgen/idemgen/gen/internal/ir"
)

// marked is a document with one operation whose body is schema, and with more at its end.
func marked(schema, more string) string {
	return "openapi: 3.1.0\ninfo: {title: Desk, version: '1'}\npaths:\n  /a:\n    post:\n      x-idempotency-endpoint: a.create\n" +
		"      requestBody: {content: {application/json: {schema: " + schema + "}}}\n" + more
}

// components are n schemas, each written by each.
func components(n int, each func(i int) string) string {
	var b strings.Builder
	b.WriteString("components:\n  schemas:\n")
	for i := range n {
		fmt.Fprintf(&b, "    S%d: %s\n", i, each(i))
	}
	return b.String()
}

// plainly is how long it takes to read a document of thousands of schemas that is not hostile, on this machine now.
func plainly() time.Duration {
	text := marked("{$ref: '#/components/schemas/S0'}", components(10_000, func(int) string { return "{type: object, properties: {a: {type: string}}}" }))
	start := time.Now()
	Load(fstest.MapFS{"d.yaml": {Data: []byte(text)}}, "d.yaml")
	return time.Since(start)
}

// Each of these hangs, exhausts or crashes a reader that does not watch for it. The problem is the
// first that is reported; empty: the document is fine, and has to be read in time.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder
	bomb.WriteString("x0: &x0 {type: object, properties: {a: {type: string}}}\n")
	for i := range 9 {
		fmt.Fprintf(&bomb, "x%d: &x%d {type: object, properties: {", i+1, i+1)
		for j := range 9 {
			fmt.Fprintf(&bomb, "p%d: *x%d, ", j, i)
		}
		bomb.WriteString("}}\n")
	}
	many := func(n int, each string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, each, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, text, problem string }{
		{"alias bomb", bomb.String() + marked("*x9", ""), "d.yaml:1:1: the aliases of the file expand to too many values"},
		{"merge bomb", strings.ReplaceAll(bomb.String(), "properties: {a", "<<: {a") + marked("*x9", ""), "d.yaml:1:1: the aliases of the file expand to too many values"},
		{"alias of itself", marked("&a {properties: {a: *a}}", ""), "d.yaml:7:78: the alias *a stands inside its own anchor"},
		{"merge of itself", marked("&a {<<: *a}", ""), "d.yaml:7:66: the alias *a stands inside its own anchor"},
		{"deep flow", marked(strings.Repeat("[", 100_000), ""), "not YAML: exceeded max depth"},
		{"deep block", "openapi: 3.0.3\nx:\n  " + strings.Repeat("- ", 100_000), "not YAML: exceeded max depth"},
		{"deeper than we read", marked(strings.Repeat("{items: ", 250)+"{}"+strings.Repeat("}", 250), ""), "values are nested more than 200 deep"},
		{"wide mapping", marked("{type: object, properties: {"+many(20_001, "p%d: {type: string}, ")+"}}", ""), "a mapping has 20001 members"},
		{"brackets", "openapi: 3.0.3\nx: [" + strings.Repeat("[],", 5<<20) + "]", "the file has more than 2097152 values"},
		{"large", "openapi: 3.0.3\nx: " + strings.Repeat("a", 33<<20), "d.yaml is too large"},
		{"chain of references", marked("{$ref: '#/components/schemas/S0'}", components(100, func(i int) string {
			return fmt.Sprintf("{$ref: '#/components/schemas/S%d'}", (i+1)%100)
		})), "starts a chain of more than 64 references"},
		{"chain of properties", marked("{$ref: '#/components/schemas/S0'}", components(3000, func(i int) string {
			return fmt.Sprintf("{properties: {a: {$ref: '#/components/schemas/S%d'}}}", (i+1)%3000)
		})), "schemas refer to one another more than 1000 deep"},
		{"branches of branches", marked("{$ref: '#/components/schemas/S0'}", components(60, func(i int) string {
			next := fmt.Sprintf("{$ref: '#/components/schemas/S%d'}", min(i+1, 59))
			return fmt.Sprintf("{type: object, properties: {p%d: {type: string}}, oneOf: [{properties: {a%d: {type: string}}, allOf: [%s]}, {properties: {b%d: {type: string}}, allOf: [%s]}]}", i, i, next, i, next)
		})), "combine to more than 3000 types"},
		{"many of all", marked("{$ref: '#/components/schemas/S0'}", components(26, func(i int) string {
			next := fmt.Sprintf("{$ref: '#/components/schemas/S%d'}", i+1)
			if i == 25 {
				return "{type: object, default: {}}"
			}
			return "{allOf: [" + next + ", " + next + "]}"
		})), ""},
		{"many parameters", strings.Replace(marked("{}", ""), "requestBody", "parameters: ["+many(60_000, "{name: p%d, in: query}, ")+"]\n      requestBody", 1), ""},
		{"groups side by side", marked("{allOf: ["+strings.Repeat("{oneOf: [{properties: {a: {type: string}}}, {properties: {b: {type: string}}}, {properties: {c: {type: string}}}]}, ", 14)+"{}]}", ""), "combine to more than 3000 types"},
	} {
		t.Run(c.name, func(t *testing.T) { // one after the other: each is timed
			plain, start := plainly(), time.Now()
			doc, problems := Load(fstest.MapFS{"d.yaml": {Data: []byte(c.text)}}, "d.yaml")
			if spent := time.Since(start); spent > 200*plain {
				t.Errorf("took %v, and 10,000 plain schemas %v", spent, plain)
			}
			first := ""
			if len(problems) > 0 {
				first = show(problems[0])
			}
			if !strings.Contains(first, c.problem) || c.problem == "" && doc == nil {
				t.Errorf("problem %.300q, want %q", first, c.problem)
			}
		})
	}
}

// Types that each require the one before them are settled in one round, whichever way they are looked at.
func TestEndlessTypesAreFoundInTime(t *testing.T) {
	t.Parallel()
	spent := func(n int, backwards bool) time.Duration {
		types := []*ir.Type{{Kind: ir.String}}
		for i := range n {
			types = append(types, &ir.Type{Kind: ir.Object, Fields: []*ir.Field{{Required: true, Type: types[i]}}})
		}
		if backwards {
			slices.Reverse(types)
		}
		least := time.Hour
		for range 3 {
			start := time.Now()
			if ends := ending(types); len(ends) != len(types)+1 {
				t.Errorf("%d of %d types end", len(ends)-1, len(types))
			}
			least = min(least, time.Since(start))
		}
		return least
	}
	for _, backwards := range []bool{false, true} {
		if few, many := spent(5_000, backwards), spent(40_000, backwards); many > 32*few {
			t.Errorf("5,000 took %v, and 40,000 %v", few, many)
		}
	}
}

// A JSON file is watched over by the same limits, and not taken for YAML when it passes one.
func TestHostileJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, problem string }{
		"deep":        {strings.Repeat("[", 100_000), "d.json:1:201: values are nested more than 200 deep"},
		"deep object": {strings.Repeat(`{"a":`, 100_000), "d.json:1:1001: values are nested more than 200 deep"},
		"numbers":     {`{"openapi": "3.0.3", "x": [` + strings.Repeat("1,", 5<<20) + `1]}`, "the file has more than 2097152 values"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, problems := Load(fstest.MapFS{"d.json": {Data: []byte(c.text)}}, "d.json")
			if len(problems) != 1 || !strings.Contains(show(problems[0]), c.problem) {
				t.Errorf("problems %v, want %q", problems, c.problem)
			}
		})
	}
}

// What is not a regular file is not opened: a pipe would be waited for.
func TestOnlyRegularFiles(t *testing.T) {
	t.Parallel()
	fsys := fstest.MapFS{
		"d.yaml":    {Data: []byte(marked("{$ref: 'pipe.yaml'}", ""))},
		"pipe.yaml": {Mode: fs.ModeNamedPipe},
	}
	_, problems := Load(fsys, "d.yaml")
	want := `d.yaml:7:65: $ref "pipe.yaml": pipe.yaml is not a regular file: correct it, or add the file`
	if len(problems) != 1 || show(problems[0]) != want {
		t.Errorf("problems %v, want %s", problems, want)
	}
	for _, name := range []string{"missing.yaml", "../d.yaml", ""} {
		if doc, problems := Load(fsys, name); doc != nil || len(problems) != 1 {
			t.Errorf("%q: %v", name, problems)
		}
	}
}
