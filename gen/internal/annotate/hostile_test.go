package annotate_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/idemgen/idemgen/gen/internal/annotate"
	"github.com/idemgen/idemgen/gen/internal/document"
)

// Each of these hangs or exhausts an annotator that does not watch for it, or tries to leave the text that it is put into.
// The problem is the first that is reported; empty: every operation gets a key.
func TestHostileDocuments(t *testing.T) {
	t.Parallel()
	const head = "openapi: 3.1.0\ninfo: {title: Desk, version: '1'}\n"
	const fine = "    post:\n      responses: {'200': {description: fine}}\n"
	var bomb, collisions, long strings.Builder
	bomb.WriteString("x0: &x0 {description: fine}\n")
	for i := range 9 {
		fmt.Fprintf(&bomb, "x%d: &x%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*x%d, ", i), 9))
	}
	for i := range 1000 {
		fmt.Fprintf(&collisions, "  /things%s%s:\n%s", strings.Repeat("/_", i/100+1), strings.Repeat("/-", i%100+1), fine)
		fmt.Fprintf(&long, "  /%s%d:\n%s", strings.Repeat("a", 3000), i, fine)
	}
	self := "components:\n  schemas: {S: {allOf: [" + strings.Repeat("{$ref: '#/components/schemas/S'}, ", 9) + "]}}\n"
	for _, c := range []struct{ name, text, problem string }{
		{"alias bomb", head + bomb.String() + "paths: {/a: {post: {responses: *x9}}}\n", "d.yaml:1:1: the aliases of the file expand to too many values"},
		{"deep", head + "paths:\n  /a:\n    post: " + strings.Repeat("[", 100_000), "not YAML: exceeded max depth"},
		{"large", head + "x: " + strings.Repeat("a", 100<<20), "d.yaml:1:1: d.yaml is too large"},
		{"references in a circle", head + "paths:\n  /a: {$ref: '#/paths/~1b'}\n  /b: {$ref: '#/paths/~1a'}\n", `d.yaml:4:14: $ref "#/paths/~1b" leads back to itself`},
		{"a response in a circle", head + "paths: {/a: {post: {responses: {'400': {$ref: '#/components/responses/R'}}}}}\ncomponents: {responses: {R: {$ref: '#/components/responses/R'}}}\n", ""},
		{"allOf that contains itself", head + "paths: {/a: {post: {responses: {'400': {content: {a/b: {schema: {$ref: '#/components/schemas/S'}}}}}}}}\n" + self, ""},
		{"one key for all", head + "paths:\n" + collisions.String(), ""},
		{"long paths", head + "paths:\n" + long.String(), ""},
		{"texts that are something else", head + "paths:\n  \"/a*/`\\\"//go:generate:#':\":\n" + fine, ""},
	} {
		t.Run(c.name, func(t *testing.T) { // one after the other: each is timed
			fsys := fstest.MapFS{"d.yaml": {Data: []byte(c.text)}}
			cfg := config("d.yaml")
			start := time.Now()
			out, err := annotate.Run(fsys, cfg)
			if spent := time.Since(start); spent > time.Minute {
				t.Errorf("took %v", spent)
			}
			if err != nil {
				t.Fatal(err)
			}
			first := ""
			if len(out.Refused) > 0 {
				p := out.Refused[0]
				first = fmt.Sprintf("%s:%d:%d: %s", p.Pos.File, p.Pos.Line, p.Pos.Col, p.What)
			}
			if !strings.Contains(first, c.problem) || (c.problem == "") != (first == "") {
				t.Fatalf("problem %.300q, want %q", first, c.problem)
			}
			if c.problem != "" {
				return
			}
			keys := map[string]bool{}
			fsys["d.yaml"] = &fstest.MapFile{Data: out.Files[0].New}
			for _, p := range document.Open(fsys, "d.yaml").PathItems() {
				key := p.Operations[0].Node.Get("x-idempotency-endpoint").Spelt()
				if !grammar.MatchString(key) || len(key) > 120 || keys[key] {
					t.Errorf("key %q", key)
				}
				keys[key] = true
			}
			if again, err := annotate.Run(fsys, cfg); err != nil || len(again.Files)+len(again.Refused) > 0 {
				t.Errorf("again: %v, %+v", err, again.Refused)
			}
		})
	}
}
