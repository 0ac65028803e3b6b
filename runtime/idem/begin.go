package idem

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
//
// p is a generated payload. Its type is no parameter: Begin would be compiled again for every operation.
func Begin(ctx context.Context, s *Service, op *Operation, sc Scope, key string, p any) (*Attempt, error) {
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
		return nil, asProblem(err, unavailable())
	}
	a.key = Key{Scope: sc, Endpoint: cmp.Or(op.Record, op.Endpoint), Value: key}
	if problem := s.begin(ctx, a); problem != nil {
		return nil, problem
	}
	return a, nil
}

// over is the context of attempts that own nothing.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

func (s *Service) attempt(op *Operation, joined bool) *Attempt {
	a := &Attempt{svc: s, op: op, policy: s.policy(op), joined: joined, ctx: over}
	if joined {
		a.policy.Lease = min(a.policy.Lease, defaultJoinedLease)
	}
	return a
}

// begin asks the store for the attempt's key, and asks again where the answer leaves a way on: a
// record of former rules, or an unknown outcome that may be taken over. A nil problem leaves the
// answer in a.outcome.
func (s *Service) begin(ctx context.Context, a *Attempt) *Problem {
	if s.Base != nil && s.Base.Err() != nil { // what would begin now would end at once
		s.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Err: context.Cause(s.Base)})
		return unavailable()
	}
	if outer, ok := attemptFrom(ctx); ok && outer.key == a.key && !outer.settled.Load() {
		outer.notExecuted.Store(true)
		return internalError("this request has reserved its key already: guard it once")
	}
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
			a.takenOver = r.TakeOver != 0
			a.own(ctx, sent)
			return s.begun(ctx, a)
		case Conflict:
			if out.Fingerprint.sameRules(r.Fingerprint) {
				s.observeState(ctx, a)
				return nil
			}
			former, ok := formerFingerprint(a.op, a.request, out.Fingerprint)
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

// storeBegin asks the store once. A Begin that failed may have arrived all the same, or may arrive yet;
// it is taken back in the background, by its token. A take-over is made unknown again: what is under it
// must not be forgotten.
func (s *Service) storeBegin(ctx context.Context, r Reservation) (Outcome, error) {
	bounded, cancel := s.storeContext(ctx)
	defer cancel()
	out, err := s.store.Begin(bounded, r)
	if err != nil {
		undo := func(ctx context.Context) error {
			if r.TakeOver != 0 {
				return s.store.Renew(ctx, r.Key, r.Token, 0)
			}
			return s.store.Release(ctx, r.Key, r.Token)
		}
		go func() {
			_ = s.persist(ctx, undo)
			time.Sleep(s.storeTimeout()) // what was under way then has arrived by now
			_ = s.persist(ctx, undo)
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
			if rq.typed && !within(op.Former[i].IncludedHeaders, op.Identity.IncludedHeaders) {
				return Fingerprint{}, false // whether they were sent is not known
			}
			fp, err := fingerprint(&op.Former[i], rq)
			return fp, err == nil
		}
	}
	return Fingerprint{}, false
}

func within(names, others []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(others, name) })
}

// begun is what follows a reservation: after a take-over, perhaps the question whether it is needed.
func (s *Service) begun(ctx context.Context, a *Attempt) *Problem {
	kind := EventReserved
	if a.takenOver {
		kind = EventTakenOver
	}
	s.observe(ctx, Event{Kind: kind, Endpoint: a.op.Endpoint, Fence: a.Fence()})
	if a.takenOver && a.policy.OnUnknown == Reconcile {
		return s.reconcile(ctx, a)
	}
	return nil
}

// reconcile asks the service what became of the attempt that was taken over.
func (s *Service) reconcile(ctx context.Context, a *Attempt) *Problem {
	answered := false
	defer func() {
		if !answered { // the end of the goroutine
			a.Close()
		}
	}()
	answer, resp, err := s.askReconcile(a)
	answered = true
	switch {
	case a.lost():
		a.rest()
		a.outcome.State = InProgress // another's by now
		s.observe(ctx, Event{Kind: EventLost, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: ErrLost})
		return nil
	case err == nil && answer.kind == notDone:
		return nil
	case err == nil && answer.kind == done:
		return s.reconciled(ctx, a, a.storable(resp))
	}
	a.rest()
	a.outcome.State = Unknown
	a.suspend(ctx, err)
	return nil
}

// reconciled stores the response of work that was found done, and replays it.
func (s *Service) reconciled(ctx context.Context, a *Attempt, resp Response) *Problem {
	a.rest()
	if err := a.finalize(ctx, resp); err != nil {
		s.observe(ctx, Event{Kind: EventFinalizeFailed, Endpoint: a.op.Endpoint, Fence: a.Fence(), Err: err})
		return unavailable()
	}
	a.outcome.State, a.outcome.Response = Replay, resp
	if resp.Tombstone {
		a.outcome.State = Tombstone
	}
	s.observeState(ctx, a)
	return nil
}

// askReconcile calls the service's function; a panic of it is an error, since the record must get
// its lease ended either way.
func (s *Service) askReconcile(a *Attempt) (answer Answer, resp Response, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("panic: %v", v)
		}
		if err != nil {
			err = fmt.Errorf("reconcile %s: %w", a.op.Endpoint, err)
		}
	}()
	answer, err = s.Reconcile(a.ctx, Question{Execution: Execution{a}, Payload: a.payload})
	if err == nil && answer.kind == done {
		resp, err = final(answer.response)
	}
	return answer, resp, err
}

func (s *Service) observeState(ctx context.Context, a *Attempt) {
	kinds := map[State]EventKind{Replay: EventReplayed, Conflict: EventConflict, InProgress: EventInProgress,
		Unknown: EventUnknown, Tombstone: EventTombstone}
	s.observe(ctx, Event{Kind: kinds[a.outcome.State], Endpoint: a.op.Endpoint, Fence: a.Fence()})
}
