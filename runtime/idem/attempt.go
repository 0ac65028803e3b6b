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
	payload any

	fingerprint Fingerprint
	key         Key
	token       Token
	outcome     Outcome
	joined      bool
	inside      bool // the reservation is a Wrap's, which concludes it

	ctx         context.Context
	cancel      context.CancelCauseFunc
	stopTimeout context.CancelFunc
	beat        *heartbeat
	notExecuted atomic.Bool
	settled     atomic.Bool // the record has its last word: finalized, released or lost
}

type attemptKey struct{}

// FromContext returns the attempt that a handler runs under.
func FromContext(ctx context.Context) (*Attempt, bool) {
	a, ok := ctx.Value(attemptKey{}).(*Attempt)
	return a, ok
}

// NotExecuted says that the handler has done nothing that a second run would do twice, so that the key
// is released and a retry runs again. It is the handler's last word: call it just before returning,
// after the last thing that could have had an effect. Outside a keyed operation it does nothing.
func NotExecuted(ctx context.Context) {
	if a, ok := FromContext(ctx); ok {
		a.notExecuted.Store(true)
	}
}

// State is what Begin answered.
func (a *Attempt) State() State { return a.outcome.State }

// Endpoint is the operation's endpoint key.
func (a *Attempt) Endpoint() Endpoint { return a.op.Endpoint }

// Fence grows with each attempt that owns the key. A resource that remembers the highest fence it
// has seen can refuse the writes of an owner that was overtaken.
func (a *Attempt) Fence() int64 { return a.outcome.Fence }

// Response is the stored response, where State is Replay.
func (a *Attempt) Response() Response { return a.outcome.Response }

// Context is what the work must run under. It keeps the values of the context given to Begin and not
// its cancellation; it is cancelled with cause [ErrLost] when another attempt owns the record or may,
// after the operation's timeout, and when the service shuts down.
func (a *Attempt) Context() context.Context { return a.ctx }

// DownstreamKey derives an idempotency key for a call that the work makes to another system: the same
// for each attempt of the same key, different for each name. It is 32 hexadecimal digits and does not
// give the caller's key away.
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

// Problem is the answer to a request whose attempt is neither Reserved nor Replay; else it is nil.
func (a *Attempt) Problem() *Problem { return a.svc.problemOf(a.policy, a.outcome.State) }

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

// lost says whether another attempt owns the record, or may.
func (a *Attempt) lost() bool { return context.Cause(a.ctx) == ErrLost }
