package idem_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// The acknowledgement of a take-over is lost: what is under it must not be forgotten.
func TestATakeOverWhoseAnswerWasLostStaysUnknown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1") // an effect that happened
	var asked, begins atomic.Int64
	b.svc.Reconcile = func(context.Context, idem.Question) (idem.Answer, error) {
		asked.Add(1)
		r, err := idem.JSON(201, "found")
		return idem.Done(r), err
	}
	srv := b.lease(created, func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reconcile })
	b.store.after["begin"] = func() error { // the first says Unknown, the second takes over
		if begins.Add(1) == 2 {
			return errDown
		}
		return nil
	}
	send(t.Context(), srv, "k1", payload).want(t, "answer lost", 503, "idempotency_unavailable", false)
	eventually(t, "the take-over's end", func() bool {
		out, _ := b.store.Store.Lookup(context.Background(), recordKey("k1"))
		return out.State == idem.Unknown
	})
	send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", true)
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
	b.wantRuns(0)
}

// Whatever an attempt that took over an unknown outcome says of itself, the first one may have had its
// effect: the key is not given to another payload.
func TestATakenOverRecordIsNeverReleased(t *testing.T) {
	t.Parallel()
	for name, serve := range map[string]func(*bench, func(*idem.Operation)) *httptest.Server{
		"lease": func(b *bench, reexecute func(*idem.Operation)) *httptest.Server {
			return b.lease(func(ctx context.Context, _ transferPayload) (*idem.Response, error) {
				idem.NotExecuted(ctx)
				return nil, errors.New("provider busy")
			}, reexecute)
		},
		"joined": func(b *bench, reexecute func(*idem.Operation)) *httptest.Server {
			return b.joined(func(context.Context, *fakeTx, transferPayload) (*idem.Response, error) {
				return nil, errors.New("boom")
			}, reexecute)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.abandon("k1")
			srv := serve(b, func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reexecute })
			send(t.Context(), srv, "k1", payload).want(t, "second attempt", 500, "internal_error", false)
			send(t.Context(), srv, "k1", `{"amount":900}`).want(t, "another payload", 409, "idempotency_conflict", false)
			wantLookup(t, b.store, "k1", idem.Unknown)
		})
	}
}

func TestABeginThatArrivesLateIsTakenBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	late := &lateStore{fakeTxStore: b.store}
	svc := idem.New(late, alice)
	svc.Observer = b.events.observe
	svc.StoreTimeout = 50 * time.Millisecond
	late.delay.Store(int64(80 * time.Millisecond)) // after the first Release
	srv := b.serve(idem.Handle(svc, transferOperation(), created))
	send(t.Context(), srv, "k1", payload).want(t, "timeout", 503, "idempotency_unavailable", false)
	eventually(t, "both releases", func() bool { return b.store.count("release") >= 2 })
	late.delay.Store(0)
	send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", false)
}

// A lateStore's Begin arrives when its caller has given up.
type lateStore struct {
	*fakeTxStore
	delay atomic.Int64
}

func (s *lateStore) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	if d := s.delay.Load(); d > 0 {
		time.AfterFunc(time.Duration(d), func() { _, _ = s.fakeTxStore.Begin(context.Background(), r) })
		<-ctx.Done()
		return idem.Outcome{}, ctx.Err()
	}
	return s.fakeTxStore.Begin(ctx, r)
}

func TestAReleaseIsRepeatedUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.store.fail(b.store.before, "release", 2, errDown)
	srv := b.lease(func(ctx context.Context, _ transferPayload) (*idem.Response, error) {
		idem.NotExecuted(ctx)
		return nil, errors.New("not now")
	})
	send(t.Context(), srv, "k1", payload).want(t, "first", 500, "internal_error", false)
	wantLookup(t, b.store, "k1", idem.Absent)
}

