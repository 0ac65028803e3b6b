package idem

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"sync/atomic"
	"time"
)

// An Attempt is one caller's try at an operation: what Begin answered and, where that is Reserved,
// the reservation that Finalize, Release or Close must end.
type Attempt struct {
	svc     *Service
	op      *Operation
	policy  Policy
	request *request
	body    content // of an HTTP request, until it is answered
	payload any

	fingerprint Fingerprint
	key         Key
	token       Token
	outcome     Outcome
	joined      bool
	inside      atomic.Bool // the reservation is a Wrap's, which concludes it
	takenOver   bool        // the record was unknown: an earlier attempt may have had its effect

	ctx         context.Context
	cancel      context.CancelCauseFunc
	stopTimeout context.CancelFunc
	beat        *heartbeat
	notExecuted atomic.Bool
	offered     atomic.Bool           // a Wrap offers its reservation to a typed handler inside it, once
	overtaken   atomic.Bool           // another attempt owns the record, or may
	settled     atomic.Bool           // the record has its last word: finalized, released or suspended
	failure     atomic.Pointer[error] // of a typed handler inside a Wrap, for the observer
}

type attemptKey struct{}

// Execution is what a handler may know of the attempt that it runs under.
type Execution struct{ a *Attempt }

// FromContext returns the execution that a handler runs under.
func FromContext(ctx context.Context) (Execution, bool) {
	a, ok := attemptFrom(ctx)
	return Execution{a}, ok
}

func attemptFrom(ctx context.Context) (*Attempt, bool) {
	a, ok := ctx.Value(attemptKey{}).(*Attempt)
	return a, ok
}

// Endpoint is the operation's endpoint key.
func (e Execution) Endpoint() Endpoint { return e.a.Endpoint() }

// Fence grows with each attempt that owns the key. A resource that remembers the highest fence it
// has seen can refuse the writes of an owner that was overtaken.
func (e Execution) Fence() int64 { return e.a.Fence() }

// DownstreamKey derives an idempotency key for a call that the work makes to another system: the same
// for each attempt of the same key, different for each name. It is 32 hexadecimal digits and does not
// give the caller's key away.
func (e Execution) DownstreamKey(name string) string { return e.a.DownstreamKey(name) }

// NotExecuted says that the handler has done nothing that a second run would do twice, so that the key
// is released and a retry runs again. It is the handler's last word: call it just before returning an
// error or an error status, after the last thing that could have had an effect. With a success it does
// nothing, and outside a keyed operation neither.
func NotExecuted(ctx context.Context) {
	if a, ok := attemptFrom(ctx); ok {
		a.notExecuted.Store(true)
	}
}

// State is what Begin answered.
func (a *Attempt) State() State { return a.outcome.State }

// Endpoint is the operation's endpoint key.
func (a *Attempt) Endpoint() Endpoint { return a.op.Endpoint }

// Fence is [Execution.Fence].
func (a *Attempt) Fence() int64 { return a.outcome.Fence }

// Response is the stored response, where State is Replay.
func (a *Attempt) Response() Response { return a.outcome.Response }

// Context is what the work must run under. It keeps the values of the context given to Begin and not
// its cancellation; it is cancelled with cause [ErrLost] when another attempt owns the record or may,
// after the operation's timeout, and when the service shuts down. Of an attempt that is not Reserved
// it is over from the start.
func (a *Attempt) Context() context.Context { return a.ctx }

// DownstreamKey is [Execution.DownstreamKey].
func (a *Attempt) DownstreamKey(name string) string {
	h := sha256.New()
	for _, part := range []string{a.key.Scope.Tenant, a.key.Scope.Actor, string(a.key.Endpoint), a.key.Value, name} {
		var size [8]byte
		binary.BigEndian.PutUint64(size[:], uint64(len(part)))
		h.Write(size[:])
		h.Write([]byte(part))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// own makes the attempt the owner of what Begin reserved: from here on its context can be lost.
func (a *Attempt) own(parent context.Context, sent time.Time) {
	ctx, cancel := context.WithCancelCause(context.WithoutCancel(parent))
	a.stopTimeout = func() {}
	a.cancel = cancel
	if a.svc.Base != nil {
		stop := context.AfterFunc(a.svc.Base, func() { cancel(context.Cause(a.svc.Base)) })
		a.stopTimeout = func() { stop() }
	}
	if a.policy.Timeout > 0 {
		inner, stop := context.WithTimeout(ctx, a.policy.Timeout)
		outer := a.stopTimeout
		ctx, a.stopTimeout = inner, func() { stop(); outer() }
	}
	a.ctx = context.WithValue(ctx, attemptKey{}, a)
	if !a.joined {
		a.beat = startHeartbeat(a, sent)
	}
}

// rest ends what own started, and leaves the record as it is.
func (a *Attempt) rest() {
	if a.beat != nil {
		a.beat.stop()
	}
	a.stopTimeout()
	a.cancel(context.Canceled)
}

// cause is the error of a typed handler inside the Wrap whose reservation this is.
func (a *Attempt) cause() error {
	if err := a.failure.Load(); err != nil {
		return *err
	}
	return nil
}

// overtake marks the attempt as lost and ends its work.
func (a *Attempt) overtake() {
	a.overtaken.Store(true)
	a.cancel(ErrLost)
}

// lost says whether another attempt owns the record, or may.
func (a *Attempt) lost() bool { return a.overtaken.Load() }
