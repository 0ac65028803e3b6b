package storetest_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// reference is the smallest store that obeys the rules, with a fake clock, and the defects that can be
// seeded in it. It never forgets anything by itself: it has no notion of memory.
type reference struct {
	mu       sync.Mutex
	defect   string
	now      time.Time
	capacity int // 0: no bound
	fence    int64
	rows     map[idem.Key]*row
}

type row struct {
	key         idem.Key
	token       idem.Token
	former      map[idem.Token]bool
	fence       int64
	joined      bool
	fingerprint idem.Fingerprint
	begunAt     time.Time // by the first owner
	reservedAt  time.Time
	leaseUntil  time.Time
	response    *idem.Response // nil: not finalized
	expiresAt   time.Time
	settlement  string // how it was resolved, where it was
	anew        bool   // there was a record for the key that was not swept
	locked      bool   // by a transaction: see referenceTx
}

func newReference(defect string) *reference {
	return &reference{defect: defect, now: time.Unix(1_800_000_000, 0), fence: 1000, rows: map[idem.Key]*row{}}
}

func (s *reference) has(defect string) bool { return s.defect == defect }

func (s *reference) pass(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = s.now.Add(d)
}

// key is what rows are found by.
func (s *reference) key(k idem.Key) idem.Key {
	switch {
	case s.has("keys are joined by a separator"):
		return idem.Key{Value: k.Scope.Tenant + ":" + k.Scope.Actor + ":" + string(k.Endpoint) + ":" + k.Value}
	case s.has("keys are read as UTF-8"):
		k.Value = strings.ToValidUTF8(k.Value, "\ufffd")
	case s.has("keys are compared without their blanks"):
		k.Value = strings.TrimSpace(k.Value)
	}
	return k
}

func (s *reference) live(k idem.Key) *row {
	r := s.rows[s.key(k)]
	if r == nil || s.expired(r) {
		return nil
	}
	return r
}

func (s *reference) expired(r *row) bool { return r.response != nil && !s.now.Before(r.expiresAt) }

func (s *reference) leaseOver(r *row) bool {
	return !s.now.Before(r.leaseUntil) && (!r.locked || s.has("the lock is no lease"))
}

func (s *reference) state(r *row) idem.State {
	switch {
	case r == nil:
		return idem.Absent
	case r.response != nil && r.response.Tombstone:
		return idem.Tombstone
	case r.response != nil:
		return idem.Replay
	case !s.leaseOver(r):
		return idem.InProgress
	case r.joined && !s.has("Lookup says unknown of a joined one"):
		return idem.Absent
	default:
		return idem.Unknown
	}
}

func (s *reference) outcome(state idem.State, r *row) idem.Outcome {
	o := idem.Outcome{State: state, Now: s.now}
	if s.has("answers without the time") && state != idem.Reserved {
		o.Now = time.Time{}
	}
	if r == nil || state == idem.Absent {
		return o
	}
	o.Fence, o.Fingerprint = r.fence, r.fingerprint
	if s.has("the record's fingerprint is not told") && state == idem.Conflict {
		o.Fingerprint = idem.Fingerprint{}
	}
	if state == idem.Replay || state == idem.Tombstone || s.has("a conflict shows the response") && r.response != nil {
		o.Response = copied(*r.response)
		if s.has("a replay shares the record's slices") {
			o.Response = *r.response
		}
	}
	return o
}

