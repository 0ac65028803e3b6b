package idem_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
)

// The operation that most tests serve, and its payload as generated code declares it.
type (
	transferPayload struct {
		Path  transferPath `json:"path"`
		Query idem.Query   `json:"query,omitzero"`
		Body  transfer     `json:"body"`
	}
	transferPath struct {
		Account string `json:"account"`
	}
	transfer struct {
		Amount canon.Number           `json:"amount"`
		Note   canon.Optional[string] `json:"note,omitzero"`
		Extra  canon.Extra            `json:"-"`
	}
)

func transferOperation(change ...func(*idem.Operation)) *idem.Operation {
	op := &idem.Operation{
		Endpoint: "transfers.create",
		Method:   "POST",
		Path:     "/v1/transfers/{account}",
		Bodies:   []idem.Body{{MediaType: "application/json", Form: idem.Document}},
		Stored:   []string{"X-Transfer-Number"},
		Policy:   idem.Policy{Lease: time.Second},
	}
	for _, c := range change {
		c(op)
	}
	return op
}

// A bench is a service under test: its store, its handler's behaviour and what was heard of it.
type bench struct {
	t      *testing.T
	store  *fakeTxStore
	svc    *idem.Service
	events *events
	runs   atomic.Int64
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, store: newFakeTxStore(t), events: &events{}}
	b.svc = idem.New(b.store, alice)
	b.svc.Observer = b.events.observe
	b.svc.StoreTimeout = 2 * time.Second
	return b
}

// serve starts a real server round h.
func (b *bench) serve(h http.Handler) *httptest.Server {
	b.t.Helper()
	mux := http.NewServeMux()
	mux.Handle("POST /v1/transfers/{account}", h)
	srv := httptest.NewUnstartedServer(mux)
	srv.Config.ErrorLog = quietLog()
	srv.Start()
	b.t.Cleanup(srv.Close)
	return srv
}

// lease serves the operation in lease mode by fn, counting its runs.
func (b *bench) lease(fn func(ctx context.Context, p transferPayload) (*idem.Response, error), change ...func(*idem.Operation)) *httptest.Server {
	return b.serve(idem.Handle(b.svc, transferOperation(change...), func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		b.runs.Add(1)
		return fn(ctx, p)
	}))
}

// joined serves the operation in joined mode by fn, counting its runs.
func (b *bench) joined(fn func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error), change ...func(*idem.Operation)) *httptest.Server {
	return b.serve(idem.HandleTx(b.svc, transferOperation(change...), b.store, func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error) {
		b.runs.Add(1)
		tx.effects = append(tx.effects, string(p.Body.Amount))
		return fn(ctx, tx, p)
	}))
}

// guarded serves the operation by an ordinary handler under WrapOne, counting its runs.
func (b *bench) guarded(h http.HandlerFunc, change ...func(*idem.Operation)) *httptest.Server {
	return b.serve(idem.WrapOne(b.svc, transferOperation(change...), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.runs.Add(1)
		h(w, r)
	})))
}

// An answer is a response as a client sees it.
type answer struct {
	status   int
	code     string // of a problem
	replayed bool
	header   http.Header
	body     string
	err      error
}

func send(ctx context.Context, srv *httptest.Server, key, body string) answer {
	req, err := http.NewRequestWithContext(ctx, "POST", srv.URL+"/v1/transfers/42", strings.NewReader(body))
	if err != nil {
		return answer{err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", key)
	resp, err := srv.Client().Do(req)
	if err != nil {
		return answer{err: err}
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	a := answer{status: resp.StatusCode, header: resp.Header, body: string(text), err: err,
		replayed: resp.Header.Get("Idempotent-Replayed") == "true"}
	var problem struct{ Code string }
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/problem+json") && json.Unmarshal(text, &problem) == nil {
		a.code = problem.Code
	}
	return a
}

// want compares status, code and replay mark, and returns the answer for more.
func (a answer) want(t *testing.T, what string, status int, code string, replayed bool) answer {
	t.Helper()
	if a.err != nil || a.status != status || a.code != code || a.replayed != replayed {
		t.Fatalf("%s: got status %d, code %q, replayed %t, error %v, body %s; want %d, %q, %t",
			what, a.status, a.code, a.replayed, a.err, a.body, status, code, replayed)
	}
	return a
}

func (b *bench) wantRuns(n int64) {
	b.t.Helper()
	if got := b.runs.Load(); got != n {
		b.t.Fatalf("the handler ran %d times, want %d", got, n)
	}
}

func (b *bench) wantEvents(want ...string) {
	b.t.Helper()
	if got := b.events.kinds(); !slices.Equal(got, want) {
		b.t.Fatalf("events %v, want %v", got, want)
	}
}

func created(context.Context, transferPayload) (*idem.Response, error) {
	return idem.JSON(201, map[string]string{"id": "t1"})
}

const payload = `{"amount":10.50,"note":"rent"}`

func TestLeaseReplaysAndRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.lease(func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		r, err := created(ctx, p)
		r.Header.Set("Location", "/v1/transfers/42/t1")
		r.Header.Set("X-Transfer-Number", "7")
		r.Header.Set("Set-Cookie", "session=secret")
		return r, err
	})
	first := send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
	if first.header.Get("Set-Cookie") == "" {
		t.Error("the first response lost a header of its handler")
	}
	again := send(t.Context(), srv, "k1", ` { "note":"\u0072ent", "amount":105e-1 }`).want(t, "replay", 201, "", true)
	if again.body != first.body || again.header.Get("Location") != first.header.Get("Location") || again.header.Get("X-Transfer-Number") != "7" {
		t.Errorf("replay differs: %+v, first %+v", again, first)
	}
	if again.header.Get("Set-Cookie") != "" {
		t.Error("a replay carries a cookie of the first response")
	}
	send(t.Context(), srv, "k1", `{"amount":10.51,"note":"rent"}`).want(t, "changed", 409, "idempotency_conflict", false)
	send(t.Context(), srv, "k2", payload).want(t, "another key", 201, "", false)
	b.wantRuns(2)
	b.wantEvents("reserved", "finalized", "replayed", "conflict", "reserved", "finalized")
}

