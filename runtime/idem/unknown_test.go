package idem_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// abandon leaves an unknown record behind, as a crash after the effect does.
func (b *bench) abandon(key string) {
	b.t.Helper()
	a, err := idem.Begin(b.t.Context(), b.svc, transferOperation(), idem.Scope{Tenant: "acme", Actor: "alice"}, key,
		transferPayload{Path: transferPath{Account: "42"}, Body: transfer{Amount: "10.50", Note: some("rent")}})
	if err != nil || a.State() != idem.Reserved {
		b.t.Fatalf("begin: %+v, %v", a, err)
	}
	a.Close()
	wantLookup(b.t, b.store, key, idem.Unknown)
}

func TestUnknownIsRejectedByDefault(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	srv := b.lease(created)
	for range 3 {
		send(t.Context(), srv, "k1", payload).want(t, "retry", 409, "idempotency_outcome_unknown", false)
	}
	send(t.Context(), srv, "k1", `{"amount":1}`).want(t, "changed", 409, "idempotency_conflict", false)
	b.wantRuns(0)
}

func TestUnknownIsRunAgainOnlyWhereTheOperationSaysSo(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	before := wantLookup(t, b.store, "k1", idem.Unknown).Fence
	var fence int64
	srv := b.lease(func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		a, _ := idem.FromContext(ctx)
		fence = a.Fence()
		return created(ctx, p)
	}, func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reexecute })
	send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", false)
	if fence <= before {
		t.Errorf("fence %d after %d", fence, before)
	}
	send(t.Context(), srv, "k1", payload).want(t, "replay", 201, "", true)
	b.wantRuns(1)
}

func TestUnknownIsReconciled(t *testing.T) {
	t.Parallel()
	ok, _ := idem.JSON(201, "found")
	for _, tc := range []struct {
		name   string
		ask    func(context.Context, idem.Question) (idem.Answer, error)
		status int
		code   string
		replay bool
		runs   int64
		after  idem.State
	}{
		{"done", func(context.Context, idem.Question) (idem.Answer, error) { return idem.Done(ok), nil }, 201, "", true, 0, idem.Replay},
		{"not done", func(context.Context, idem.Question) (idem.Answer, error) { return idem.NotDone(), nil }, 201, "", false, 1, idem.Replay},
		{"don't know", func(context.Context, idem.Question) (idem.Answer, error) { return idem.DontKnow(), nil }, 409, "idempotency_outcome_unknown", false, 0, idem.Unknown},
		{"an error", func(context.Context, idem.Question) (idem.Answer, error) { return idem.NotDone(), errors.New("boom") }, 409, "idempotency_outcome_unknown", false, 0, idem.Unknown},
		{"a panic", func(context.Context, idem.Question) (idem.Answer, error) { panic("boom") }, 409, "idempotency_outcome_unknown", false, 0, idem.Unknown},
		{"done without a response", func(context.Context, idem.Question) (idem.Answer, error) { return idem.Done(nil), nil }, 409, "idempotency_outcome_unknown", false, 0, idem.Unknown},
	} {
		for _, mode := range []string{"lease", "joined"} {
			t.Run(tc.name+" in "+mode+" mode", func(t *testing.T) {
				t.Parallel()
				b := newBench(t)
				b.abandon("k1")
				b.svc.Reconcile = func(ctx context.Context, q idem.Question) (idem.Answer, error) {
					if p, typed := q.Payload.(transferPayload); !typed || p.Body.Amount != "10.50" {
						t.Errorf("asked about %#v", q.Payload)
					}
					if q.Endpoint() != "transfers.create" || len(q.DownstreamKey("bank")) != 32 {
						t.Errorf("asked about %v", q.Endpoint())
					}
					return tc.ask(ctx, q)
				}
				reconcile := func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reconcile }
				var srv *httptest.Server
				if mode == "lease" {
					srv = b.lease(created, reconcile)
				} else {
					srv = b.joined(createdTx, reconcile)
				}
				send(t.Context(), srv, "k1", payload).want(t, "retry", tc.status, tc.code, tc.replay)
				b.wantRuns(tc.runs)
				wantLookup(t, b.store, "k1", tc.after)
			})
		}
	}
}