func (s *reference) Begin(_ context.Context, n idem.Reservation) (idem.Outcome, error) {
	if s.has("Resolve checks, then acts") && n.TakeOver != 0 {
		time.Sleep(5 * time.Millisecond) // so that those who resolve have checked by then
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(n.Key)
	if s.has("Begin answers from a record past its retention") {
		r = s.rows[s.key(n.Key)]
	}
	if s.has("checks, then acts") && r == nil {
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
		s.mu.Lock()
		r = nil
	}
	switch {
	case s.rows[s.key(n.Key)] == nil && n.TakeOver != 0 && s.has("a fence cannot begin a new key"):
		return s.outcome(idem.Unknown, nil), nil
	case r == nil:
		return s.insert(n)
	case s.differs(r, n.Fingerprint):
		if s.has("a conflict ends the lease") && r.response == nil {
			r.leaseUntil = s.now
		}
		return s.outcome(idem.Conflict, r), nil
	case r.response != nil:
		return s.answer(n, r), nil
	case r.token == n.Token && !s.has("an owner is its own duplicate"):
		if !s.has("Begin again does not start the lease again") {
			r.leaseUntil = s.now.Add(n.Lease)
		}
		return s.outcome(idem.Reserved, r), nil
	case !s.leaseOver(r) && !(s.has("a live lease is taken over by its fence") && n.TakeOver == r.fence):
		return s.outcome(idem.InProgress, r), nil
	case r.joined && !s.has("joined becomes unknown"), s.takesOver(n, r):
		return s.takeOver(n, r), nil
	default:
		return s.outcome(idem.Unknown, r), nil
	}
}

func (s *reference) insert(n idem.Reservation) (idem.Outcome, error) {
	if s.capacity > 0 && len(s.rows) >= s.capacity {
		for k, r := range s.rows {
			if s.expired(r) || s.has("evicts a live record when full") {
				s.remove(k, r)
				break
			}
		}
	}
	if s.capacity > 0 && len(s.rows) >= s.capacity {
		return idem.Outcome{}, fmt.Errorf("begin: %w", idem.ErrFull)
	}
	r := &row{key: n.Key, begunAt: s.now, former: map[idem.Token]bool{}}
	if old := s.rows[s.key(n.Key)]; old != nil && s.expired(old) {
		r.fence, r.anew = old.fence, true
	}
	r.fence = max(r.fence, s.fence) + 1
	s.rows[s.key(n.Key)] = r
	s.own(n, r)
	return s.outcome(idem.Reserved, r), nil
}

func (s *reference) own(n idem.Reservation, r *row) {
	if r.token != (idem.Token{}) {
		r.former[r.token] = true
	}
	r.token, r.fingerprint, r.reservedAt = n.Token, n.Fingerprint, s.now
	r.leaseUntil = s.now.Add(n.Lease)
	if !s.has("joined once, joined for ever") || len(r.former) == 0 {
		r.joined = n.Joined
	}
}

func (s *reference) differs(r *row, f idem.Fingerprint) bool {
	switch {
	case s.has("conflict is not seen in flight") && r.response == nil && !s.leaseOver(r),
		s.has("conflict is not seen after the lease") && r.response == nil && s.leaseOver(r),
		s.has("conflict is not seen after finalize") && r.response != nil:
		return false
	case s.has("only the sum is compared"):
		return r.fingerprint.Sum != f.Sum
	}
	return r.fingerprint != f
}

// answer is for a finalized record.
func (s *reference) answer(n idem.Reservation, r *row) idem.Outcome {
	if s.has("tombstones run again") && r.response.Tombstone ||
		s.has("a result is taken over by its fence") && n.TakeOver == r.fence && !r.response.Tombstone && r.settlement == "" {
		r.response = nil
		return s.takeOver(n, r)
	}
	return s.outcome(s.state(r), r)
}

func (s *reference) takesOver(n idem.Reservation, r *row) bool {
	switch {
	case s.has("any fence takes over"):
		return n.TakeOver != 0
	case s.has("unknown work runs again unasked") && n.TakeOver == 0:
		return true
	}
	return n.TakeOver == r.fence
}

func (s *reference) takeOver(n idem.Reservation, r *row) idem.Outcome {
	if s.has("take-over checks, then acts") {
		s.mu.Unlock()
		time.Sleep(time.Millisecond)
		s.mu.Lock()
		if r.response != nil {
			return s.outcome(s.state(r), r)
		}
	}
	r.fence = max(r.fence, s.fence) + 1
	s.own(n, r)
	return s.outcome(idem.Reserved, r)
}

func (s *reference) remove(k idem.Key, r *row) {
	delete(s.rows, k)
	if !s.has("fence starts again after a removal") {
		s.fence = max(s.fence, r.fence)
	}
}

func (s *reference) Lookup(_ context.Context, k idem.Key) (idem.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(k)
	state := s.state(r)
	switch {
	case r != nil && state == idem.InProgress && s.has("Lookup keeps the attempt alive"):
		r.leaseUntil = s.now.Add(time.Minute)
	case r != nil && state == idem.Unknown && s.has("Lookup removes what is unknown"):
		delete(s.rows, s.key(k))
	}
	return s.outcome(state, r), nil
}

func copied(r idem.Response) idem.Response {
	r.Header, r.Body = r.Header.Clone(), bytes.Clone(r.Body)
	return r
}

// harness is that of references with one defect.
func harness(defect string) storetest.Harness {
	return storetest.Harness{
		New:     func(testing.TB) idem.Store { return newReference(defect) },
		Advance: func(_ testing.TB, s idem.Store, d time.Duration) { s.(*reference).pass(d) },
		Bounded: func(_ testing.TB, n int) idem.Store {
			s := newReference(defect)
			s.capacity = n
			return s
		},
	}
}

// stored is what the reference keeps of a response.
func (s *reference) stored(r idem.Response) idem.Response {
	if s.has("keeps the caller's slices") {
		return r
	}
	r = copied(r)
	switch {
	case r.Tombstone:
		return idem.Response{Status: r.Status, Tombstone: true}
	case s.has("header lines are joined"):
		maps.DeleteFunc(r.Header, func(name string, values []string) bool {
			r.Header[name] = []string{strings.Join(values, ", ")}
			return false
		})
	case s.has("header names are made canonical"):
		canonical := http.Header{}
		for name, values := range r.Header {
			canonical[http.CanonicalHeaderKey(name)] = values
		}
		r.Header = canonical
	case s.has("NUL ends a body"):
		r.Body, _, _ = bytes.Cut(r.Body, []byte{0})
	case s.has("bodies are text"):
		r.Body = bytes.ToValidUTF8(r.Body, []byte("\ufffd"))
	case s.has("an empty body is a tombstone"):
		r.Tombstone = len(r.Body) == 0
	}
	return r
}
