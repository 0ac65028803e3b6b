package idem_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// key is the record's key of what send sends.
func recordKey(value string) idem.Key {
	return idem.Key{Scope: idem.Scope{Tenant: "acme", Actor: "alice"}, Endpoint: "transfers.create", Value: value}
}

func wantLookup(t *testing.T, s idem.Store, key string, want idem.State) idem.Outcome {
	t.Helper()
	out, err := s.Lookup(context.Background(), recordKey(key))
	if err != nil || out.State != want {
		t.Fatalf("lookup %s: %+v, %v; want state %d", key, out, err, want)
	}
	return out
}

func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s did not happen", what)
		}
	}
}

func TestTheHeartbeatKeepsALongHandlersLease(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	finish := make(chan struct{})
	srv := b.lease(func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		<-finish
		return created(ctx, p)
	}, func(op *idem.Operation) { op.Policy.Lease = 300 * time.Millisecond })
	first := make(chan answer)
	go func() { first <- send(t.Context(), srv, "k1", payload) }()
	eventually(t, "a fifth renewal", func() bool { return b.store.count("renew") >= 5 }) // over a lease and a half
	send(t.Context(), srv, "k1", payload).want(t, "duplicate", 409, "idempotency_in_progress", false)
	close(finish)
	(<-first).want(t, "first", 201, "", false)
	b.wantRuns(1)
}

// An owner that was overtaken is cancelled with ErrLost, its response is dropped, and the client gets
// what Begin would say now.
func TestALostAttemptIsCancelledAndItsResponseDropped(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.svc.Policy.OnUnknown = idem.Reexecute
	cause := make(chan error, 1)
	var once sync.Once
	srv := b.lease(func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		stale := false
		once.Do(func() { stale = true })
		if !stale {
			return idem.JSON(201, "the second's")
		}
		<-ctx.Done()
		cause <- context.Cause(ctx)
		return idem.JSON(201, "the first's")
	}, func(op *idem.Operation) { op.Policy.Lease = 600 * time.Millisecond })
	first := make(chan answer)
	go func() { first <- send(t.Context(), srv, "k1", payload) }()
	eventually(t, "the first run", func() bool { return b.runs.Load() == 1 })
	b.store.advance(time.Hour) // the store's clock: the lease is over, and the heartbeat comes too late
	second := send(t.Context(), srv, "k1", payload).want(t, "second", 201, "", false)
	if got := <-cause; got != idem.ErrLost {
		t.Errorf("the context's cause is %v", got)
	}
	a := (<-first).want(t, "first", 201, "", true)
	if a.body != second.body {
		t.Errorf("the lost attempt answered %s, the record says %s", a.body, second.body)
	}
	b.wantRuns(2)
}

// Without an acknowledged renewal an attempt counts as lost before its lease can be over, whatever
// has become of the messages.
func TestAnAttemptWithoutAnswersCountsAsLost(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	var lostAfter time.Duration
	srv := b.lease(func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		b.store.fail(b.store.before, "renew", -1, errDown)
		start := time.Now()
		<-ctx.Done()
		lostAfter = time.Since(start)
		if context.Cause(ctx) != idem.ErrLost {
			t.Errorf("the context's cause is %v", context.Cause(ctx))
		}
		return created(ctx, p)
	}, func(op *idem.Operation) { op.Policy.Lease = 500 * time.Millisecond })
	send(t.Context(), srv, "k1", payload).want(t, "first", 409, "idempotency_in_progress", false)
	if lostAfter > 500*time.Millisecond {
		t.Errorf("lost after %v, later than the lease", lostAfter)
	}
	if b.store.count("finalize") != 0 {
		t.Error("a lost attempt finalized")
	}
	b.store.advance(time.Second)
	send(t.Context(), srv, "k1", payload).want(t, "retry", 409, "idempotency_outcome_unknown", false)
}

func TestAFailedRenewalIsTriedAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.store.fail(b.store.before, "renew", 2, errDown)
	srv := b.lease(func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		eventually(t, "a renewal that succeeds", func() bool { return b.store.count("renew") >= 4 })
		if ctx.Err() != nil {
			t.Error("the context is cancelled")
		}
		return created(ctx, p)
	})
	send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
}

