package idemtest

import (
	"context"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Wrap puts store under the harness's control: the service under test keeps its records in the result.
// What a store can beside an [idem.Store], such as sweeping, the result cannot.
func (e *Env) Wrap(store idem.Store) idem.Store { return &scripted{store, &e.script} }

// WrapTx is [Env.Wrap] for a store whose records live beside the business rows.
func WrapTx[Tx any](e *Env, store idem.TxStore[Tx]) idem.TxStore[Tx] {
	return &scriptedTx[Tx]{scripted{store, &e.script}, store}
}

// scripted is a store that does what the script says at each point.
type scripted struct {
	store  idem.Store
	script *script
}

// verb does one of the store's, unless it is down.
func (s *scripted) verb(do func() error) error {
	if err := s.script.enter(); err != nil {
		return err
	}
	defer s.script.leave()
	return do()
}

func (s *scripted) Begin(ctx context.Context, r idem.Reservation) (out idem.Outcome, err error) {
	s.script.asked()
	err = s.verb(func() error {
		out, err = s.store.Begin(ctx, r)
		return err
	})
	if err == nil && out.State == idem.Reserved {
		s.script.owned(reservation{s.store, r.Key, r.Token, r.Joined})
		err = s.script.pass(reserved)
	}
	return out, err
}

func (s *scripted) Lookup(ctx context.Context, k idem.Key) (out idem.Outcome, err error) {
	err = s.verb(func() error {
		out, err = s.store.Lookup(ctx, k)
		return err
	})
	return out, err
}

func (s *scripted) Renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	return s.verb(func() error { return s.store.Renew(ctx, k, t, lease) })
}

func (s *scripted) Release(ctx context.Context, k idem.Key, t idem.Token) error {
	return s.verb(func() error { return s.store.Release(ctx, k, t) })
}

func (s *scripted) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	return s.between(beforeFinalize, afterFinalize, func() error { return s.store.Finalize(ctx, k, t, r, keep) })
}

// between does a verb that has a point before and after it.
func (s *scripted) between(before, after point, do func() error) error {
	if err := s.script.pass(before); err != nil {
		return err
	}
	if err := s.verb(do); err != nil {
		return err
	}
	return s.script.pass(after)
}

type scriptedTx[Tx any] struct {
	scripted
	tx idem.TxStore[Tx]
}

func (s *scriptedTx[Tx]) InTx(ctx context.Context, k idem.Key, t idem.Token, fn func(Tx) error) error {
	return s.between(beforeTx, afterTx, func() error { return s.tx.InTx(ctx, k, t, fn) })
}

func (s *scriptedTx[Tx]) FinalizeTx(ctx context.Context, tx Tx, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	return s.between(beforeFinalize, afterFinalize, func() error { return s.tx.FinalizeTx(ctx, tx, k, t, r, keep) })
}
