package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

func beginRepeats(ctx context.Context, b *Bench) error {
	k := key("k")
	owner, first, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	b.advance(lease * 2 / 3)
	again, err := b.begin(ctx, owner, idem.Reserved)
	if err != nil {
		return fmt.Errorf("again: %w", err)
	}
	if again.Fence != first.Fence {
		return fmt.Errorf("begin by the owner again changes the fence from %d to %d", first.Fence, again.Fence)
	}
	b.advance(lease * 2 / 3)
	if err := b.look(ctx, k, idem.InProgress); err != nil {
		return fmt.Errorf("the lease did not start again: %w", err)
	}
	b.advance(over)
	if _, err := b.begin(ctx, owner, idem.Reserved); err != nil {
		return fmt.Errorf("after the lease: %w", err)
	}
	return nil
}

func renewRepeats(ctx context.Context, b *Bench) error {
	k := key("k")
	owner, _, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	return errors.Join(
		succeeds("renew", b.Renew(ctx, k, owner.Token, lease)),
		succeeds("renew again", b.Renew(ctx, k, owner.Token, lease)),
	)
}

func finalizeRepeats(ctx context.Context, b *Bench) error {
	k := key("k")
	owner, _, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	return errors.Join(
		succeeds("finalize", b.Finalize(ctx, k, owner.Token, response("done"), keep)),
		succeeds("finalize again", b.Finalize(ctx, k, owner.Token, response("done"), keep)),
	)
}

func releaseRepeats(ctx context.Context, b *Bench) error {
	k := key("k")
	owner, _, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	return errors.Join(
		succeeds("release", b.Release(ctx, k, owner.Token)),
		succeeds("release again", b.Release(ctx, k, owner.Token)),
		// A Begin that never arrived is followed by a Release too.
		succeeds("release of a key never begun", b.Release(ctx, key("never"), idem.NewToken())),
	)
}

func renewCountsFromNow(ctx context.Context, b *Bench) error {
	k := key("k")
	owner, _, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	b.advance(lease * 2 / 3)
	if err := b.Renew(ctx, k, owner.Token, lease); err != nil {
		return fmt.Errorf("renew: %w", err)
	}
	b.advance(lease * 2 / 3)
	if err := b.look(ctx, k, idem.InProgress); err != nil {
		return fmt.Errorf("within the renewed lease: %w", err)
	}
	if err := b.Renew(ctx, k, owner.Token, lease/6); err != nil {
		return fmt.Errorf("renew: %w", err)
	}
	b.advance(lease/6 + time.Second)
	if err := b.look(ctx, k, idem.Unknown); err != nil {
		return fmt.Errorf("after a shorter lease: %w", err)
	}
	return nil
}

func renewZeroEndsTheLease(ctx context.Context, b *Bench) error {
	k := key("k")
	owner, _, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	if err := b.Renew(ctx, k, owner.Token, 0); err != nil {
		return fmt.Errorf("renew: %w", err)
	}
	return b.look(ctx, k, idem.Unknown)
}
