package idem

import (
	"context"
	"errors"
	"sync"
	"time"
)

// A heartbeat renews a reservation at a third of its lease while the handler runs. It needs no
// goroutine until then. An attempt is lost when the store says so, and also when nearly a lease has
// passed on the local monotonic clock since the last Begin or Renew that was acknowledged was sent:
// another attempt may own the record then, whatever has become of our messages.
type heartbeat struct {
	a      *Attempt
	ctx    context.Context // ends a Renew that is under way when the heartbeat stops
	cancel context.CancelFunc

	mu      sync.Mutex
	stopped bool
	acked   time.Time // when the last acknowledged Begin or Renew was sent
	timer   *time.Timer
	renews  sync.WaitGroup
}

func startHeartbeat(a *Attempt, sent time.Time) *heartbeat {
	h := &heartbeat{a: a, acked: sent}
	h.ctx, h.cancel = context.WithCancel(context.WithoutCancel(a.ctx))
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(h.interval()-time.Since(sent), h.renew)
	return h
}

func (h *heartbeat) interval() time.Duration { return h.a.policy.Lease / 3 }

// deadline is when the attempt counts as lost. The margin of a tenth covers clocks that run at
// different speeds and the time it takes to notice.
func (h *heartbeat) deadline() time.Time {
	lease := h.a.policy.Lease
	return h.acked.Add(lease - lease/10)
}

func (h *heartbeat) renew() {
	h.mu.Lock()
	if h.stopped {
		h.mu.Unlock()
		return
	}
	h.renews.Add(1)
	deadline := h.deadline()
	h.mu.Unlock()
	defer h.renews.Done()

	sent := time.Now()
	var err error = context.DeadlineExceeded
	if sent.Before(deadline) {
		// One call that hangs must leave time for another.
		ctx, cancel := context.WithDeadline(h.ctx, earlier(deadline, sent.Add(min(h.interval()/2, h.a.svc.storeTimeout()))))
		err = h.a.svc.store.Renew(ctx, h.a.key, h.a.token, h.a.policy.Lease)
		cancel()
	}

	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.stopped:
	case err == nil:
		h.acked = sent
		h.timer.Reset(h.interval())
	case errors.Is(err, ErrLost) || !time.Now().Before(h.deadline()):
		h.stopped = true
		h.a.overtake()
	default: // busy, or no answer: only another token is a loss
		h.timer.Reset(min(h.interval()/4, time.Until(h.deadline())))
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// stop ends the heartbeat and waits for a Renew that is under way, so that none follows what the
// caller does next.
func (h *heartbeat) stop() {
	h.mu.Lock()
	h.stopped = true
	h.timer.Stop()
	h.mu.Unlock()
	h.cancel()
	h.renews.Wait()
}
