package linear_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

type verb string

const (
	begin    verb = "Begin"
	lookup   verb = "Lookup"
	renew    verb = "Renew"
	finalize verb = "Finalize"
	release  verb = "Release"
)

// A call is one verb of one client, from its call to its answer on the test's clock.
type call struct {
	client           int
	key              string
	called, answered time.Duration
	ask              ask
	answer           answer
	now              int64 // what the store told of its time; 0: nothing
}

// A history is what clients of a store asked and were told.
type history struct {
	start time.Time

	mu    sync.Mutex
	calls []call
	swept int
	err   error
}

func (h *history) add(c call) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, c)
}

// fail keeps the first error that is no answer.
func (h *history) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil {
		h.err = err
	}
}

// A recorder calls a store for one client, and writes it down.
type recorder struct {
	*history
	client int
	store  idem.Store
	travel func() // what a message to the store and its answer may wait for
}

func (r recorder) begin(ctx context.Context, n idem.Reservation) (idem.Outcome, bool) {
	q := ask{verb: begin, token: n.Token, fingerprint: n.Fingerprint, joined: n.Joined, takeOver: n.TakeOver, lease: n.Lease}
	return r.record(n.Key, q, func() (idem.Outcome, error) { return r.store.Begin(ctx, n) })
}

func (r recorder) lookup(ctx context.Context, k idem.Key) (idem.Outcome, bool) {
	return r.record(k, ask{verb: lookup}, func() (idem.Outcome, error) { return r.store.Lookup(ctx, k) })
}

func (r recorder) renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) {
	r.record(k, ask{verb: renew, token: t, lease: lease}, func() (idem.Outcome, error) {
		return idem.Outcome{}, r.store.Renew(ctx, k, t, lease)
	})
}

func (r recorder) finalize(ctx context.Context, k idem.Key, t idem.Token, n idem.Response, keep time.Duration) {
	q := ask{verb: finalize, token: t, keep: keep, reply: replyOf(n)}
	r.record(k, q, func() (idem.Outcome, error) { return idem.Outcome{}, r.store.Finalize(ctx, k, t, n, keep) })
}

func (r recorder) release(ctx context.Context, k idem.Key, t idem.Token) {
	r.record(k, ask{verb: release, token: t}, func() (idem.Outcome, error) {
		return idem.Outcome{}, r.store.Release(ctx, k, t)
	})
}

