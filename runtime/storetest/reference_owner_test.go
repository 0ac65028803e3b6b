package storetest_test

import (
	"context"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// The verbs of an owner, and Sweep.

func (s *reference) Renew(_ context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(k)
	switch {
	case r == nil || r.response != nil,
		r.token != t && !s.has("Renew does not check the token"),
		s.has("Renew works within the lease only") && s.leaseOver(r),
		s.has("Renew works once") && s.now.Add(lease).Equal(r.leaseUntil):
		return fmt.Errorf("renew: %w", idem.ErrLost)
	case s.has("Renew adds to the lease") && lease > 0:
		r.leaseUntil = r.leaseUntil.Add(lease)
	case s.has("Renew by 0 does nothing") && lease == 0:
	default:
		r.leaseUntil = s.now.Add(lease)
	}
	return nil
}

func (s *reference) Finalize(_ context.Context, k idem.Key, t idem.Token, n idem.Response, keep time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(k)
	switch {
	case r == nil:
		return fmt.Errorf("finalize: %w", idem.ErrLost)
	case r.response != nil && r.former[t] && s.has("a late owner wins"):
	case r.response != nil && r.token == t && s.has("an owner's second result wins"):
	case r.response != nil && r.token == t && !s.has("Finalize works once"):
		return nil
	case r.response == nil && r.token != t && s.has("Finalize does not check the token"):
	case r.response != nil, r.token != t,
		s.has("Finalize works within the lease only") && s.leaseOver(r):
		return fmt.Errorf("finalize: %w", idem.ErrLost)
	}
	if keep == 0 && !s.has("no retention is none") {
		keep = 1000 * time.Hour
	}
	kept := s.stored(n)
	r.response, r.expiresAt = &kept, s.now.Add(keep)
	if s.has("expiry counts from the reservation") {
		r.expiresAt = r.reservedAt.Add(keep)
	}
	return nil
}

func (s *reference) Release(_ context.Context, k idem.Key, t idem.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(k)
	switch {
	case r == nil && !s.has("Release works once"):
		return nil
	case r == nil || r.response != nil,
		r.token != t && !s.has("Release does not check the token"),
		s.has("Release works within the lease only") && s.leaseOver(r):
		return fmt.Errorf("release: %w", idem.ErrLost)
	case s.has("a released key keeps its fingerprint"):
		r.leaseUntil = s.now
		r.joined = true
		return nil
	}
	s.remove(s.key(k), r)
	return nil
}

func (s *reference) Sweep(_ context.Context, limit int) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := 0
	for k, r := range s.rows {
		eaten := s.expired(r) ||
			s.has("sweep eats a live lease") && s.state(r) == idem.InProgress ||
			s.has("sweep eats an unknown") && s.state(r) == idem.Unknown ||
			s.has("sweep eats what was begun anew") && r.anew ||
			s.has("sweep eats what is kept") && r.response != nil
		if eaten && (n < limit || s.has("sweep has no limit")) {
			s.remove(k, r)
			n++
		}
	}
	return n, nil
}
