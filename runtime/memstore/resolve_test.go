package memstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
)

func TestUnresolvedRefuses(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 10})
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, c := range []struct {
		name, after string
		limit       int
		want        string
	}{
		{"no limit", "", 0, "list unresolved: limit must be more than 0"},
		{"a limit below 0", "", -1, "list unresolved: limit must be more than 0"},
		{"another store's cursor", "AbC", 1, `list unresolved: "AbC" is no cursor of this store`},
	} {
		if _, _, err := s.Unresolved(t.Context(), c.after, c.limit); err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, not %s", c.name, err, c.want)
		}
	}
	if _, _, err := s.Unresolved(ended, "", 1); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

func TestResolveRefuses(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 10})
	r, err := reserve(t, s, "k")
	if err != nil {
		t.Fatal(err)
	}
	s.clock.pass(time.Hour)
	list, _, err := s.Unresolved(t.Context(), "", 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("unresolved: %v, %v", list, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Resolve(ended, r.Key, list[0].Fence, nil, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	const want = "resolve claims.create: retention must not be less than 0"
	err = s.Resolve(t.Context(), r.Key, list[0].Fence, &idem.Response{Status: 200}, -1)
	if err == nil || err.Error() != want {
		t.Errorf("a retention below 0: %v, not %s", err, want)
	}
	if o, err := s.Lookup(t.Context(), r.Key); err != nil || o.State != idem.Unknown {
		t.Errorf("the record is %+v, %v", o, err)
	}
}

// The last page is known to be the last one: nobody is asked to come again for nothing.
func TestUnresolvedEndsWithItsLastRecord(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 10})
	for i := range 4 {
		if _, err := reserve(t, s, fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	s.clock.pass(time.Hour)
	first, next, err := s.Unresolved(t.Context(), "", 2)
	if err != nil || len(first) != 2 || first[0].Key.Value != "0" || next == "" {
		t.Fatalf("the first page: %v, %q, %v", first, next, err)
	}
	second, next, err := s.Unresolved(t.Context(), next, 2)
	if err != nil || len(second) != 2 || second[0].Key.Value != "2" || next != "" {
		t.Errorf("the last page: %v, %q, %v", second, next, err)
	}
}

// What is settled counts as any result: towards the bound, and away from it once it expires.
func TestResolveIsBounded(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 10, Retention: time.Hour, MaxBytes: 1000})
	r, err := reserve(t, s, "k")
	if err != nil {
		t.Fatal(err)
	}
	s.clock.pass(time.Hour)
	list, _, err := s.Unresolved(t.Context(), "", 1)
	if err != nil || len(list) != 1 {
		t.Fatalf("unresolved: %v, %v", list, err)
	}
	body := make([]byte, 1000)
	if err := s.Resolve(t.Context(), r.Key, list[0].Fence, &idem.Response{Status: 200, Body: body}, 0); err != nil {
		t.Fatal(err)
	}
	body[0] = 'x'
	if o, err := s.Lookup(t.Context(), r.Key); err != nil || o.State != idem.Replay || o.Response.Body[0] != 0 {
		t.Errorf("the record changed with the caller's slice: %+v, %v", o.State, err)
	}
	if _, err := reserve(t, s, "new"); !errors.Is(err, idem.ErrFull) {
		t.Errorf("Begin at the bound: %v, not ErrFull", err)
	}
	s.clock.pass(time.Hour)
	if _, err := reserve(t, s, "new"); err != nil {
		t.Errorf("Begin after the store's own retention: %v", err)
	}
}