// sweep is no call: see [model]. It is only seen by what it does to the keys.
func (r recorder) sweep(ctx context.Context, limit int) {
	sweeper, ok := r.store.(idem.Sweeper)
	if !ok {
		return
	}
	n, err := sweeper.Sweep(ctx, limit)
	if err == nil && (n < 0 || n > limit) {
		err = fmt.Errorf("a sweep of at most %d says that it removed %d", limit, n)
	}
	if err != nil {
		r.fail(err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.swept += n
}

// record says false where there was no answer.
func (r recorder) record(k idem.Key, q ask, do func() (idem.Outcome, error)) (idem.Outcome, bool) {
	c := call{client: r.client, key: k.Value, called: time.Since(r.start), ask: q}
	r.travel()
	o, err := do()
	r.travel()
	c.answered = time.Since(r.start)
	c.answer = answer{
		state: o.State, fence: o.Fence, fingerprint: o.Fingerprint,
		reply: replyOf(o.Response), lost: errors.Is(err, idem.ErrLost),
	}
	told := q.verb == begin || q.verb == lookup
	switch {
	case err != nil && (told || !c.answer.lost):
		r.fail(fmt.Errorf("%s: %w", q.verb, err))
		return o, false
	case told:
		c.now = o.Now.UnixNano()
	}
	r.add(c)
	return o, true
}

func replyOf(r idem.Response) reply {
	return reply{status: r.Status, body: string(r.Body), tombstone: r.Tombstone}
}

// bracket finds out when each call happened on the store's clock. It is an error where the store's clock goes back: no
// lease can be trusted then.
func (h *history) bracket() error {
	clock := newClock(h.calls)
	for i := range h.calls {
		c := &h.calls[i]
		c.ask.at = clock.during(c.called, c.answered)
		if c.now == 0 {
			continue
		}
		if c.now < c.ask.at.from || c.now > c.ask.at.to {
			return fmt.Errorf("the store's clock goes back: it is %s of %v", time.Unix(0, c.now).Format(time.RFC3339Nano), c)
		}
		if c.answer.state != idem.Reserved {
			c.ask.at = span{c.now, c.now}
		}
	}
	return nil
}

// A clock is what a store told of its time in the course of a history.
type clock struct {
	before []told // by when they were answered, each with the latest time so far
	after  []told // by when they were called, each with the earliest time from there on
}

type told struct {
	at  time.Duration // on the test's clock
	now int64
}

func byTime(a, b told) int { return cmp.Compare(a.at, b.at) }

func newClock(calls []call) clock {
	var before, after []told
	for _, c := range calls {
		if c.now != 0 {
			before = append(before, told{c.answered, c.now})
			after = append(after, told{c.called, c.now})
		}
	}
	slices.SortFunc(before, byTime)
	slices.SortFunc(after, byTime)
	for i := 1; i < len(before); i++ {
		before[i].now = max(before[i].now, before[i-1].now)
	}
	for i := len(after) - 2; i >= 0; i-- {
		after[i].now = min(after[i].now, after[i+1].now)
	}
	return clock{before, after}
}

// during is the store's time between a call and its answer.
func (c clock) during(called, answered time.Duration) span {
	known := span{math.MinInt64 / 2, math.MaxInt64 / 2} // halves, so that a lease can be added
	if n, _ := slices.BinarySearchFunc(c.before, told{at: called}, byTime); n > 0 {
		known.from = c.before[n-1].now
	}
	if n, _ := slices.BinarySearchFunc(c.after, told{at: answered + 1}, byTime); n < len(c.after) {
		known.to = c.after[n].now
	}
	return known
}

// overlapping counts the calls during which another client called for the same key: those that an order is sought for.
func (h *history) overlapping() int {
	calls := slices.Clone(h.calls)
	slices.SortFunc(calls, byCall)
	n, until := 0, map[string]time.Duration{}
	for _, c := range calls {
		if c.called <= until[c.key] {
			n++
		}
		until[c.key] = max(until[c.key], c.answered)
	}
	return n
}

func byCall(a, b call) int { return cmp.Compare(a.called, b.called) }

// event is what coverage counts: a verb and its answer.
func (c call) event() string {
	switch {
	case c.ask.verb == begin || c.ask.verb == lookup:
		return string(c.ask.verb) + " " + storetest.StateName(c.answer.state)
	case c.answer.lost:
		return string(c.ask.verb) + " lost"
	default:
		return string(c.ask.verb) + " done"
	}
}

func (c call) String() string {
	q, a := c.ask, c.answer
	s := fmt.Sprintf("%10v to %10v client %d: %s", c.called.Round(time.Microsecond), c.answered.Round(time.Microsecond), c.client, q.verb)
	if q.verb != lookup {
		s += fmt.Sprintf(" token %x", q.token[:2])
	}
	switch q.verb {
	case begin:
		s += fmt.Sprintf(" request %d joined %t take-over %d lease %v", q.fingerprint.Sum[0], q.joined, q.takeOver, q.lease)
	case renew:
		s += fmt.Sprintf(" lease %v", q.lease)
	case finalize:
		s += fmt.Sprintf(" keep %v %v", q.keep, q.reply)
	}
	s += ": " + c.event()
	if c.now != 0 && a.state != idem.Absent {
		s += fmt.Sprintf(" fence %d", a.fence)
	}
	if a.reply != (reply{}) {
		s += " " + a.reply.String()
	}
	return s + fmt.Sprintf(" (at %v)", q.at)
}

func (r reply) String() string {
	if r.tombstone {
		return fmt.Sprintf("%d tombstone", r.status)
	}
	return fmt.Sprintf("%d %q", r.status, r.body)
}

// String is in microseconds of one minute: histories are short.
func (s span) String() string {
	const minute = int64(time.Minute / time.Microsecond)
	from, to := s.from/int64(time.Microsecond)%minute, s.to/int64(time.Microsecond)%minute
	if from == to {
		return fmt.Sprintf("%d µs", from)
	}
	return fmt.Sprintf("%d to %d µs", from, to)
}

func (r record) String() string {
	switch r.phase {
	case absent:
		return fmt.Sprintf("absent, last fence %d", r.fence)
	case finalized:
		return fmt.Sprintf("finalized by token %x fence %d with %v, kept until %v", r.token[:2], r.fence, r.reply, r.end)
	default:
		return fmt.Sprintf("reserved by token %x fence %d request %d joined %t, lease until %v",
			r.token[:2], r.fence, r.fingerprint.Sum[0], r.joined, r.end)
	}
}
