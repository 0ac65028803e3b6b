package memstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// clocked is a store whose time the test owns.
type clocked struct {
	*memstore.Store
	clock *clock
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func open(o memstore.Options) clocked {
	c := &clock{now: time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)}
	o.Now = c.Now
	if o.Retention == 0 {
		o.Retention = 24 * time.Hour
	}
	return clocked{Store: memstore.New(o), clock: c}
}

func TestRules(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Harness{
		New:     func(testing.TB) idem.Store { return open(memstore.Options{Capacity: 1000}) },
		Advance: func(_ testing.TB, s idem.Store, d time.Duration) { s.(clocked).clock.pass(d) },
		Bounded: func(_ testing.TB, n int) idem.Store { return open(memstore.Options{Capacity: n}) },
	})
}

func TestUnboundedIsRefused(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]memstore.Options{
		"no capacity":      {Retention: time.Hour},
		"no retention":     {Capacity: 1},
		"capacity below 0": {Capacity: -1, Retention: time.Hour},
		"bytes below 0":    {Capacity: 1, Retention: time.Hour, MaxBytes: -1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Errorf("New(%+v) does not panic", o)
				}
			}()
			memstore.New(o)
		})
	}
}

func reserve(t *testing.T, s idem.Store, value string) (idem.Reservation, error) {
	t.Helper()
	r := idem.Reservation{
		Key:   idem.Key{Scope: idem.Scope{Tenant: "t", Actor: "a"}, Endpoint: "claims.create", Value: value},
		Token: idem.NewToken(),
		Lease: time.Minute,
	}
	o, err := s.Begin(t.Context(), r)
	if err == nil && o.State != idem.Reserved {
		t.Fatalf("Begin says %s, not Reserved", storetest.StateName(o.State))
	}
	return r, err
}

func finalized(t *testing.T, s idem.Store, value string, body []byte, keep time.Duration) {
	t.Helper()
	r, err := reserve(t, s, value)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Finalize(t.Context(), r.Key, r.Token, idem.Response{Status: 200, Body: body}, keep); err != nil {
		t.Fatal(err)
	}
}

func TestBytesAreBounded(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 100, MaxBytes: 1000})
	running, err := reserve(t, s, "running")
	if err != nil {
		t.Fatal(err)
	}
	finalized(t, s, "large", make([]byte, 1000), time.Hour)
	if _, err := reserve(t, s, "new"); !errors.Is(err, idem.ErrFull) {
		t.Errorf("Begin at the bound: %v, not ErrFull", err)
	}
	// The work is done, so its result must be kept whatever room there is.
	result := idem.Response{Status: 200, Body: make([]byte, 500)}
	err = s.Finalize(t.Context(), running.Key, running.Token, result, time.Hour)
	if err != nil {
		t.Errorf("Finalize at the bound: %v", err)
	}
	s.clock.pass(2 * time.Hour)
	if _, err := reserve(t, s, "new"); err != nil {
		t.Errorf("Begin when the results are past their retention: %v", err)
	}
}

func TestRetentionIsTheStoresWhereNoneIsNamed(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 10, Retention: time.Hour})
	finalized(t, s, "k", nil, 0)
	s.clock.pass(time.Hour - time.Second)
	if n, err := s.Sweep(t.Context(), 10); n != 0 || err != nil {
		t.Errorf("Sweep within the retention: %d, %v", n, err)
	}
	s.clock.pass(time.Second)
	if n, err := s.Sweep(t.Context(), 10); n != 1 || err != nil {
		t.Errorf("Sweep after the retention: %d, %v", n, err)
	}
}

// A service that never sweeps must not keep what has expired.
func TestBeginReclaims(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 1000, Retention: time.Second})
	for i := range 10_000 {
		finalized(t, s, fmt.Sprint(i), nil, 0)
		s.clock.pass(100 * time.Millisecond)
	}
	if n := s.Len(); n > 20 {
		t.Errorf("%d records are left where 10 are alive", n)
	}
}

func TestMemoryIsGivenBack(t *testing.T) { // alone: it measures the heap
	s := open(memstore.Options{Capacity: 50_000, Retention: time.Second})
	before := heap()
	for i := range 50_000 {
		finalized(t, s, fmt.Sprint(i), []byte("0123456789"), 0)
	}
	s.clock.pass(time.Minute)
	for n := 1; n > 0; {
		var err error
		if n, err = s.Sweep(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
	}
	if grown := heap() - before; s.Len() != 0 || grown > 1<<20 {
		t.Errorf("after sweeping %d records are left and %d bytes", s.Len(), grown)
	}
	runtime.KeepAlive(s)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Many keys at once, with sweeps between: for the race detector, and for the counts.
func TestParallel(t *testing.T) {
	t.Parallel()
	s := memstore.New(memstore.Options{Capacity: 10_000, Retention: time.Microsecond})
	t.Run("workers", func(t *testing.T) {
		for w := range 8 {
			t.Run(fmt.Sprint(w), func(t *testing.T) {
				t.Parallel()
				body := bytes.Repeat([]byte{byte(w)}, 100)
				for i := range 200 {
					finalized(t, s, fmt.Sprintf("%d-%d", w, i), body, 0)
					if _, err := s.Sweep(t.Context(), 5); err != nil {
						t.Error(err)
					}
				}
			})
		}
	})
	time.Sleep(time.Millisecond)
	if _, err := s.Sweep(t.Context(), 10_000); err != nil || s.Len() != 0 {
		t.Errorf("%d records are left, %v", s.Len(), err)
	}
}

func TestEndedContextChangesNothing(t *testing.T) {
	t.Parallel()
	s := open(memstore.Options{Capacity: 10})
	r, err := reserve(t, s, "k")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, begin := s.Begin(ctx, idem.Reservation{Key: r.Key, Token: idem.NewToken(), Lease: time.Minute})
	_, lookup := s.Lookup(ctx, r.Key)
	_, sweep := s.Sweep(ctx, 1)
	for verb, err := range map[string]error{
		"Begin": begin, "Lookup": lookup, "Sweep": sweep,
		"Renew":    s.Renew(ctx, r.Key, r.Token, 0),
		"Finalize": s.Finalize(ctx, r.Key, r.Token, idem.Response{Status: 200}, 0),
		"Release":  s.Release(ctx, r.Key, r.Token),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v, not context.Canceled", verb, err)
		}
	}
	if o, err := s.Lookup(t.Context(), r.Key); err != nil || o.State != idem.InProgress {
		t.Errorf("the record is %s, %v", storetest.StateName(o.State), err)
	}
}