// A hungStore does not answer the first call of one verb until its caller gives up.
type hungStore struct {
	*fakeTxStore
	verb string
	hung atomic.Bool
}

func (s *hungStore) hang(ctx context.Context, verb string) error {
	if verb == s.verb && s.hung.CompareAndSwap(false, true) {
		<-ctx.Done()
		return ctx.Err()
	}
	return nil
}

func (s *hungStore) Renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	return errors.Join(s.hang(ctx, "renew"), s.fakeTxStore.Renew(ctx, k, t, lease))
}

func (s *hungStore) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	return errors.Join(s.hang(ctx, "finalize"), s.fakeTxStore.Finalize(ctx, k, t, r, keep))
}

func TestOneCallThatHangsLeavesTimeForAnother(t *testing.T) {
	t.Parallel()
	for _, verb := range []string{"renew", "finalize"} {
		t.Run(verb, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			hung := &hungStore{fakeTxStore: b.store, verb: verb}
			svc := idem.New(hung, alice)
			svc.StoreTimeout = 200 * time.Millisecond
			svc.Observer = b.events.observe
			op := transferOperation(func(op *idem.Operation) { op.Policy.Lease = 600 * time.Millisecond })
			srv := b.serve(idem.Handle(svc, op, func(ctx context.Context, p transferPayload) (*idem.Response, error) {
				if verb == "renew" {
					eventually(t, "renewals after the one that hangs", func() bool { return b.store.count("renew") >= 3 })
				}
				if ctx.Err() != nil {
					t.Errorf("the context ended: %v", context.Cause(ctx))
				}
				return created(ctx, p)
			}))
			send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
			send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", true)
		})
	}
}

// Whatever a function of the user's does, the heartbeat ends with its handler.
func TestTheHeartbeatEndsWithItsHandler(t *testing.T) {
	t.Parallel()
	short := func(op *idem.Operation) { op.Policy.Lease = 100 * time.Millisecond }
	for name, run := range map[string]func(*bench) *idem.Handler{
		"MapError panics": func(b *bench) *idem.Handler {
			b.svc.MapError = func(context.Context, error) *idem.Response { panic("bug") }
			return idem.Handle(b.svc, transferOperation(short), fails(errors.New("x")))
		},
		"Reconcile ends its goroutine": func(b *bench) *idem.Handler {
			b.abandon("k1")
			b.svc.Reconcile = func(context.Context, idem.Question) (idem.Answer, error) {
				runtime.Goexit()
				return idem.DontKnow(), nil
			}
			return idem.Handle(b.svc, transferOperation(short, func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reconcile }), created)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			h := run(b)
			done := make(chan struct{})
			go func() {
				defer close(done)
				defer func() { _ = recover() }()
				r := httptest.NewRequest("POST", "/v1/transfers/42", strings.NewReader(payload))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Idempotency-Key", "k1")
				h.ServeHTTP(httptest.NewRecorder(), r)
			}()
			<-done
			n := b.store.count("renew")
			time.Sleep(150 * time.Millisecond)
			if more := b.store.count("renew") - n; more != 0 {
				t.Errorf("renewed %d times after its handler has ended", more)
			}
			wantLookup(t, b.store, "k1", idem.Unknown)
		})
	}
}

// A loss is not hidden by the timeout that ended the context before.
func TestALossIsSeenAfterTheTimeout(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	b.svc.Reconcile = func(ctx context.Context, q idem.Question) (idem.Answer, error) {
		eventually(t, "the deadline", func() bool { return b.store.count("renew") > 0 })
		time.Sleep(300 * time.Millisecond)
		return idem.NotDone(), nil
	}
	b.store.fail(b.store.before, "renew", -1, errDown)
	srv := b.lease(created, func(op *idem.Operation) {
		op.Policy.OnUnknown, op.Policy.Timeout, op.Policy.Lease = idem.Reconcile, 50*time.Millisecond, 250*time.Millisecond
	})
	send(t.Context(), srv, "k1", payload).want(t, "retry", 409, "idempotency_in_progress", false)
	b.wantRuns(0)
}

