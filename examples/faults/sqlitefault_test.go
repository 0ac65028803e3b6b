package faults_test

import (
	"fmt"
	"testing"
	"time"
)

// TestSQLiteLocked has another process hold the writer's lock: a replay and an answer in progress do not wait for it, and
// a new key is refused when its patience is over.
func TestSQLiteLocked(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		j := job{Backend: b.name, Address: p.address, Lease: 10 * time.Second, Wait: time.Second, Pool: 4}
		holder, other := newWorker(t, j), newWorker(t, j)
		for _, m := range b.modes() {
			check(t, "before", ask(t, other, request{mode: m, name: "old-" + string(m)}), ran)
		}
		holds := request{mode: joined, name: "holder", hold: midEffect}
		held := send(t, holder, holds)
		holder.held(t, midEffect)
		holds.hold = ""
		check(t, "the holder's key", ask(t, other, holds), inProgress)
		for _, m := range b.modes() {
			check(t, "a replay", ask(t, other, request{mode: m, name: "old-" + string(m)}), replayed)
			check(t, "a new key", ask(t, other, request{mode: m, name: "new-" + string(m)}), unavailable)
			p.count(t, "new-"+string(m), 0)
		}
		holder.release(t)
		check(t, "the holder", <-held, ran)
		p.count(t, "holder", 1)
		for _, m := range b.modes() {
			check(t, "after that", settled(t, other, request{mode: m, name: "new-" + string(m)}), ran)
			p.count(t, "new-"+string(m), 1)
		}
	}, onSQLite)
}

// TestSQLiteFull fills a database that may not grow, in both modes: whatever the statement that finds no room, nothing is
// done twice, and no client is told of what is not there.
func TestSQLiteFull(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		full := job{Backend: b.name, Address: p.address + "&_pragma=max_page_count(30)",
			Lease: time.Second, Wait: 100 * time.Millisecond, Pool: 4, Padding: 500}
		w := newWorker(t, full)
		histories, refused := map[string]*history{}, 0
		keys := func(visit func(q request, h *history)) {
			for i := range 150 {
				m := b.modes()[i%2]
				q := request{mode: m, name: fmt.Sprintf("%s-%d", m, i)}
				if histories[q.name] == nil {
					histories[q.name] = &history{mode: m}
				}
				visit(q, histories[q.name])
			}
		}
		keys(func(q request, h *history) {
			a := ask(t, w, q)
			h.saw(a)
			switch a.String() {
			case ran:
			case unavailable, failed:
				refused++
			default:
				t.Errorf("%s: %s (%v)", q.name, a, a.err)
			}
		})
		if refused < 10 {
			t.Errorf("of %d requests only %d met a full disk", len(histories), refused)
		}
		w.kill()
		roomy := full
		roomy.Address = p.address
		w = newWorker(t, roomy)
		keys(func(q request, h *history) {
			h.last = settled(t, w, q)
			h.saw(h.last)
		})
		effects, err := p.effects(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		v := audit(histories, effects)
		report(t, v)
		t.Logf("%d keys, %d refused by a full disk, %d unknown", v.keys, refused, v.unknown)
	}, onSQLite)
}
