package idem

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"slices"
)

// admit takes a request from the router to the store's answer, in this order: scope, key, size and
// media type, identity, decoding, authorization, Begin. It returns the attempt and the request to
// hand on when the caller is to do the work; otherwise it has answered, and the attempt is nil.
func (s *Service) admit(w http.ResponseWriter, r *http.Request, a *Attempt, path Values, decode func(*request) (any, *Problem)) (*Attempt, *http.Request) {
	r, problem := s.prepare(w, r, a, path, decode)
	if problem != nil {
		s.observe(r.Context(), Event{Kind: EventRefused, Endpoint: a.op.Endpoint, Err: problem})
		s.problem(w, r, problem)
		return nil, nil
	}
	if problem := s.begin(r.Context(), a); problem != nil {
		s.problem(w, r, problem)
		return nil, nil
	}
	if a.outcome.State != Reserved {
		s.answer(w, r, a)
		return nil, nil
	}
	return a, r.WithContext(a.ctx)
}

// prepare is admit up to Begin: nothing is reserved yet. The request it returns has its body again.
func (s *Service) prepare(w http.ResponseWriter, r *http.Request, a *Attempt, path Values, decode func(*request) (any, *Problem)) (*http.Request, *Problem) {
	scope, err := s.scope(r)
	if err != nil {
		return r, asProblem(err, scopeMissing("the scope of the request could not be established"))
	}
	if problem := checkScope(scope); problem != nil {
		return r, problem
	}
	key, problem := parseKey(r.Header, a.policy.Header, a.policy.MaxLength)
	if problem != nil {
		return r, problem
	}
	a.key = Key{Scope: scope, Endpoint: cmp.Or(a.op.Record, a.op.Endpoint), Value: key}
	if path == nil {
		if path, problem = s.routed(r, a.op); problem != nil {
			return r, problem
		}
	}
	facts, problem := s.facts(r, a.op)
	if problem != nil {
		return r, problem
	}
	m := matchBody(a.op, r)
	if m.problem != nil && r.ContentLength > 0 && r.ContentLength <= a.policy.MaxBody {
		return r, m.problem // before it is sent
	}
	if a.body, problem = readBody(w, r, a.policy.MaxBody, m.inMemory()); problem != nil {
		return r, problem
	}
	r = withBody(r, a.body)
	if a.request, problem = newRequest(a.op, r, path, facts, m, a.body); problem != nil {
		return r, problem
	}
	if a.fingerprint, err = fingerprint(&a.op.Identity, a.request); err != nil {
		return r, asProblem(err, unavailable())
	}
	if decode != nil {
		if a.payload, problem = decode(a.request); problem != nil {
			return r, problem
		}
	}
	if s.Authorize == nil {
		return r, nil
	}
	asked := withBody(r, a.body) // what it reads and parses of it is still there for the handler
	defer removeFiles(asked)
	if err := s.Authorize(r.Context(), a.op.Endpoint, asked); err != nil {
		return r, asProblem(err, forbidden("the caller may not perform this operation"))
	}
	return r, nil
}

// routed checks that a single handler stands where the router has decided, and returns the path's values.
func (s *Service) routed(r *http.Request, op *Operation) (Values, *Problem) {
	if r.Method != op.Method {
		return nil, methodNotAllowed(op.Method)
	}
	return pathValues(s.BasePath, op.Path, r.URL.EscapedPath())
}

// facts are what the operation compares of the actor, beside who it is.
func (s *Service) facts(r *http.Request, op *Operation) (map[string]string, *Problem) {
	if len(op.Identity.Scope) == 0 && !slices.ContainsFunc(op.Former, func(id Identity) bool { return len(id.Scope) > 0 }) {
		return nil, nil
	}
	if s.Facts == nil {
		return nil, scopeMissing("the service gives no facts about the actor")
	}
	facts, err := s.Facts(r)
	if err != nil {
		return nil, scopeMissing("the facts about the actor could not be established")
	}
	return facts, nil
}

// answer sends what the store's answer means to a caller that is not to do the work.
func (s *Service) answer(w http.ResponseWriter, r *http.Request, a *Attempt) {
	if a.outcome.State == Replay {
		writeReplay(w, a.outcome.Response)
		return
	}
	s.problem(w, r, a.Problem())
}

// answerNow answers for an attempt that lost its record with what Begin would say now.
func (s *Service) answerNow(w http.ResponseWriter, r *http.Request, a *Attempt) {
	ctx, cancel := s.storeContext(r.Context())
	defer cancel()
	out, err := s.store.Lookup(ctx, a.key)
	if err != nil {
		err = fmt.Errorf("lookup %s: %w", a.op.Endpoint, err)
		s.observe(ctx, Event{Kind: EventUnavailable, Endpoint: a.op.Endpoint, Err: err})
		s.problem(w, r, unavailable())
		return
	}
	switch {
	case out.State == Absent || out.Fingerprint == a.fingerprint:
	case out.Fingerprint.sameRules(a.fingerprint):
		out.State = Conflict
	default: // compared by former rules: it is not ours to replay
		out.State = Absent
	}
	a.outcome = out
	if out.State != Absent {
		s.observeState(ctx, a)
	}
	s.answer(w, r, a)
}

// problem writes an answer that the runtime gives itself.
func (s *Service) problem(w http.ResponseWriter, r *http.Request, p *Problem) {
	if s.WriteProblem != nil {
		s.WriteProblem(w, r, p)
		return
	}
	writeProblem(w, p)
}

// RequestFingerprint computes what a handler of op compares of r, whose body is read. The facts are
// those that the operation's scope names. It is for tests and tools; an error is a [*Problem].
func RequestFingerprint(op *Operation, r *http.Request, facts map[string]string) (Fingerprint, error) {
	rq, problem := readRequest(op, r, facts)
	if problem != nil {
		return Fingerprint{}, problem
	}
	return fingerprint(&op.Identity, rq)
}

// DecodeRequest decodes the typed payload of r as a handler of op does, for tests and tools. An error
// is a [*Problem].
func DecodeRequest[P any](op *Operation, r *http.Request, facts map[string]string) (P, error) {
	var p P
	rq, problem := readRequest(op, r, facts)
	if problem == nil {
		problem = decodePayload(&p, rq)
	}
	if problem != nil {
		return p, problem
	}
	return p, nil
}

func readRequest(op *Operation, r *http.Request, facts map[string]string) (*request, *Problem) {
	path, problem := pathValues("", op.Path, r.URL.EscapedPath())
	if problem != nil {
		return nil, problem
	}
	most := cmp.Or(op.Policy.MaxBody, defaultMax)
	body, problem := readBody(nil, r, most, math.MaxInt64)
	if problem != nil {
		return nil, problem
	}
	return newRequest(op, r, path, facts, matchBody(op, r), body)
}

// FingerprintOf computes what is compared of a generated payload: the same as of the request that it was
// decoded from.
func FingerprintOf(op *Operation, p any) (Fingerprint, error) {
	rq, err := encodePayload(p, op)
	if err != nil {
		return Fingerprint{}, err
	}
	return fingerprint(&op.Identity, rq)
}
