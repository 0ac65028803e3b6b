package linear_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"sync"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A workload says how much random clients do. Leases and retentions are a few ticks long, and so are the pauses
// of a client, so that about as many end as are kept.
type workload struct {
	seed                 uint64
	clients, calls, keys int
	tick                 time.Duration
	// travel is how long some messages take to the store or back, at most. A store in memory answers before another
	// client can ask, so that without it next to nothing would happen at once.
	travel time.Duration
}

// run lets the clients loose on a store, each by the next of its doors: several pools of one database.
func (w workload) run(ctx context.Context, doors []idem.Store) *history {
	h := &history{start: time.Now()}
	b := &board{recent: map[string][]begun{}, fence: map[string]int64{}}
	var keys []idem.Key
	fresh := idem.NewToken() // no history finds the records of another
	for k := range w.keys {
		keys = append(keys, idem.Key{
			Scope:    idem.Scope{Tenant: "acme", Actor: "u-17"},
			Endpoint: "claims.create",
			Value:    fmt.Sprintf("%x-%d", fresh[:8], k),
		})
	}
	// What is asked first and last tells the time for the calls between.
	edge := recorder{history: h, client: w.clients, store: doors[0], travel: func() {}}
	edge.lookup(ctx, keys[0])
	var working sync.WaitGroup
	for n := range w.clients {
		random := rand.New(rand.NewPCG(w.seed, uint64(n)))
		c := &client{
			recorder: recorder{history: h, client: n, store: doors[n%len(doors)], travel: w.travelling(random)},
			workload: w, board: b, keys: keys, random: random,
		}
		working.Go(func() {
			for range w.calls / w.clients {
				c.call(ctx)
			}
		})
	}
	working.Wait()
	edge.lookup(ctx, keys[0])
	return h
}

func (w workload) travelling(random *rand.Rand) func() {
	return func() {
		if w.travel > 0 && random.IntN(3) == 0 {
			time.Sleep(time.Duration(random.Int64N(int64(w.travel))))
		}
	}
}

// A board is what clients know of each other: the reservations that were asked for lately, and the fences that were
// told. So one client repeats what another began, a late owner comes back, and a record is taken over by its fence.
type board struct {
	mu     sync.Mutex
	recent map[string][]begun
	fence  map[string]int64
	result int
}

// begun is a reservation and who asked for it first.
type begun struct {
	idem.Reservation
	client int
}

func (b *board) began(r begun) {
	b.mu.Lock()
	defer b.mu.Unlock()
	const most = 3
	recent := append(b.recent[r.Key.Value], r)
	b.recent[r.Key.Value] = recent[max(0, len(recent)-most):]
}

func (b *board) told(k idem.Key, fence int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fence[k.Value] = max(b.fence[k.Value], fence)
}

func (b *board) lastFence(k idem.Key) int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fence[k.Value]
}

// pick is the latest reservation more often than not, and else a former one.
func (b *board) pick(k idem.Key, random *rand.Rand) (begun, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	recent := b.recent[k.Value]
	if len(recent) == 0 {
		return begun{}, false
	}
	n := len(recent) - 1
	if random.IntN(3) == 0 {
		n = random.IntN(len(recent))
	}
	return recent[n], true
}

// response is one that no other has, or a tombstone.
func (b *board) response(random *rand.Rand) idem.Response {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.result++
	r := idem.Response{Status: 200 + b.result%100}
	if r.Tombstone = random.IntN(6) == 0; !r.Tombstone {
		r.Body = strconv.AppendInt(nil, int64(b.result), 10)
	}
	return r
}

// A client calls verbs at random.
type client struct {
	recorder
	workload workload
	board    *board
	keys     []idem.Key
	random   *rand.Rand
}

// some is a random time of up to so many ticks, and more than 0.
func (c *client) some(ticks int) time.Duration {
	const grain = time.Millisecond / 4 // some stores count in milliseconds: what is finer must be rounded well
	return max(grain, time.Duration(c.random.Int64N(int64(ticks)*int64(c.workload.tick))).Truncate(grain))
}

func (c *client) call(ctx context.Context) {
	k := c.keys[c.random.IntN(len(c.keys))]
	r, known := c.board.pick(k, c.random)
	mine := known
	switch n := c.random.IntN(100); {
	case n < 15:
		o, ok := c.lookup(ctx, k)
		c.heard(k, o, ok)
	case n < 20:
		c.sweep(ctx, 1+c.random.IntN(20))
	case n < 50 || !known:
		c.start(ctx, begun{c.newcomer(k), c.client})
	case n < 58 && mine:
		c.start(ctx, r)
	case n < 75 && c.random.IntN(5) == 0:
		c.renew(ctx, k, r.Token, 0)
	case n < 75:
		c.renew(ctx, k, r.Token, c.some(3))
	case n < 90:
		c.finalize(ctx, k, r.Token, c.board.response(c.random), c.some(4))
	case mine:
		c.release(ctx, k, r.Token)
	}
	if c.random.IntN(3) == 0 {
		time.Sleep(c.some(1) / 2)
	}
}

// newcomer is a request with a token of its own, mostly the same request.
func (c *client) newcomer(k idem.Key) idem.Reservation {
	r := idem.Reservation{Key: k, Token: idem.NewToken(), Lease: c.some(3), Joined: c.random.IntN(3) == 0}
	if c.random.IntN(8) == 0 {
		r.Fingerprint.Sum[0] = 1
	}
	if c.random.IntN(2) == 0 {
		r.TakeOver = c.board.lastFence(k)
	}
	return r
}

func (c *client) start(ctx context.Context, r begun) {
	o, ok := c.begin(ctx, r.Reservation)
	if ok && o.State == idem.Reserved {
		c.board.began(r)
	}
	c.heard(r.Key, o, ok)
}

func (c *client) heard(k idem.Key, o idem.Outcome, ok bool) {
	if ok {
		c.board.told(k, o.Fence)
	}
}
