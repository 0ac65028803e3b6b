package idemtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// InProgress proves that a request is told to wait while the first one under its key still runs, and another one that
// it conflicts: the first is held where its work is done and its result is not stored yet.
func (s *Suite) InProgress(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "InProgress", cases, inProgressChecks)
}

func inProgressChecks(x *trial) []check {
	return []check{{"held", x.heldAtFinalize}}
}

func (x *trial) heldAtFinalize() error {
	r, key := x.request(), newKey()
	gate := x.env.script.hold(beforeFinalize)
	defer gate.release()
	var during error
	want, err := x.runs(func() (*answer, error) {
		first := x.start(context.Background(), r, key)
		if during = x.reached(gate, first); during == nil {
			during = x.whileHeld(r, key)
		}
		gate.release()
		return first.wait()
	})
	if err := errors.Join(during, err); err != nil {
		return err
	}
	return x.replays(r, key, want)
}

// reached waits until the request is held, or answered, which is a fault.
func (x *trial) reached(g *gate, first *sending) error {
	select {
	case <-first.done:
		if first.err != nil {
			return first.err
		}
		return fmt.Errorf("the request was answered %s before its result was stored, or its record is in a store that the harness does not see: "+
			"keep records in env.Store, or in a store that env.Wrap or WrapTx made", first.answer)
	default:
	}
	select {
	case <-g.reached:
		return nil
	case <-first.done:
		return x.reached(g, first)
	}
}

// whileHeld is what others are told while the first request runs.
func (x *trial) whileHeld(r Request, key string) error {
	if err := x.inProgress(r, key); err != nil {
		return err
	}
	for _, ch := range x.c.Changed {
		changed, err := x.change(ch, r)
		if errors.Is(err, errNotStaged) {
			continue
		}
		if err != nil {
			return err
		}
		return x.conflicts(changed, key, ch.Name)
	}
	return nil
}

// inProgress sends a request whose first one still runs, or seems to.
func (x *trial) inProgress(r Request, key string) error {
	executions := x.env.executions()
	got, err := x.send(r, key)
	if err != nil {
		return err
	}
	if n := x.env.executions() - executions; n != 0 {
		return fmt.Errorf("while the first request ran, a second one ran too: answered %s", got)
	}
	if err := refused(got, http.StatusConflict, idem.CodeInProgress, ""); err != nil {
		return fmt.Errorf("while the first request runs: %w", err)
	}
	if got.header.Get("Retry-After") == "" {
		return fmt.Errorf("while the first request runs: answered %s without Retry-After: let a replaced WriteProblem keep the headers", got)
	}
	return nil
}

// racers is how many send the same request at once.
const racers = 8

// Race proves that of concurrent duplicates one runs: the others get its result, or are told to wait.
func (s *Suite) Race(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Race", cases, raceChecks)
}

func raceChecks(x *trial) []check {
	return []check{{fmt.Sprint(racers, " at once"), x.race}}
}

func (x *trial) race() error {
	r, key := x.request(), newKey()
	var all []*sending
	executions := x.env.executions()
	for range racers {
		all = append(all, x.start(context.Background(), r, key))
	}
	var won *answer
	var answers []*answer
	for _, s := range all {
		got, err := s.wait()
		if err != nil {
			return err
		}
		if answers = append(answers, got); !got.replayed() && got.status != http.StatusConflict {
			won = got
		}
	}
	if n := x.env.executions() - executions; n != 1 {
		return fmt.Errorf("%d requests at once under one key: %d ran", racers, n)
	}
	if won == nil {
		return fmt.Errorf("%d requests at once under one key: none was answered as the first one, the last %s", racers, answers[racers-1])
	}
	if err := x.ran(won, 1, 1); err != nil {
		return err
	}
	for _, got := range answers {
		switch {
		case got == won, got.replayed() && got.status == won.status && bytes.Equal(got.body, won.body):
		default:
			if err := refused(got, http.StatusConflict, idem.CodeInProgress, ""); err != nil {
				return fmt.Errorf("%d requests at once under one key, of which one was answered %s: another was %w", racers, won, err)
			}
		}
	}
	return x.replays(r, key, won)
}
