package idem

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"strconv"
	"strings"
)

// Func is a typed handler in lease mode. Its error is mapped to a response by [Service.MapError].
type Func[P any] = func(context.Context, P) (*Response, error)

// TxFunc is a typed handler in joined mode: its effects are statements of tx, and nothing else. An
// error rolls tx back; the response of a mapped one is stored by itself after that. A response without
// an error is committed together with the effects, unless its status is 5xx. It must leave commit and
// rollback of tx to the runtime: one that ends tx by itself is answered with 500 for good.
type TxFunc[Tx, P any] = func(context.Context, Tx, P) (*Response, error)

// Handler serves one keyed operation, or guards all of them ([Wrap]). It is a concrete type so that
// tools can tell a guarded route from another.
type Handler struct {
	op    *Operation // nil for Wrap
	serve http.HandlerFunc
}

// ServeHTTP implements [http.Handler].
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.serve(w, r) }

// Operation returns the operation that the handler serves; nil where it guards all.
func (h *Handler) Operation() *Operation { return h.op }

// Handle serves op by fn, a [Func] of the operation's payload, in lease mode: the reservation is durable before fn
// runs, a heartbeat keeps it, and the response is stored before it is sent. A crash between effect and store leaves
// an unknown outcome. It panics where fn is no such function, or the payload type does not fit. Generated code says
// which type it takes; here a type parameter would have all of this compiled again for each operation.
func Handle(s *Service, op *Operation, fn any) *Handler {
	f := functionOf(op, fn, contextType)
	return typedHandler(s, op, f.payload, false, func(ctx context.Context, a *Attempt) (Response, error) {
		return a.runLease(ctx, func() (*Response, error) { return f.call(ctx, a.payload) })
	})
}

// HandleTx serves op by fn, a [TxFunc] of the operation's payload, in joined mode: what fn does in its transaction and
// the response commit together or not at all. store must be the service's store. It panics as [Handle] does.
func HandleTx[Tx any](s *Service, op *Operation, store TxStore[Tx], fn any) *Handler {
	if any(store) != any(s.store) {
		panic("idem: HandleTx: " + string(op.Endpoint) + ": store is not the service's store")
	}
	f := functionOf(op, fn, contextType, reflect.TypeFor[Tx]())
	return typedHandler(s, op, f.payload, true, func(ctx context.Context, a *Attempt) (Response, error) {
		resp, _, err := runTx(ctx, a, store, func(ctx context.Context, tx Tx) (*Response, error) {
			return f.call(ctx, a.payload, reflect.ValueOf(&tx).Elem())
		})
		return resp, err
	})
}

// typedHandler decodes the payload before Begin, so that a request that does not fit reserves nothing.
func typedHandler(s *Service, op *Operation, payload reflect.Type, joined bool, run func(context.Context, *Attempt) (Response, error)) *Handler {
	s.checkOperation(op)
	if _, err := payloadPlan(payload); err != nil {
		panic("idem: " + string(op.Endpoint) + ": " + err.Error())
	}
	decode := func(rq *request) (any, *Problem) {
		p := reflect.New(payload)
		problem := decodePayload(p.Interface(), rq)
		return p.Elem().Interface(), problem
	}
	return &Handler{op: op, serve: func(w http.ResponseWriter, r *http.Request) {
		if a, ok := s.offeredByWrap(r.Context(), op); ok {
			s.serveInside(w, r, a, decode, run)
			return
		}
		attempt := s.attempt(op, joined)
		defer func() { attempt.body.close() }()
		a, _ := s.admit(w, r, attempt, nil, decode)
		if a == nil {
			return
		}
		resp, err := run(a.ctx, a)
		switch {
		case errors.Is(err, ErrLost):
			s.answerNow(w, r, a)
		case err != nil:
			s.problem(w, r, asProblem(err, unavailable()))
		default:
			_ = writeResponse(w, resp) // the client may be gone; the record is not
		}
	}}
}

// offeredByWrap takes the reservation of a Wrap round this very operation, once: a typed handler inside
// it never begins twice.
func (s *Service) offeredByWrap(ctx context.Context, op *Operation) (*Attempt, bool) {
	a, ok := attemptFrom(ctx)
	return a, ok && a.svc == s && a.op == op && a.offered.CompareAndSwap(true, false)
}

// serveInside runs a typed handler under the reservation of a Wrap, which stores what is written here
// and gives the record its last word. The context is the request's: it is the attempt's, with what the
// layers between have added.
func (s *Service) serveInside(w http.ResponseWriter, r *http.Request, a *Attempt, decode func(*request) (any, *Problem), run func(context.Context, *Attempt) (Response, error)) {
	payload, problem := decode(a.request)
	if problem != nil {
		a.notExecuted.Store(true)
		s.problem(w, r, problem)
		return
	}
	a.payload = payload
	a.inside.Store(true)
	resp, err := run(r.Context(), a)
	a.inside.Store(false)
	if err != nil { // lost, or settled by runTx: Wrap drops or sends it
		s.problem(w, r, asProblem(err, unavailable()))
		return
	}
	_ = writeResponse(w, resp) // to the Wrap's recorder
}

// runLease runs fn and gives the record its last word, unless a Wrap does.
func (a *Attempt) runLease(ctx context.Context, fn func() (*Response, error)) (Response, error) {
	returned := false
	defer func() {
		if !returned && !a.inside.Load() { // a panic, or the end of the goroutine
			_ = a.svc.conclude(ctx, a, Ending{Panicked: true}, Response{}, errPanicked)
		}
	}()
	r, err := fn()
	resp, err := a.svc.respond(ctx, r, err)
	returned = true
	if a.inside.Load() {
		a.failure.Store(&err)
		return resp, nil
	}
	return resp, a.svc.conclude(ctx, a, Ending{Status: resp.Status}, a.storable(resp), err)
}

var errPanicked = errors.New("the handler panicked")

// checkOperation panics on an operation that cannot be served, when the program starts.
func (s *Service) checkOperation(op *Operation) {
	if op == nil || op.Endpoint == "" {
		panic("idem: the operation has no endpoint key")
	}
	fault := ""
	if _, err := templateOf(op.Path); err != nil {
		fault = err.Error()
	}
	if !mutating(op.Method) || op.Method != strings.ToUpper(op.Method) || op.Method == "" {
		fault = "method " + strconv.Quote(op.Method) + " does not write"
	}
	for _, name := range op.Identity.IncludedHeaders {
		if http.CanonicalHeaderKey(name) != name || name == "Host" {
			fault = "header " + name + " cannot be compared: the spelling must be canonical, and net/http takes Host out"
		}
	}
	if s.policy(op).OnUnknown == Reconcile && s.Reconcile == nil {
		fault = "on-unknown is reconcile, and the service has no Reconcile function"
	}
	if fault != "" {
		panic("idem: " + string(op.Endpoint) + ": " + fault)
	}
}
