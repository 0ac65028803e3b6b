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
	status      int // notFinalized where it is none
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
		o.Response = idem.Response{Status: r.status, Tombstone: true}
	case idem.Replay:
		o.Response = idem.Response{Status: r.status, Header: r.header, Body: r.body}
	}
	return o
}

// parseRecord reads what selectRecord says, and reserve: a record with the time before it, as record_send makes
// it, or eight bytes, which are a time, where there is none.
func parseRecord(text []byte) (rec record, err error) {
	r := reader{rest: text}
	if len(text) == 8 {
		rec.now = r.number()
		return rec, nil
	}
	const year2000 = 946_684_800_000_000 // where the server's timestamps begin
	r.take(4)                            // how many columns there are
	rec = record{now: integer(r.column()) + year2000, present: true, status: notFinalized}
	token := r.column()
	rec.fence, rec.joined = integer(r.column()), integer(r.column()) != 0
	fingerprint, status, header := r.column(), r.column(), r.column()
	rec.body, rec.leaseUntil, rec.expiresAt = r.column(), integer(r.column()), integer(r.column())
	switch {
	case r.short || len(r.rest) > 0:
		return rec, fmt.Errorf("a record of %d bytes is none", len(text))
	case len(token) != len(rec.token):
		return rec, fmt.Errorf("token of %d bytes", len(token))
	}
	copy(rec.token[:], token)
	if rec.fingerprint, err = idem.ParseFingerprint(fingerprint); err != nil || status == nil {
		return rec, err
	}
	rec.status, rec.tombstone = int(integer(status)), rec.body == nil
	if !rec.tombstone {
		if rec.header, err = idem.DecodeHeader(header); err != nil {
			return rec, fmt.Errorf("header: %w", err)
		}
	}
	return rec, nil
}

// integer is the number in a column of any width, which is not negative, and 0 where it is NULL.
func integer(column []byte) (n int64) {
	for _, b := range column {
		n = n<<8 | int64(b)
	}
	return n
}

// read reads the key's row without any lock.
func (s *Store[Tx]) read(ctx context.Context, ask asking, k idem.Key) (record, error) {
	var text []byte
	err := ask(ctx, s.sql.selectRecord, keyed(k), &text)
	var rec record
	if err == nil {
		rec, err = parseRecord(text)
	}
	if err != nil {
		return record{}, fmt.Errorf("read record: %w", err)
	}
	return rec, nil
}

// reserve reads the key's row, and inserts one where there is none: made says so, and has its fence, which is the clock's
// after what the insert waited for. With neither, another inserted it at the same moment.
func (s *Store[Tx]) reserve(ctx context.Context, r idem.Reservation) (rec record, made change, err error) {
	statement := s.sql.reserve
	if r.Joined {
		statement = s.sql.reserveJoined
	}
	var text []byte
	err = s.ask(ctx, statement, append(keyed(r.Key), append(r.Token[:], fingerprint(r)...), micros(r.Lease)), &text)
	if err == nil && text != nil {
		rec, err = parseRecord(text)
	}
	if err != nil {
		return record{}, change{}, fmt.Errorf("reserve record: %w", err)
	}
	inserted := text != nil && !rec.present
	return rec, change{made: inserted, fence: rec.now, now: rec.now}, nil
}
