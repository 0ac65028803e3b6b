package idemtest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/internal/probe"
	"github.com/idemgen/idemgen/runtime/memstore"
)

// Env is what a server under test is built with, so that the harness can see what it does and make its
// store fail. Each server has one of its own.
type Env struct {
	// Store keeps records in memory. A service with a store of its own wraps it by [Env.Wrap] or [WrapTx]
	// and leaves this one alone.
	Store idem.Store
	// Observer must be the service's: svc.Observer = env.Observer. An observer of the service's own can
	// be called beside it.
	Observer idem.Observer

	// What NewServer may set:

	// Seed makes the state that a request of the operation needs, and returns the request: a claim must
	// exist before it can be withdrawn, and each time another one. It is called before each request that
	// is to run. Nil: the case's request, each time.
	Seed func(t testing.TB, c Case) Request
	// Effects returns a text that tells whether anything has happened: the row counts of all tables
	// but that of the records, say. It is compared before and after what must have no effect, and never
	// read otherwise. Nil: executions are counted, effects are not looked at.
	Effects func(t testing.TB) string

	script script
	mu     sync.Mutex
	heard  map[idem.EventKind]int
	probe  probe.Func
	most   int // how often the work of one request was done
}

func newEnv() *Env {
	e := &Env{heard: map[idem.EventKind]int{}}
	e.Store = e.Wrap(memstore.New(memstore.Options{Capacity: 100_000, Retention: time.Hour}))
	e.Observer = func(_ context.Context, event idem.Event) {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.heard[event.Kind]++
	}
	return e
}

// executions is how often work was begun.
func (e *Env) executions() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.heard[idem.EventReserved] + e.heard[idem.EventTakenOver]
}

// interfere has the next work done by f.
func (e *Env) interfere(f probe.Func) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.probe = f
}

// interfered says whether there was work to interfere with, and lets it be from now on.
func (e *Env) interfered() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	was := e.probe == nil
	e.probe = nil
	return was
}

// worked is told how often the work of one request was done.
func (e *Env) worked(times int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.most = max(e.most, times)
}

// doneTwice says whether the work of some request was done more than once.
func (e *Env) doneTwice() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.most > 1
}

// work is the probe of one request: a typed handler inside Middleware is part of the work that Middleware does.
type work struct {
	env    *Env
	times  int
	inside bool
}

func (w *work) do(work func()) error {
	if !w.inside {
		w.inside = true
		defer func() { w.inside = false }()
		w.times++
		w.env.worked(w.times)
	}
	w.env.mu.Lock()
	f := w.env.probe
	w.env.probe = nil
	w.env.mu.Unlock()
	if f == nil {
		work()
		return nil
	}
	return f(work)
}
