package gen_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen"
)

func ExampleGenerate() {
	fsys := fstest.MapFS{"openapi.yaml": {Data: []byte(`
openapi: 3.0.3
info: {title: Orders, version: "1"}
paths:
  /orders/{id}:
    delete:
      x-idempotency-endpoint: orders.delete
      parameters:
        - {name: id, in: path, required: true, schema: {type: string}}
      responses:
        "204": {description: gone}
`)}}
	out, err := gen.Generate(fsys, gen.Config{Spec: "openapi.yaml", Package: "orderidem", ImportPath: "example.com/app/orderidem"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range out.Files {
		fmt.Println(f.Name, f.Once)
	}
	// Output:
	// endpoints.gen.go false
	// payloads.gen.go false
	// handlers.gen.go false
	// idempotency.gen_test.go false
	// idemgen.lock false
	// idempotency_test.go true
}

func ExampleAnnotate() {
	fsys := fstest.MapFS{"openapi.yaml": {Data: []byte(`openapi: 3.0.3
info: {title: Orders, version: "1"}
paths:
  /orders/{id}/cancel:
    post: # for good
      responses:
        "204": {description: cancelled}
  /orders/{id}/preview:
    post:
      responses:
        "200": {description: shown}
`)}}
	out, err := gen.Annotate(fsys, gen.AnnotateConfig{Spec: "openapi.yaml", Exempt: []string{"POST:/orders/{id}/preview=it changes nothing"}})
	if err != nil || len(out.Refused) > 0 {
		fmt.Println(err, out.Refused)
		return
	}
	for _, f := range out.Files {
		paths, _, _ := strings.Cut(string(f.New), "components:")
		fmt.Print(paths)
	}
	fmt.Println("#", out.Keyed, out.Exempted)
	// Output:
	// openapi: 3.0.3
	// info: {title: Orders, version: "1"}
	// paths:
	//   /orders/{id}/cancel:
	//     post: # for good
	//       x-idempotency-endpoint: orders.cancel
	//       parameters:
	//         - $ref: "#/components/parameters/IdempotencyKey"
	//       responses:
	//         "204": {description: cancelled}
	//         "400": {$ref: "#/components/responses/IdempotencyKeyInvalid"}
	//         "409": {$ref: "#/components/responses/IdempotencyConflict"}
	//   /orders/{id}/preview:
	//     post:
	//       x-idempotency-exempt: it changes nothing
	//       responses:
	//         "200": {description: shown}
	// # 1 1
}

func ExampleLint() {
	fsys := fstest.MapFS{"openapi.yaml": {Data: []byte(`openapi: 3.0.3
info: {title: Orders, version: "1"}
paths:
  /orders/{id}/cancel:
    post:
      x-idempotency-endpoint: orders.cancel
      responses:
        "204": {description: cancelled}
        "400": {description: refused}
        "409": {description: refused}
  /orders/{id}/preview:
    post:
      x-idempotency-exempt: it changes nothing
`)}}
	report, err := gen.Lint(fsys, gen.LintConfig{Spec: "openapi.yaml", Disable: []string{"response-code"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range report.Findings {
		fmt.Printf("%s, %s, note: %t\n  %s\n", f.Rule, f.At, f.Note, f.What)
	}
	// Output:
	// header-missing, POST /orders/{id}/cancel, note: false
	//   POST /orders/{id}/cancel does not declare the header Idempotency-Key
	// replay-header, POST /orders/{id}/cancel, note: true
	//   1 of 1 keyed operations do not document the response header Idempotent-Replayed, this is the first
}
