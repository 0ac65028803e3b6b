package sqlitestore

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A record is a row as it was read, or none, and the time of the reading.
type record struct {
	now         int64
	present     bool
	token       idem.Token
	fence       int64
	joined      bool
	fingerprint idem.Fingerprint
	status      sql.NullInt64
	tombstone   bool
	header      http.Header
	body        []byte
	leaseUntil  int64
	expiresAt   sql.NullInt64
}

func (r record) finalized() bool { return r.status.Valid }

func (r record) live() bool { return r.present && (!r.expiresAt.Valid || r.expiresAt.Int64 > r.now) }

// state is what Lookup says, as far as the row alone can tell.
func (r record) state() idem.State {
	switch {
	case !r.live():
		return idem.Absent
	case r.finalized() && r.tombstone:
		return idem.Tombstone
	case r.finalized():
		return idem.Replay
	case r.leaseUntil > r.now:
		return idem.InProgress
	case r.joined:
		return idem.Absent
	default:
		return idem.Unknown
	}
}

func (r record) outcome(state idem.State) idem.Outcome {
	o := idem.Outcome{State: state, Now: time.UnixMicro(r.now)}
	if state == idem.Absent {
		return o
	}
	o.Fence, o.Fingerprint = r.fence, r.fingerprint
	switch state {
	case idem.Tombstone:
		o.Response = idem.Response{Status: int(r.status.Int64), Tombstone: true}
	case idem.Replay:
		o.Response = idem.Response{Status: int(r.status.Int64), Header: r.header, Body: r.body}
	}
	return o
}

// read reads the key's row without any lock.
func (s *Store) read(ctx context.Context, q querier, k idem.Key) (record, error) {
	var r record
	err := patiently(ctx, func() error {
		var err error
		r, err = s.readOnce(ctx, q, k)
		return err
	})
	if err != nil {
		return record{}, fmt.Errorf("read record: %w", err)
	}
	return r, nil
}

func (s *Store) readOnce(ctx context.Context, q querier, k idem.Key) (record, error) {
	var (
		r                          record
		token, fingerprint, header []byte
		fence, leaseUntil          sql.NullInt64
		joined                     sql.NullBool
	)
	err := q.QueryRowContext(ctx, s.sql.selectRecord, keyed(k)...).Scan(&r.now, &token, &fence, &joined,
		&fingerprint, &r.status, &r.tombstone, &header, &r.body, &leaseUntil, &r.expiresAt)
	if err != nil || !fence.Valid {
		return r, err
	}
	r.present, r.fence, r.joined, r.leaseUntil = true, fence.Int64, joined.Bool, leaseUntil.Int64
	if copy(r.token[:], token) != len(r.token) {
		return r, fmt.Errorf("token of %d bytes", len(token))
	}
	if r.fingerprint, err = idem.ParseFingerprint(fingerprint); err != nil {
		return r, err
	}
	if r.finalized() && !r.tombstone {
		if r.header, err = idem.DecodeHeader(header); err != nil {
			return r, fmt.Errorf("header: %w", err)
		}
	}
	return r, nil
}
