package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A TxHarness says how to get a store whose records live beside business rows, and how to write and find
// such a row.
type TxHarness[Tx any] struct {
	// New and Advance are those of a [Harness].
	New     func(t testing.TB) idem.TxStore[Tx]
	Advance func(t testing.TB, s idem.Store, d time.Duration)
	// Write writes a business row of this name as part of tx.
	Write func(ctx context.Context, tx Tx, name string) error
	// Written says whether the row is there for everyone.
	Written func(ctx context.Context, s idem.TxStore[Tx], name string) (bool, error)
}

// A TxRule is one thing that every [idem.TxStore] does.
type TxRule[Tx any] struct {
	Name   string
	Reason string
	Check  func(ctx context.Context, b *TxBench[Tx]) error
}

// TxRules are what every [idem.TxStore] obeys beside [Rules].
func TxRules[Tx any]() []TxRule[Tx] {
	return []TxRule[Tx]{
		{"effect-and-result-commit-together", "a result without its effect is a lie, the reverse runs twice", commitsTogether[Tx]},
		{"an-error-leaves-neither", "work that failed must be free to run again", errorLeavesNeither[Tx]},
		{"a-panic-leaves-neither", "a handler that panicked must not commit half its work", panicLeavesNeither[Tx]},
		{"a-stranger-gets-no-transaction", "who lost the record must not write beside its new owner", strangerGetsNoTransaction[Tx]},
		{"finalize-in-a-transaction-needs-the-token", "one transaction must not end another attempt", finalizeTxNeedsTheToken[Tx]},
		{"finalize-in-a-transaction-repeats", "the runtime may finalize what the handler did", finalizeTxRepeats[Tx]},
		{"result-is-seen-after-commit", "a replay of what is rolled back later is a lie", seenAfterCommit[Tx]},
		{"a-duplicate-does-not-wait", "retries that wait for the first one's lock use up every connection", duplicateDoesNotWait[Tx]},
		{"the-lock-is-the-lease", "joined work is not renewed: it must not be taken over while it holds the record", lockIsTheLease[Tx]},
		{"a-dead-owner-leaves-nothing", "a joined attempt that died did nothing, so its key must be free", deadOwnerLeavesNothing[Tx]},
	}
}

// RunTx runs the rules of [TxRules], each on a store of its own, in parallel subtests.
func RunTx[Tx any](t *testing.T, h TxHarness[Tx]) {
	t.Helper()
	for _, rule := range TxRules[Tx]() {
		t.Run(rule.Name, func(t *testing.T) {
			t.Parallel()
			if err := h.Check(t, rule); err != nil {
				t.Errorf("%v\n%s", err, rule.Reason)
			}
		})
	}
}

// Check runs one rule on a new store.
func (h TxHarness[Tx]) Check(t testing.TB, rule TxRule[Tx]) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s := h.New(t)
	b := &TxBench[Tx]{tx: s, harness: h}
	b.Bench = Bench{Store: s, rule: rule.Name, advance: func(d time.Duration) { h.Advance(t, s, d) }}
	return rule.Check(ctx, b)
}

// A TxBench is a [Bench] with transactions.
type TxBench[Tx any] struct {
	Bench
	tx      idem.TxStore[Tx]
	harness TxHarness[Tx]
}

// joined reserves k for work in a transaction.
func (b *TxBench[Tx]) joined(ctx context.Context, k idem.Key) (idem.Reservation, error) {
	r := reservation(k)
	r.Joined = true
	_, err := b.begin(ctx, r, idem.Reserved)
	return r, err
}

// work is a handler's: a row with the key's name, and the result.
func (b *TxBench[Tx]) work(ctx context.Context, r idem.Reservation, then func() error) func(Tx) error {
	return func(tx Tx) error {
		if err := b.harness.Write(ctx, tx, r.Key.Value); err != nil {
			return fmt.Errorf("write: %w", err)
		}
		if err := b.tx.FinalizeTx(ctx, tx, r.Key, r.Token, response("done"), keep); err != nil {
			return fmt.Errorf("finalize in the transaction: %w", err)
		}
		return then()
	}
}

// written is an error unless the key's row is there, or is not, as wanted.
func (b *TxBench[Tx]) written(ctx context.Context, k idem.Key, want bool) error {
	got, err := b.harness.Written(ctx, b.tx, k.Value)
	if err == nil && got != want {
		err = fmt.Errorf("the business row is there: %t, not %t", got, want)
	}
	return err
}

// atOnce bounds what waits for nobody. It is generous: a lock is held in these rules until fn returns.
const atOnce = time.Second

// quickly is an error where do takes longer than what waits for nobody.
func quickly(do func() error) error {
	start := time.Now()
	err := do()
	if took := time.Since(start); err == nil && took > atOnce {
		err = fmt.Errorf("it took %v, and waited for the transaction", took)
	}
	return err
}