func TestALostAttemptsResponseIsNotStreamed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.guarded(func(w http.ResponseWriter, r *http.Request) {
		k := recordKey("k1")
		b.store.advance(time.Hour)
		out, _ := b.store.Store.Lookup(r.Context(), k)
		_, _ = b.store.Store.Begin(r.Context(), idem.Reservation{Key: k, Token: idem.NewToken(), Fingerprint: out.Fingerprint,
			Lease: time.Minute, TakeOver: out.Fence})
		<-r.Context().Done()
		w.WriteHeader(201)
		_, _ = io.WriteString(w, "more than ten bytes")
	}, func(op *idem.Operation) { op.Policy.MaxResponse, op.Policy.Lease = 10, 200*time.Millisecond })
	send(t.Context(), srv, "k1", payload).want(t, "lost", 409, "idempotency_in_progress", false)
}

// A body that an outer layer has read cannot be compared: that is a fault in the wiring, not "no body".
func TestABodyThatWasReadOutsideIsAFault(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	op := transferOperation()
	op.Bodies = append(op.Bodies, idem.Body{MediaType: "application/x-www-form-urlencoded", Form: idem.Fields},
		idem.Body{MediaType: "multipart/form-data", Form: idem.Multipart})
	guard := idem.WrapOne(b.svc, op, http.HandlerFunc(created201))
	parse := func(r *http.Request) { _ = r.ParseMultipartForm(1 << 20) }
	for _, c := range []struct {
		name, contentType, body string
		outer                   func(*http.Request)
		status                  int
	}{
		{"read", "application/json", payload, func(r *http.Request) { _, _ = io.ReadAll(r.Body) }, 500},
		{"a form", "application/x-www-form-urlencoded", "a=1", parse, 500},
		{"parts", "multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n", parse, 500},
		{"parts that are still to be read", "multipart/form-data; boundary=b", "--b--\r\n", func(r *http.Request) { _, _ = r.MultipartReader() }, 500},
		{"parsed and no form", "application/json", payload, parse, 201},
	} {
		r := httptest.NewRequest("POST", "/v1/transfers/a", strings.NewReader(c.body))
		r.Header.Set("Content-Type", c.contentType)
		r.Header.Set("Idempotency-Key", "k1")
		c.outer(r)
		w := httptest.NewRecorder()
		guard.ServeHTTP(w, r)
		if w.Code != c.status || c.status == 500 && !strings.Contains(w.Body.String(), "was read before its guard") {
			t.Errorf("%s: got %d %s, want %d", c.name, w.Code, w.Body, c.status)
		}
	}
	if b.store.count("begin") != 1 {
		t.Error("the store was asked")
	}
}

// A range lets forms in, whose boundary decides what the bytes mean.
func TestFormsUnderARangeAreRefused(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.serve(idem.WrapOne(b.svc, transferOperation(func(op *idem.Operation) {
		op.Bodies = []idem.Body{{MediaType: "*/*", Form: idem.Digest}}
	}), http.HandlerFunc(created201)))
	post := func(key, contentType string) int {
		req, err := http.NewRequestWithContext(t.Context(), "POST", srv.URL+"/v1/transfers/42", strings.NewReader("a,b"))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", contentType)
		req.Header.Set("Idempotency-Key", key)
		resp, err := srv.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		return resp.StatusCode
	}
	for _, tc := range []struct {
		contentType string
		want        int
	}{
		{"multipart/form-data; boundary=A", 415},
		{"application/x-www-form-urlencoded", 415},
		{"text/csv; header=present", 201},
		{"text/csv; Header=present; charset=utf-8", 201},
		{"text/csv; header=absent", 409},
	} {
		if got := post("k1", tc.contentType); got != tc.want {
			t.Errorf("%s: %d, want %d", tc.contentType, got, tc.want)
		}
	}
}