func TestConflictStatusCanBeTheDrafts(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.lease(created, func(op *idem.Operation) { op.Policy.ConflictStatus = 422 })
	send(t.Context(), srv, "k1", payload)
	send(t.Context(), srv, "k1", `{"amount":1}`).want(t, "conflict", 422, "idempotency_conflict", false)
}

func TestInProgressWhileTheFirstRuns(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	running, finish := make(chan struct{}), make(chan struct{})
	srv := b.lease(func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		close(running)
		<-finish
		return created(ctx, p)
	})
	first := make(chan answer)
	go func() { first <- send(t.Context(), srv, "k1", payload) }()
	<-running
	a := send(t.Context(), srv, "k1", payload).want(t, "duplicate", 409, "idempotency_in_progress", false)
	if a.header.Get("Retry-After") != "1" {
		t.Errorf("Retry-After is %q", a.header.Get("Retry-After"))
	}
	send(t.Context(), srv, "k1", `{"amount":1}`).want(t, "changed in flight", 409, "idempotency_conflict", false)
	close(finish)
	(<-first).want(t, "first", 201, "", false)
	send(t.Context(), srv, "k1", payload).want(t, "after", 201, "", true)
	b.wantRuns(1)
}

// What becomes of the record, by how the handler ended in lease mode: DESIGN, "What a status means".
func TestWhatAStatusMeansInLeaseMode(t *testing.T) {
	t.Parallel()
	domain := errors.New("insufficient funds")
	for _, tc := range []struct {
		name   string
		fn     func(context.Context, transferPayload) (*idem.Response, error)
		first  int
		retry  int
		code   string
		replay bool
		runs   int64
	}{
		{"success is stored", created, 201, 201, "", true, 1},
		{"400 is stored", status(400), 400, 400, "", true, 1},
		{"403 is stored", status(403), 403, 403, "", true, 1},
		{"a mapped error is stored", fails(domain), 422, 422, "", true, 1},
		{"a problem is stored", fails(&idem.Problem{Status: 404, Code: "not_found"}), 404, 404, "not_found", true, 1},
		{"500 is unknown", status(500), 500, 409, "idempotency_outcome_unknown", false, 1},
		{"503 is unknown", status(503), 503, 409, "idempotency_outcome_unknown", false, 1},
		{"an error that is not mapped is unknown", fails(errors.New("boom")), 500, 409, "idempotency_outcome_unknown", false, 1},
		{"no response at all is unknown", func(context.Context, transferPayload) (*idem.Response, error) { return nil, nil }, 500, 409, "idempotency_outcome_unknown", false, 1},
		{"an informational status is unknown", status(103), 500, 409, "idempotency_outcome_unknown", false, 1},
		{"a panic is unknown", func(context.Context, transferPayload) (*idem.Response, error) { panic("boom") }, 0, 409, "idempotency_outcome_unknown", false, 1},
		{"http.ErrAbortHandler is unknown", func(context.Context, transferPayload) (*idem.Response, error) { panic(http.ErrAbortHandler) }, 0, 409, "idempotency_outcome_unknown", false, 1},
		{"Goexit is unknown", func(context.Context, transferPayload) (*idem.Response, error) { runtime.Goexit(); return nil, nil }, 0, 409, "idempotency_outcome_unknown", false, 1},
		{"NotExecuted releases", func(ctx context.Context, _ transferPayload) (*idem.Response, error) {
			idem.NotExecuted(ctx)
			return idem.JSON(503, "later")
		}, 503, 503, "", false, 2},
		{"NotExecuted with a success does not count", func(ctx context.Context, p transferPayload) (*idem.Response, error) {
			idem.NotExecuted(ctx)
			return created(ctx, p)
		}, 201, 201, "", true, 1},
		{"an error mapped to no status is unknown", fails(&idem.Problem{Code: "insufficient_funds"}), 500, 409, "idempotency_outcome_unknown", false, 1},
		{"NotExecuted before a panic does not count", func(ctx context.Context, _ transferPayload) (*idem.Response, error) {
			idem.NotExecuted(ctx)
			panic("boom")
		}, 0, 409, "idempotency_outcome_unknown", false, 1},
		{"no content is stored", status(204), 204, 204, "", true, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.svc.MapError = func(_ context.Context, err error) *idem.Response {
				if errors.Is(err, domain) {
					r, _ := idem.JSON(422, "insufficient funds")
					return r
				}
				return nil
			}
			srv := b.lease(tc.fn)
			first := send(t.Context(), srv, "k1", payload)
			if first.status != tc.first {
				t.Fatalf("first: %+v, want status %d", first, tc.first)
			}
			retry := send(t.Context(), srv, "k1", payload).want(t, "retry", tc.retry, tc.code, tc.replay)
			if tc.replay && retry.body != first.body {
				t.Errorf("replayed %q, first %q", retry.body, first.body)
			}
			b.wantRuns(tc.runs)
		})
	}
}

