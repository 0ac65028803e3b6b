package lint_test

import (
	"fmt"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/document"
	"github.com/idemgen/idemgen/gen/internal/lint"
)

func ExampleRun() {
	lib := document.Open(fstest.MapFS{"openapi.yaml": {Data: []byte(`openapi: 3.1.0
paths:
  /orders:
    put: {}
  /orders/{id}:
    delete: {x-idempotency-exempt: it is a dry run}
`)}}, "openapi.yaml")
	found, err := lint.Run(lint.Input{Spec: "openapi.yaml", Library: lib})
	for _, f := range found {
		fmt.Printf("%d:%d %s at %s\n", f.Pos.Line, f.Pos.Col, f.Lint, f.At)
	}
	fmt.Println(err)
	// Output:
	// 4:5 unkeyed at PUT /orders
	// <nil>
}
