package linear_test

import (
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// The model is what the store's contract says of one key. It is given the store's time with each verb, because no
// verb can be judged without it: a lease that ends between two verbs changes the answer, and nobody called.
//
// The time of an answer from the record, by Begin or Lookup, is the store's own: Outcome.Now. That of the other
// verbs is not told, and a Begin that reserves may ask the clock more than once in its statement. Their time lies between
// the latest that the store told before the call and the earliest that it told to whoever called after the answer
// (see [history.bracket]): the store's own clock is compared with nothing but itself. The model takes any moment of
// that span, each verb by itself. So it is sound: it never refuses a verb that happened at its real moment. What it
// cannot see is an error in time that is smaller than such a span, some hundred microseconds.
//
// Where a moment is not known exactly, neither is the lease's end that follows from it. The model keeps all ends
// that agree with what was answered so far, which is a span again: "in progress" at ten o'clock cuts off its earlier
// part, "unknown" at ten the later one.
//
// A sweep is no step of the model: a record past its retention is absent, whether it is still there or not. A sweep
// that takes more than that takes a record that the next verb misses.

// A span is a time on the store's clock, as far as it is known: from one nanosecond since 1970 to another.
type span struct{ from, to int64 }

func (s span) plus(d time.Duration) span { return span{s.from + int64(d), s.to + int64(d)} }

// A reply is what a record keeps of a response.
type reply struct {
	status    int
	body      string
	tombstone bool
}

// An ask is one call of a verb, with the time.
type ask struct {
	verb        verb
	token       idem.Token
	fingerprint idem.Fingerprint
	joined      bool
	takeOver    int64
	lease, keep time.Duration
	reply       reply

	// at is when the store looked at the record, and from when it counts a new lease or retention.
	at span
}

// An answer is what the verb said.
type answer struct {
	state       idem.State // of Begin and Lookup
	fence       int64
	fingerprint idem.Fingerprint
	reply       reply
	lost        bool // ErrLost
}

type phase uint8

const (
	absent phase = iota
	reserved
	finalized
)

// A record is the model's state. It is comparable, as porcupine likes it.
type record struct {
	phase       phase
	fence       int64 // the highest that the key ever had
	token       idem.Token
	fingerprint idem.Fingerprint
	joined      bool
	reply       reply
	end         span // of the lease; of the retention once finalized
}

// over says whether the lease or retention can have ended at a moment of s, and what is known then.
func (r record) over(s span) (record, bool) {
	r.end.to = min(r.end.to, s.to)
	return r, r.end.from <= r.end.to
}

// running is the opposite.
func (r record) running(s span) (record, bool) {
	r.end.from = max(r.end.from, s.from+1)
	return r, r.end.from <= r.end.to
}

// A model is the contract, with what it allows a store by its nature.
type model struct {
	locks bool          // someone's lock may hide a record from a take-over
	late  time.Duration // by how much a result may outlive its retention
}

// step says whether the verb may answer this of the record, and what the record is afterwards.
func (m model) step(r record, q ask, a answer) (record, bool) {
	switch q.verb {
	case begin:
		return m.begin(r, q, a)
	case lookup:
		return m.lookup(r, q, a)
	case renew:
		owned := r.phase == reserved && r.token == q.token
		if owned {
			r.end = q.at.plus(q.lease)
		}
		return r, a.lost != owned
	case finalize:
		return m.finalize(r, q, a)
	default:
		return r.release(q, a)
	}
}

func (m model) begin(r record, q ask, a answer) (record, bool) {
	if r.phase == finalized {
		var can bool
		if a.state == idem.Reserved {
			r, can = r.over(q.at)
			r.phase = absent
		} else {
			r, can = r.running(q.at)
		}
		if !can {
			return r, false
		}
	}
	switch {
	case r.phase == absent:
		return r.reserve(q, a)
	case r.fingerprint != q.fingerprint:
		return r, r.answers(a, idem.Conflict)
	case r.phase == finalized:
		return r, r.answers(a, r.replay())
	case r.token == q.token:
		r.end = q.at.plus(q.lease)
		return r, r.answers(a, idem.Reserved)
	}
	takeOver := r.joined || q.takeOver == r.fence
	if a.state == idem.InProgress {
		return m.inProgress(r, q, a, takeOver)
	}
	r, can := r.over(q.at)
	switch {
	case !can:
		return r, false
	case takeOver:
		return r.reserve(q, a)
	default:
		return r, r.answers(a, idem.Unknown)
	}
}

func (m model) lookup(r record, q ask, a answer) (record, bool) {
	switch {
	case r.phase == absent:
		return r, a.state == idem.Absent
	case r.phase == finalized && a.state != idem.Absent:
		r, can := r.running(q.at)
		return r, can && r.answers(a, r.replay())
	case r.phase == reserved && a.state == idem.InProgress:
		return m.inProgress(r, q, a, r.joined)
	}
	r, can := r.over(q.at)
	if r.phase == reserved && !r.joined {
		return r, can && r.answers(a, idem.Unknown)
	}
	return r, can && a.state == idem.Absent
}

// inProgress is for a lease that runs; and for one that is over, where the store must lock the record to say more and
// someone has it locked. Then nothing is learnt of the lease.
func (m model) inProgress(r record, q ask, a answer, locking bool) (record, bool) {
	live, can := r.running(q.at)
	if m.locks && locking {
		if _, either := r.over(q.at); either {
			live, can = r, true
		}
	}
	return live, can && r.answers(a, idem.InProgress)
}

// reserve is for a new owner, whose fence is above all before, and never behind the clock.
func (r record) reserve(q ask, a answer) (record, bool) {
	const micro = int64(time.Microsecond)
	next := record{
		phase: reserved, fence: a.fence, token: q.token, fingerprint: q.fingerprint, joined: q.joined,
		end: q.at.plus(q.lease),
	}
	return next, next.answers(a, idem.Reserved) && a.fence > r.fence && a.fence >= q.at.from/micro
}

func (m model) finalize(r record, q ask, a answer) (record, bool) {
	switch {
	case r.phase == reserved && r.token == q.token:
		r.phase, r.reply, r.end = finalized, q.reply, q.at.plus(q.keep)
		r.end.to += int64(m.late)
		return r, !a.lost
	case r.phase == finalized && r.token == q.token:
		if a.lost {
			return r.over(q.at)
		}
		return r.running(q.at)
	default:
		return r, a.lost
	}
}

func (r record) release(q ask, a answer) (record, bool) {
	switch {
	case r.phase == absent:
		return r, !a.lost
	case r.phase == finalized && a.lost:
		return r.running(q.at)
	case r.phase == finalized:
		return r.over(q.at)
	case r.token != q.token:
		return r, a.lost
	default:
		return record{fence: r.fence}, !a.lost
	}
}

func (r record) replay() idem.State {
	if r.reply.tombstone {
		return idem.Tombstone
	}
	return idem.Replay
}

// answers says whether a is this state, and tells of the record what the state tells.
func (r record) answers(a answer, state idem.State) bool {
	told := reply{}
	if state == idem.Replay || state == idem.Tombstone {
		told = r.reply
	}
	return a.state == state && a.fence == r.fence && a.fingerprint == r.fingerprint && a.reply == told
}
