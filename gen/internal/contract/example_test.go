package contract_test

import (
	"fmt"
	"testing/fstest"

	"github.com/idemgen/idemgen/gen/internal/contract"
	"github.com/idemgen/idemgen/gen/internal/document"
)

func ExampleContract_HeaderFaults() {
	lib := document.Open(fstest.MapFS{"openapi.yaml": {Data: []byte(`openapi: 3.1.0
x-idempotency: {max-length: 64}
components:
  parameters:
    Key: {name: idempotency-key, in: header, required: true, schema: {type: string, maxLength: 200}}
`)}}, "openapi.yaml")
	c := contract.New(lib)
	for _, f := range c.HeaderFaults(c.Section("parameters").Get("Key")) {
		fmt.Printf("%s: it %s\n", f.Lint, f.What)
	}
	// Output:
	// header-case: it is not spelt Idempotency-Key
	// header-length: it may be longer than 64
}