// Two guards round one operation are one too many: they must not store "in progress" as the answer.
func TestTwoGuardsRoundOneOperation(t *testing.T) {
	t.Parallel()
	t.Run("of one operation are one", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		op := transferOperation()
		inner := idem.WrapOne(b.svc, op, http.HandlerFunc(created201))
		srv := b.serve(idem.Wrap(b.svc, idem.Operations{Keyed: []*idem.Operation{op}}, inner))
		send(t.Context(), srv, "k1", payload).want(t, "first", 201, "", false)
		send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", true)
	})
	t.Run("of two operations with one key are a fault", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		inner := idem.Handle(b.svc, transferOperation(), created)
		srv := b.serve(idem.Wrap(b.svc, idem.Operations{Keyed: []*idem.Operation{transferOperation()}}, inner))
		for range 2 { // released each time, so that nothing is stored
			send(t.Context(), srv, "k1", payload).want(t, "fault", 500, "internal_error", false)
		}
		wantLookup(t, b.store, "k1", idem.Absent)
	})
}

// A typed handler takes a Wrap's reservation, once, and no other handler's.
func TestAReservationIsTakenOnce(t *testing.T) {
	t.Parallel()
	t.Run("not from a typed handler", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		var h *idem.Handler
		var seen []string
		h = idem.Handle(b.svc, transferOperation(), func(ctx context.Context, p transferPayload) (*idem.Response, error) {
			seen = append(seen, string(p.Body.Amount))
			if len(seen) == 1 { // a request of its own, with its own key and body
				r := httptest.NewRequest("POST", "/v1/transfers/42", strings.NewReader(`{"amount":777}`)).WithContext(ctx)
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Idempotency-Key", "k2")
				h.ServeHTTP(httptest.NewRecorder(), r)
			}
			return created(ctx, p)
		})
		send(t.Context(), b.serve(h), "k1", payload).want(t, "first", 201, "", false)
		if !slices.Equal(seen, []string{"10.50", "777"}) {
			t.Errorf("saw %v", seen)
		}
		wantLookup(t, b.store, "k1", idem.Replay)
		wantLookup(t, b.store, "k2", idem.Replay)
	})
	t.Run("not twice", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		op := transferOperation()
		inner := idem.Handle(b.svc, op, func(ctx context.Context, p transferPayload) (*idem.Response, error) {
			b.runs.Add(1)
			return created(ctx, p)
		})
		srv := b.serve(idem.WrapOne(b.svc, op, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			inner.ServeHTTP(httptest.NewRecorder(), r)
			inner.ServeHTTP(w, r)
		})))
		send(t.Context(), srv, "k1", payload)
		b.wantRuns(1)
	})
}

func TestLayersInsideWrapReachTheTypedHandlersContext(t *testing.T) {
	t.Parallel()
	type userKey struct{}
	b := newBench(t)
	op := transferOperation()
	inner := idem.Handle(b.svc, op, func(ctx context.Context, p transferPayload) (*idem.Response, error) {
		return idem.JSON(201, ctx.Value(userKey{}))
	})
	srv := b.serve(idem.Wrap(b.svc, idem.Operations{Keyed: []*idem.Operation{op}},
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			inner.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), userKey{}, "bob")))
		})))
	if a := send(t.Context(), srv, "k1", payload); a.body != `"bob"` {
		t.Errorf("%+v", a)
	}
}

// One handler that is mounted for many, or registered for every method, would take their requests for one.
func TestASingleHandlerServesItsOwnRouteAlone(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	h := idem.WrapOne(b.svc, transferOperation(), http.HandlerFunc(created201))
	for target, want := range map[string]int{
		"POST /v1/transfers/42":             201,
		"POST /orgs/red/v1/transfers/42":    500,
		"DELETE /v1/transfers/42":           405,
		"GET /v1/transfers/42":              405,
		"POST /v1/transfers/42/attachments": 500,
	} {
		method, path, _ := strings.Cut(target, " ")
		r := httptest.NewRequest(method, path, strings.NewReader(payload))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "k1")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", target, w.Code, want)
		}
	}
}

