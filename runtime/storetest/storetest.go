// Package storetest holds the rules that every [idem.Store] obeys, as data with their reasons, and runs them
// on one. A store that passes can stand behind the HTTP layer; one that does not will run somebody's
// write twice, or send somebody else's answer.
//
//	func TestStore(t *testing.T) {
//		storetest.Run(t, storetest.Harness{New: open, Advance: advance})
//	}
//
// Each rule fails for one kind of defect: the package's own tests run the rules on stores with seeded
// defects, and each is found by the rule that names it and by no other.
//
// [Cells] is the table of what Begin answers. [RunTx] holds the rules of an [idem.TxStore].
package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A Harness says how to get a store and how to let its time pass.
type Harness struct {
	// New returns a store without records. What it opens, it closes by t.Cleanup.
	New func(t testing.TB) idem.Store
	// Advance lets d pass on the store's clock. A store whose clock cannot be moved lets every lease and
	// every retention end earlier by d instead.
	Advance func(t testing.TB, s idem.Store, d time.Duration)
	// Bounded returns a store that holds at most n records; nil for stores without such a bound.
	Bounded func(t testing.TB, n int) idem.Store
}

// A Rule is one thing that every store does.
type Rule struct {
	Name   string
	Reason string // what goes wrong for a user without it
	Check  func(ctx context.Context, b *Bench) error
}

// Run runs every rule, each on a store of its own, in parallel subtests. It skips those that are about more than
// the store offers.
func Run(t *testing.T, h Harness) {
	t.Helper()
	for _, rule := range Rules {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			switch err := h.Check(t, rule); {
			case errors.Is(err, errNoResolver):
				t.Skip(err)
			case err != nil:
				t.Errorf("%v\n%s", err, rule.Reason)
			}
		})
	}
}

// Check runs one rule on a new store. The error says what the store did; t only hears of what went
// wrong with the harness.
func (h Harness) Check(t testing.TB, rule Rule) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a store that hangs is told so
	defer cancel()
	return rule.Check(ctx, h.bench(t, rule, h.New(t)))
}

func (h Harness) bench(t testing.TB, rule Rule, s idem.Store) *Bench {
	b := &Bench{Store: s, rule: rule.Name}
	b.advance = func(d time.Duration) { h.Advance(t, s, d) }
	if h.Bounded != nil {
		b.bounded = func(n int) *Bench { return h.bench(t, rule, h.Bounded(t, n)) }
	}
	return b
}

// A Bench is what a rule works on: a store, its time, and keys.
type Bench struct {
	idem.Store
	rule    string
	advance func(time.Duration)
	bounded func(n int) *Bench // nil: no bound
}
