package idem

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
)

// Begin is the entry for work that does not come through a generated handler: a queue, a job, another
// protocol. The caller authorizes it first. The attempt's State says what to do:
//
//   - Reserved: do the work under [Attempt.Context], then call [Attempt.Finalize] (or [RunTx], which
//     does both in one transaction). Defer [Attempt.Close]: an attempt that is closed without a
//     result is an unknown outcome.
//   - Replay: [Attempt.Response] is the answer.
//   - else: [Attempt.Problem] is the answer.
//
// An error is a [*Problem] too: a key or scope that is refused, a payload that is not valid, or a
// store that gave no answer.
func Begin[P any](ctx context.Context, s *Service, op *Operation, sc Scope, key string, p P) (*Attempt, error) {
	a := s.attempt(op, false)
	if problem := checkScope(sc); problem != nil {
		return nil, problem
	}
	if problem := checkKey(key, a.policy.MaxLength); problem != nil {
		return nil, problem
	}
	rq, err := encodePayload(p, op)
	if err != nil {
		return nil, invalid(err.Error())
	}
	a.request, a.payload = rq, p
	if a.fingerprint, err = fingerprint(&op.Identity, rq); err != nil {
		return nil, asProblem(err)
	}
	a.key = Key{Scope: sc, Endpoint: cmp.Or(op.Record, op.Endpoint), Value: key}
	if problem := s.begin(ctx, a); problem != nil {
		return nil, problem
	}
	return a, nil
}

func (s *Service) attempt(op *Operation, joined bool) *Attempt {
	a := &Attempt{svc: s, op: op, policy: s.policy(op), joined: joined}
	if joined {
		a.policy.Lease = min(a.policy.Lease, defaultJoinedLease)
	}
	return a
}

// begin asks the store for the attempt's key, and asks again where the answer leaves a way on: a
// record of former rules, or an unknown outcome that may be taken over. A nil problem leaves the
// answer in a.outcome.
func (s *Service) begin(ctx context.Context, a *Attempt) *Problem {
	a.token = NewToken()
	r := Reservation{Key: a.key, Token: a.token, Fingerprint: a.fingerprint, Lease: a.policy.Lease, Joined: a.joined}
	for range 4 {
		sent := time.Now()
		out, err := s.storeBegin(ctx, r)
		if err != nil {
			s.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Err: err})
			return unavailable()
		}
		a.outcome = out
		switch out.State {
		case Reserved:
			a.own(ctx, sent)
			return s.begun(ctx, a, r.TakeOver != 0)
		case Conflict:
			record := out.Fingerprint
			if record.Canon == r.Fingerprint.Canon && record.Rules == r.Fingerprint.Rules {
				s.observeState(ctx, a)
				return nil
			}
			former, ok := formerFingerprint(a.op, a.request, record)
			if !ok {
				err := fmt.Errorf("record of %s was written under rules that this program does not know", a.op.Endpoint)
				s.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Err: err})
				return unavailable()
			}
			r.Fingerprint = former
		case Unknown:
			if a.policy.OnUnknown == Reject {
				s.observeState(ctx, a)
				return nil
			}
			// The record stays one of lease mode: a joined one whose owner dies counts as "nothing
			// happened", and of this one that is not known.
			r.TakeOver, r.Joined, r.Lease = out.Fence, false, s.policy(a.op).Lease
			a.joined, a.policy.Lease = false, r.Lease
		default:
			s.observeState(ctx, a)
			return nil
		}
	}
	// Each answer was outdated when we acted on it: others are at work on this key.
	a.outcome = Outcome{State: InProgress, Fence: a.outcome.Fence, Now: a.outcome.Now}
	s.observeState(ctx, a)
	return nil
}

// storeBegin asks the store once. A Begin that failed may have arrived all the same; it is taken back
// in the background, by its token.
func (s *Service) storeBegin(ctx context.Context, r Reservation) (Outcome, error) {
	bounded, cancel := s.storeContext(ctx)
	defer cancel()
	out, err := s.store.Begin(bounded, r)
	if err != nil {
		go func() {
			bounded, cancel := s.storeContext(ctx)
			defer cancel()
			_ = s.store.Release(bounded, r.Key, r.Token) // else the lease ends it
		}()
		return Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, err)
	}
	return out, nil
}

// formerFingerprint computes the request's fingerprint by the rules that a record was written under.
func formerFingerprint(op *Operation, rq *request, record Fingerprint) (Fingerprint, bool) {
	if record.Canon != canon.Version {
		return Fingerprint{}, false
	}
	for i := range op.Former {
		if identityDigest(&op.Former[i]) == record.Rules {
			fp, err := fingerprint(&op.Former[i], rq)
			return fp, err == nil
		}
	}
	return Fingerprint{}, false
}

// begun is what follows a reservation: after a take-over, perhaps the question whether it is needed.
func (s *Service) begun(ctx context.Context, a *Attempt, takenOver bool) *Problem {
	kind := EventReserved
	if takenOver {
		kind = EventTakenOver
	}
	s.observe(ctx, Event{Kind: kind, Endpoint: a.op.Endpoint, Fence: a.Fence()})
	if takenOver && a.policy.OnUnknown == Reconcile {
		return s.reconcile(ctx, a)
	}
	return nil
}

// reconcile asks the service what became of the attempt that was taken over.
func (s *Service) reconcile(ctx context.Context, a *Attempt) *Problem {
	answer, err := s.askReconcile(a)
	if err == nil && answer.kind == notDone && !a.lost() {
		return nil
	}
	a.rest()
	if err == nil && answer.kind == done {
		resp := a.storable(complete(answer.response))
		switch err := a.finalize(ctx, resp); {
		case err == nil:
			a.outcome.State, a.outcome.Response = Replay, resp
			if resp.Tombstone {
				a.outcome.State = Tombstone
			}
			s.observeState(ctx, a)
			return nil
		default:
			s.observe(ctx, Event{Kind: EventFinalizeFailed, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
			return unavailable()
		}
	}
	a.suspend(ctx)
	a.outcome.State = Unknown
	s.observe(ctx, Event{Kind: EventUnknown, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
	return nil
}

// askReconcile calls the service's function; a panic of it is an error, since the record must get
// its lease ended either way.
func (s *Service) askReconcile(a *Attempt) (answer Answer, err error) {
	if s.Reconcile == nil {
		return DontKnow(), fmt.Errorf("reconcile %s: the service has no Reconcile function", a.op.Endpoint)
	}
	defer func() {
		if v := recover(); v != nil {
			answer, err = DontKnow(), fmt.Errorf("reconcile %s: panic: %v", a.op.Endpoint, v)
		}
	}()
	answer, err = s.Reconcile(a.ctx, Question{Attempt: a, Payload: a.payload})
	if err == nil && answer.kind == done && answer.response == nil {
		err = fmt.Errorf("reconcile %s: Done without a response", a.op.Endpoint)
	}
	return answer, err
}

func (s *Service) observeState(ctx context.Context, a *Attempt) {
	kinds := map[State]EventKind{Replay: EventReplayed, Conflict: EventConflict, InProgress: EventInProgress,
		Unknown: EventUnknown, Tombstone: EventTombstone}
	s.observe(ctx, Event{Kind: kinds[a.outcome.State], Endpoint: a.op.Endpoint, Fence: a.Fence()})
}
