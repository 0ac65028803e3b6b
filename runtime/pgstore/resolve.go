package pgstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// page is how many records are listed by one call, whatever its limit.
const page = 10_000

// Unresolved implements [idem.Resolver]: those whose last owner began first come first, and 10,000 at most. It is one
// statement that locks nothing and waits for nobody. Its cost is that of the leased records that are not
// finalized, and of those that were finalized to be kept for ever.
func (s *Store[Tx]) Unresolved(ctx context.Context, after string, limit int) ([]idem.Unresolved, string, error) {
	list, next, err := s.unresolved(ctx, after, limit)
	if err != nil {
		return nil, "", fmt.Errorf("list unresolved: %w", err)
	}
	return list, next, nil
}

func (s *Store[Tx]) unresolved(ctx context.Context, after string, limit int) ([]idem.Unresolved, string, error) {
	if limit <= 0 {
		return nil, "", errors.New("limit must be more than 0")
	}
	limit = min(limit, page)
	from, err := parseCursor(after)
	if err != nil {
		return nil, "", err
	}
	var records []byte
	args := append(keyed(from.key), from.fence, int64(limit)+1) // one more tells whether there are more
	if err := s.ask(ctx, s.sql.selectUnresolved, args, &records); err != nil {
		return nil, "", err
	}
	list, err := parseUnresolved(records)
	if err != nil || len(list) <= limit {
		return list, "", err
	}
	list = list[:limit]
	last := list[limit-1]
	return list, cursor{last.Fence, last.Key}.String(), nil
}

// parseUnresolved reads what selectUnresolved says.
func parseUnresolved(records []byte) (list []idem.Unresolved, err error) {
	for r := (reader{rest: records}); len(r.rest) > 0; {
		fence := r.number()
		u := idem.Unresolved{Fence: fence, Reserved: time.UnixMicro(r.number()), LeaseEnded: time.UnixMicro(r.number())}
		fingerprint := r.part()
		u.Key = r.key()
		if r.short {
			return nil, errors.New("a record is cut short")
		}
		if u.Fingerprint, err = idem.ParseFingerprint(fingerprint); err != nil {
			return nil, err
		}
		list = append(list, u)
	}
	return list, nil
}

// Resolve implements [idem.Resolver]. A keep of 0 is for ever. A record that was resolved with one response is not
// resolved with another: that is [idem.ErrLost]. The record's owner, should it still be at work, has lost.
func (s *Store[Tx]) Resolve(ctx context.Context, k idem.Key, fence int64, r *idem.Response, keep time.Duration) error {
	var err error
	switch {
	case keep < 0:
		err = errRetention
	case r == nil:
		err = s.releaseUnknown(ctx, k, fence)
	default:
		err = s.finalizeUnknown(ctx, k, fence, *r, keep)
	}
	if err != nil {
		return fmt.Errorf("resolve %s: %w", k.Endpoint, err)
	}
	return nil
}

func (s *Store[Tx]) releaseUnknown(ctx context.Context, k idem.Key, fence int64) error {
	n, err := count(ctx, s.ask, s.sql.resolveRelease, append(keyed(k), fence))
	if err != nil || n > 0 {
		return err
	}
	return s.absent(ctx, k)
}

func (s *Store[Tx]) finalizeUnknown(ctx context.Context, k idem.Key, fence int64, r idem.Response, keep time.Duration) error {
	token := idem.SettlementToken(fence, &r)
	args := append(append(keyed(k), fence, token[:]), result(r, keep)...)
	n, err := count(ctx, s.ask, s.sql.resolve, args)
	if err == nil && n == 0 {
		err = s.finalizedBy(ctx, s.ask, k, token)
	}
	return err
}
