package memstore

import (
	"bytes"
	"container/heap"
	"container/list"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A record is one key's. Its response is never changed once it is set, so that it can be copied
// without the lock.
type record struct {
	key         idem.Key
	token       idem.Token
	fence       int64
	joined      bool
	fingerprint idem.Fingerprint
	reserved    time.Time
	leaseUntil  time.Time
	number      uint64        // of the reservation
	open        *list.Element // in records.open, while leased and not finalized
	finalized   bool
	response    idem.Response
	expiresAt   time.Time // once finalized
}

// state is what Lookup says of a live record.
func (rec *record) state(now time.Time) idem.State {
	switch {
	case rec.finalized && rec.response.Tombstone:
		return idem.Tombstone
	case rec.finalized:
		return idem.Replay
	case now.Before(rec.leaseUntil):
		return idem.InProgress
	case rec.joined:
		return idem.Absent
	default:
		return idem.Unknown
	}
}

func (rec *record) outcome(state idem.State, now time.Time) idem.Outcome {
	o := idem.Outcome{State: state, Fence: rec.fence, Fingerprint: rec.fingerprint, Now: now}
	if state == idem.Replay || state == idem.Tombstone {
		o.Response = rec.response
	}
	return o
}

// fence is the next one after a former owner's.
func fence(former int64, now time.Time) int64 { return max(former+1, now.UnixMicro()) }

// records are all records, and the order in which the finalized ones expire.
type records struct {
	byKey    map[idem.Key]*record
	open     *list.List // of the records that are or can become unknown, by their number
	numbers  uint64     // the last one given
	expiring expiry
	peak     int   // the most records that byKey has held since it was made
	bytes    int64 // of all stored responses
	fence    int64 // the highest fence of a record that is gone: no key's fence goes back behind it
}

func newRecords() records { return records{byKey: make(map[idem.Key]*record), open: list.New()} }

// live returns the key's record, nil where there is none or it is past its retention.
func (rs *records) live(k idem.Key, now time.Time) *record {
	rec := rs.byKey[k]
	if rec == nil || rec.finalized && !now.Before(rec.expiresAt) {
		return nil
	}
	return rec
}

// add reserves a key without a live record.
func (rs *records) add(r idem.Reservation, now time.Time) *record {
	if old := rs.byKey[r.Key]; old != nil {
		rs.remove(old)
	}
	k := r.Key // the strings may be parts of a request that should not be kept alive
	k.Scope.Tenant, k.Scope.Actor = strings.Clone(k.Scope.Tenant), strings.Clone(k.Scope.Actor)
	k.Endpoint, k.Value = idem.Endpoint(strings.Clone(string(k.Endpoint))), strings.Clone(k.Value)
	rec := &record{key: k}
	rs.reserve(rec, r, fence(rs.fence, now), now)
	rs.byKey[k] = rec
	rs.peak = max(rs.peak, len(rs.byKey))
	return rec
}

// reserve makes the record r's own.
func (rs *records) reserve(rec *record, r idem.Reservation, fence int64, now time.Time) {
	rec.token, rec.fence, rec.joined = r.Token, fence, r.Joined
	rec.fingerprint, rec.reserved, rec.leaseUntil = r.Fingerprint, now, now.Add(r.Lease)
	rs.numbers++
	rec.number = rs.numbers
	rs.close(rec)
	if !r.Joined {
		rec.open = rs.open.PushBack(rec)
	}
}

// close is for a record that cannot become unknown any more.
func (rs *records) close(rec *record) {
	if rec.open != nil {
		rs.open.Remove(rec.open)
		rec.open = nil
	}
}

func (rs *records) finalize(rec *record, r idem.Response, expiresAt time.Time) {
	rs.close(rec)
	rec.finalized, rec.response, rec.expiresAt = true, r, expiresAt
	rs.bytes += size(r)
	heap.Push(&rs.expiring, rec)
}

func (rs *records) remove(rec *record) {
	rs.close(rec)
	delete(rs.byKey, rec.key)
	rs.fence = max(rs.fence, rec.fence)
	rs.bytes -= size(rec.response)
	rec.response = idem.Response{} // the order of expiry may hold the record for a while
}

// reclaim removes at most limit records that are past their retention, and says how many.
func (rs *records) reclaim(limit int, now time.Time) int {
	n := 0
	for n < limit && len(rs.expiring) > 0 && !now.Before(rs.expiring[0].expiresAt) {
		rec := heap.Pop(&rs.expiring).(*record)
		if rs.byKey[rec.key] != rec {
			continue // its key was begun anew
		}
		rs.remove(rec)
		n++
	}
	rs.shrink()
	return n
}

// shrink gives memory back: a Go map keeps the room that it ever needed.
func (rs *records) shrink() {
	const worthwhile = 1 << 10
	if rs.peak < worthwhile || len(rs.byKey) > rs.peak/4 {
		return
	}
	byKey := make(map[idem.Key]*record, len(rs.byKey))
	for k, rec := range rs.byKey {
		byKey[k] = rec
	}
	rs.byKey, rs.peak = byKey, len(byKey)
	rs.expiring = append(make(expiry, 0, len(rs.expiring)), rs.expiring...)
}

// expiry is a heap of finalized records, the first to expire on top.
type expiry []*record

func (e expiry) Len() int           { return len(e) }
func (e expiry) Less(i, j int) bool { return e[i].expiresAt.Before(e[j].expiresAt) }
func (e expiry) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *expiry) Push(rec any)      { *e = append(*e, rec.(*record)) }

func (e *expiry) Pop() any {
	last := len(*e) - 1
	rec := (*e)[last]
	(*e)[last] = nil
	*e = (*e)[:last]
	return rec
}

// storable is what a record keeps of r.
func storable(r idem.Response) idem.Response {
	if r.Tombstone {
		return idem.Response{Status: r.Status, Tombstone: true}
	}
	return clone(r)
}

func clone(r idem.Response) idem.Response {
	r.Header, r.Body = r.Header.Clone(), bytes.Clone(r.Body)
	return r
}

func size(r idem.Response) int64 {
	n := len(r.Body)
	for name, values := range r.Header {
		for _, v := range values {
			n += len(name) + len(v)
		}
	}
	return int64(n)
}
