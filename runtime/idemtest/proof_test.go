package idemtest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/idemgen/idemgen/runtime/idemtest"
)

func TestTheExampleIsProven(t *testing.T) {
	t.Parallel()
	proveRefunds(t)
}

// Only a replay could repeat the stub's first answer.
func ExampleStub() {
	stub := idemtest.Stub()
	for range 2 {
		w := httptest.NewRecorder()
		stub.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/orders", nil))
		fmt.Print(w.Code, " ", w.Body)
	}
	// Output:
	// 201 {"id":"stub-1"}
	// 201 {"id":"stub-2"}
}
