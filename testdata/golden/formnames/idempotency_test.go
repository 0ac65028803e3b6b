package formnames_test

import (
	"net/http"
	"testing"
	"time"

	"example.com/golden/formnames"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/idemtest"
	"github.com/idemgen/idemgen/runtime/memstore"
)

// This file is yours: idemgen wrote it once and does not touch it again.

// TestIdempotency proves for every keyed operation of the document that the same request under the
// same key is replayed, that another one is refused, and that a key is required.
func TestIdempotency(t *testing.T) {
	idemtest.Run(t, newHandler, idempotencyCases)
}

// newHandler builds what is tested. The stub proves the generated code alone: put your own service in
// its place, with its router, its store and its authentication of a test user.
func newHandler(t testing.TB) http.Handler {
	store := memstore.New(memstore.Options{Capacity: 10_000, Retention: time.Hour})
	svc := idem.New(store, func(*http.Request) (idem.Scope, error) {
		return idem.Scope{Tenant: "test-tenant", Actor: "test-actor"}, nil
	})
	return formnames.Middleware(svc, idemtest.Stub())
}
