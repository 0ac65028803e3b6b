package faults_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A step is a moment in a request's life.
type step string

// The steps, in their order.
const (
	beforeReserve  step = "before the reservation"
	afterReserve   step = "after the reservation"
	beforeEffect   step = "in the handler, before its effect"
	midEffect      step = "in the middle of the effect"
	beforeFinalize step = "after the effect, before its result is stored"
	beforeCommit   step = "after the result is stored, before the commit" // joined mode alone
	beforeAnswer   step = "when everything is stored, before the answer"
	afterAnswer    step = "after the answer"
)

// holdHeader names the step at which a request is to be held. Headers are no part of what is compared.
const holdHeader = "X-Hold"

// A gate holds requests, and tells out which one it holds and where.
type gate struct {
	out io.Writer

	mu      sync.Mutex
	release chan struct{}
}

func newGate(out io.Writer) *gate { return &gate{out: out, release: make(chan struct{})} }

// obey lets all held requests go at each line of in, until in ends.
func (g *gate) obey(in io.Reader) {
	for lines := bufio.NewScanner(in); lines.Scan(); {
		g.mu.Lock()
		close(g.release)
		g.release = make(chan struct{})
		g.mu.Unlock()
	}
}

type heldKey struct{}

// held is what a request's context says of it.
type held struct {
	gate *gate
	at   step
	once atomic.Bool // it was held: what is repeated at this step passes
}

// pass holds the request of ctx if this is where it is to be held.
func pass(ctx context.Context, s step) {
	h, ok := ctx.Value(heldKey{}).(*held)
	if !ok || h.at != s || h.once.Swap(true) {
		return
	}
	h.gate.mu.Lock()
	release := h.gate.release
	fmt.Fprintf(h.gate.out, "held %s\n", s)
	h.gate.mu.Unlock()
	<-release
}

// guard puts the gate round a whole service: its requests can be held, before their answers and after them too.
func (g *gate) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), heldKey{}, &held{gate: g, at: step(r.Header.Get(holdHeader))})
		next.ServeHTTP(gatedWriter{w, ctx}, r.WithContext(ctx))
		_ = http.NewResponseController(w).Flush() // the client may be gone
		pass(ctx, afterAnswer)
	})
}

type gatedWriter struct {
	http.ResponseWriter
	ctx context.Context
}

func (w gatedWriter) WriteHeader(status int) {
	pass(w.ctx, beforeAnswer)
	w.ResponseWriter.WriteHeader(status)
}

// gated is a store whose requests can be held.
type gated struct{ idem.Store }

func (g gated) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	pass(ctx, beforeReserve)
	o, err := g.Store.Begin(ctx, r)
	if err == nil && o.State == idem.Reserved {
		pass(ctx, afterReserve)
	}
	return o, err
}

func (g gated) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	pass(ctx, beforeFinalize)
	return g.Store.Finalize(ctx, k, t, r, keep)
}

// gatedTx is gated for a store with a joined mode.
type gatedTx[Tx any] struct {
	gated
	tx idem.TxStore[Tx]
}

func (g *gatedTx[Tx]) InTx(ctx context.Context, k idem.Key, t idem.Token, fn func(Tx) error) error {
	return g.tx.InTx(ctx, k, t, fn)
}

func (g *gatedTx[Tx]) FinalizeTx(ctx context.Context, tx Tx, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	pass(ctx, beforeFinalize)
	err := g.tx.FinalizeTx(ctx, tx, k, t, r, keep)
	if err == nil {
		pass(ctx, beforeCommit)
	}
	return err
}
