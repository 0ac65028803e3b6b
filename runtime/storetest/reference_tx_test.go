package storetest_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// referenceTx is the reference with business rows, which are their names.
type referenceTx struct {
	*reference
	written map[string]bool
}

// staged is a transaction: what happens when it commits.
type staged struct {
	writes  []string
	results map[idem.Key]func()
	early   []*row // finalized before the commit, by a defect
}

func (s *referenceTx) InTx(_ context.Context, k idem.Key, t idem.Token, fn func(*staged) error) error {
	r, err := s.lock(k, t)
	if err != nil {
		return err
	}
	tx := &staged{results: map[idem.Key]func(){}}
	commits := s.has("a panic commits")
	defer func() { s.end(tx, r, commits) }()
	if s.has("a panic is swallowed") {
		defer func() { _ = recover() }()
	}
	err = fn(tx)
	commits = err == nil || s.has("an error commits")
	if err != nil && s.has("the handler's error is wrapped") {
		return fmt.Errorf("transaction: %w", err)
	}
	return err
}

func (s *referenceTx) lock(k idem.Key, t idem.Token) (*row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(k)
	if (r == nil || r.response != nil || r.token != t) && !s.has("strangers get a transaction") {
		return nil, fmt.Errorf("transaction: %w", idem.ErrLost)
	}
	if r == nil {
		r = &row{}
	}
	r.locked = true
	return r, nil
}

func (s *referenceTx) end(tx *staged, r *row, commits bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.locked = !commits && s.has("a rollback keeps the lock")
	if !commits {
		for _, r := range tx.early {
			r.response = nil
		}
		return
	}
	for _, name := range tx.writes {
		s.written[name] = !s.has("the effect is lost")
	}
	for _, finalize := range tx.results {
		finalize()
	}
}

func (s *referenceTx) FinalizeTx(_ context.Context, tx *staged, k idem.Key, t idem.Token,
	n idem.Response, keep time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.live(k)
	if r == nil || r.response != nil && len(tx.early) == 0 ||
		r.token != t && !s.has("FinalizeTx does not check the token") {
		return fmt.Errorf("finalize: %w", idem.ErrLost)
	}
	if tx.results[k] != nil {
		switch {
		case s.has("FinalizeTx works once"):
			return fmt.Errorf("finalize: %w", idem.ErrLost)
		case !s.has("FinalizeTx again wins"):
			return nil
		}
	}
	kept := s.stored(n)
	tx.results[k] = func() { r.response, r.expiresAt = &kept, s.now.Add(keep) }
	if s.has("FinalizeTx is seen at once") {
		tx.results[k]()
		tx.early = append(tx.early, r)
	}
	return nil
}

func (s *referenceTx) Begin(ctx context.Context, n idem.Reservation) (idem.Outcome, error) {
	if s.has("a duplicate waits for the transaction") {
		s.mu.Lock()
		r := s.live(n.Key)
		waits := r != nil && r.locked && s.now.Before(r.leaseUntil)
		s.mu.Unlock()
		if waits {
			time.Sleep(1100 * time.Millisecond)
		}
	}
	return s.reference.Begin(ctx, n)
}

func txHarness(defect string) storetest.TxHarness[*staged] {
	return storetest.TxHarness[*staged]{
		New: func(testing.TB) idem.TxStore[*staged] {
			return &referenceTx{reference: newReference(defect), written: map[string]bool{}}
		},
		Advance: func(_ testing.TB, s idem.Store, d time.Duration) { s.(*referenceTx).pass(d) },
		Write: func(_ context.Context, tx *staged, name string) error {
			tx.writes = append(tx.writes, name)
			return nil
		},
		Written: func(_ context.Context, s idem.TxStore[*staged], name string) (bool, error) {
			r := s.(*referenceTx)
			r.mu.Lock()
			defer r.mu.Unlock()
			return r.written[name], nil
		},
	}
}

var txDefects = []struct{ defect, rule string }{
	{"a duplicate waits for the transaction", "a-duplicate-does-not-wait"},
	{"a panic commits", "a-panic-leaves-neither"},
	{"a panic is swallowed", "a-panic-leaves-neither"},
	{"a rollback keeps the lock", "a-dead-owner-leaves-nothing"},
	{"an error commits", "an-error-leaves-neither"},
	{"FinalizeTx again wins", "finalize-in-a-transaction-repeats"},
	{"FinalizeTx does not check the token", "finalize-in-a-transaction-needs-the-token"},
	{"FinalizeTx is seen at once", "result-is-seen-after-commit"},
	{"FinalizeTx works once", "finalize-in-a-transaction-repeats"},
	{"strangers get a transaction", "a-stranger-gets-no-transaction"},
	{"the effect is lost", "effect-and-result-commit-together"},
	{"the handler's error is wrapped", "an-error-leaves-neither"},
	{"the lock is no lease", "the-lock-is-the-lease"},
}

func TestTxReferenceObeys(t *testing.T) {
	t.Parallel()
	storetest.RunTx(t, txHarness(""))
}

// Each defect is found by the rule that names it, and by no other.
func TestTxDefectsAreFound(t *testing.T) {
	t.Parallel()
	for _, d := range txDefects {
		t.Run(d.defect, func(t *testing.T) {
			t.Parallel()
			found := map[string]error{}
			for _, rule := range storetest.TxRules[*staged]() {
				if err := txHarness(d.defect).Check(t, rule); err != nil {
					found[rule.Name] = err
				}
			}
			checkFound(t, d.rule, found)
		})
	}
}

func TestEveryTxRuleFindsADefect(t *testing.T) {
	t.Parallel()
	finds := map[string]bool{}
	for _, d := range txDefects {
		finds[d.rule] = true
	}
	for _, rule := range storetest.TxRules[*staged]() {
		if !finds[rule.Name] || rule.Reason == "" {
			t.Errorf("no defect is seeded for %s, or it has no reason", rule.Name)
		}
	}
}
