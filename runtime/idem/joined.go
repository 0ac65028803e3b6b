package idem

import (
	"context"
	"errors"
)

// errRollback ends a transaction whose effects must not stay.
var errRollback = errors.New("rolled back")

// RunTx does the work of an attempt that [Begin] reserved in one transaction of the service's store:
// it locks the record, runs fn, finalizes with its response and commits. fn must leave commit and
// rollback to RunTx. It returns the response to send and, where fn failed with an error that is not
// mapped, that error; or no response, and [ErrLost] or a [*Problem]. The attempt is ended either way.
func RunTx[Tx any](a *Attempt, store TxStore[Tx], fn func(context.Context, Tx) (*Response, error)) (*Response, error) {
	if a.outcome.State != Reserved {
		return nil, errNotReserved
	}
	resp, cause, err := runTx(a.ctx, a, store, fn)
	if err != nil {
		return nil, err
	}
	return &resp, cause
}

// runTx runs fn in a transaction whose first statement locks the record by its token. The row lock is
// the lease from then on: nothing renews, and a take-over skips what is locked. cause is fn's error where
// it is not mapped.
func runTx[Tx any](ctx context.Context, a *Attempt, store TxStore[Tx], fn func(context.Context, Tx) (*Response, error)) (resp Response, cause, err error) {
	s := a.svc
	a.stopBeat()
	ended := false
	defer func() {
		if !ended { // a panic, or the end of the goroutine: the store has rolled back
			_ = a.release(ctx, errPanicked)
		}
		if !a.inside.Load() || a.lost() {
			a.rest()
		}
	}()
	var (
		r       *Response
		verdict Verdict
	)
	failed := false
	err = store.InTx(ctx, a.key, a.token, func(tx Tx) error {
		if r, cause = fn(ctx, tx); cause != nil {
			failed = true
			return errRollback
		}
		resp, cause = s.respond(ctx, r, nil)
		if verdict = s.decide(a.ending(resp)); verdict != Keep {
			return errRollback
		}
		return store.FinalizeTx(ctx, tx, a.key, a.token, a.storable(resp), a.policy.Retention)
	})
	if failed {
		resp, cause = s.respond(ctx, nil, cause)
		verdict = s.decide(a.ending(resp))
	}
	ended = true
	switch {
	case err == nil:
		a.settle(ctx, EventFinalized, nil)
	case errors.Is(err, errRollback):
		err = a.afterRollback(ctx, verdict, resp, cause)
	case errors.Is(err, ErrLost):
		err = a.lose(ctx)
	case errors.Is(err, ErrUncertain):
		err = settleCommit(ctx, a, store, err)
	case errors.Is(err, ErrTxEnded) && ctx.Err() == nil:
		resp, err = a.tooLate(ctx, err)
	default: // the store failed before the commit
		s.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
		_ = a.release(ctx, err)
		err = unavailable()
	}
	return resp, cause, err
}

func (a *Attempt) ending(r Response) Ending {
	return Ending{Status: r.Status, Joined: true, NotExecuted: a.notExecuted.Load()}
}

// afterRollback stores a mapped domain error by itself, or releases the key. Nothing has happened, so
// the response is true whether the store takes it or not.
func (a *Attempt) afterRollback(ctx context.Context, v Verdict, resp Response, cause error) error {
	if v != Keep {
		_ = a.release(ctx, cause) // else the lease ends it: joined, and so not unknown
		return nil
	}
	switch err := a.finalize(ctx, a.storable(resp)); {
	case errors.Is(err, ErrLost):
		return a.lose(ctx)
	case err != nil:
		a.svc.observe(ctx, Event{Kind: EventFinalizeFailed, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
	}
	return nil
}

// tooLate is for a handler that committed or rolled back by itself, or whose database did: what it wrote
// may be there, apart from its result. The key must never run again, so the fault is stored as its
// answer.
func (a *Attempt) tooLate(ctx context.Context, cause error) (Response, error) {
	fault := internalError("the operation ended its transaction by itself: whether its work is done is unknown")
	fault.Code = CodeOutcomeUnknown
	resp, _ := final(fault.Response())
	a.svc.observe(ctx, Event{Kind: EventUnknown, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: cause})
	switch err := a.finalize(ctx, a.storable(resp)); {
	case errors.Is(err, ErrLost):
		return resp, a.lose(ctx)
	case err != nil:
		a.svc.observe(ctx, Event{Kind: EventFinalizeFailed, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
	}
	return resp, nil
}

// settleCommit finds out whether a commit whose answer was lost has happened: the record is locked, so
// that a commit under way has ended, and read. Without an answer nothing is released.
func settleCommit[Tx any](ctx context.Context, a *Attempt, store TxStore[Tx], cause error) error {
	committed := false
	err := a.svc.persist(ctx, func(ctx context.Context) error {
		err := store.InTx(ctx, a.key, a.token, func(Tx) error { return errRollback })
		if errors.Is(err, errRollback) {
			return nil // still reserved under our token: it has not happened
		}
		if !errors.Is(err, ErrLost) {
			return err
		}
		out, lookupErr := store.Lookup(ctx, a.key)
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
		_ = a.release(ctx, cause)
	case errors.Is(err, ErrLost):
		return a.lose(ctx)
	}
	a.svc.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: errors.Join(cause, err)})
	return unavailable()
}
