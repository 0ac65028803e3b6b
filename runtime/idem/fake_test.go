package idem_test

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
)

// A faultStore is a memory store whose verbs can be made to fail, before or after they had their effect.
type faultStore struct {
	*memstore.Store
	now atomic.Int64 // added to the clock, in nanoseconds

	mu     sync.Mutex
	before map[string]func() error // by verb: an error here means that nothing happened
	after  map[string]func() error // by verb: an error here means that the answer was lost
	calls  map[string]int
}

func newFaultStore(t *testing.T) *faultStore {
	t.Helper()
	s := &faultStore{before: map[string]func() error{}, after: map[string]func() error{}, calls: map[string]int{}}
	s.Store = memstore.New(memstore.Options{Capacity: 1000, Retention: time.Hour,
		Now: func() time.Time { return time.Now().Add(time.Duration(s.now.Load())) }})
	return s
}

func (s *faultStore) advance(d time.Duration) { s.now.Add(int64(d)) }

// fail lets a verb's next n calls fail: n < 0 is for ever.
func (s *faultStore) fail(at map[string]func() error, verb string, n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var left atomic.Int64
	left.Store(int64(n))
	at[verb] = func() error {
		if n >= 0 && left.Add(-1) < 0 {
			return nil
		}
		return err
	}
}

func (s *faultStore) count(verb string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[verb]
}

func (s *faultStore) hook(at map[string]func() error, verb string) error {
	s.mu.Lock()
	f := at[verb]
	s.mu.Unlock()
	if f == nil {
		return nil
	}
	return f()
}

// do runs one verb between its faults.
func (s *faultStore) do(ctx context.Context, verb string, f func() error) error {
	s.mu.Lock()
	s.calls[verb]++
	s.mu.Unlock()
	if err := s.hook(s.before, verb); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := f(); err != nil {
		return err
	}
	return s.hook(s.after, verb)
}

func (s *faultStore) Begin(ctx context.Context, r idem.Reservation) (out idem.Outcome, err error) {
	err = s.do(ctx, "begin", func() error { out, err = s.Store.Begin(ctx, r); return err })
	return out, err
}

func (s *faultStore) Lookup(ctx context.Context, k idem.Key) (out idem.Outcome, err error) {
	err = s.do(ctx, "lookup", func() error { out, err = s.Store.Lookup(ctx, k); return err })
	return out, err
}

func (s *faultStore) Renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	return s.do(ctx, "renew", func() error { return s.Store.Renew(ctx, k, t, lease) })
}

func (s *faultStore) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	return s.do(ctx, "finalize", func() error { return s.Store.Finalize(ctx, k, t, r, keep) })
}

func (s *faultStore) Release(ctx context.Context, k idem.Key, t idem.Token) error {
	return s.do(ctx, "release", func() error { return s.Store.Release(ctx, k, t) })
}

// A fakeTx collects effects and the finalized response until it is committed.
type fakeTx struct {
	effects  []string
	finalize func() error
	ended    bool // by the handler itself
}

// A fakeTxStore has transactions over the memory store: effects and result appear at commit.
type fakeTxStore struct {
	*faultStore
	effectsMu sync.Mutex
	effects   []string
}

func newFakeTxStore(t *testing.T) *fakeTxStore { return &fakeTxStore{faultStore: newFaultStore(t)} }

func (s *fakeTxStore) committed() []string {
	s.effectsMu.Lock()
	defer s.effectsMu.Unlock()
	return append([]string(nil), s.effects...)
}

func (s *fakeTxStore) InTx(ctx context.Context, k idem.Key, t idem.Token, fn func(*fakeTx) error) error {
	return s.do(ctx, "intx", func() error {
		if err := s.Store.Renew(ctx, k, t, time.Minute); err != nil { // locks it, as it were
			return err
		}
		tx := &fakeTx{}
		if err := fn(tx); err != nil {
			return err
		}
		if err := s.hook(s.before, "commit"); err != nil {
			return errors.Join(idem.ErrUncertain, err)
		}
		if tx.finalize != nil {
			if err := tx.finalize(); err != nil {
				return err
			}
		}
		s.effectsMu.Lock()
		s.effects = append(s.effects, tx.effects...)
		s.effectsMu.Unlock()
		if err := s.hook(s.after, "commit"); err != nil {
			return errors.Join(idem.ErrUncertain, err)
		}
		return nil
	})
}

func (s *fakeTxStore) FinalizeTx(ctx context.Context, tx *fakeTx, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	if tx.ended {
		return idem.ErrTxEnded
	}
	tx.finalize = func() error { return s.Store.Finalize(ctx, k, t, r, keep) }
	return nil
}

var errDown = errors.New("the store is down")

// events records what an Observer hears.
type events struct {
	mu   sync.Mutex
	list []idem.Event
}

func (e *events) observe(_ context.Context, ev idem.Event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.list = append(e.list, ev)
}

func (e *events) kinds() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []string
	for _, ev := range e.list {
		out = append(out, ev.Kind.String())
	}
	return out
}

// alice is who acts in tests that do not say otherwise.
func alice(*http.Request) (idem.Scope, error) { return idem.Scope{Tenant: "acme", Actor: "alice"}, nil }
