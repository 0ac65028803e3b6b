package idemtest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/internal/probe"
)

// Failure proves that what goes wrong around the work never has it done twice: the client hangs up, the handler panics
// or fails, the store is down.
func (s *Suite) Failure(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Failure", cases, failureChecks)
}

func failureChecks(x *trial) []check {
	return []check{
		{"client hangs up", x.clientHangsUp},
		{"panic before the work", func() error { return x.fails(func(func()) error { panic("idemtest: a panic before the work") }) }},
		{"panic after the work", func() error {
			return x.fails(func(work func()) error {
				work()
				panic("idemtest: a panic after the work")
			})
		}},
		{"error after the work", func() error {
			return x.fails(func(work func()) error {
				work()
				return errors.New("idemtest: an error after the work")
			})
		}},
		{"store down", x.storeDown},
	}
}

// clientHangsUp has the client gone before the work begins: it is done nevertheless, and a retry gets its result.
func (x *trial) clientHangsUp() error {
	r, key := x.request(), newKey()
	gate := x.env.script.hold(reserved)
	defer gate.release()
	ctx, hangUp := context.WithCancel(context.Background())
	defer hangUp()
	executions := x.env.executions()
	first := x.start(ctx, r, key)
	if err := x.reached(gate, first); err != nil {
		return err
	}
	hangUp()
	arrived := x.arrived.Load()
	if err := await(arrived.hungUp, "the server to notice that the client has hung up"); err != nil {
		return err
	}
	gate.release()
	if err := await(arrived.served, "the handler of a request whose client has hung up"); err != nil {
		return err
	}
	want, err := x.replayed(r, key)
	if err != nil {
		return fmt.Errorf("the client hung up and asked again: %w: the work must run under the handler's context, which outlives the connection", err)
	}
	if n := x.env.executions() - executions; n != 1 {
		return fmt.Errorf("the client hung up and asked again: the work was begun %d times", n)
	}
	return x.replays(r, key, want)
}

// replayed sends a request whose result nobody has seen yet.
func (x *trial) replayed(r Request, key string) (*answer, error) {
	got, err := x.still(func() (*answer, error) { return x.send(r, key) })
	switch {
	case err != nil:
		return nil, err
	case !got.replayed():
		return nil, fmt.Errorf("the result is stored, and the answer is %s without Idempotent-Replayed: true", got)
	case got.status >= 400 && !x.mayFail:
		return nil, fmt.Errorf("the result that was stored is %s, and the operation answers its sample with success", got)
	}
	return got, nil
}

// fails has the work fail in the way of f.
func (x *trial) fails(f probe.Func) error {
	r, key := x.request(), newKey()
	effects := x.effects()
	x.env.interfere(f)
	got, err := x.send(r, key) // an error is a connection that was broken off
	if !x.env.interfered() {
		return notStaged("the work is begun by hand, or in another context than the request's")
	}
	if err == nil && got.status < 500 {
		return x.replays(r, key, got) // mapped to an answer of the operation
	}
	if _, last := x.env.script.seen(); last.joined {
		return x.rolledBack(r, key, effects)
	}
	return x.unknown(r, key)
}

// rolledBack sends a request again whose transaction has failed: nothing has happened, and it runs.
func (x *trial) rolledBack(r Request, key, effects string) error {
	if after := x.effects(); after != effects {
		return fmt.Errorf("the transaction was rolled back, and there are effects that there were not:\n%s\nbefore\n%s", after, effects)
	}
	return x.runsOnce(r, key)
}

// runsOnce sends a request again that has to run now.
func (x *trial) runsOnce(r Request, key string) error {
	want, err := x.perform(r, key)
	if err != nil {
		return fmt.Errorf("an attempt that came to nothing, tried again: %w", err)
	}
	return x.replays(r, key, want)
}

// unknown sends a request again of which nobody knows whether it was done, and gets what on-unknown says.
func (x *trial) unknown(r Request, key string) error {
	switch x.policy.OnUnknown {
	case idem.Reexecute:
		return x.runsOnce(r, key)
	case idem.Reconcile:
		return x.reconciled(r, key)
	}
	for range 2 {
		if err := x.refuses(r, http.StatusConflict, idem.CodeOutcomeUnknown, "", key); err != nil {
			return fmt.Errorf("an attempt of which nobody knows whether it was done, tried again: %w", err)
		}
	}
	return nil
}

// reconciled sends a request again about which the service is asked: it knows a result, or runs, or does not know.
func (x *trial) reconciled(r Request, key string) error {
	got, err := x.send(r, key)
	if err != nil {
		return err
	}
	if got.status < 400 || got.replayed() {
		return x.replays(r, key, got)
	}
	return refused(got, http.StatusConflict, idem.CodeOutcomeUnknown, "")
}

// storeDown has the store give no answer: nothing is done without a record.
func (x *trial) storeDown() error {
	r, key := x.request(), newKey()
	x.env.script.setDown(true)
	got, err := x.still(func() (*answer, error) { return x.send(r, key) })
	x.env.script.setDown(false)
	if err != nil {
		return err
	}
	if err := refused(got, http.StatusServiceUnavailable, idem.CodeUnavailable, ""); err != nil {
		return fmt.Errorf("the store is down: %w", err)
	}
	if got.header.Get("Retry-After") == "" {
		return fmt.Errorf("the store is down: answered %s without Retry-After: let a replaced WriteProblem keep the headers", got)
	}
	return x.runsOnce(r, key)
}
