package faults_test

import (
	"slices"
	"testing"
	"time"
)

// soakLoad is what the soak of each store is.
func soakLoad(b backend, p place, lasts time.Duration) load {
	return load{
		job:   job{Backend: b.name, Address: p.address, Lease: 1500 * time.Millisecond, Wait: 5 * time.Second, Pool: 8},
		modes: b.modes(), servers: 4, clients: 32, time: lasts,
		faults: []fault{{name: "kill -9 of a server"}}, pause: 300 * time.Millisecond,
	}
}

// TestSoak lets clients that retry on everything work on several servers while servers are killed, connections are cut,
// and clients hang up, at random.
func TestSoak(t *testing.T) {
	t.Parallel()
	eachBackend(t, func(t *testing.T, b backend) {
		p := b.start(t)
		l := soakLoad(b, p, *soak)
		if slices.Contains(behindProxy, b.kind) {
			proxy := newProxy(t, p.tcp)
			l.job.Address = p.by(proxy.addr())
			l.faults = append(l.faults, fault{"all connections to the store cut", func() error {
				proxy.cut()
				return nil
			}})
		}
		c, v := l.run(t, p)
		c.say(t, v, p)
		report(t, v)
		if c.counts[ran] == 0 || c.counts[replayed] == 0 {
			t.Error("nothing happened")
		}
	})
}

// TestSoakNotices lets the soak run on a service without any idempotency: a soak that has no complaint about that has
// looked at nothing.
func TestSoakNotices(t *testing.T) {
	t.Parallel()
	b := backends[0]
	p := b.start(t)
	l := soakLoad(b, p, time.Second)
	l.servers, l.clients, l.faults = 1, 8, nil
	l.job.Unsafe = true
	c, v := l.run(t, p)
	if len(v.duplicates) == 0 {
		c.say(t, v, p)
		t.Error("no effect was done twice, the soak says")
	}
}
