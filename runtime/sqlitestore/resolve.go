package sqlitestore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Unresolved implements [idem.Resolver]: those whose last owner began first come first. It is a read, which
// waits for nobody, and its cost is that of the leased records that are not finalized.
func (s *Store) Unresolved(ctx context.Context, after string, limit int) ([]idem.Unresolved, string, error) {
	if limit <= 0 {
		return nil, "", errors.New("list unresolved: limit must be more than 0")
	}
	from, err := parseCursor(after)
	if err != nil {
		return nil, "", fmt.Errorf("list unresolved: %w", err)
	}
	var list []idem.Unresolved
	err = patiently(ctx, func() error {
		var err error
		list, err = s.unresolvedOnce(ctx, from, min(limit, math.MaxInt-1)+1) // one more tells whether there are more
		return err
	})
	if err != nil {
		return nil, "", fmt.Errorf("list unresolved: %w", err)
	}
	if len(list) <= limit {
		return list, "", nil
	}
	list = list[:limit]
	return list, cursor{list[limit-1].Fence, list[limit-1].Key}.String(), nil
}

func (s *Store) unresolvedOnce(ctx context.Context, from cursor, limit int) ([]idem.Unresolved, error) {
	args := append([]any{from.fence}, keyed(from.key)...)
	rows, err := s.db.QueryContext(ctx, s.sql.selectUnresolved, append(args, limit)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []idem.Unresolved
	for rows.Next() {
		var (
			u                                         idem.Unresolved
			tenant, actor, endpoint, key, fingerprint []byte
			reserved, leaseUntil                      int64
		)
		err := rows.Scan(&tenant, &actor, &endpoint, &key, &u.Fence, &fingerprint, &reserved, &leaseUntil)
		if err != nil {
			return nil, err
		}
		if u.Fingerprint, err = idem.ParseFingerprint(fingerprint); err != nil {
			return nil, err
		}
		u.Key = idem.Key{Scope: idem.Scope{Tenant: string(tenant), Actor: string(actor)},
			Endpoint: idem.Endpoint(endpoint), Value: string(key)}
		u.Reserved, u.LeaseEnded = time.UnixMicro(reserved), time.UnixMicro(leaseUntil)
		list = append(list, u)
	}
	return list, rows.Err()
}

// Resolve implements [idem.Resolver] as one statement. A keep of 0 is for ever. A record that was resolved
// with one response is not resolved with another: that is [idem.ErrLost].
func (s *Store) Resolve(ctx context.Context, k idem.Key, fence int64, r *idem.Response, keep time.Duration) error {
	var err error
	switch {
	case keep < 0:
		err = errors.New("retention must not be less than 0")
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

func (s *Store) releaseUnknown(ctx context.Context, k idem.Key, fence int64) error {
	n, err := exec(ctx, s.db, s.sql.resolveRelease, append(keyed(k), fence))
	if err != nil || n > 0 {
		return err
	}
	return s.absent(ctx, k)
}

func (s *Store) finalizeUnknown(ctx context.Context, k idem.Key, fence int64, r idem.Response, keep time.Duration) error {
	header, body := []byte(nil), []byte(nil)
	if !r.Tombstone {
		header, body = idem.EncodeHeader(r.Header), r.Body
	}
	token := idem.SettlementToken(fence, &r)
	args := append(keyed(k), fence, token[:], r.Status, header, r.Tombstone, body, micros(keep))
	n, err := exec(ctx, s.db, s.sql.resolve, args)
	if err == nil && n == 0 {
		err = s.finalizedBy(ctx, s.db, k, token)
	}
	return err
}
