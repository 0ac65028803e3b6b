package gen_test

import (
	"fmt"
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
	// idempotency_test.go true
}
