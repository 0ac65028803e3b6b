package idemtest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
)

// Crash proves what a retry gets after a process died at each point of an operation, as far as it can be told from
// outside: after the reservation, before and after the result was stored, with only its acknowledgement lost, and when
// an owner that was given up comes back.
func (s *Suite) Crash(t *testing.T, cases []Case) {
	t.Helper()
	s.each(t, "Crash", cases, crashChecks)
}

func crashChecks(x *trial) []check {
	return x.first(func(Request, string, *answer) []check {
		reserved := check{"after the reservation", x.diesReserved}
		if _, last := x.env.script.seen(); last.joined {
			return []check{
				reserved,
				{"before the result is stored", x.diesInTx},
				{"after the result is stored", func() error { return x.diesStored(afterTx) }},
				{"acknowledgement lost", func() error { return x.losesAcknowledgement(afterTx, idem.ErrUncertain) }},
				{"taken over", x.takenOverBeforeTx},
			}
		}
		return []check{
			reserved,
			{"before the result is stored", x.diesDone},
			{"after the result is stored", func() error { return x.diesStored(afterFinalize) }},
			{"acknowledgement lost", func() error { return x.losesAcknowledgement(afterFinalize, errDown) }},
			{"taken over", x.takenOverBeforeFinalize},
		}
	})
}

// dies sends a request that nothing is heard of any more from p on.
func (x *trial) dies(p point, r Request, key string) (reservation, error) {
	x.env.script.at(p, kill)
	_, _ = x.send(r, key) // the connection breaks
	if !x.env.script.done(p) {
		return reservation{}, notStaged("the operation does not get there through the runtime: it calls the store's verbs by hand")
	}
	_, last := x.env.script.seen()
	return last, nil
}

// diesReserved is a death between the reservation and the work.
func (x *trial) diesReserved() error {
	r, key := x.request(), newKey()
	last, err := x.dies(reserved, r, key)
	if err != nil {
		return err
	}
	if err := x.inProgress(r, key); err != nil { // its lease lives on
		return err
	}
	if err := last.endLease(); err != nil {
		return err
	}
	if last.joined {
		return x.runsOnce(r, key)
	}
	return x.unknown(r, key)
}

// diesDone is a death between the work and its result, of an operation that holds a lease.
func (x *trial) diesDone() error {
	r, key := x.request(), newKey()
	last, err := x.dies(beforeFinalize, r, key)
	if err != nil {
		return err
	}
	if err := last.endLease(); err != nil {
		return err
	}
	return x.unknown(r, key)
}

// diesInTx is a death between the work and its result, of an operation that does both in one transaction.
func (x *trial) diesInTx() error {
	r, key := x.request(), newKey()
	effects := x.effects()
	if _, err := x.dies(beforeFinalize, r, key); err != nil {
		return err
	}
	return x.rolledBack(r, key, effects)
}

// diesStored is a death between the result and its client.
func (x *trial) diesStored(p point) error {
	r, key := x.request(), newKey()
	if _, err := x.dies(p, r, key); err != nil {
		return err
	}
	want, err := x.replayed(r, key)
	if err != nil {
		return err
	}
	return x.replays(r, key, want)
}

// losesAcknowledgement has the store do what it was asked, and its answer not arrive.
func (x *trial) losesAcknowledgement(p point, lost error) error {
	r, key := x.request(), newKey()
	x.env.script.at(p, func() error { return fmt.Errorf("idemtest: the answer is lost: %w", lost) })
	want, err := x.perform(r, key)
	if !x.env.script.done(p) {
		return notStaged("the operation does not get there through the runtime: it calls the store's verbs by hand")
	}
	if err != nil {
		return err
	}
	return x.replays(r, key, want)
}

// givenUp sends a request whose owner stops at p and is not heard of any more.
func (x *trial) givenUp(p point, r Request, key string) (*gate, *sending, error) {
	gate := x.env.script.hold(p)
	owner := x.start(context.Background(), r, key)
	if err := x.reached(gate, owner); err != nil {
		return gate, owner, err
	}
	_, last := x.env.script.seen()
	return gate, owner, last.endLease()
}

// takenOverBeforeTx gives an owner up whose transaction is not open yet. It comes back when another one has done the
// work.
func (x *trial) takenOverBeforeTx() error {
	r, key := x.request(), newKey()
	gate, zombie, err := x.givenUp(beforeTx, r, key)
	defer gate.release()
	if err != nil {
		return err
	}
	want, err := x.perform(r, key)
	if err != nil {
		return fmt.Errorf("the owner was given up: %w", err)
	}
	return x.comesBack(gate, zombie, r, key, want)
}

// comesBack has an owner go on that was overtaken: it has no effect, and its client gets the result there is.
func (x *trial) comesBack(gate *gate, zombie *sending, r Request, key string, want *answer) error {
	got, err := x.still(func() (*answer, error) {
		gate.release()
		return zombie.wait()
	})
	if err == nil {
		err = x.sameAnswer(want, got)
	}
	if err != nil {
		return fmt.Errorf("an owner that was overtaken comes back: %w", err)
	}
	return x.replays(r, key, want)
}

// takenOverBeforeFinalize gives an owner up whose work is done. Where the work is not done again, its result is welcome
// when it comes.
func (x *trial) takenOverBeforeFinalize() error {
	r, key := x.request(), newKey()
	gate, owner, err := x.givenUp(beforeFinalize, r, key)
	defer gate.release()
	if err != nil {
		return err
	}
	switch x.policy.OnUnknown {
	case idem.Reexecute:
		want, err := x.perform(r, key)
		if err != nil {
			return err
		}
		return x.comesBack(gate, owner, r, key, want)
	case idem.Reconcile:
		if err := x.reconciled(r, key); err != nil {
			return err
		}
		gate.release()
		_, err := owner.wait()
		return err
	}
	if err := x.unknown(r, key); err != nil {
		return err
	}
	gate.release()
	want, err := owner.wait()
	if err != nil {
		return err
	}
	if err := x.replays(r, key, want); err != nil {
		return errors.Join(fmt.Errorf("the owner came late, and was answered %s", want), err)
	}
	return nil
}