func TestHandlersAreRefusedAtConstruction(t *testing.T) {
	t.Parallel()
	change := func(f func(*idem.Operation)) []*idem.Operation { return []*idem.Operation{transferOperation(f)} }
	for name, ops := range map[string][]*idem.Operation{
		"a method that does not write": change(func(op *idem.Operation) { op.Method = "GET" }),
		"a method in lower case":       change(func(op *idem.Operation) { op.Method = "post" }),
		"no method":                    change(func(op *idem.Operation) { op.Method = "" }),
		"a malformed path":             change(func(op *idem.Operation) { op.Path = "/a/{b" }),
		"a header's other spelling":    change(func(op *idem.Operation) { op.Identity.IncludedHeaders = []string{"X-API-Version"} }),
		"the Host header":              change(func(op *idem.Operation) { op.Identity.IncludedHeaders = []string{"Host"} }),
		"one name for two operations' records": {transferOperation(), transferOperation(func(op *idem.Operation) {
			op.Endpoint, op.Record, op.Path = "b.create", "transfers.create", "/b"
		})},
	} {
		func() {
			b := newBench(t)
			defer func() {
				if recover() == nil {
					t.Errorf("%s was taken", name)
				}
			}()
			idem.Wrap(b.svc, idem.Operations{Keyed: ops}, http.NotFoundHandler())
		}()
	}
}

func TestAResponseWithoutAStatusIsNeverStored(t *testing.T) {
	t.Parallel()
	t.Run("kept after a panic", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.svc.Decide = func(idem.Ending) idem.Verdict { return idem.Keep }
		srv := b.lease(func(context.Context, transferPayload) (*idem.Response, error) { panic("x") })
		send(t.Context(), srv, "k1", payload)
		send(t.Context(), srv, "k1", payload).want(t, "retry", 409, "idempotency_outcome_unknown", false)
	})
	t.Run("reconciled", func(t *testing.T) {
		t.Parallel()
		b := newBench(t)
		b.abandon("k1")
		b.svc.Reconcile = func(context.Context, idem.Question) (idem.Answer, error) {
			return idem.Done(&idem.Response{Status: 20}), nil
		}
		srv := b.lease(created, func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reconcile })
		for range 2 {
			send(t.Context(), srv, "k1", payload).want(t, "retry", 409, "idempotency_outcome_unknown", false)
		}
	})
}

// Facts that only former rules compare are asked for as well.
func TestFormerFactsAreAskedFor(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.svc.Facts = func(*http.Request) (map[string]string, error) { return map[string]string{"role": "admin"}, nil }
	old := idem.Identity{Scope: []string{"role"}}
	serve := func(change func(*idem.Operation)) *httptest.Server {
		return b.serve(idem.WrapOne(b.svc, transferOperation(change), http.HandlerFunc(created201)))
	}
	send(t.Context(), serve(func(op *idem.Operation) { op.Identity = old }), "k1", payload).want(t, "first", 201, "", false)
	send(t.Context(), serve(func(op *idem.Operation) { op.Former = []idem.Identity{old} }), "k1", payload).want(t, "later", 201, "", true)
}

