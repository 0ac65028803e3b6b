package ledgeridem_test

import (
	"net/http"
	"path/filepath"
	"testing"

	"github.com/idemgen/idemgen/examples/ledger/service"
	"github.com/idemgen/idemgen/runtime/idemtest"
)

// TestIdempotency proves for every keyed operation of the document that the same request under the
// same key is replayed, that another one is refused, and that a key is required.
func TestIdempotency(t *testing.T) {
	idemtest.Run(t, newHandler, idempotencyCases)
}

// newHandler is the whole ledger over a database of its own, for a caller who is always alice.
func newHandler(t testing.TB) http.Handler {
	db, err := service.Open(filepath.Join(t.TempDir(), "ledger.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if err := service.Prepare(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	ledger := service.New(db, service.Options{})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("Authorization", "Bearer acme.alice")
		ledger.ServeHTTP(w, r)
	})
}
