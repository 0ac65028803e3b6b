package annotate_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/annotate"
)

// Whatever a document holds, annotating it ends without a fault of ours, and doing it again changes nothing.
func FuzzRun(f *testing.F) {
	f.Add("d.yaml", describe([]string{"POST /orders", "PUT /orders/{id} put order", "PATCH /orders/{id}", "DELETE /v1/orders =orders.delete"}), "POST:/orders=why")
	f.Add("d.json", `{"openapi":"3.2.0","paths":{"/a":{"parameters":[{"$ref":"#/x"}],"post":{"responses":{}},"additionalOperations":{"COPY":{}}}},"x":{"in":"header","name":"X-Idempotency"}}`, "")
	f.Add("d.yaml", "openapi: 3.1.0\npaths:\n  /a: &a\n    post: {parameters: &p [], responses: *r}\n  /b:\n    <<: *a\n    put:\n      parameters: *p\n", "PUT:/b=x")
	f.Add("d.yaml", "openapi: 3.0.0\npaths: {/a: {post: {}}, /b: {put: {responses: }}, /c: {patch: {parameters: null}}}\ncomponents: {responses: [], schemas: {IdempotencyProblem: 1}}", "")
	scripts, _ := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "bad", "*"))
	for _, name := range scripts {
		if data, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, ".want") {
			f.Add("d"+filepath.Ext(name), string(data), "")
		}
	}
	f.Fuzz(func(t *testing.T, name, text, exempt string) {
		if name != "d.json" {
			name = "d.yaml"
		}
		fsys := fstest.MapFS{name: {Data: []byte(text)}}
		cfg := config(name)
		if exempt != "" {
			cfg.Exempt = []string{exempt}
		}
		out, err := annotate.Run(fsys, cfg)
		var wrong annotate.UsageError
		if err != nil && !errors.As(err, &wrong) {
			t.Fatal(err)
		}
		for _, file := range out.Files {
			fsys[file.Name] = &fstest.MapFile{Data: file.New}
		}
		if len(out.Files) > 0 {
			if out, err = annotate.Run(fsys, cfg); err != nil || len(out.Files) > 0 {
				t.Fatalf("again: %v %+v\n%s", err, out.Files, fsys[name].Data)
			}
		}
	})
}
