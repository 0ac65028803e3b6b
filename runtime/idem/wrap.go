package idem

import (
	"cmp"
	"errors"
	"net/http"

	"github.com/idemgen/idemgen/runtime/internal/probe"
)

// Wrap guards a whole router: each keyed operation of the document runs next under a reservation, and
// its response is stored and replayed. Place it after authentication, and rewriters of path or method
// outside it. It decides by method and [url.URL.EscapedPath] below the service's BasePath, and fails
// closed: a path that is not in normal form is answered with 400, a mutating request that matches no
// operation of the document with 404 idempotency_unknown_route, unless PassThrough names it. Requests
// that do not write pass. It checks that a body is well formed; types are for typed handlers, which
// may stand inside it and take its reservation.
//
// It panics where two operations cannot be told apart.
func Wrap(s *Service, ops Operations, next http.Handler) *Handler {
	records := map[Endpoint]bool{}
	for _, op := range ops.Keyed {
		s.checkOperation(op)
		name := cmp.Or(op.Record, op.Endpoint)
		if records[name] {
			panic("idem: Wrap: two operations keep their records under " + string(name))
		}
		records[name] = true
	}
	routes, err := newRouter(ops, s.BasePath, s.PassThrough)
	if err != nil {
		panic("idem: Wrap: " + err.Error())
	}
	return &Handler{serve: func(w http.ResponseWriter, r *http.Request) {
		op, path, problem := routes.match(r.Method, r.URL.EscapedPath())
		switch {
		case problem != nil:
			s.observe(r.Context(), Event{Kind: EventRefused, Err: problem})
			s.problem(w, r, problem)
		case op == nil:
			next.ServeHTTP(w, r)
		default:
			s.serveGuarded(w, r, op, path, next)
		}
	}}
}

// WrapOne guards one handler, placed where the router has decided that it serves op.
func WrapOne(s *Service, op *Operation, next http.Handler) *Handler {
	s.checkOperation(op)
	return &Handler{op: op, serve: func(w http.ResponseWriter, r *http.Request) {
		s.serveGuarded(w, r, op, nil, next)
	}}
}

// serveGuarded runs next under a reservation: what it writes is held back until it is stored.
func (s *Service) serveGuarded(w http.ResponseWriter, r *http.Request, op *Operation, path Values, next http.Handler) {
	if outer, ok := attemptFrom(r.Context()); ok && outer.svc == s && outer.op == op && !outer.settled.Load() {
		next.ServeHTTP(w, r) // guarded by a Wrap already
		return
	}
	attempt := s.attempt(op, false)
	defer func() { attempt.body.close() }()
	a, guarded := s.admit(w, r, attempt, path, nil)
	if a == nil {
		return
	}
	defer removeFiles(guarded)
	a.offered.Store(true)
	rec := newRecorder(w, a.policy.MaxResponse)
	rec.lost = a.lost
	returned := false
	defer func() {
		rec.close()
		if !returned { // a panic, or the end of the goroutine: what was not sent never is
			_ = s.conclude(a.ctx, a, Ending{Panicked: true}, Response{}, errPanicked)
		}
	}()
	if err := probe.Do(a.ctx, func() { next.ServeHTTP(rec, guarded) }); err != nil {
		rec.close()
		rec = newRecorder(w, a.policy.MaxResponse)
		s.problem(rec, guarded, internalError(err.Error()))
	}
	returned = true
	stored := rec.response(op.Stored)
	err := s.conclude(a.ctx, a, Ending{Status: stored.Status}, stored, a.cause())
	switch {
	case rec.overflowed: // sent already
	case errors.Is(err, ErrLost):
		s.answerNow(w, r, a)
	default:
		_ = rec.send() // the client may be gone; the record is not
	}
}