func TestTypedResponsesAreOneWhenFirstAndReplayed(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	inner := idem.Handle(b.svc, transferOperation(), func(context.Context, transferPayload) (*idem.Response, error) {
		return &idem.Response{Status: 201, Header: http.Header{"content-type": {"application/json"}, "Vary": {"Accept"}}, Body: []byte("{}")}, nil
	})
	srv := b.serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Add("Vary", "Origin")
		inner.ServeHTTP(w, r)
	}))
	first, again := send(t.Context(), srv, "k1", payload), send(t.Context(), srv, "k1", payload)
	for _, name := range []string{"Content-Type", "Vary"} {
		if f, a := fmt.Sprint(first.header[name]), fmt.Sprint(again.header[name]); f != a {
			t.Errorf("%s: %s first, %s replayed", name, f, a)
		}
	}
	if got := first.header["Content-Type"]; !slices.Equal(got, []string{"application/json"}) {
		t.Errorf("Content-Type %q", got)
	}
}

func TestAnAttemptThatOwnsNothingDoesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	op := transferOperation()
	a, err := idem.Begin(t.Context(), b.svc, op, aliceScope, "k1", rent)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Finalize(t.Context(), nil); err == nil {
		t.Error("Finalize took no response")
	}
	if err := a.Finalize(t.Context(), &idem.Response{}); err != nil {
		t.Fatal(err)
	}
	a.Close()
	if a, err = idem.Begin(t.Context(), b.svc, op, aliceScope, "k1", rent); err != nil || a.State() != idem.Replay {
		t.Fatal(a, err)
	}
	if a.Context().Err() == nil {
		t.Error("its context is alive")
	}
	_, err = idem.RunTx(a, b.store, func(context.Context, *fakeTx) (*idem.Response, error) {
		t.Error("it ran")
		return nil, nil
	})
	if err == nil || a.Finalize(t.Context(), &idem.Response{}) == nil || a.Release(t.Context()) == nil {
		t.Error("it did something")
	}
	a.Close()
}

// A timeout handler belongs outside. Inside, its 503 is what is known, and the record becomes what the
// work makes of it.
func TestATimeoutHandlerInsideDoesNoHarm(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"lease", "joined"} {
		t.Run(mode, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			op := transferOperation()
			ended := make(chan struct{}, 2)
			slow := func(ctx context.Context, p transferPayload) (*idem.Response, error) {
				defer func() { ended <- struct{}{} }()
				if b.runs.Add(1) == 1 {
					time.Sleep(100 * time.Millisecond)
				}
				return created(ctx, p)
			}
			inner := idem.Handle(b.svc, op, slow)
			if mode == "joined" {
				inner = idem.HandleTx(b.svc, op, b.store, func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error) {
					tx.effects = append(tx.effects, "an effect")
					return slow(ctx, p)
				})
			}
			srv := b.serve(idem.Wrap(b.svc, idem.Operations{Keyed: []*idem.Operation{op}}, http.TimeoutHandler(inner, 20*time.Millisecond, "slow")))
			send(t.Context(), srv, "k1", payload).want(t, "first", 503, "", false)
			<-ended
			if mode == "lease" {
				send(t.Context(), srv, "k1", payload).want(t, "retry", 409, "idempotency_outcome_unknown", false)
				b.wantRuns(1)
				return
			}
			eventually(t, "one effect", func() bool { // the first was rolled back with its context
				return send(t.Context(), srv, "k1", payload).status == 201
			})
			if got := b.store.committed(); len(got) != 1 {
				t.Errorf("committed %v", got)
			}
		})
	}
}

// A handler that ended its transaction by itself has had its effect apart from its result: the key must
// not run again.
func TestAHandlerThatEndsItsTransactionNeverRunsAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	srv := b.joined(func(ctx context.Context, tx *fakeTx, p transferPayload) (*idem.Response, error) {
		b.store.effectsMu.Lock() // commits
		b.store.effects = append(b.store.effects, tx.effects...)
		b.store.effectsMu.Unlock()
		tx.ended = true
		return created(ctx, p)
	})
	send(t.Context(), srv, "k1", payload).want(t, "first", 500, "idempotency_outcome_unknown", false)
	send(t.Context(), srv, "k1", payload).want(t, "retry", 500, "idempotency_outcome_unknown", true)
	b.wantRuns(1)
}
