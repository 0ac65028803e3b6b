package faults_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// A load is clients that retry on everything, on several servers, while faults fall.
type load struct {
	job     job
	modes   []mode
	servers int
	clients int
	time    time.Duration
	faults  []fault
	pause   time.Duration // between faults, about
}

// A fault is something that goes wrong, and is over when do returns.
type fault struct {
	name string
	do   func() error
}

// A crowd is a load that runs.
type crowd struct {
	load
	serving []atomic.Pointer[worker]

	mu        sync.Mutex
	wrong     []string  // what should not be, whatever is audited
	workers   []*worker // all there ever were
	counts    map[string]int
	histories map[string]*history
	shared    int // keys handed out of those that several clients have
}

// sharedBy is how many clients have a key that is not one client's alone.
const sharedBy = 6

// run lets the load run, then lets everything be quiet, and holds what the clients were told to what there is.
func (l load) run(t *testing.T, p place) (*crowd, verdict) {
	t.Helper()
	c := &crowd{load: l, serving: make([]atomic.Pointer[worker], l.servers),
		counts: map[string]int{}, histories: map[string]*history{}}
	t.Cleanup(func() {
		for _, w := range c.workers {
			w.end(t)
		}
	})
	for i := range c.serving {
		if err := c.restart(i); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), l.time)
	defer cancel()
	var running sync.WaitGroup
	for range l.clients {
		running.Go(func() { c.client(ctx) })
	}
	if len(l.faults) > 0 {
		running.Go(func() { c.misfortune(ctx) })
	}
	running.Wait()
	c.settle(t)
	effects, err := p.effects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	v := audit(c.histories, effects)
	v.wrong = c.wrong
	return c, v
}

// restart starts server i, or kills it and starts it again.
func (c *crowd) restart(i int) error {
	if w := c.serving[i].Load(); w != nil {
		w.kill()
	}
	w, err := start(c.job)
	if err != nil {
		return err
	}
	c.serving[i].Store(w)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.workers = append(c.workers, w)
	return nil
}

// kill9 kills one of the servers with SIGKILL and starts it again.
func (c *crowd) kill9() error { return c.restart(rand.N(len(c.serving))) }

// misfortune lets faults fall at random until ctx is done.
func (c *crowd) misfortune(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(c.pause/2 + rand.N(c.pause)):
		}
		f := c.faults[rand.N(len(c.faults))]
		do := f.do
		if do == nil {
			do = c.kill9
		}
		if err := do(); err != nil {
			c.complain("%s: %v", f.name, err)
			return
		}
		c.count(f.name)
	}
}

func (c *crowd) url() string { return c.serving[rand.N(len(c.serving))].Load().url }

func (c *crowd) count(what string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts[what]++
}

func (c *crowd) complain(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.wrong = append(c.wrong, fmt.Sprintf(format, args...))
}

// client works through keys until ctx is done.
func (c *crowd) client(ctx context.Context) {
	for ctx.Err() == nil {
		q := c.next()
		for ctx.Err() == nil && !c.try(ctx, q) {
			time.Sleep(10*time.Millisecond + rand.N(30*time.Millisecond))
		}
	}
}

// next is a new key, or one that other clients have too.
func (c *crowd) next() request {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := fmt.Sprint("own-", len(c.histories))
	if rand.N(3) == 0 {
		name = fmt.Sprint("shared-", c.shared/sharedBy)
		c.shared++
	}
	h := c.histories[name]
	if h == nil {
		h = &history{mode: c.modes[rand.N(len(c.modes))]}
		c.histories[name] = h
	}
	return request{mode: h.mode, name: name}
}

// try sends a request once. It says whether the client is content.
func (c *crowd) try(ctx context.Context, q request) bool {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	hangsUp := rand.N(20) == 0
	if hangsUp {
		time.AfterFunc(rand.N(20*time.Millisecond), cancel)
	}
	a := post(ctx, c.url(), q)
	c.note(q, a)
	if a.err != nil && hangsUp {
		c.count("hung up")
	}
	if a.done() && rand.N(20) == 0 {
		c.otherwise(q)
	}
	return a.done() && rand.N(2) == 0 || a.String() == unknown
}

// otherwise sends another payload under a key whose request is done.
func (c *crowd) otherwise(q request) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	q.amount = 1
	a := post(ctx, c.url(), q)
	c.count("attempts")
	c.count(a.String())
	if said := a.String(); said != conflict && said != unavailable && said != noAnswer {
		c.complain("%s: another payload under its key: %s", q.name, a)
	}
}

// note keeps what a client was told.
func (c *crowd) note(q request, a answer) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.counts["attempts"]++
	c.counts[a.String()]++
	h := c.histories[q.name]
	h.last = a
	h.saw(a)
	known := []string{ran, replayed, inProgress, unknown, unavailable, failed, noAnswer}
	if !slices.Contains(known, a.String()) {
		c.wrong = append(c.wrong, fmt.Sprintf("%s: %s", q.name, a))
	}
}

// enough bounds the results that are asked for once more when all is quiet.
const enough = 1000

// settle retries what has no answer that stays, and asks once more for results, the last in case of doubt: what the
// database has of the others is told by their effects.
func (c *crowd) settle(t *testing.T) {
	t.Helper()
	again := enough
	names := make(chan string, len(c.histories))
	for _, name := range slices.Sorted(maps.Keys(c.histories)) {
		h := c.histories[name]
		if h.last.done() {
			if again--; again < 0 {
				continue
			}
		}
		names <- name
	}
	close(names)
	ctx, cancel := context.WithTimeout(t.Context(), patience+c.job.Lease)
	defer cancel()
	var asking sync.WaitGroup
	for range c.clients {
		asking.Go(func() {
			for name := range names {
				c.mu.Lock()
				q := request{mode: c.histories[name].mode, name: name}
				c.mu.Unlock()
				c.note(q, settle(ctx, c.url(), q))
			}
		})
	}
	asking.Wait()
}

// say prints what there was.
func (c *crowd) say(t *testing.T, v verdict, p place) {
	t.Helper()
	effects, err := p.effects(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, ids := range effects {
		n += len(ids)
	}
	t.Logf("%d servers, %d clients, %v; keys %d, attempts %d, effects %d", c.servers, c.clients, c.time, v.keys, c.counts["attempts"], n)
	t.Logf("ran %d, replays %d, conflicts %d, in progress %d, unknown %d, unavailable %d, failed %d, no answer %d (hung up %d)",
		c.counts[ran], c.counts[replayed], c.counts[conflict], c.counts[inProgress], c.counts[unknown],
		c.counts[unavailable], c.counts[failed], c.counts[noAnswer], c.counts["hung up"])
	for _, f := range c.faults {
		t.Logf("%s: %d times", f.name, c.counts[f.name])
	}
	t.Logf("duplicates %d, lost results %d, not settled %d, keys unknown (lease mode) %d",
		len(v.duplicates), len(v.lost), len(v.unsettled), v.unknown)
}
