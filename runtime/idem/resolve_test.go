package idem_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// unresolved lists the one record that a test has abandoned.
func (b *bench) unresolved() idem.Unresolved {
	b.t.Helper()
	list, next, err := b.svc.Unresolved(b.t.Context(), "", 0)
	if err != nil || len(list) != 1 || next != "" {
		b.t.Fatalf("unresolved: %+v, %q, %v", list, next, err)
	}
	return list[0]
}

// resolved is the events that say so.
func (e *events) resolved() []idem.Event {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(e.list), func(ev idem.Event) bool { return ev.Kind != idem.EventResolved })
}

func TestResolveWithAResponse(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	srv := b.lease(created)
	send(t.Context(), srv, "k1", payload).want(t, "before", 409, "idempotency_outcome_unknown", false)
	u := b.unresolved()
	if u.Key != recordKey("k1") || u.Fence != wantLookup(t, b.store, "k1", idem.Unknown).Fence {
		t.Errorf("listed is %+v", u)
	}
	found, err := idem.JSON(201, "found")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first acknowledgement may have been lost
		if err := b.svc.Resolve(t.Context(), u, found, time.Hour); err != nil {
			t.Fatal(err)
		}
	}
	send(t.Context(), srv, "k1", payload).want(t, "after", 201, "", true)
	b.wantRuns(0)
	event := idem.Event{Kind: idem.EventResolved, Endpoint: "transfers.create", Fence: u.Fence}
	if got := b.events.resolved(); !reflect.DeepEqual(got, []idem.Event{event, event}) {
		t.Errorf("the observer hears %+v", got)
	}
	if list, _, err := b.svc.Unresolved(t.Context(), "", 0); len(list) != 0 || err != nil {
		t.Errorf("still unresolved: %+v, %v", list, err)
	}
}

func TestResolveByRelease(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	srv := b.lease(created)
	if err := b.svc.Resolve(t.Context(), b.unresolved(), nil, 0); err != nil {
		t.Fatal(err)
	}
	send(t.Context(), srv, "k1", payload).want(t, "after", 201, "", false)
	b.wantRuns(1)
	if got := b.events.resolved(); len(got) != 1 {
		t.Errorf("the observer hears %+v", got)
	}
}

// A response that is given by hand is stored as one that a handler gave.
func TestResolveStoresWhatIsSafeToReplay(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	given := &idem.Response{
		Header: http.Header{"Set-Cookie": {"session=1"}, "Location": {"/transfers/7"}},
		Body:   []byte("<html>"),
	}
	if err := b.svc.Resolve(t.Context(), b.unresolved(), given, 0); err != nil {
		t.Fatal(err)
	}
	got := wantLookup(t, b.store, "k1", idem.Replay).Response
	want := idem.Response{Status: 200, Body: []byte("<html>"),
		Header: http.Header{"Location": {"/transfers/7"}, "Content-Type": {"text/html; charset=utf-8"}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("stored is %+v, not %+v", got, want)
	}
	if given.Status != 0 || given.Header.Get("Set-Cookie") == "" {
		t.Errorf("the caller's response became %+v", given)
	}
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	for _, status := range []int{1, 101, 199, 1000, -1} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.abandon("k1")
			err := b.svc.Resolve(t.Context(), b.unresolved(), &idem.Response{Status: status}, 0)
			want := fmt.Sprintf("resolve transfers.create: %d is not a final HTTP status", status)
			if err == nil || err.Error() != want {
				t.Errorf("Resolve says %v, not %s", err, want)
			}
			wantLookup(t, b.store, "k1", idem.Unknown)
			if got := b.events.resolved(); len(got) != 0 {
				t.Errorf("the observer hears %+v", got)
			}
		})
	}
}

