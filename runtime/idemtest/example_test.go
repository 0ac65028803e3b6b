package idemtest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/idemtest"
	"github.com/idemgen/idemgen/runtime/memstore"
)

// refundsCreate is an operation of a service that is written by hand.
var refundsCreate = idem.Operation{
	Endpoint: "refunds.create", Method: "POST", Path: "/refunds",
	Bodies: []idem.Body{{MediaType: "application/json", Form: idem.Document}},
}

var refunds = idemtest.Suite{
	NewServer:  func(_ testing.TB, env *idemtest.Env) http.Handler { return newRefunds(env.Store, env.Observer) },
	As:         func(r *http.Request, tenant, actor string) { r.SetBasicAuth(tenant, actor) },
	Operations: idem.Operations{Keyed: []*idem.Operation{&refundsCreate}},
}

// newRefunds is the service: each refund has another number.
func newRefunds(store idem.Store, observer idem.Observer) http.Handler {
	svc := idem.New(store, func(r *http.Request) (idem.Scope, error) {
		tenant, actor, _ := r.BasicAuth()
		return idem.Scope{Tenant: tenant, Actor: actor}, nil
	})
	svc.Observer = observer
	var n atomic.Int64
	mux := http.NewServeMux()
	mux.Handle("POST /refunds", idem.WrapOne(svc, &refundsCreate, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"number":%d}`, n.Add(1))
	})))
	return mux
}

// proveRefunds is what a test of the service does.
func proveRefunds(t *testing.T) {
	cases := []idemtest.Case{{
		Endpoint: "refunds.create",
		Request:  idemtest.Request{Method: "POST", Path: "/refunds", ContentType: "application/json", Body: `{"order":"o-1","cents":1250}`},
		Changed:  []idemtest.Change{{Name: "body.cents", At: "/cents", Value: "1251"}},
	}}
	for _, rule := range []func(*testing.T, []idemtest.Case){refunds.Replay, refunds.Conflict, refunds.Race, refunds.Crash} {
		rule(t, cases)
	}
	refunds.Routes(t, cases)
}

// A service that is written by hand is proven like a generated one: proveRefunds is the body of its test.
func Example() {
	store := memstore.New(memstore.Options{Capacity: 1000, Retention: time.Hour})
	service := newRefunds(store, nil)
	for range 2 {
		r := httptest.NewRequest("POST", "/refunds", strings.NewReader(`{"order":"o-1","cents":1250}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "k-1")
		refunds.As(r, "acme", "alice")
		w := httptest.NewRecorder()
		service.ServeHTTP(w, r)
		fmt.Println(w.Code, w.Body, w.Header().Get("Idempotent-Replayed") == "true")
	}
	// Output:
	// 201 {"number":1} false
	// 201 {"number":1} true
}
