package linear_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// flawed is a small store on the machine's clock, and the defects that can be seeded in it. Most of them show only
// where several callers act at once, or where a lease ends.
type flawed struct {
	defect string
	tick   time.Duration

	mu      sync.Mutex
	rows    map[idem.Key]row
	replica map[idem.Key]row // what rows were a few writes ago
	writes  int
	fence   int64
}

type row struct {
	token       idem.Token
	former      idem.Token
	fence       int64
	joined      bool
	fingerprint idem.Fingerprint
	reserved    time.Time
	end         time.Time
	response    *idem.Response // nil: not finalized
}

func newFlawed(defect string, tick time.Duration) *flawed {
	return &flawed{defect: defect, tick: tick, rows: map[idem.Key]row{}}
}

func (s *flawed) has(defect string) bool { return s.defect == defect }

// sometimes is for defects that strike one time in n.
func (s *flawed) sometimes(defect string, n int) bool { return s.has(defect) && rand.IntN(n) == 0 }

// pause lets others act between a look and what follows from it.
func (s *flawed) pause() {
	s.mu.Unlock()
	time.Sleep(s.tick / 10)
	s.mu.Lock()
}

// live is the key's row, where there is one that is not past its retention.
func (s *flawed) live(k idem.Key, now time.Time) (row, bool) {
	r, ok := s.rows[k]
	return r, ok && (r.response == nil || now.Before(r.end) || s.has("retention never ends"))
}

func (s *flawed) write(k idem.Key, r row) {
	if s.writes++; s.writes%8 == 0 {
		s.replica = map[idem.Key]row{}
		for k, r := range s.rows {
			s.replica[k] = r
		}
	}
	s.rows[k] = r
}

func (s *flawed) outcome(r row, state idem.State, now time.Time) idem.Outcome {
	o := idem.Outcome{State: state, Now: now}
	if state == idem.Absent {
		return o
	}
	o.Fence, o.Fingerprint = r.fence, r.fingerprint
	if state == idem.Replay || state == idem.Tombstone {
		o.Response = *r.response
	}
	return o
}

func (s *flawed) state(r row, now time.Time) idem.State {
	switch {
	case r.response != nil && r.response.Tombstone:
		return idem.Tombstone
	case r.response != nil:
		return idem.Replay
	case now.Before(r.end):
		return idem.InProgress
	case r.joined && !s.has("joined becomes unknown"):
		return idem.Absent
	default:
		return idem.Unknown
	}
}

func (s *flawed) Begin(_ context.Context, n idem.Reservation) (idem.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	r, live := s.live(n.Key, now)
	if s.sometimes("checks, then reserves", 2) {
		s.pause()
		now = time.Now()
	}
	judged := now
	if s.sometimes("one process trusts its own clock", 3) {
		judged = now.Add(s.tick)
	}
	switch {
	case !live:
		return s.reserve(n, row{}, now), nil
	case r.fingerprint != n.Fingerprint && !(s.has("conflict is not seen in flight") && r.response == nil):
		return s.outcome(r, idem.Conflict, now), nil
	case r.response != nil:
		return s.outcome(r, s.state(r, now), now), nil
	case r.token == n.Token:
		r.end = now.Add(n.Lease)
		s.write(n.Key, r)
		return s.outcome(r, idem.Reserved, now), nil
	}
	takes := n.TakeOver == r.fence || s.has("unknown work runs again unasked") || s.has("any fence takes over") && n.TakeOver != 0
	switch state := s.state(r, judged); {
	case state == idem.InProgress && !(takes && s.has("a live lease is taken over")):
		return s.outcome(r, state, now), nil
	case state == idem.Unknown && !takes:
		return s.outcome(r, state, now), nil
	}
	if s.has("checks, then takes over") {
		s.pause()
		now = time.Now()
	}
	return s.reserve(n, r, now), nil
}

func (s *flawed) reserve(n idem.Reservation, former row, now time.Time) idem.Outcome {
	s.fence = max(s.fence+1, now.UnixMicro())
	if s.has("a fence counts owners") {
		s.fence = former.fence + 1
	}
	r := row{token: n.Token, former: former.token, fence: s.fence, joined: n.Joined, fingerprint: n.Fingerprint,
		reserved: now, end: now.Add(n.Lease)}
	s.write(n.Key, r)
	return s.outcome(r, idem.Reserved, now)
}

func (s *flawed) Lookup(_ context.Context, k idem.Key) (idem.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	r, live := s.live(k, now)
	if s.has("Lookup asks a replica") {
		r, live = s.replica[k]
	}
	if !live {
		return s.outcome(r, idem.Absent, now), nil
	}
	return s.outcome(r, s.state(r, now), now), nil
}

func (s *flawed) Renew(_ context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	r, live := s.live(k, now)
	switch {
	case !live || r.response != nil || r.token != t && !s.has("Renew does not check the token"),
		s.has("a late owner cannot renew") && !now.Before(r.end):
		return fmt.Errorf("renew: %w", idem.ErrLost)
	case s.sometimes("a renewal is acknowledged and lost", 4):
		return nil
	case s.has("a renewal adds to the lease"):
		now = r.end
	}
	r.end = now.Add(lease)
	s.write(k, r)
	return nil
}

func (s *flawed) Finalize(_ context.Context, k idem.Key, t idem.Token, n idem.Response, keep time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	r, live := s.live(k, now)
	if s.has("checks, then finalizes") {
		s.pause()
	}
	switch {
	case live && r.former == t && s.has("an overtaken owner finalizes"):
	case live && r.former == t && s.has("an overtaken owner is told that it finalized"):
		return nil
	case !live || r.token != t:
		return fmt.Errorf("finalize: %w", idem.ErrLost)
	case r.response != nil && !s.has("a second result wins"):
		return nil
	case s.sometimes("a result is acknowledged and lost", 8):
		return nil
	}
	if s.has("retention counts from the reservation") {
		now = r.reserved
	}
	r.response, r.end = &n, now.Add(keep)
	s.write(k, r)
	return nil
}

func (s *flawed) Release(_ context.Context, k idem.Key, t idem.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, live := s.live(k, time.Now())
	switch {
	case !live:
		return nil
	case r.response != nil || r.token != t && !(s.has("an overtaken owner releases") && r.former == t):
		return fmt.Errorf("release: %w", idem.ErrLost)
	}
	delete(s.rows, k)
	return nil
}

func (s *flawed) Sweep(_ context.Context, limit int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now, n := time.Now(), 0
	for k, r := range s.rows {
		if n == limit {
			break
		}
		over := !now.Before(r.end)
		if over && (r.response != nil || s.has("sweep eats what is unknown") && !r.joined) || s.has("sweep eats a live lease") && !over && r.response == nil {
			delete(s.rows, k)
			n++
		}
	}
	return n, nil
}
