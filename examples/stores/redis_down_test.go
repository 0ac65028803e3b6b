package stores_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// redisTransfer is an operation as a generated package has it.
var redisTransfer = idem.Operation{
	Endpoint: "transfers.create",
	Method:   "POST",
	Path:     "/transfers",
	Bodies:   []idem.Body{{MediaType: "application/json", Form: idem.Document}},
	Policy:   idem.Policy{Lease: 2 * time.Second},
}

type redisPayload struct {
	Query idem.Query `json:"query,omitzero"`
	Body  redisBody  `json:"body"`
}

type redisBody struct {
	Amount int64 `json:"amount"`
}

// redisService serves the operation with do on a store, and counts its runs.
func redisService(s idem.Store, runs *atomic.Int64, do func()) http.Handler {
	svc := idem.New(s, func(*http.Request) (idem.Scope, error) { return idem.Scope{Tenant: "acme", Actor: "u-17"}, nil })
	svc.StoreTimeout = 500 * time.Millisecond
	svc.Observer = func(context.Context, idem.Event) {} // what fails here is meant to
	return idem.Handle(svc, &redisTransfer, func(context.Context, redisPayload) (*idem.Response, error) {
		runs.Add(1)
		do()
		return idem.JSON(201, map[string]int64{"number": runs.Load()})
	})
}

// redisPost sends the same request each time, and wants a status and a text in the answer's body.
func redisPost(t *testing.T, h http.Handler, status int, text string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), "POST", "/transfers", strings.NewReader(`{"amount":7}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", "k")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != status || !strings.Contains(w.Body.String(), text) {
		t.Fatalf("the answer is %d %s, not %d with %q", w.Code, w.Body, status, text)
	}
	return w
}

// Without a store nobody can say whether the work was done, and so it is not done.
func TestRedisDownAtBegin(t *testing.T) {
	t.Parallel()
	s, server := redisAlone(t, "appendonly", "yes")
	var runs atomic.Int64
	h := redisService(s, &runs, func() {})
	if err := server.Kill(); err != nil {
		t.Fatal(err)
	}
	if after := redisPost(t, h, 503, "idempotency_unavailable").Header().Get("Retry-After"); after == "" {
		t.Error("the answer has no Retry-After")
	}
	if runs.Load() != 0 {
		t.Error("the handler ran")
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	redisPost(t, h, 201, `"number":1`)
	redisPost(t, h, 201, `"number":1`)
}

// The effect is real, so the client gets its answer. Later the outcome is unknown, and nobody runs it again.
func TestRedisDownAtFinalize(t *testing.T) {
	t.Parallel()
	s, server := redisAlone(t, "appendonly", "yes")
	var runs atomic.Int64
	h := redisService(s, &runs, func() {
		if err := server.Kill(); err != nil {
			t.Error(err)
		}
	})
	redisPost(t, h, 201, `"number":1`)
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	k := idem.Key{Scope: idem.Scope{Tenant: "acme", Actor: "u-17"}, Endpoint: redisTransfer.Endpoint, Value: "k"}
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(20 * time.Millisecond) {
		o, err := s.Lookup(t.Context(), k)
		if err != nil {
			t.Fatal(err)
		}
		if o.State == idem.Unknown {
			break
		}
		if o.State != idem.InProgress || time.Now().After(deadline) {
			t.Fatalf("the record is %+v", o)
		}
	}
	redisPost(t, h, 409, "idempotency_outcome_unknown")
	if runs.Load() != 1 {
		t.Errorf("the handler ran %d times", runs.Load())
	}
	// Whoever finds out what became of the work settles it.
	open, _, err := s.Unresolved(t.Context(), "", 10)
	if err != nil || len(open) != 1 || open[0].Key != k {
		t.Fatalf("unresolved are %+v, %v", open, err)
	}
	err = s.Resolve(t.Context(), k, open[0].Fence, &idem.Response{Status: 201, Body: []byte(`{"number":1}`)}, 0)
	if err != nil {
		t.Fatal(err)
	}
	redisPost(t, h, 201, `"number":1`)
}
