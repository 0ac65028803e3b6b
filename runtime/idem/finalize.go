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
	resp, err := a.toFinalize(r)
	if err == nil {
		err = a.finalize(ctx, resp)
	}
	if err != nil {
		return fmt.Errorf("finalize %s: %w", a.op.Endpoint, err)
	}
	return nil
}

// FinalizeTx is Finalize inside tx, for callers that open and commit the transaction themselves. Call
// [Attempt.Close] after the commit or rollback.
func FinalizeTx[Tx any](ctx context.Context, a *Attempt, store TxStore[Tx], tx Tx, r *Response) error {
	resp, err := a.toFinalize(r)
	if err == nil {
		err = store.FinalizeTx(ctx, tx, a.key, a.token, resp, a.policy.Retention)
	}
	if err != nil {
		return fmt.Errorf("finalize %s: %w", a.op.Endpoint, err)
	}
	return nil
}

var errNotReserved = errors.New("the attempt is not reserved")

// toFinalize is what the record keeps of r. The heartbeat ends here.
func (a *Attempt) toFinalize(r *Response) (Response, error) {
	if a.outcome.State != Reserved {
		return Response{}, errNotReserved
	}
	resp, err := final(r)
	if err != nil {
		return Response{}, err
	}
	a.stopBeat()
	return a.storable(resp), nil
}

// Release gives the key back, for an attempt that has done nothing. Where the attempt took over an
// unknown outcome, that is unknown again. [ErrLost] means that another attempt owns the record.
func (a *Attempt) Release(ctx context.Context) error {
	if a.outcome.State != Reserved {
		return fmt.Errorf("release %s: %w", a.op.Endpoint, errNotReserved)
	}
	a.stopBeat()
	if err := a.release(ctx, nil); err != nil {
		return fmt.Errorf("release %s: %w", a.op.Endpoint, err)
	}
	return nil
}

// Close ends the attempt. One that was reserved and has neither been finalized nor released is an
// unknown outcome from now on. Close is safe to call more than once and in every state.
func (a *Attempt) Close() {
	if a.outcome.State != Reserved {
		return
	}
	a.rest()
	if !a.settled.Load() {
		a.suspend(a.ctx, errClosedEarly)
	}
}

var errClosedEarly = errors.New("the attempt was closed without a result")

// finalize stores the response, and asks again under the same token while the store gives no answer.
func (a *Attempt) finalize(ctx context.Context, r Response) error {
	err := a.svc.persist(ctx, func(ctx context.Context) error {
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

// release gives the key back, or the unknown outcome that was taken over: an earlier attempt may have
// had its effect, whatever this one did. cause is why nothing was done, for the observer.
func (a *Attempt) release(ctx context.Context, cause error) error {
	err := a.svc.persist(ctx, func(ctx context.Context) error {
		if a.takenOver {
			return a.svc.store.Renew(ctx, a.key, a.token, 0)
		}
		return a.svc.store.Release(ctx, a.key, a.token)
	})
	switch {
	case err == nil && a.takenOver:
		a.settle(ctx, EventUnknown, cause)
	case err == nil:
		a.settle(ctx, EventReleased, cause)
	case !errors.Is(err, ErrLost):
		a.svc.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
	}
	return err
}

// suspend ends the lease now, so that a retry does not wait for it. A record that is not reserved any
// more stays as it is; where the store gives no answer, the lease ends by itself.
func (a *Attempt) suspend(ctx context.Context, cause error) {
	bounded, cancel := a.svc.storeContext(ctx)
	defer cancel()
	err := a.svc.store.Renew(bounded, a.key, a.token, 0)
	a.settled.Store(true)
	if !errors.Is(err, ErrLost) {
		a.svc.observe(ctx, Event{Kind: EventUnknown, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: cause})
	}
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

// persist repeats what a store failed to answer until it answers, or the store's time is up. A loss is
// an answer. No call gets more than a third of the time, so that one that hangs leaves time for another.
func (s *Service) persist(ctx context.Context, verb func(context.Context) error) error {
	ctx, cancel := s.storeContext(ctx)
	defer cancel()
	for pause := 5 * time.Millisecond; ; pause = min(2*pause, 500*time.Millisecond) {
		one, cancel := context.WithTimeout(ctx, s.storeTimeout()/3)
		err := verb(one)
		cancel()
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
	a.rest()
	if a.lost() {
		return a.lose(ctx)
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
		}
	case Forget:
		err = a.release(ctx, cause)
	default:
		a.suspend(ctx, cause)
	}
	if errors.Is(err, ErrLost) {
		return a.lose(ctx)
	}
	return nil
}

// lose says that the attempt's result is dropped. Inside a Wrap, the Wrap says so.
func (a *Attempt) lose(ctx context.Context) error {
	a.overtake()
	if !a.inside.Load() {
		a.svc.observe(ctx, Event{Kind: EventLost, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: ErrLost})
	}
	return ErrLost
}