func status(code int) func(context.Context, transferPayload) (*idem.Response, error) {
	return func(context.Context, transferPayload) (*idem.Response, error) {
		return &idem.Response{Status: code, Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte("as it is")}, nil
	}
}

func fails(err error) func(context.Context, transferPayload) (*idem.Response, error) {
	return func(context.Context, transferPayload) (*idem.Response, error) { return nil, err }
}

// The same in joined mode: what is not stored was rolled back, and the key is free.
func TestWhatAStatusMeansInJoinedMode(t *testing.T) {
	t.Parallel()
	domain := errors.New("insufficient funds")
	for _, tc := range []struct {
		name    string
		fn      func(context.Context, transferPayload) (*idem.Response, error)
		first   int
		retry   int
		replay  bool
		runs    int64
		effects int
	}{
		{"success commits", created, 201, 201, true, 1, 1},
		{"a response without an error commits", status(409), 409, 409, true, 1, 1},
		{"a mapped error rolls back and is stored", fails(domain), 422, 422, true, 1, 0},
		{"an error that is not mapped releases", fails(errors.New("boom")), 500, 500, false, 2, 0},
		{"5xx releases", status(502), 502, 502, false, 2, 0},
		{"no response releases", func(context.Context, transferPayload) (*idem.Response, error) { return nil, nil }, 500, 500, false, 2, 0},
		{"a panic releases", func(context.Context, transferPayload) (*idem.Response, error) { panic("boom") }, 0, 0, false, 2, 0},
		{"Goexit releases", func(context.Context, transferPayload) (*idem.Response, error) { runtime.Goexit(); return nil, nil }, 0, 0, false, 2, 0},
		{"NotExecuted releases", func(ctx context.Context, _ transferPayload) (*idem.Response, error) {
			idem.NotExecuted(ctx)
			return idem.JSON(409, "later")
		}, 409, 409, false, 2, 0},
		{"NotExecuted with a success does not count", func(ctx context.Context, p transferPayload) (*idem.Response, error) {
			idem.NotExecuted(ctx)
			return created(ctx, p)
		}, 201, 201, true, 1, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.svc.MapError = func(_ context.Context, err error) *idem.Response {
				if errors.Is(err, domain) {
					r, _ := idem.JSON(422, "insufficient funds")
					return r
				}
				return nil
			}
			srv := b.joined(func(ctx context.Context, _ *fakeTx, p transferPayload) (*idem.Response, error) { return tc.fn(ctx, p) })
			if a := send(t.Context(), srv, "k1", payload); a.status != tc.first {
				t.Fatalf("first: %+v, want status %d", a, tc.first)
			}
			if a := send(t.Context(), srv, "k1", payload); a.status != tc.retry || a.replayed != tc.replay {
				t.Fatalf("retry: %+v, want status %d, replayed %t", a, tc.retry, tc.replay)
			}
			b.wantRuns(tc.runs)
			if got := len(b.store.committed()); got != tc.effects {
				t.Errorf("%d effects committed, want %d", got, tc.effects)
			}
		})
	}
}
