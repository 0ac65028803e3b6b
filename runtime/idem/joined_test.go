package idem_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

func createdTx(ctx context.Context, _ *fakeTx, p transferPayload) (*idem.Response, error) {
	return created(ctx, p)
}

func TestJoinedReplaysAndRefuses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.joined(createdTx)
	first := send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
	if again := send(t.Context(), srv, "k1", payload).want(t, "replay", 201, "", true); again.body != first.body {
		t.Errorf("replayed %s, first %s", again.body, first.body)
	}
	send(t.Context(), srv, "k1", `{"amount":1}`).want(t, "changed", 409, "idempotency_conflict", false)
	b.wantRuns(1)
	if got := b.store.committed(); len(got) != 1 {
		t.Errorf("committed %v", got)
	}
	b.wantEvents("reserved", "finalized", "replayed", "conflict")
}

// The row lock is the lease: nothing renews while the transaction is open.
func TestAJoinedAttemptIsNotRenewed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.joined(func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error) {
		time.Sleep(200 * time.Millisecond) // two thirds over the lease
		if ctx.Err() != nil {
			t.Errorf("the context ended: %v", context.Cause(ctx))
		}
		return createdTx(ctx, tx, p)
	}, func(op *idem.Operation) { op.Policy.Lease = 120 * time.Millisecond })
	send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
	if n := b.store.count("renew"); n != 0 {
		t.Errorf("%d renewals", n)
	}
}

func TestACommitWhoseAnswerWasLostIsSettledByReading(t *testing.T) {
	t.Parallel()
	t.Run("it has happened", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.store.fail(b.store.after, "commit", 1, errDown)
		srv := b.joined(createdTx)
		send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
		send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", true)
		b.wantRuns(1)
	})
	t.Run("it has not", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.store.fail(b.store.before, "commit", 1, errDown)
		srv := b.joined(createdTx)
		send(t.Context(), srv, "k1", payload).want(t, "first", 503, "idempotency_unavailable", false)
		if got := b.store.committed(); len(got) != 0 {
			t.Fatalf("committed %v", got)
		}
		send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", false)
	})
	t.Run("the store gives no answer", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.svc.StoreTimeout = 50 * time.Millisecond
		b.store.fail(b.store.after, "commit", 1, errDown)
		srv := b.joined(func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error) {
			b.store.fail(b.store.before, "intx", -1, errDown)
			return createdTx(ctx, tx, p)
		})
		send(t.Context(), srv, "k1", payload).want(t, "first", 503, "idempotency_unavailable", false)
		if n := b.store.count("release"); n != 0 {
			t.Error("an attempt that may have committed was released")
		}
		send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", true) // it had
		b.wantRuns(1)
	})
}

func TestAJoinedAttemptThatWasOvertakenDoesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.store.before["intx"] = func() error { // overtaken between Begin and the lock
		b.store.before["intx"] = nil
		k := recordKey("k1")
		out, err := b.store.Store.Lookup(context.Background(), k)
		if err != nil {
			return err
		}
		b.store.advance(time.Minute)
		other := idem.NewToken()
		if out, err = b.store.Store.Begin(context.Background(), idem.Reservation{Key: k, Token: other,
			Fingerprint: out.Fingerprint, Lease: time.Minute, Joined: true}); err != nil || out.State != idem.Reserved {
			t.Errorf("overtake: %+v, %v", out, err)
		}
		return nil
	}
	srv := b.joined(createdTx)
	send(t.Context(), srv, "k1", payload).want(t, "first", 409, "idempotency_in_progress", false)
	b.wantRuns(0)
	b.wantEvents("reserved", "lost", "in_progress")
}

// A crash before the commit leaves a joined record without an owner: nothing has happened, and a
// retry runs at once after the short lease.
func TestAnAbandonedJoinedRecordIsReservedAnew(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.joined(createdTx)
	b.svc.StoreTimeout = 50 * time.Millisecond
	b.store.fail(b.store.before, "intx", 1, errDown)
	b.store.fail(b.store.before, "release", -1, errDown)
	send(t.Context(), srv, "k1", payload).want(t, "first", 503, "idempotency_unavailable", false)
	send(t.Context(), srv, "k1", payload).want(t, "at once", 409, "idempotency_in_progress", false)
	b.store.advance(time.Minute)
	send(t.Context(), srv, "k1", payload).want(t, "later", 201, "", false)
	b.wantRuns(1)
}

