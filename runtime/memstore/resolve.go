package memstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Unresolved implements [idem.Resolver]: those whose last owner began first come first. Its cost is that of
// the leased records that are not finalized.
func (s *Store) Unresolved(ctx context.Context, after string, limit int) ([]idem.Unresolved, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", fmt.Errorf("list unresolved: %w", err)
	}
	if limit <= 0 {
		return nil, "", errors.New("list unresolved: limit must be more than 0")
	}
	var number uint64
	if after != "" {
		var err error
		if number, err = strconv.ParseUint(after, 10, 64); err != nil {
			return nil, "", fmt.Errorf("list unresolved: %q is no cursor of this store", after)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	list, next := s.records.unresolved(number, limit, s.options.Now())
	return list, next, nil
}

// unresolved goes by the numbers of the reservations: what stays unknown keeps its own.
func (rs *records) unresolved(after uint64, limit int, now time.Time) (list []idem.Unresolved, next string) {
	for e := rs.open.Front(); e != nil; e = e.Next() {
		rec := e.Value.(*record)
		if rec.number <= after || rec.state(now) != idem.Unknown {
			continue
		}
		if len(list) == limit {
			return list, strconv.FormatUint(after, 10)
		}
		after = rec.number
		list = append(list, idem.Unresolved{Key: rec.key, Fence: rec.fence, Fingerprint: rec.fingerprint,
			Reserved: rec.reserved, LeaseEnded: rec.leaseUntil})
	}
	return list, ""
}

// Resolve implements [idem.Resolver]. A keep of 0 is the store's own Retention. A record that was resolved
// with one response is not resolved with another: that is [idem.ErrLost].
func (s *Store) Resolve(ctx context.Context, k idem.Key, fence int64, r *idem.Response, keep time.Duration) error {
	err := ctx.Err()
	switch {
	case err != nil:
	case keep < 0:
		err = errors.New("retention must not be less than 0")
	case r == nil:
		err = s.releaseUnknown(k, fence)
	default:
		err = s.finalizeUnknown(k, fence, storable(*r), cmp.Or(keep, s.options.Retention))
	}
	if err != nil {
		return fmt.Errorf("resolve %s: %w", k.Endpoint, err)
	}
	return nil
}

func (s *Store) releaseUnknown(k idem.Key, fence int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	rec := s.records.live(k, now)
	switch {
	case rec == nil:
		return nil
	case rec.fence != fence || rec.state(now) != idem.Unknown:
		return idem.ErrLost
	}
	s.records.remove(rec)
	return nil
}

func (s *Store) finalizeUnknown(k idem.Key, fence int64, r idem.Response, keep time.Duration) error {
	token := idem.SettlementToken(fence, &r)
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.options.Now()
	rec := s.records.live(k, now)
	switch {
	case rec == nil || rec.fence != fence:
		return idem.ErrLost
	case rec.state(now) == idem.Unknown:
		rec.token = token
		s.records.finalize(rec, r, now.Add(keep))
		return nil
	case rec.finalized && rec.token == token:
		return nil
	default:
		return idem.ErrLost
	}
}
