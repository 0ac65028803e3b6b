package idem

import (
	"context"
	"errors"
)

// errRollback ends a transaction whose effects must not stay.
var errRollback = errors.New("rolled back")

// RunTx does the work of an attempt that [Begin] reserved in one transaction of the service's store:
// it locks the record, runs fn, finalizes with its response and commits. It returns the response to
// send; [ErrLost] or a [*Problem] otherwise. The attempt is ended either way.
func RunTx[Tx any](a *Attempt, store TxStore[Tx], fn func(context.Context, Tx) (*Response, error)) (*Response, error) {
	resp, err := runTx(a, store, fn)
	if err != nil {
		return nil, err
	}
	return &resp, nil
}

// runTx runs fn in a transaction whose first statement locks the record by its token. The row lock is
// the lease from then on: nothing renews, and a take-over skips what is locked.
func runTx[Tx any](a *Attempt, store TxStore[Tx], fn func(context.Context, Tx) (*Response, error)) (Response, error) {
	s, ctx := a.svc, a.ctx
	a.stopBeat()
	ended := false
	defer func() {
		if !ended { // a panic, or the end of the goroutine: the store has rolled back
			a.forget(ctx, errPanicked)
		}
		if !a.inside {
			a.rest()
		}
	}()
	var (
		resp  Response
		cause error
	)
	err := store.InTx(ctx, a.key, a.token, func(tx Tx) error {
		r, err := fn(ctx, tx)
		resp, cause = s.respond(ctx, r, err)
		if err != nil || s.decide(a.ending(resp)) != Keep {
			return errRollback
		}
		return store.FinalizeTx(ctx, tx, a.key, a.token, a.storable(resp), a.policy.Retention)
	})
	ended = true
	switch {
	case err == nil:
		a.settle(ctx, EventFinalized, nil)
		return resp, nil
	case errors.Is(err, errRollback):
		return resp, s.afterRollback(ctx, a, resp, cause)
	case errors.Is(err, ErrLost):
		return resp, a.lose(ctx)
	case errors.Is(err, ErrUncertain):
		return resp, settleCommit(ctx, a, store, err)
	default: // the store failed before the commit
		a.forget(ctx, err)
		s.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
		return resp, unavailable()
	}
}

func (a *Attempt) ending(r Response) Ending {
	return Ending{Status: r.Status, Joined: true, NotExecuted: a.notExecuted.Load()}
}

// afterRollback stores a mapped domain error by itself, or releases the key. Nothing has happened, so
// the response is true whether the store takes it or not.
func (s *Service) afterRollback(ctx context.Context, a *Attempt, resp Response, cause error) error {
	if s.decide(a.ending(resp)) != Keep {
		a.forget(ctx, cause)
		return nil
	}
	switch err := a.finalize(ctx, a.storable(resp)); {
	case errors.Is(err, ErrLost):
		return a.lose(ctx)
	case err != nil:
		s.observe(ctx, Event{Kind: EventFinalizeFailed, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: errors.Join(err, cause)})
	}
	return nil
}

// settleCommit finds out whether a commit whose answer was lost has happened: the record is locked, so
// that a commit under way has ended, and read. Without an answer nothing is released.
func settleCommit[Tx any](ctx context.Context, a *Attempt, store TxStore[Tx], cause error) error {
	bounded, cancel := a.svc.storeContext(ctx)
	defer cancel()
	committed := false
	err := persist(bounded, func() error {
		err := store.InTx(bounded, a.key, a.token, func(Tx) error { return errRollback })
		if errors.Is(err, errRollback) {
			return nil // still reserved under our token: it has not happened
		}
		if !errors.Is(err, ErrLost) {
			return err
		}
		out, lookupErr := store.Lookup(bounded, a.key)
		if lookupErr != nil {
			return lookupErr
		}
		committed = out.Fence == a.Fence() && (out.State == Replay || out.State == Tombstone)
		if committed {
			return nil
		}
		return err
	})
	switch {
	case err == nil && committed:
		a.settle(ctx, EventFinalized, nil)
		return nil
	case err == nil:
		a.forget(ctx, cause)
	case errors.Is(err, ErrLost):
		return a.lose(ctx)
	}
	a.svc.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: errors.Join(cause, err)})
	return unavailable()
}

// forget releases the key after a rollback. Where that fails, the lease ends it: joined, and so not
// unknown.
func (a *Attempt) forget(ctx context.Context, cause error) { _ = a.release(ctx, cause) }

// lose marks the attempt as lost, for a Wrap round it as well.
func (a *Attempt) lose(ctx context.Context) error {
	a.cancel(ErrLost)
	if !a.inside { // Wrap says it otherwise
		a.svc.observe(ctx, Event{Kind: EventLost, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: ErrLost})
	}
	return ErrLost
}
