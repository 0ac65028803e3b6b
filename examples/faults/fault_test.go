package faults_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestServerCrash crashes the database's server under load. What it forgets is never more than a joined reservation, whose
// owner then finds no record to lock.
func TestServerCrash(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p, crash := b.crash(t)
		l := soakLoad(b, p, 3*time.Second)
		l.servers, l.clients, l.pause = 2, 16, 500*time.Millisecond
		l.faults = []fault{{"crash of the store's server", crash}}
		c, v := l.run(t, p)
		c.say(t, v, p)
		report(t, v)
		if c.counts[ran] == 0 || c.counts[l.faults[0].name] == 0 {
			t.Error("nothing happened")
		}
	}, behindProxy...)
}

// TestStoreGone takes the store away: nothing runs, and nothing is replayed.
func TestStoreGone(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		proxy := newProxy(t, p.tcp)
		w := newWorker(t, job{Backend: b.name, Address: p.by(proxy.addr()), Lease: 2 * time.Second, Wait: time.Second, Pool: 4})
		for _, m := range b.modes() {
			check(t, "before", ask(t, w, request{mode: m, name: "old-" + string(m)}), ran)
		}
		proxy.setDown(true)
		for _, m := range b.modes() {
			check(t, "a replay, meanwhile", ask(t, w, request{mode: m, name: "old-" + string(m)}), unavailable)
			check(t, "a new key, meanwhile", ask(t, w, request{mode: m, name: "new-" + string(m)}), unavailable)
			p.count(t, "new-"+string(m), 0)
		}
		proxy.setDown(false)
		for _, m := range b.modes() {
			check(t, "a replay, after that", settled(t, w, request{mode: m, name: "old-" + string(m)}), replayed)
			check(t, "a new key, after that", settled(t, w, request{mode: m, name: "new-" + string(m)}), ran)
			p.count(t, "new-"+string(m), 1)
		}
	}, behindProxy...)
}

// A situation is a request that is under way when its store goes away.
type situation struct {
	mode    mode
	step    step
	first   string // the request's own answer
	effects int    // then
	retry   string // when the store is back, and the lease over
	end     int    // effects in the end
}

func (s situation) request() request {
	name := strings.NewReplacer(" ", "-", ",", "").Replace(fmt.Sprintf("%s %s", s.mode, s.step))
	return request{mode: s.mode, name: name, hold: s.step}
}

// TestStoreGoneWithin takes the store away from requests that are under way, for longer than they wait for it; or only
// their connections to it.
func TestStoreGoneWithin(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		away       bool
		situations []situation
	}{
		"store": {true, []situation{
			{joined, beforeEffect, failed, 0, ran, 1},
			{joined, beforeCommit, unavailable, 0, ran, 1},
			{lease, beforeEffect, failed, 0, unknown, 0},
			{lease, beforeFinalize, ran, 1, unknown, 1},
		}},
		"connections": {false, []situation{
			{joined, beforeEffect, failed, 0, ran, 1},
			{joined, beforeCommit, unavailable, 0, ran, 1},
			{lease, beforeFinalize, ran, 1, replayed, 1},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			eachBackend(t, func(t *testing.T, b backend) {
				has := slices.DeleteFunc(slices.Clone(test.situations), func(s situation) bool { return !b.has(s.mode) })
				goneWithin(t, b, test.away, has)
			}, behindProxy...)
		})
	}
}

func goneWithin(t *testing.T, b backend, away bool, situations []situation) {
	p := b.start(t)
	proxy := newProxy(t, p.tcp)
	w := newWorker(t, job{Backend: b.name, Address: p.by(proxy.addr()), Lease: 2 * time.Second, Wait: time.Second, Pool: 8})
	var answers []<-chan answer
	for _, s := range situations {
		answers = append(answers, send(t, w, s.request()))
		w.held(t, s.step)
	}
	proxy.setDown(true)
	proxy.setDown(away)
	w.release(t)
	for i, s := range situations {
		check(t, s.request().name, <-answers[i], s.first)
		p.count(t, s.request().name, s.effects)
	}
	proxy.setDown(false)
	for _, s := range situations {
		check(t, s.request().name+": the retry", settled(t, w, s.request()), s.retry)
		p.count(t, s.request().name, s.end)
	}
}

// TestStatementTimeout lets the server end statements that wait for a lock.
func TestStatementTimeout(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		w := newWorker(t, job{Backend: b.name, Address: p.address + " statement_timeout=200", Lease: time.Second, Wait: time.Second, Pool: 4})
		locked := func(table string, during func()) {
			tx, err := pgPool(t, p.address).Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := tx.Exec(t.Context(), "LOCK TABLE "+table+" IN ACCESS EXCLUSIVE MODE"); err != nil {
				t.Fatal(err)
			}
			during()
			if err := tx.Rollback(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		early := func(m mode) request { return request{mode: m, name: "early-" + string(m)} }
		late := func(m mode) request { return request{mode: m, name: "late-" + string(m)} }
		locked("idempotency_keys", func() {
			for _, m := range b.modes() {
				check(t, "records locked", ask(t, w, early(m)), unavailable)
			}
		})
		locked("effects", func() {
			for _, m := range b.modes() {
				check(t, "effects locked", ask(t, w, late(m)), failed)
			}
		})
		for _, m := range b.modes() {
			p.count(t, early(m).name, 0)
			p.count(t, late(m).name, 0)
			check(t, "a retry", settled(t, w, early(m)), ran)
			p.count(t, early(m).name, 1)
		}
		check(t, "a retry", settled(t, w, late(joined)), ran)
		p.count(t, late(joined).name, 1)
		check(t, "a retry", settled(t, w, late(lease)), unknown)
		p.count(t, late(lease).name, 0)
	}, onPostgres)
}

// TestPoolExhausted lets handlers in joined mode hold all connections: other requests are refused.
func TestPoolExhausted(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		const pool = 2
		w := newWorker(t, job{Backend: b.name, Address: p.address, Lease: time.Second, Wait: 500 * time.Millisecond, Pool: pool})
		var busy []<-chan answer
		for i := range pool {
			busy = append(busy, send(t, w, request{mode: joined, name: fmt.Sprint("busy-", i), hold: midEffect}))
			w.held(t, midEffect)
		}
		for _, m := range b.modes() {
			check(t, "meanwhile", ask(t, w, request{mode: m, name: string(m)}), unavailable)
			p.count(t, string(m), 0)
		}
		w.release(t)
		for i, a := range busy {
			check(t, "a handler", <-a, ran)
			p.count(t, fmt.Sprint("busy-", i), 1)
		}
		for _, m := range b.modes() {
			check(t, "after that", settled(t, w, request{mode: m, name: string(m)}), ran)
			p.count(t, string(m), 1)
		}
	}, onPostgres)
}

// TestLeaseHoldsNoConnection has more handlers in lease mode at work than the pool has connections.
func TestLeaseHoldsNoConnection(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		const crowd = 50
		w := newWorker(t, job{Backend: b.name, Address: p.address, Lease: 10 * time.Second, Wait: 5 * time.Second, Pool: 2})
		var busy []<-chan answer
		for i := range crowd {
			busy = append(busy, send(t, w, request{mode: lease, name: fmt.Sprint("busy-", i), hold: beforeEffect}))
		}
		for range crowd {
			w.held(t, beforeEffect)
		}
		check(t, "meanwhile", ask(t, w, request{mode: lease, name: "k"}), ran)
		w.release(t)
		for i, a := range busy {
			check(t, "a handler", <-a, ran)
			p.count(t, fmt.Sprint("busy-", i), 1)
		}
	})
}
