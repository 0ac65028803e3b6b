// Package memstore keeps idempotency records in memory: for tests, and for a service of one process
// whose effects do not outlive it either. A restart forgets every key, so that a retry after it runs
// again; a service with durable effects keeps its records beside them, in a database.
//
// The store is bounded, and it never trades a record for room: when it is full it refuses new keys
// with [idem.ErrFull] and goes on to answer those it has.
package memstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// DefaultMaxBytes is the bound of the stored headers and bodies where [Options] names none: 64 MiB.
const DefaultMaxBytes = 64 << 20

// Options are the limits of a [Store].
type Options struct {
	// Capacity is how many records the store holds at most, reserved and finalized ones together. It
	// must be more than 0.
	Capacity int
	// Retention is how long a finalized record is kept where Finalize names no time. It must be more
	// than 0: memory that kept results for ever would be full one day. A client that retries later
	// than this runs again.
	Retention time.Duration
	// MaxBytes bounds the headers and bodies of all results together: [DefaultMaxBytes] by default.
	// At the bound new keys are refused. A result is never refused, because its work is done, so the
	// work in flight can go over the bound by its own responses.
	MaxBytes int64
	// Now is the store's clock: time.Now by default.
	Now func() time.Time
}

// A Store is an [idem.Store], an [idem.Sweeper] and an [idem.Resolver]. Make one with [New].
//
// Records past their retention are reclaimed a few at a time by each Begin of a new key, so that Sweep is
// only needed where memory should be given back while no new keys come in.
type Store struct {
	options Options

	// One lock is enough: it is held for a few map and heap operations, and never while a response is copied.
	mu      sync.Mutex
	records records
}

var (
	_ idem.Store    = (*Store)(nil)
	_ idem.Sweeper  = (*Store)(nil)
	_ idem.Resolver = (*Store)(nil)
)

// New returns an empty store. It panics unless Capacity and Retention are more than 0: without them
// the store could not be bounded.
func New(o Options) *Store {
	if o.Capacity <= 0 || o.Retention <= 0 || o.MaxBytes < 0 {
		panic("memstore: Capacity and Retention must be more than 0, MaxBytes not less")
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Store{options: o, records: newRecords()}
}

// Begin implements [idem.Store]. A new key is [idem.ErrFull] while the store is at a bound.
func (s *Store) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return idem.Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, err)
	}
	if r.Lease <= 0 {
		return idem.Outcome{}, fmt.Errorf("begin %s: lease must be more than 0", r.Key.Endpoint)
	}
	o, err := s.begin(r)
	if err != nil {
		return idem.Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, err)
	}
	o.Response = clone(o.Response)
	return o, nil
}

// begin decides. The response of its outcome is the record's own.
func (s *Store) begin(r idem.Reservation) (idem.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	rec := s.records.live(r.Key, now)
	switch {
	case rec == nil:
		return s.insert(r, now)
	case rec.fingerprint != r.Fingerprint:
		return rec.outcome(idem.Conflict, now), nil
	case rec.finalized:
		return rec.outcome(rec.state(now), now), nil
	case rec.token == r.Token:
		rec.leaseUntil = now.Add(r.Lease)
		return rec.outcome(idem.Reserved, now), nil
	case now.Before(rec.leaseUntil):
		return rec.outcome(idem.InProgress, now), nil
	case rec.joined, r.TakeOver != 0 && r.TakeOver == rec.fence:
		s.records.reserve(rec, r, fence(rec.fence, now), now)
		return rec.outcome(idem.Reserved, now), nil
	default:
		return rec.outcome(idem.Unknown, now), nil
	}
}

// insert reserves a key that has no live record.
func (s *Store) insert(r idem.Reservation, now time.Time) (idem.Outcome, error) {
	// Two for one, so that a burst of results that expired is gone after half as many new keys.
	s.records.reclaim(2, now)
	// The key's own record may be past its retention and still there.
	if s.records.byKey[r.Key] == nil && len(s.records.byKey) >= s.options.Capacity {
		return idem.Outcome{}, idem.ErrFull
	}
	if s.records.bytes >= s.options.MaxBytes {
		return idem.Outcome{}, idem.ErrFull
	}
	return s.records.add(r, now).outcome(idem.Reserved, now), nil
}

// Lookup implements [idem.Store].
func (s *Store) Lookup(ctx context.Context, k idem.Key) (idem.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return idem.Outcome{}, fmt.Errorf("look up %s: %w", k.Endpoint, err)
	}
	o := s.lookup(k)
	o.Response = clone(o.Response)
	return o, nil
}

func (s *Store) lookup(k idem.Key) idem.Outcome {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	rec := s.records.live(k, now)
	if rec == nil || rec.state(now) == idem.Absent {
		return idem.Outcome{State: idem.Absent, Now: now}
	}
	return rec.outcome(rec.state(now), now)
}

// Renew implements [idem.Store].
func (s *Store) Renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("renew %s: %w", k.Endpoint, err)
	}
	if lease < 0 {
		return fmt.Errorf("renew %s: lease must not be less than 0", k.Endpoint)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	rec := s.records.live(k, now)
	if rec == nil || rec.finalized || rec.token != t {
		return fmt.Errorf("renew %s: %w", k.Endpoint, idem.ErrLost)
	}
	rec.leaseUntil = now.Add(lease)
	return nil
}

// Finalize implements [idem.Store]. A keep of 0 is the store's own Retention.
func (s *Store) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("finalize %s: %w", k.Endpoint, err)
	}
	if keep < 0 {
		return fmt.Errorf("finalize %s: retention must not be less than 0", k.Endpoint)
	}
	kept := storable(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	rec := s.records.live(k, now)
	if rec == nil || rec.token != t {
		return fmt.Errorf("finalize %s: %w", k.Endpoint, idem.ErrLost)
	}
	if !rec.finalized {
		s.records.finalize(rec, kept, now.Add(cmp.Or(keep, s.options.Retention)))
	}
	return nil
}

// Release implements [idem.Store].
func (s *Store) Release(ctx context.Context, k idem.Key, t idem.Token) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("release %s: %w", k.Endpoint, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	rec := s.records.live(k, s.options.Now())
	switch {
	case rec == nil:
		return nil
	case rec.finalized || rec.token != t:
		return fmt.Errorf("release %s: %w", k.Endpoint, idem.ErrLost)
	}
	s.records.remove(rec)
	return nil
}

// Sweep implements [idem.Sweeper]. Its cost is that of the records it removes.
func (s *Store) Sweep(ctx context.Context, limit int) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	if limit <= 0 {
		return 0, errors.New("sweep: limit must be more than 0")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.records.reclaim(limit, s.options.Now()), nil
}

// Len returns how many records there are, those past their retention and not reclaimed yet included.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.records.byKey)
}
