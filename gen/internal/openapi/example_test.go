package openapi_test

import (
	"fmt"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/openapi"
)

func ExampleLoad() {
	fsys := fstest.MapFS{"desk.yaml": {Data: []byte(`openapi: 3.1.0
info: {title: Desk, version: "1"}
paths:
  /claims:
    post:
      x-idempotency-endpoint: claims.create
      requestBody:
        content:
          application/json:
            schema: {type: object, required: [amount], properties: {amount: {type: number}}}
    delete:
      x-idempotency-endpoint: Claims Delete
`)}}
	_, problems := openapi.Load(fsys, "desk.yaml")
	for _, p := range problems {
		fmt.Printf("%s:%d:%d: %s\n", p.Pos.File, p.Pos.Line, p.Pos.Col, p.What)
	}
	// Output: desk.yaml:12:31: x-idempotency-endpoint "Claims Delete" is not an endpoint key
}