// Between the list and the settlement a retry took the record over.
func TestResolveComesTooLate(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.abandon("k1")
	u := b.unresolved()
	srv := b.lease(created, func(op *idem.Operation) { op.Policy.OnUnknown = idem.Reexecute })
	send(t.Context(), srv, "k1", payload).want(t, "retry", 201, "", false)
	for name, r := range map[string]*idem.Response{"finalize": {Status: 500}, "release": nil} {
		if err := b.svc.Resolve(t.Context(), u, r, 0); !errors.Is(err, idem.ErrLost) {
			t.Errorf("%s: %v, not ErrLost", name, err)
		}
	}
	if got := b.events.resolved(); len(got) != 0 {
		t.Errorf("the observer hears %+v", got)
	}
	send(t.Context(), srv, "k1", payload).want(t, "replay", 201, "", true)
	b.wantRuns(1)
}

func TestUnresolvedHasALimitOfItsOwn(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	for i := range 101 {
		b.abandon(fmt.Sprint(i))
	}
	list, next, err := b.svc.Unresolved(t.Context(), "", 0)
	if err != nil || len(list) != 100 || next == "" {
		t.Fatalf("%d are listed, and then %q, %v", len(list), next, err)
	}
	if list, next, err = b.svc.Unresolved(t.Context(), next, 0); err != nil || len(list) != 1 || next != "" {
		t.Errorf("then %d are listed, and then %q, %v", len(list), next, err)
	}
}

func TestAStoreThatDoesNotResolve(t *testing.T) {
	t.Parallel()
	var heard events
	svc := idem.New(struct{ idem.Store }{newFaultStore(t)}, alice)
	svc.Observer = heard.observe
	const want = "the store does not resolve unknown outcomes"
	if _, _, err := svc.Unresolved(context.Background(), "", 0); err == nil || err.Error() != want {
		t.Errorf("Unresolved: %v, not %s", err, want)
	}
	err := svc.Resolve(context.Background(), idem.Unresolved{Key: recordKey("k1"), Fence: 1}, nil, 0)
	if err == nil || err.Error() != want {
		t.Errorf("Resolve: %v, not %s", err, want)
	}
	if got := heard.kinds(); len(got) != 0 {
		t.Errorf("the observer hears %v", got)
	}
}

func TestSettlementToken(t *testing.T) {
	t.Parallel()
	base := func() (int64, idem.Response) {
		return 7, idem.Response{Status: 201, Header: http.Header{"A": {"b"}, "C": {"d", "e"}}, Body: []byte("body")}
	}
	token := func(change func(*int64, *idem.Response)) idem.Token {
		fence, r := base()
		change(&fence, &r)
		return idem.SettlementToken(fence, &r)
	}
	seen := map[idem.Token]string{}
	for name, change := range map[string]func(*int64, *idem.Response){
		"itself":         func(*int64, *idem.Response) {},
		"another fence":  func(f *int64, _ *idem.Response) { *f = 8 },
		"another status": func(_ *int64, r *idem.Response) { r.Status = 202 },
		"another header": func(_ *int64, r *idem.Response) { r.Header["A"] = []string{"c"} },
		"another body":   func(_ *int64, r *idem.Response) { r.Body = []byte("bodY") },
		"no body":        func(_ *int64, r *idem.Response) { r.Body = nil },
		"its header as a body": func(_ *int64, r *idem.Response) {
			r.Body, r.Header = append(idem.EncodeHeader(r.Header), r.Body...), nil
		},
		"a tombstone": func(_ *int64, r *idem.Response) { r.Tombstone = true },
	} {
		got := token(change)
		if other, ok := seen[got]; ok {
			t.Errorf("%s has the token of %s", name, other)
		}
		seen[got] = name
		if token(change) != got {
			t.Errorf("%s has another token the second time", name)
		}
	}
	bare := func(_ *int64, r *idem.Response) { *r = idem.Response{Status: r.Status, Tombstone: true} }
	if seen[token(bare)] != "a tombstone" {
		t.Error("what a tombstone does not keep is in its token")
	}
}
