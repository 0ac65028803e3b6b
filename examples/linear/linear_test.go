package linear_test

import (
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
)

var (
	histories = flag.Int("histories", 25, "how many histories of each store are checked")
	enoughFor = flag.Duration("for", 15*time.Second, "for how long each store is checked at most")
	seeded    = flag.Uint64("seed", 0, "what the clients' choices begin with; 0: something new")
)

// stores are what is checked. Each opens its doors: stores over pools of their own on the same records. A tick is
// somewhat more than a verb takes.
var stores = []struct {
	name     string
	model    model
	workload workload
	open     func(testing.TB) []idem.Store
}{
	{"memory", model{}, workload{tick: time.Millisecond, travel: time.Millisecond / 2}, openMemory},
	{"sqlite, three pools", model{locks: true}, workload{tick: 4 * time.Millisecond}, openSQLite},
	{"postgres, two pools", model{locks: true}, workload{tick: 4 * time.Millisecond}, openPostgres},
	{"redis, two clients", model{late: redisLate}, workload{tick: time.Millisecond}, openRedis},
	{"redis cluster, two clients", model{late: redisLate}, workload{tick: time.Millisecond}, openRedisCluster},
}

// redisLate: Redis removes what is over by the time at which it took a call up, in whole milliseconds, and tells the time
// at which it comes to the script. A server that waits for the processor in between shows a result later than it was kept.
const redisLate = 250 * time.Millisecond

// mustMeet are what a run has to meet to have said anything about it.
var mustMeet = []string{
	"Begin Reserved", "Begin Replay", "Begin Conflict", "Begin InProgress", "Begin Unknown", "Begin Tombstone",
	"Lookup Absent", "Lookup Replay", "Lookup InProgress", "Lookup Unknown", "Lookup Tombstone",
	"Renew done", "Renew lost", "Finalize done", "Finalize lost", "Release done", "Release lost",
}

func TestLinearizable(t *testing.T) {
	for _, s := range stores { // one after the other: a store that waits for the processor is a slow one
		t.Run(s.name, func(t *testing.T) {
			doors, first, start := s.open(t), firstSeed(), time.Now()
			sum := tally{met: map[string]int{}}
			for n := 0; n < *histories && time.Since(start) < *enoughFor; n++ {
				w := s.workload
				w.seed, w.clients, w.calls, w.keys = first+uint64(n), 6, 480, 3
				if w.seed%2 == 0 { // a crowd: nearly all calls are at once
					w.clients, w.keys = 10, 1
				}
				h := w.run(t.Context(), doors)
				if err := s.model.check(h); err != nil {
					t.Fatalf("%v\nagain: -histories 1 -seed %d, as far as the scheduler repeats itself", err, w.seed)
				}
				sum.add(h)
			}
			t.Logf("%+v in %v", sum, time.Since(start).Round(time.Millisecond))
			_, sweeps := doors[0].(idem.Sweeper)
			sum.judge(t, sweeps)
		})
	}
}

// A tally says what the histories of a run had in them.
type tally struct {
	histories, calls int
	overlapping      int // calls while another of their key was under way
	swept            int
	met              map[string]int
}

func (s *tally) add(h *history) {
	s.histories++
	s.calls += len(h.calls)
	s.overlapping += h.overlapping()
	s.swept += h.swept
	for _, c := range h.calls {
		s.met[c.event()]++
	}
}

// judge fails the test where a run that was long enough has not met everything.
func (s *tally) judge(t *testing.T, sweeps bool) {
	t.Helper()
	if s.histories < 20 {
		return
	}
	for _, event := range mustMeet {
		if s.met[event] == 0 {
			t.Errorf("never met: %s", event)
		}
	}
	if sweeps && s.swept == 0 {
		t.Error("nothing was swept")
	}
}

func firstSeed() uint64 {
	if *seeded != 0 {
		return *seeded
	}
	return rand.Uint64()
}

func openMemory(testing.TB) []idem.Store {
	return []idem.Store{memstore.New(memstore.Options{Capacity: 1 << 20, Retention: time.Hour})}
}