// A joined attempt that took over an unknown record and died has not made it a joined record: whether
// the first one ran is as unknown as before.
func TestATakeOverKeepsTheOutcomeUnknown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	b.store.fail(b.store.before, "intx", 1, errDown)
	b.store.fail(b.store.before, "release", 1, errDown)
	srv := b.joined(createdTx, func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reexecute })
	send(t.Context(), srv, "k1", payload).want(t, "take-over", 503, "idempotency_unavailable", false)
	b.store.advance(time.Hour)
	wantLookup(t, b.store, "k1", idem.Unknown)
}

func TestReconcileNeedsAFunction(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	defer func() {
		if recover() == nil {
			t.Error("an operation that reconciles was taken by a service that cannot")
		}
	}()
	idem.Handle(b.svc, transferOperation(func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reconcile }), created)
}

// A record written under former rules is compared by those; one under rules that this program does
// not have is neither conflict nor replay, and nothing runs.
func TestRecordsOfFormerRules(t *testing.T) {
	t.Parallel()
	old := idem.Identity{IgnoredQuery: []string{"trace"}}
	for _, tc := range []struct {
		name   string
		former []idem.Identity
		query  string
		status int
		code   string
	}{
		{"known, same payload", []idem.Identity{{IgnoredQuery: []string{"other"}}, old}, "?trace=2", 201, ""},
		{"known, another payload", []idem.Identity{old}, "?dry=1", 409, "idempotency_conflict"},
		{"not known", nil, "?trace=1", 503, "idempotency_unavailable"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			serve := func(id idem.Identity, former []idem.Identity) http.Handler {
				op := transferOperation()
				op.Identity, op.Former = id, former
				return idem.Handle(b.svc, op, func(ctx context.Context, p transferPayload) (*idem.Response, error) {
					b.runs.Add(1)
					return created(ctx, p)
				})
			}
			ask := func(h http.Handler, query string) answer {
				srv := httptest.NewServer(h)
				defer srv.Close()
				srv.URL += fmt.Sprintf("/v1/transfers/42%s#", query) // send adds the path; a fragment hides it
				return send(t.Context(), srv, "k1", payload)
			}
			ask(serve(old, nil), "?trace=1").want(t, "first", 201, "", false)
			ask(serve(idem.Identity{}, tc.former), tc.query).want(t, "retry", tc.status, tc.code, tc.status == 201)
			b.wantRuns(1)
		})
	}
}

// A payload has the headers that are compared today. By hand, a record of former rules that compared another one cannot
// be told: it is neither conflict nor replay, and nothing runs.
func TestFormerHeadersThatAPayloadDoesNotHave(t *testing.T) {
	t.Parallel()
	type modeHeader struct {
		Mode string `json:"X-Mode"`
	}
	type withMode struct {
		Path   transferPath `json:"path"`
		Header modeHeader   `json:"header"`
		Body   transfer     `json:"body"`
	}
	mode := idem.Identity{IncludedHeaders: []string{"X-Mode"}}
	both := idem.Identity{IncludedHeaders: []string{"X-Mode"}, IgnoredQuery: []string{"trace"}}
	first := withMode{rent.Path, modeHeader{"dry"}, rent.Body}
	for _, tc := range []struct {
		name    string
		now     idem.Identity
		payload any
		want    string
	}{
		{"the header is left out", idem.Identity{}, rent, "503 idempotency_unavailable"},
		{"the header is still compared", both, first, "replay"},
		{"and is another", both, withMode{rent.Path, modeHeader{"wet"}, rent.Body}, "conflict"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			begin := func(id idem.Identity, former []idem.Identity, p any) (*idem.Attempt, error) {
				op := transferOperation()
				op.Identity, op.Former = id, former
				return idem.Begin(t.Context(), b.svc, op, aliceScope, "k1", p)
			}
			a, err := begin(mode, nil, first)
			if err != nil {
				t.Fatal(err)
			}
			if err := a.Finalize(a.Context(), &idem.Response{Status: 201}); err != nil {
				t.Fatal(err)
			}
			a, err = begin(tc.now, []idem.Identity{mode}, tc.payload)
			var problem *idem.Problem
			got := fmt.Sprint(err)
			switch {
			case errors.As(err, &problem):
				got = fmt.Sprint(problem.Status, " ", problem.Code)
			case err == nil:
				got = map[idem.State]string{idem.Reserved: "reserved", idem.Replay: "replay", idem.Conflict: "conflict"}[a.State()]
			}
			if got != tc.want {
				t.Errorf("the retry is answered %s, want %s", got, tc.want)
			}
		})
	}
}
