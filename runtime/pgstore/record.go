package pgstore

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// notFinalized stands for a status that is NULL.
const notFinalized = -1

// A record is a row as it was read, or none, and the time of the reading.
type record struct {
	now         int64
	present     bool
	token       idem.Token
	fence       int64
	joined      bool
	fingerprint idem.Fingerprint
	status      int64 // notFinalized where it is none
	tombstone   bool
	header      http.Header
	body        []byte
	leaseUntil  int64
	expiresAt   int64 // 0: never
}

func (r record) finalized() bool { return r.present && r.status != notFinalized }

func (r record) live() bool { return r.present && (r.expiresAt == 0 || r.expiresAt > r.now) }

// reservedAs says whether the record is reserved, and by the same Begin or Renew as other.
func (r record) reservedAs(other record) bool {
	return r.present && !r.finalized() && r.token == other.token && r.fence == other.fence && r.leaseUntil == other.leaseUntil
}

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
		o.Response = idem.Response{Status: int(r.status), Tombstone: true}
	case idem.Replay:
		o.Response = idem.Response{Status: int(r.status), Header: r.header, Body: r.body}
	}
	return o
}

// A row is the columns of a record as the server sends them. The fence is 0 where there is none.
type row struct {
	now, fence, status, leaseUntil, expiresAt int64
	token, fingerprint, header, body          []byte
	joined, bodyless                          bool
}

// dest is where the columns of selectRecord go, and of reserve, which has one more.
func (r *row) dest(more ...any) []any {
	return append([]any{&r.now, &r.token, &r.fence, &r.joined, &r.fingerprint, &r.status, &r.bodyless, &r.header, &r.body,
		&r.leaseUntil, &r.expiresAt}, more...)
}

func (r *row) record() (record, error) {
	rec := record{now: r.now}
	if r.fence == 0 {
		return rec, nil
	}
	rec.present, rec.fence, rec.joined, rec.leaseUntil = true, r.fence, r.joined, r.leaseUntil
	rec.status, rec.tombstone, rec.body, rec.expiresAt = r.status, r.bodyless, r.body, r.expiresAt
	if len(r.token) != len(rec.token) {
		return rec, fmt.Errorf("token of %d bytes", len(r.token))
	}
	copy(rec.token[:], r.token)
	var err error
	if rec.fingerprint, err = idem.ParseFingerprint(r.fingerprint); err != nil {
		return rec, err
	}
	if rec.finalized() && !rec.tombstone {
		if rec.header, err = idem.DecodeHeader(r.header); err != nil {
			return rec, fmt.Errorf("header: %w", err)
		}
	}
	return rec, nil
}

// read reads the key's row without any lock.
func (s *Store[Tx]) read(ctx context.Context, ask asking, k idem.Key) (record, error) {
	var r row
	err := ask(ctx, s.sql.selectRecord, keyed(k), r.dest()...)
	var rec record
	if err == nil {
		rec, err = r.record()
	}
	if err != nil {
		return record{}, fmt.Errorf("read record: %w", err)
	}
	return rec, nil
}

// reserve reads the key's row, and inserts one where there is none: made says so, and has its fence. With
// neither, another inserted it at the same moment.
func (s *Store[Tx]) reserve(ctx context.Context, r idem.Reservation) (rec record, made change, err error) {
	var (
		found row
		fence int64
	)
	args := append(owned(r.Key, r.Token), r.Joined, fingerprint(r), micros(r.Lease))
	err = s.ask(ctx, s.sql.reserve, args, found.dest(&fence)...)
	if err == nil {
		rec, err = found.record()
	}
	if err != nil {
		return record{}, change{}, fmt.Errorf("reserve record: %w", err)
	}
	return rec, change{made: fence != 0, fence: fence, now: found.now}, nil
}
