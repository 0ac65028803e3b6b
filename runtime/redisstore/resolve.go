package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Resolve implements [idem.Resolver]. A keep of 0 is the store's own Retention. A record that was resolved
// with one response is not resolved with another: that is [idem.ErrLost]. The record's owner, should it still be at
// work, has lost.
func (s *Store) Resolve(ctx context.Context, k idem.Key, fence int64, r *idem.Response, keep time.Duration) error {
	args := []string{strconv.FormatInt(fence, 10), millis(remembered)}
	var err error
	if r != nil {
		var kept []string
		if kept, err = s.result(*r, keep); err == nil {
			token := idem.SettlementToken(fence, r)
			args = append([]string{args[0], kept[0], "token", string(token[:])}, kept[1:]...)
		}
	}
	if err == nil {
		err = s.change(ctx, resolveScript, k, args...)
	}
	if err != nil {
		return fmt.Errorf("resolve %s: %w", k.Endpoint, err)
	}
	return nil
}

// Unresolved implements [idem.Resolver] by looking through all keys of every master, a hundred at a time: no
// other request is held up, and with a million keys it takes some ten seconds. While a cluster moves slots from
// node to node it may pass over a record.
func (s *Store) Unresolved(ctx context.Context, after string, limit int) ([]idem.Unresolved, string, error) {
	if limit <= 0 {
		return nil, "", errors.New("list unresolved: limit must be more than 0")
	}
	at, err := parseCursor(after)
	if err != nil {
		return nil, "", fmt.Errorf("list unresolved: %w", err)
	}
	masters, err := s.masters(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("list unresolved: find masters: %w", err)
	}
	var found []idem.Unresolved
	for len(found) < limit && !at.end(masters) {
		records, err := s.look(ctx, &at, masters)
		if err != nil {
			return nil, "", fmt.Errorf("list unresolved: %w", err)
		}
		for _, rec := range records {
			if len(found) == limit {
				// SCAN has gone on past them.
				at.left = append(at.left, rec.place)
				continue
			}
			found = append(found, rec.Unresolved)
		}
	}
	if at.end(masters) {
		return found, "", nil
	}
	return found, at.String(), nil
}

// An unresolved is a record with its Redis key.
type unresolved struct {
	idem.Unresolved
	place string
}

// look returns the unknown records at a place, and moves on.
func (s *Store) look(ctx context.Context, at *cursor, masters []master) ([]unresolved, error) {
	if len(at.left) > 0 {
		answer, err := s.run(ctx, unresolvedScript, at.left[0], "", s.prefix)
		if err != nil {
			return nil, err
		}
		at.left = at.left[1:]
		return answer.unresolved()
	}
	m := at.master(masters)
	answer, err := s.run(ctx, unresolvedScript, m.key, at.scan, s.prefix)
	if err != nil {
		return nil, err
	}
	if at.scan, err = answer.text(0); err != nil {
		return nil, err
	}
	at.slot = m.slot
	if at.scan == "0" {
		at.slot++ // the next master's is not below
	}
	return answer.unresolved()
}

// unresolved is where SCAN goes on, and then five elements for each record.
func (r reply) unresolved() ([]unresolved, error) {
	const fields = 5
	if len(r)%fields != 1 {
		return nil, errShort
	}
	var found []unresolved
	for i := 1; i < len(r); i += fields {
		rec, err := r[i : i+fields].record()
		if err != nil {
			return nil, err
		}
		found = append(found, rec)
	}
	return found, nil
}

func (r reply) record() (rec unresolved, err error) {
	var errs [5]error
	var framed string
	rec.place, errs[0] = r.text(0)
	rec.Fence, errs[1] = r.number(1)
	rec.Fingerprint, errs[2] = r.fingerprint(2)
	rec.LeaseEnded, errs[3] = r.instant(3)
	framed, errs[4] = r.text(4)
	if err := errors.Join(errs[:]...); err != nil {
		return rec, err
	}
	// A fence is the clock in microseconds when its owner began, unless the clock was set back.
	rec.Reserved = time.UnixMicro(rec.Fence)
	rec.Key, err = unframe(framed)
	return rec, err
}
