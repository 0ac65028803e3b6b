package linear_test

import (
	"strings"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// defects are those that [flawed] can have.
var defects = []string{
	"checks, then reserves",
	"checks, then takes over",
	"checks, then finalizes",
	"one process trusts its own clock",
	"Lookup asks a replica",
	"a live lease is taken over",
	"unknown work runs again unasked",
	"any fence takes over",
	"joined becomes unknown",
	"conflict is not seen in flight",
	"a fence counts owners",
	"Renew does not check the token",
	"a late owner cannot renew",
	"a renewal is acknowledged and lost",
	"a renewal adds to the lease",
	"an overtaken owner finalizes",
	"an overtaken owner is told that it finalized",
	"a second result wins",
	"a result is acknowledged and lost",
	"retention counts from the reservation",
	"retention never ends",
	"an overtaken owner releases",
	"sweep eats what is unknown",
	"sweep eats a live lease",
}

// bound is how many histories a defect can hide in at most.
const bound = 25

func TestCheckerRejects(t *testing.T) {
	t.Parallel()
	for _, defect := range defects {
		t.Run(defect, func(t *testing.T) {
			t.Parallel()
			for n := range bound {
				err := tryFlawed(t, defect, n)
				if err == nil {
					continue
				}
				if !strings.Contains(err.Error(), "no order of the calls") {
					t.Error(err)
				}
				t.Logf("found in history %d", n+1)
				return
			}
			t.Errorf("not found in %d histories", bound)
		})
	}
}

// The same store without a defect is accepted: it is the defects that are rejected.
func TestCheckerAccepts(t *testing.T) {
	t.Parallel()
	for n := range bound {
		if err := tryFlawed(t, "", n); err != nil {
			t.Fatal(err)
		}
	}
}

func tryFlawed(t *testing.T, defect string, n int) error {
	const tick = time.Millisecond
	w := workload{seed: uint64(n + 1), clients: 6, calls: 480, keys: 3, tick: tick, travel: tick / 2}
	return model{locks: defect != ""}.check(w.run(t.Context(), []idem.Store{newFlawed(defect, tick)}))
}