func TestHandleTxRefusesAnotherStore(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	defer func() {
		if recover() == nil {
			t.Error("HandleTx took a store that is not the service's")
		}
	}()
	idem.HandleTx(b.svc, transferOperation(), newFakeTxStore(t), createdTx)
}

// What a client is not told, the observer is.
func TestTheObserverHearsWhyNothingWasDone(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for name, serve := range map[string]func(*bench) *httptest.Server{
		"released": func(b *bench) *httptest.Server {
			return b.joined(func(context.Context, *fakeTx, transferPayload) (*idem.Response, error) { return nil, boom })
		},
		"unknown": func(b *bench) *httptest.Server { return b.lease(fails(boom)) },
		"unknown, inside Wrap": func(b *bench) *httptest.Server {
			op := transferOperation()
			return b.serve(idem.Wrap(b.svc, idem.Operations{Keyed: []*idem.Operation{op}}, idem.Handle(b.svc, op, fails(boom))))
		},
	} {
		b := newBench(t)
		send(t.Context(), serve(b), "k1", payload).want(t, name, 500, "internal_error", false)
		if last := b.events.list[1]; !strings.HasPrefix(name, last.Kind.String()) || !errors.Is(last.Err, boom) {
			t.Errorf("%s: heard %+v", name, last)
		}
	}
}

// A typed handler inside Wrap takes the reservation from its context, in both modes.
func TestATypedHandlerInsideWrapNeverBeginsTwice(t *testing.T) {
	t.Parallel()
	boom := errors.New("boom")
	for _, tc := range []struct {
		name          string
		tx            bool
		err           error
		status, retry int
		replayed      bool
		effects       int
	}{
		{"lease mode", false, nil, 201, 201, true, 0},
		{"joined mode", true, nil, 201, 201, true, 1},
		{"lease mode, failed", false, boom, 500, 409, false, 0},
		{"joined mode, rolled back", true, boom, 500, 500, false, 0},
		{"joined mode, domain error", true, &idem.Problem{Status: 404, Code: "gone"}, 404, 404, true, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			op := transferOperation()
			inner := idem.Handle(b.svc, op, func(ctx context.Context, p transferPayload) (*idem.Response, error) {
				b.runs.Add(1)
				r, _ := created(ctx, p)
				return r, tc.err
			})
			if tc.tx {
				inner = idem.HandleTx(b.svc, op, b.store, func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error) {
					b.runs.Add(1)
					tx.effects = append(tx.effects, "an effect")
					r, _ := created(ctx, p)
					return r, tc.err
				})
			}
			srv := b.serve(idem.Wrap(b.svc, idem.Operations{Keyed: []*idem.Operation{op}}, inner))
			if a := send(t.Context(), srv, "k1", payload); a.status != tc.status || a.replayed {
				t.Fatalf("first: %+v", a)
			}
			if n := b.store.count("begin"); n != 1 {
				t.Errorf("%d calls of Begin", n)
			}
			if a := send(t.Context(), srv, "k1", payload); a.status != tc.retry || a.replayed != tc.replayed {
				t.Fatalf("retry: %+v", a)
			}
			if got := len(b.store.committed()); got != tc.effects {
				t.Errorf("%d effects", got)
			}
		})
	}
}

func TestAPayloadThatDoesNotFitInsideWrapReleasesTheKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	op := transferOperation()
	inner := idem.Handle(b.svc, op, created)
	srv := b.serve(idem.Wrap(b.svc, idem.Operations{Keyed: []*idem.Operation{op}}, inner))
	send(t.Context(), srv, "k1", `{"amount":"ten"}`).want(t, "wrong type", 400, "validation_error", false)
	wantLookup(t, b.store, "k1", idem.Absent)
	send(t.Context(), srv, "k1", payload).want(t, "mended", 201, "", false)
}

func TestTheJoinedLeaseIsShort(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	op := transferOperation(func(op *idem.Operation) { op.Policy.Lease = time.Hour })
	srv := b.serve(idem.HandleTx(b.svc, op, b.store, createdTx))
	b.store.fail(b.store.before, "intx", -1, errDown)
	b.store.fail(b.store.before, "release", -1, errDown)
	b.svc.StoreTimeout = 50 * time.Millisecond
	send(t.Context(), srv, "k1", payload).want(t, "first", http.StatusServiceUnavailable, "idempotency_unavailable", false)
	b.store.advance(5*time.Second + time.Millisecond)
	wantLookup(t, b.store, "k1", idem.Absent)
}
