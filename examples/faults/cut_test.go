package faults_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// TestEveryMessageCut cuts the connection at each message of a request in turn: once so that the backend never gets the
// message, and once so that the worker never gets the answer, COMMIT's among them.
func TestEveryMessageCut(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		c := newCuts(t, b, job{Lease: time.Second, Wait: 2 * time.Second, Pool: 2})
		for _, m := range b.modes() {
			c.each(m, theMessage)
			c.each(m, theAnswer)
		}
		c.settle()
	}, behindProxy...)
}

// TestEveryMessageSilent lets the connection fall silent at each message of a request in turn, where the operation has a
// timeout: without one, a handler in joined mode waits for as long as TCP does. The pool is a large one, because a driver
// may keep a silent connection in it for a while.
func TestEveryMessageSilent(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		if b.patient {
			t.Skip("the driver waits for as long as TCP does, whatever the operation's timeout")
		}
		for _, m := range b.modes() {
			t.Run(string(m), func(t *testing.T) {
				t.Parallel()
				c := newCuts(t, b, job{Lease: time.Second, Wait: 500 * time.Millisecond, Timeout: 300 * time.Millisecond, Pool: 64})
				c.each(m, everything)
				c.settle()
			})
		}
	}, behindProxy...)
}

// cuts are the requests that were cut so far.
type cuts struct {
	t      *testing.T
	b      backend
	place  place
	proxy  *proxy
	worker *worker
	cut    []cutRequest
	commit bool // one was cut
}

type cutRequest struct {
	request
	first answer
}

func newCuts(t *testing.T, b backend, j job) *cuts {
	t.Helper()
	c := &cuts{t: t, b: b, place: b.start(t)}
	c.proxy = newProxy(t, c.place.tcp)
	j.Backend, j.Address = b.name, c.place.by(c.proxy.addr())
	c.worker = newWorker(t, j)
	return c
}

// each cuts at each message of a request in turn.
func (c *cuts) each(m mode, l loses) {
	const most = 50
	for n := 1; n <= most; n++ {
		warm := request{mode: m, name: fmt.Sprintf("warm-%s-%s-%d", m, l, n)} // connects again
		if a := settled(c.t, c.worker, warm); !a.done() {
			c.t.Fatalf("%s: %s (%v)", warm.name, a, a.err)
		}
		q := request{mode: m, name: fmt.Sprintf("cut-%s-%s-%d", m, l, n)}
		trap := c.proxy.set(n, l)
		sent := time.Now()
		first := ask(c.t, c.worker, q)
		c.cut = append(c.cut, cutRequest{q, first})
		if !c.proxy.lift() {
			check(c.t, "nothing was cut", first, ran)
			if n < 3 || m == joined && !c.commit {
				c.t.Errorf("%s mode: only %d messages, COMMIT %t", m, n-1, c.commit)
			}
			return
		}
		c.t.Logf("%s mode, message %d, the %s lost: %s after %v %.60q", m, n, l, first, time.Since(sent).Round(time.Millisecond), printable(trap.text))
		c.look(q, l, printable(trap.text), first)
	}
	c.t.Errorf("%s mode: more than %d messages", m, most)
}

// look checks the answer to the request that was cut: its result, or a refusal.
func (c *cuts) look(q request, l loses, text string, a answer) {
	commit := q.mode == joined && text == "q commit" // a simple query, as both drivers send it
	switch said := a.String(); {
	case commit:
		c.commit = true
		want, n := unavailable, 0
		if l != theMessage { // it did commit, as the record says
			want, n = ran, 1
		}
		check(c.t, fmt.Sprintf("COMMIT, the %s lost", l), a, want)
		c.place.count(c.t, q.name, n)
	case said != ran && said != unavailable && said != failed:
		c.t.Errorf("%s: %s (%v)", q.name, said, a.err)
	}
}

// settle retries all of them, and holds the answers to the effects.
func (c *cuts) settle() {
	c.t.Helper()
	c.proxy.cut() // so that the backend learns of connections that fell silent, and ends their transactions
	histories := map[string]*history{}
	for _, q := range c.cut {
		h := &history{mode: q.mode}
		h.saw(q.first)
		h.last = settled(c.t, c.worker, q.request)
		h.saw(h.last)
		histories[q.name] = h
	}
	effects, err := c.place.effects(c.t.Context())
	if err != nil {
		c.t.Fatal(err)
	}
	for name := range effects {
		if strings.HasPrefix(name, "warm-") {
			delete(effects, name)
		}
	}
	report(c.t, audit(histories, effects))
}

// printable leaves out what is no letter of a statement.
func printable(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }), " ")
}