func TestAClientThatHangsUpDoesNotStopTheWork(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	gone := make(chan struct{})
	srv := b.guarded(func(w http.ResponseWriter, r *http.Request) {
		<-gone
		time.Sleep(20 * time.Millisecond)
		if r.Context().Err() != nil {
			t.Error("the handler's context ended with the client's connection")
		}
		w.WriteHeader(201)
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan answer)
	go func() { done <- send(ctx, srv, "k1", payload) }()
	eventually(t, "the run", func() bool { return b.runs.Load() == 1 })
	cancel()
	if a := <-done; a.err == nil {
		t.Fatal("the client got an answer")
	}
	close(gone)
	eventually(t, "the record", func() bool {
		out, _ := b.store.Store.Lookup(context.Background(), recordKey("k1"))
		return out.State == idem.Replay
	})
	send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", true)
	b.wantRuns(1)
}

func TestTimeoutAndShutdownEndTheWork(t *testing.T) {
	t.Parallel()
	closing := errors.New("closing")
	for name, want := range map[string]error{"timeout": context.DeadlineExceeded, "shutdown": closing} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			base, stop := context.WithCancelCause(context.Background())
			b.svc.Base = base
			srv := b.lease(func(ctx context.Context, _ transferPayload) (*idem.Response, error) {
				if name == "shutdown" {
					stop(closing)
				}
				<-ctx.Done()
				if context.Cause(ctx) != want {
					t.Errorf("the cause is %v", context.Cause(ctx))
				}
				return nil, ctx.Err()
			}, func(op *idem.Operation) {
				if name == "timeout" {
					op.Policy.Timeout = 20 * time.Millisecond
				}
			})
			send(t.Context(), srv, "k1", payload).want(t, "first", 500, "internal_error", false)
			wantLookup(t, b.store, "k1", idem.Unknown) // the last word does not wait for what has ended
			stop(closing)
			// What arrives while the service shuts down is not begun: it could only end at once.
			send(t.Context(), srv, "k2", payload).want(t, "later", 503, "idempotency_unavailable", false)
			wantLookup(t, b.store, "k2", idem.Absent)
		})
	}
}

func TestFinalizeIsRepeatedUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]func(*faultStore) map[string]func() error{
		"refused":     func(s *faultStore) map[string]func() error { return s.before },
		"answer lost": func(s *faultStore) map[string]func() error { return s.after },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.store.fail(at(b.store.faultStore), "finalize", 3, errDown)
			srv := b.lease(created)
			send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
			send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", true)
			b.wantEvents("reserved", "finalized", "replayed")
		})
	}
}

// The effect is real: its client gets the answer, the record becomes unknown, and nobody runs it again.
func TestAStoreThatIsGoneAfterTheEffect(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.svc.StoreTimeout = 50 * time.Millisecond
	b.store.fail(b.store.before, "finalize", -1, errDown)
	srv := b.lease(created)
	send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
	b.wantEvents("reserved", "finalize_failed")
	b.store.advance(time.Minute)
	send(t.Context(), srv, "k1", payload).want(t, "retry", 409, "idempotency_outcome_unknown", false)
	b.wantRuns(1)
}

func TestAStoreThatIsDownFailsClosed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.store.fail(b.store.before, "begin", 1, errDown)
	srv := b.lease(created)
	a := send(t.Context(), srv, "k1", payload).want(t, "down", 503, "idempotency_unavailable", false)
	if a.header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	b.wantRuns(0)
	eventually(t, "the release of what may have arrived", func() bool { return b.store.count("release") == 1 })
	send(t.Context(), srv, "k1", payload).want(t, "up again", 201, "", false)
}

// A Begin whose answer was lost has reserved: it is taken back by its token.
func TestABeginWhoseAnswerWasLostIsTakenBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.store.fail(b.store.after, "begin", 1, errDown)
	srv := b.lease(created)
	send(t.Context(), srv, "k1", payload).want(t, "first", 503, "idempotency_unavailable", false)
	eventually(t, "the release", func() bool {
		out, _ := b.store.Store.Lookup(context.Background(), recordKey("k1"))
		return out.State == idem.Absent
	})
	send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", false)
	b.wantRuns(1)
}

func TestAResponseOverTheLimitLeavesATombstone(t *testing.T) {
	t.Parallel()
	big := make([]byte, 100)
	for name, serve := range map[string]func(*bench, func(*idem.Operation)) string{
		"typed": func(b *bench, small func(*idem.Operation)) string {
			return send(b.t.Context(), b.lease(func(context.Context, transferPayload) (*idem.Response, error) {
				return &idem.Response{Status: 201, Body: big}, nil
			}, small), "k1", payload).want(b.t, "first", 201, "", false).body
		},
		"guarded": func(b *bench, small func(*idem.Operation)) string {
			return send(b.t.Context(), b.guarded(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(201)
				for range 10 {
					_, _ = w.Write(big[:10])
				}
			}, small), "k1", payload).want(b.t, "first", 201, "", false).body
		},
		"joined": func(b *bench, small func(*idem.Operation)) string {
			return send(b.t.Context(), b.joined(func(context.Context, *fakeTx, transferPayload) (*idem.Response, error) {
				return &idem.Response{Status: 201, Body: big}, nil
			}, small), "k1", payload).want(b.t, "first", 201, "", false).body
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if body := serve(b, func(op *idem.Operation) { op.Policy.MaxResponse = 64 }); body != string(big) {
				t.Errorf("the first client got %d bytes of %d", len(body), len(big))
			}
			wantLookup(t, b.store, "k1", idem.Tombstone)
			send(t.Context(), b.lease(created), "k1", payload).want(t, "retry", 409, "idempotency_response_unavailable", false)
			b.wantRuns(1)
		})
	}
}
