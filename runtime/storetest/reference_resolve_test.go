package storetest_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// What the reference has for an idem.Resolver. It does not use what its other verbs are made of, so that a
// defect of theirs is found by a rule of theirs.

func (s *reference) unknown(r *row) bool {
	return r.response == nil && !r.joined && s.leaseOver(r)
}

// place is where a record stands in the list: a text that no other one has.
func (s *reference) place(r *row) string {
	if s.has("a cursor is the key's value") {
		return r.key.Value
	}
	return fmt.Sprintf("%q", r.key)
}

func (s *reference) Unresolved(_ context.Context, after string, limit int) ([]idem.Unresolved, string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*row
	for _, r := range s.rows {
		if s.lists(r) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b *row) int { return strings.Compare(s.place(a), s.place(b)) })
	start := slices.IndexFunc(all, func(r *row) bool { return after == "" || s.place(r) > after })
	if s.has("a cursor counts records") && after != "" {
		start, _ = strconv.Atoi(after)
	}
	if start < 0 || start >= len(all) {
		return nil, "", nil
	}
	all = all[start:]
	next := ""
	if len(all) > limit && !s.has("a page has no limit") {
		all, next = all[:limit], s.place(all[limit-1])
		if s.has("a cursor counts records") {
			next = strconv.Itoa(start + limit)
		}
	}
	var list []idem.Unresolved
	for _, r := range all {
		list = append(list, s.listed(r))
	}
	if s.has("the list has a record twice") && len(list) > 0 {
		list = append(list, list[0])[:min(limit, len(list)+1)]
	}
	return list, next, nil
}

func (s *reference) lists(r *row) bool {
	return s.unknown(r) && !(s.has("the list forgets what was taken over") && len(r.former) > 0) ||
		s.has("the list has live leases") && r.response == nil && !s.leaseOver(r) ||
		s.has("the list has joined work") && r.response == nil && r.joined ||
		s.has("the list has results") && r.response != nil
}

func (s *reference) listed(r *row) idem.Unresolved {
	u := idem.Unresolved{Key: r.key, Fence: r.fence, Fingerprint: r.fingerprint,
		Reserved: r.reservedAt, LeaseEnded: r.leaseUntil}
	switch {
	case s.has("the list tells an earlier fence"):
		u.Fence--
	case s.has("the list has no fingerprints"):
		u.Fingerprint = idem.Fingerprint{}
	case s.has("the list tells when the first owner began"):
		u.Reserved = r.begunAt
	case s.has("the list tells when the lease began"):
		u.LeaseEnded = r.reservedAt
	case s.has("listed keys are UTF-8"):
		u.Key.Value = strings.ToValidUTF8(u.Key.Value, "\ufffd")
	}
	return u
}

func (s *reference) Resolve(_ context.Context, k idem.Key, fence int64, n *idem.Response, keep time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(k)
	switch {
	case r == nil && n == nil && !s.has("Resolve releases once"), r == nil && s.has("Resolve of nothing succeeds"):
		return nil
	case r == nil:
		return fmt.Errorf("resolve: %w", idem.ErrLost)
	case s.settles(r, fence):
		s.checkThenAct()
	case !s.again(r, fence, n):
		return fmt.Errorf("resolve: %w", idem.ErrLost)
	case !s.has("a second Resolve wins"):
		return nil
	}
	if n != nil {
		s.settle(r, fence, *n, keep)
	} else if !s.has("Resolve never releases") {
		delete(s.rows, s.key(k))
		if !s.has("a resolved key's fence starts again") {
			s.fence = max(s.fence, r.fence)
		}
	}
	return nil
}

// settles reports whether the record may be settled by this fence.
func (s *reference) settles(r *row, fence int64) bool {
	if r.fence != fence && !s.has("Resolve does not check the fence") {
		return false
	}
	return s.unknown(r) ||
		s.has("Resolve settles a live lease") && r.response == nil && !s.leaseOver(r) ||
		s.has("Resolve settles joined work") && r.response == nil && r.joined ||
		s.has("Resolve overwrites a result") && r.response != nil && r.settlement == ""
}

func (s *reference) checkThenAct() {
	if s.has("Resolve checks, then acts") {
		s.mu.Unlock()
		time.Sleep(20 * time.Millisecond) // a take-over, which comes late, falls into it
		s.mu.Lock()
	}
}

func settlement(fence int64, n idem.Response) string { return fmt.Sprintf("%d %+v", fence, n) }

// again reports whether the record was settled by this very call.
func (s *reference) again(r *row, fence int64, n *idem.Response) bool {
	switch {
	case r.settlement == "" || r.fence != fence:
		return false
	case s.has("a second Resolve succeeds"), s.has("a second Resolve wins"):
		return true
	}
	return n != nil && r.settlement == settlement(fence, *n) && !s.has("Resolve works once")
}

func (s *reference) settle(r *row, fence int64, n idem.Response, keep time.Duration) {
	kept := copied(n)
	switch {
	case s.has("Resolve loses the header"):
		kept.Header = nil
	case s.has("Resolve makes a tombstone a result"):
		kept.Tombstone = false
	}
	if keep == 0 && !s.has("Resolve without a retention keeps none") {
		keep = 1000 * time.Hour
	}
	r.response, r.expiresAt, r.settlement = &kept, s.now.Add(keep), settlement(fence, n)
	if s.has("Resolve keeps from the reservation") {
		r.expiresAt = r.reservedAt.Add(keep)
	}
	if !s.has("Resolve leaves the owner its token") {
		r.token = idem.Token{}
	}
}
