package idem_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
)

func some(text string) canon.Optional[string] { return canon.Some(text) }

var aliceScope = idem.Scope{Tenant: "acme", Actor: "alice"}

// rent is the payload that a request with the body payload decodes to.
var rent = transferPayload{Path: transferPath{Account: "42"}, Body: transfer{Amount: "10.50", Note: some("rent")}}

func TestBeginByHand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	op := transferOperation()
	a, err := idem.Begin(t.Context(), b.svc, op, aliceScope, "k1", rent)
	if err != nil || a.State() != idem.Reserved || a.Problem() != nil {
		t.Fatalf("begin: %+v, %v", a, err)
	}
	defer a.Close()
	if got, ok := idem.FromContext(a.Context()); !ok || got.Fence() != a.Fence() {
		t.Error("the work's context does not have the attempt")
	}
	second, err := idem.Begin(t.Context(), b.svc, op, aliceScope, "k1", rent)
	if err != nil || second.State() != idem.InProgress || second.Problem().Code != "idempotency_in_progress" {
		t.Fatalf("second: %+v, %v", second, err)
	}
	second.Close() // owns nothing, and ends nothing
	r, _ := idem.JSON(201, "done")
	if err := a.Finalize(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if err := a.Finalize(t.Context(), r); err != nil {
		t.Errorf("again: %v", err)
	}
	a.Close()
	third, err := idem.Begin(t.Context(), b.svc, op, aliceScope, "k1", rent)
	if err != nil || third.State() != idem.Replay || string(third.Response().Body) != `"done"` {
		t.Fatalf("third: %+v, %v", third, err)
	}
	other := rent
	other.Body.Amount = "11"
	fourth, err := idem.Begin(t.Context(), b.svc, op, aliceScope, "k1", other)
	if err != nil || fourth.State() != idem.Conflict || fourth.Problem().Status != 409 {
		t.Fatalf("fourth: %+v, %v", fourth, err)
	}
}

// What is begun by hand and what comes over HTTP are one: the payload and the request have one fingerprint.
func TestBeginByHandMeetsTheRequest(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a, err := idem.Begin(t.Context(), b.svc, transferOperation(), aliceScope, "k1", rent)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := idem.JSON(201, "by hand")
	if err := a.Finalize(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	srv := b.lease(created)
	if got := send(t.Context(), srv, "k1", payload).want(t, "request", 201, "", true); got.body != `"by hand"` {
		t.Errorf("replayed %s", got.body)
	}
	b.wantRuns(0)
}

func TestCloseWithoutAResultIsUnknown(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
}

func TestReleaseByHandFreesTheKey(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a, err := idem.Begin(t.Context(), b.svc, transferOperation(), aliceScope, "k1", rent)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
	a.Close()
	wantLookup(t, b.store, "k1", idem.Absent)
}

func TestBeginByHandRefuses(t *testing.T) {
	t.Parallel()
	bad := rent
	bad.Body.Amount = "ten"
	for _, tc := range []struct {
		name, key string
		scope     idem.Scope
		payload   transferPayload
		code      string
		detail    string
	}{
		{"no key", "", aliceScope, rent, "validation_error", "idempotency key is required"},
		{"a long key", strings.Repeat("k", 201), aliceScope, rent, "validation_error", "idempotency key too long"},
		{"no tenant", "k", idem.Scope{Actor: "alice"}, rent, "idempotency_scope_missing", ""},
		{"no actor", "k", idem.Scope{Tenant: "acme"}, rent, "idempotency_scope_missing", ""},
		{"a long actor", "k", idem.Scope{Tenant: "acme", Actor: strings.Repeat("a", 256)}, rent, "idempotency_scope_missing", ""},
		{"a payload that is no JSON", "k", aliceScope, bad, "validation_error", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			_, err := idem.Begin(t.Context(), b.svc, transferOperation(), tc.scope, tc.key, tc.payload)
			var p *idem.Problem
			if !errors.As(err, &p) || p.Code != tc.code || (tc.detail != "" && p.Detail != tc.detail) {
				t.Errorf("got %#v, want code %s", err, tc.code)
			}
			if b.store.count("begin") != 0 {
				t.Error("the store was asked")
			}
		})
	}
}

func TestRunTxByHand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	begin := func() *idem.Attempt {
		a, err := idem.Begin(t.Context(), b.svc, transferOperation(), aliceScope, "k1", rent)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	work := func(_ context.Context, tx *fakeTx) (*idem.Response, error) {
		tx.effects = append(tx.effects, "an effect")
		return idem.JSON(201, "done")
	}
	a := begin()
	boom := errors.New("boom")
	if r, err := idem.RunTx(a, b.store, func(ctx context.Context, tx *fakeTx) (*idem.Response, error) {
		_, _ = work(ctx, tx)
		return nil, boom
	}); err != boom || r.Status != 500 {
		t.Fatalf("%+v, %v", r, err) // a caller that looks at the error alone does not take it for done
	}
	a.Close()
	wantLookup(t, b.store, "k1", idem.Absent) // rolled back, and so free
	a = begin()
	r, err := idem.RunTx(a, b.store, work)
	a.Close()
	if err != nil || r.Status != 201 || len(b.store.committed()) != 1 {
		t.Fatalf("%+v, %v, committed %v", r, err, b.store.committed())
	}
	if a = begin(); a.State() != idem.Replay {
		t.Errorf("state %d", a.State())
	}
}

func TestFinalizeTxByHand(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a, err := idem.Begin(t.Context(), b.svc, transferOperation(), aliceScope, "k1", rent)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := idem.JSON(201, "done")
	tx := &fakeTx{}
	if err := idem.FinalizeTx(t.Context(), a, b.store, tx, r); err != nil {
		t.Fatal(err)
	}
	if err := tx.finalize(); err != nil { // the commit
		t.Fatal(err)
	}
	a.Close()
	wantLookup(t, b.store, "k1", idem.Replay)
}

func TestTheDownstreamKeyIsStableAndTellsNothing(t *testing.T) {
	t.Parallel()
	keys := map[string]bool{}
	for range 2 {
		b := newBench(t)
		a, err := idem.Begin(t.Context(), b.svc, transferOperation(), aliceScope, "secret", rent)
		if err != nil {
			t.Fatal(err)
		}
		a.Close()
		for _, name := range []string{"bank", "mail"} {
			keys[a.DownstreamKey(name)] = true
		}
	}
	if len(keys) != 2 {
		t.Errorf("%v", keys)
	}
}

func TestSweepGoesOnUntilNothingIsLeft(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for _, k := range []string{"a", "b", "c", "d", "e"} {
		a, err := idem.Begin(t.Context(), b.svc, transferOperation(), aliceScope, k, rent)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Finalize(t.Context(), &idem.Response{}); err != nil {
			t.Fatal(err)
		}
	}
	b.abandon("unknown")
	b.store.advance(2 * time.Hour)
	n, err := b.svc.Sweep(t.Context(), 2)
	if n != 5 || err != nil {
		t.Errorf("swept %d, %v", n, err)
	}
	wantLookup(t, b.store, "unknown", idem.Unknown)
}
