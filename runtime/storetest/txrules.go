package storetest

import (
	"context"
	"errors"
	"fmt"

	"github.com/idemgen/idemgen/runtime/idem"
)

func nothing() error { return nil }

func commitsTogether[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	return errors.Join(
		succeeds("in a transaction", b.tx.InTx(ctx, r.Key, r.Token, b.work(ctx, r, nothing))),
		b.written(ctx, r.Key, true),
		b.replays(ctx, r.Key, "done"),
	)
}

func errorLeavesNeither[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	refused := errors.New("refused")
	if err := b.tx.InTx(ctx, r.Key, r.Token, b.work(ctx, r, func() error { return refused })); err != refused {
		return fmt.Errorf("the error is %v, not the handler's own", err)
	}
	return errors.Join(
		b.written(ctx, r.Key, false),
		b.look(ctx, r.Key, idem.InProgress),
		succeeds("finalize after the rollback", b.Finalize(ctx, r.Key, r.Token, response("refused"), keep)),
	)
}

func panicLeavesNeither[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	var recovered any
	func() {
		defer func() { recovered = recover() }()
		err = b.tx.InTx(ctx, r.Key, r.Token, b.work(ctx, r, func() error { panic("oh") }))
	}()
	if recovered != "oh" {
		return fmt.Errorf("the panic arrives as %v, with the error %v", recovered, err)
	}
	return errors.Join(
		b.written(ctx, r.Key, false),
		b.look(ctx, r.Key, idem.InProgress),
		succeeds("release after the panic", b.Release(ctx, r.Key, r.Token)),
	)
}

func strangerGetsNoTransaction[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	late, _, err := b.takenOver(ctx, key("taken over"))
	if err != nil {
		return err
	}
	former, _, err := b.reserve(ctx, key("done"))
	if err != nil {
		return err
	}
	if err := b.Finalize(ctx, former.Key, former.Token, response("done"), keep); err != nil {
		return fmt.Errorf("finalize: %w", err)
	}
	for who, owner := range map[string]idem.Reservation{
		"a stranger":           {Key: r.Key, Token: idem.NewToken()},
		"a late owner":         late,
		"one who never began":  {Key: key("never"), Token: idem.NewToken()},
		"one who has finished": former,
	} {
		ran := false
		err := b.tx.InTx(ctx, owner.Key, owner.Token, func(Tx) error { ran = true; return nil })
		if err := lost("the transaction of "+who, err); err != nil {
			return err
		}
		if ran {
			return fmt.Errorf("the work of %s ran", who)
		}
	}
	return nil
}

func finalizeTxNeedsTheToken[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	mine, err := b.joined(ctx, key("mine"))
	if err != nil {
		return err
	}
	theirs, err := b.joined(ctx, key("theirs"))
	if err != nil {
		return err
	}
	err = b.tx.InTx(ctx, mine.Key, mine.Token, func(tx Tx) error {
		return lost("finalize by another's token", b.tx.FinalizeTx(ctx, tx, theirs.Key, mine.Token, response("mine"), keep))
	})
	return errors.Join(err, b.look(ctx, theirs.Key, idem.InProgress))
}

func finalizeTxRepeats[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	err = b.tx.InTx(ctx, r.Key, r.Token, func(tx Tx) error {
		return errors.Join(
			succeeds("finalize", b.tx.FinalizeTx(ctx, tx, r.Key, r.Token, response("first"), keep)),
			succeeds("finalize again", b.tx.FinalizeTx(ctx, tx, r.Key, r.Token, response("second"), keep)),
		)
	})
	if err != nil {
		return err
	}
	return b.replays(ctx, r.Key, "first")
}

func seenAfterCommit[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	var inside error
	err = b.tx.InTx(ctx, r.Key, r.Token, b.work(ctx, r, func() error {
		_, begin := b.begin(ctx, reservation(r.Key), idem.InProgress)
		inside = errors.Join(begin, b.look(ctx, r.Key, idem.InProgress))
		return nil
	}))
	if err := errors.Join(err, inside); err != nil {
		return fmt.Errorf("before the commit: %w", err)
	}
	return nil
}

func duplicateDoesNotWait[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	done := key("done")
	if err := b.finalized(ctx, done, response("done"), keep); err != nil {
		return err
	}
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	var inside error
	err = b.tx.InTx(ctx, r.Key, r.Token, func(Tx) error {
		for _, c := range []struct {
			newcomer idem.Reservation
			print    idem.Fingerprint
			want     idem.State
		}{
			{reservation(r.Key), fingerprint(1), idem.InProgress},
			{reservation(r.Key), fingerprint(2), idem.Conflict},
			{reservation(done), fingerprint(1), idem.Replay},
			{reservation(done), fingerprint(2), idem.Conflict},
		} {
			c.newcomer.Fingerprint = c.print
			inside = errors.Join(inside, quickly(func() error {
				_, err := b.begin(ctx, c.newcomer, c.want)
				return err
			}))
		}
		inside = errors.Join(inside, quickly(func() error { return b.replays(ctx, done, "done") }))
		return nil
	})
	return errors.Join(err, inside)
}

func lockIsTheLease[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	b.advance(over) // the record stays its owner's, until another one takes it
	var inside error
	err = b.tx.InTx(ctx, r.Key, r.Token, func(Tx) error {
		inside = errors.Join(
			quickly(func() error {
				_, err := b.begin(ctx, reservation(r.Key), idem.InProgress)
				return err
			}),
			quickly(func() error { return b.look(ctx, r.Key, idem.InProgress) }),
		)
		return nil
	})
	if err := errors.Join(err, inside); err != nil {
		return fmt.Errorf("while the owner has the record: %w", err)
	}
	return nil
}

func deadOwnerLeavesNothing[Tx any](ctx context.Context, b *TxBench[Tx]) error {
	r, err := b.joined(ctx, key("k"))
	if err != nil {
		return err
	}
	died := errors.New("died")
	if err := b.tx.InTx(ctx, r.Key, r.Token, func(Tx) error { return died }); !errors.Is(err, died) {
		return fmt.Errorf("the transaction: %w", err)
	}
	b.advance(over)
	if err := b.look(ctx, r.Key, idem.Absent); err != nil {
		return err
	}
	next := reservation(r.Key)
	next.Joined = true
	if _, err := b.begin(ctx, next, idem.Reserved); err != nil {
		return err
	}
	return succeeds("the next owner's transaction", b.tx.InTx(ctx, r.Key, next.Token, func(Tx) error { return nil }))
}
