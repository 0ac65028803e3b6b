package idem

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Finalize stores the response: retries replay it from now on. [ErrLost] means that another attempt
// owns the record: the result must not be used. After any other error the effect is real and its
// result is not stored; Finalize may be called again.
func (a *Attempt) Finalize(ctx context.Context, r *Response) error {
	if a.outcome.State != Reserved {
		return fmt.Errorf("finalize %s: the attempt is not reserved", a.op.Endpoint)
	}
	a.stopBeat()
	resp := complete(r)
	if err := checkResponse(resp); err != nil {
		return fmt.Errorf("finalize %s: %w", a.op.Endpoint, err)
	}
	if err := a.finalize(ctx, a.storable(resp)); err != nil {
		return fmt.Errorf("finalize %s: %w", a.op.Endpoint, err)
	}
	return nil
}

// FinalizeTx is Finalize inside tx, for callers that open and commit the transaction themselves. Call
// [Attempt.Close] after the commit or rollback.
func FinalizeTx[Tx any](ctx context.Context, a *Attempt, store TxStore[Tx], tx Tx, r *Response) error {
	if a.outcome.State != Reserved {
		return fmt.Errorf("finalize %s: the attempt is not reserved", a.op.Endpoint)
	}
	a.stopBeat()
	resp := complete(r)
	if err := checkResponse(resp); err != nil {
		return fmt.Errorf("finalize %s: %w", a.op.Endpoint, err)
	}
	return store.FinalizeTx(ctx, tx, a.key, a.token, a.storable(resp), a.policy.Retention)
}

// Release gives the key back, for an attempt that has done nothing. [ErrLost] means that another
// attempt owns the record.
func (a *Attempt) Release(ctx context.Context) error {
	if a.outcome.State != Reserved {
		return fmt.Errorf("release %s: the attempt is not reserved", a.op.Endpoint)
	}
	a.stopBeat()
	return a.release(ctx, nil)
}

// Close ends the attempt. One that was reserved and has neither been finalized nor released is an
// unknown outcome from now on. Close is safe to call more than once and in every state.
func (a *Attempt) Close() {
	if a.outcome.State != Reserved {
		return
	}
	a.rest()
	if !a.settled.Load() {
		a.suspend(a.ctx)
	}
}

// finalize stores the response, and asks again under the same token while the store gives no answer.
func (a *Attempt) finalize(ctx context.Context, r Response) error {
	ctx, cancel := a.svc.storeContext(ctx)
	defer cancel()
	err := persist(ctx, func() error {
		return a.svc.store.Finalize(ctx, a.key, a.token, r, a.policy.Retention)
	})
	if err == nil {
		a.settle(ctx, EventFinalized, nil)
		if r.Tombstone {
			a.svc.observe(ctx, Event{Kind: EventTombstone, Endpoint: a.op.Endpoint, Fence: a.Fence()})
		}
	}
	return err
}

// release gives the key back; where that fails, the lease ends by itself. cause is why nothing was
// done, for the observer.
func (a *Attempt) release(ctx context.Context, cause error) error {
	ctx, cancel := a.svc.storeContext(ctx)
	defer cancel()
	err := a.svc.store.Release(ctx, a.key, a.token)
	if err == nil {
		a.settle(ctx, EventReleased, cause)
	}
	return err
}

// suspend ends the lease now, so that a retry does not wait for it. A record that is not reserved any
// more stays as it is.
func (a *Attempt) suspend(ctx context.Context) {
	ctx, cancel := a.svc.storeContext(ctx)
	defer cancel()
	_ = a.svc.store.Renew(ctx, a.key, a.token, 0)
	a.settled.Store(true)
}

func (a *Attempt) settle(ctx context.Context, kind EventKind, cause error) {
	a.settled.Store(true)
	a.svc.observe(ctx, Event{Kind: kind, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: cause})
}

func (a *Attempt) stopBeat() {
	if a.beat != nil {
		a.beat.stop()
	}
}

// persist repeats what a store failed to answer until it answers, or ctx is done. A loss is an answer.
func persist(ctx context.Context, verb func() error) error {
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		err := verb()
		if err == nil || errors.Is(err, ErrLost) {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}

// conclude gives the record its last word after a handler has ended. It returns ErrLost where the
// handler's response must be dropped; cause is the handler's error, for the observer.
func (s *Service) conclude(ctx context.Context, a *Attempt, e Ending, stored Response, cause error) error {
	lost := a.lost()
	a.rest()
	if lost {
		s.observe(ctx, Event{Kind: EventLost, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: ErrLost})
		return ErrLost
	}
	if a.settled.Load() { // by RunTx inside a handler that Wrap guards
		return nil
	}
	e.NotExecuted = a.notExecuted.Load()
	var err error
	switch s.decide(e) {
	case Keep:
		err = a.finalize(ctx, stored)
		if err != nil && !errors.Is(err, ErrLost) {
			// The effect is real: the client gets its answer, and the record becomes unknown.
			s.observe(ctx, Event{Kind: EventFinalizeFailed, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
			return nil
		}
	case Forget:
		err = a.release(ctx, cause)
	default:
		a.suspend(ctx)
		s.observe(ctx, Event{Kind: EventUnknown, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: cause})
	}
	if errors.Is(err, ErrLost) {
		s.observe(ctx, Event{Kind: EventLost, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
		return ErrLost
	}
	return nil
}
