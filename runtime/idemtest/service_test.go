package idemtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/canon"
	"github.com/idemgen/idemgen/runtime/idem"
)

// claims is the package that the generator would have written for the tested service.
var claims = idem.Operations{Keyed: []*idem.Operation{&claimsCreate}}

var claimsCreate = idem.Operation{
	Endpoint: "claims.create",
	Method:   "POST",
	Path:     "/submissions/{submissionId}/claims",
	Bodies:   []idem.Body{{MediaType: "application/json", Form: idem.Document}},
	Identity: idem.Identity{Body: []idem.BodyRules{{MediaType: "application/json", Rules: canon.Rules{
		{Ignore: []string{"clientTime"}, Members: []canon.Member{{Name: "tags", Rule: 1}}},
		{Unordered: true},
	}}}},
	Stored: []string{"X-Claim-Number"},
}

var claimsCases = []Case{{
	Endpoint: "claims.create",
	Request: Request{
		Method: "POST", Path: "/submissions/s1/claims", Query: "notify=true", ContentType: "application/json",
		Body: `{"amount":1,"clientTime":"one","tags":["a","b"]}`,
	},
	Changed: []Change{
		{Name: "path.submissionId", Path: "/submissions/s2/claims"},
		{Name: "query.notify", Query: "notify=false"},
		{Name: "body.amount", At: "/amount", Value: "2"},
	},
	Same: []Change{
		{Name: "body.clientTime", At: "/clientTime", Value: `"two"`},
		{Name: "body.tags in another order", At: "/tags", Reversed: true},
	},
}}

// wiring is a service with a fault to switch on: what is left alone is as it should be.
type wiring struct {
	operation func(op *idem.Operation)             // how the operation differs from the document
	service   func(svc *idem.Service)              // how the service is set up
	scope     idem.ScopeFunc                       // who acts
	store     func(env *Env) idem.Store            // where the records are
	inside    func(next http.Handler) http.Handler // what stands between the wrapper and the work
	outside   func(next http.Handler) http.Handler // what stands before the wrapper
	unwrapped bool
}

func callerOf(r *http.Request) (idem.Scope, error) {
	return idem.Scope{Tenant: r.Header.Get("Tenant"), Actor: r.Header.Get("Actor")}, nil
}

func callAs(r *http.Request, tenant, actor string) {
	r.Header.Set("Tenant", tenant)
	r.Header.Set("Actor", actor)
}

// suite is that of a service with a fault.
func (w wiring) suite() *Suite {
	return &Suite{NewServer: w.newServer, As: callAs, Operations: claims}
}

func (w wiring) newServer(_ testing.TB, env *Env) http.Handler {
	store := env.Store
	if w.store != nil {
		store = w.store(env)
	}
	scope := idem.ScopeFunc(callerOf)
	if w.scope != nil {
		scope = w.scope
	}
	svc := idem.New(store, scope)
	svc.Observer = env.Observer
	if w.service != nil {
		w.service(svc)
	}
	op := claimsCreate
	if w.operation != nil {
		w.operation(&op)
	}
	ledger := &ledger{}
	env.Effects = ledger.effects
	var handler http.Handler = ledger
	if w.inside != nil {
		handler = w.inside(handler)
	}
	if !w.unwrapped {
		handler = idem.Wrap(svc, idem.Operations{Keyed: []*idem.Operation{&op}}, handler)
	}
	if w.outside != nil {
		handler = w.outside(handler)
	}
	return handler
}

// ledger writes a claim for each request.
type ledger struct {
	mu sync.Mutex
	n  int
}

func (l *ledger) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := r.Context().Err(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	w.Header().Set("X-Claim-Number", fmt.Sprint("C-", l.n))
	w.Header().Set("Location", fmt.Sprint("/claims/", l.n))
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"id":%d}`, l.n)
}

func (l *ledger) effects(testing.TB) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return fmt.Sprint(l.n, " claims")
}

// failOpen is a store that makes do when it is down: as many caches do.
type failOpen struct{ idem.Store }

func (s failOpen) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	out, err := s.Store.Begin(ctx, r)
	if err != nil {
		return idem.Outcome{State: idem.Reserved, Fence: 1, Fingerprint: r.Fingerprint, Now: time.Now()}, nil
	}
	return out, nil
}

func (s failOpen) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	_ = s.Store.Finalize(ctx, k, t, r, keep)
	return nil
}

// noLock is a store that reserves what is reserved.
type noLock struct{ idem.Store }

func (s noLock) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	out, err := s.Store.Begin(ctx, r)
	if out.State == idem.InProgress {
		out.State = idem.Reserved
	}
	return out, err
}

// anyOwner is a store that takes a result from whoever brings it.
type anyOwner struct {
	idem.Store
	mu   sync.Mutex
	last map[idem.Key]idem.Token
}

func (s *anyOwner) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	out, err := s.Store.Begin(ctx, r)
	if out.State == idem.Reserved {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.last[r.Key] = r.Token
	}
	return out, err
}

func (s *anyOwner) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	s.mu.Lock()
	last := s.last[k]
	s.mu.Unlock()
	if err := s.Store.Finalize(ctx, k, last, r, keep); err != nil && !errors.Is(err, idem.ErrLost) {
		return err
	}
	return nil
}

// forgetful is a store that forgets what was done.
type forgetful struct{ idem.Store }

func (s forgetful) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, _ time.Duration) error {
	return s.Store.Release(ctx, k, t)
}

// rewritten changes answers on their way out.
func rewritten(change func(h http.Header, body []byte) []byte) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			next.ServeHTTP(&rewriter{w, change}, r)
		})
	}
}

type rewriter struct {
	http.ResponseWriter
	change func(h http.Header, body []byte) []byte
}

func (w *rewriter) WriteHeader(status int) {
	w.Header().Del("Content-Length")
	w.change(w.Header(), nil)
	w.ResponseWriter.WriteHeader(status)
}

func (w *rewriter) Write(body []byte) (int, error) {
	_, err := w.ResponseWriter.Write(w.change(w.Header(), body))
	return len(body), err
}

var _ io.Writer = (*rewriter)(nil)
