package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

func renewNeedsTheToken(ctx context.Context, b *Bench) error {
	k := key("k")
	late, _, err := b.takenOver(ctx, k)
	if err != nil {
		return err
	}
	err = errors.Join(
		lost("a stranger's Renew", b.Renew(ctx, k, idem.NewToken(), time.Hour)),
		lost("a late owner's Renew", b.Renew(ctx, k, late.Token, time.Hour)),
		lost("renew of a key never begun", b.Renew(ctx, key("never"), idem.NewToken(), lease)),
	)
	if err != nil {
		return err
	}
	b.advance(over)
	if err := b.look(ctx, k, idem.Unknown); err != nil {
		return fmt.Errorf("after the lease, which nobody may have renewed: %w", err)
	}
	done, _, err := b.reserve(ctx, key("done"))
	if err != nil {
		return err
	}
	return errors.Join(
		succeeds("finalize", b.Finalize(ctx, done.Key, done.Token, response("done"), keep)),
		lost("renew after Finalize", b.Renew(ctx, done.Key, done.Token, lease)),
	)
}

func finalizeNeedsTheToken(ctx context.Context, b *Bench) error {
	k := key("k")
	late, owner, err := b.takenOver(ctx, k)
	if err != nil {
		return err
	}
	return errors.Join(
		lost("a stranger's Finalize", b.Finalize(ctx, k, idem.NewToken(), response("stranger"), keep)),
		lost("a late owner's Finalize", b.Finalize(ctx, k, late.Token, response("late"), keep)),
		lost("finalize of a key never begun", b.Finalize(ctx, key("never"), idem.NewToken(), response("never"), keep)),
		b.look(ctx, k, idem.InProgress),
		succeeds("finalize", b.Finalize(ctx, k, owner.Token, response("owner"), keep)),
		b.replays(ctx, k, "owner"),
	)
}

func releaseNeedsTheToken(ctx context.Context, b *Bench) error {
	k := key("k")
	late, owner, err := b.takenOver(ctx, k)
	if err != nil {
		return err
	}
	return errors.Join(
		lost("a stranger's Release", b.Release(ctx, k, idem.NewToken())),
		lost("a late owner's Release", b.Release(ctx, k, late.Token)),
		b.look(ctx, k, idem.InProgress),
		succeeds("finalize", b.Finalize(ctx, k, owner.Token, response("done"), keep)),
		lost("release after Finalize", b.Release(ctx, k, owner.Token)),
		b.replays(ctx, k, "done"),
	)
}

func resultIsFinal(ctx context.Context, b *Bench) error {
	k := key("k")
	late, owner, err := b.takenOver(ctx, k)
	if err != nil {
		return err
	}
	if err := b.Finalize(ctx, k, owner.Token, response("owner"), keep); err != nil {
		return fmt.Errorf("finalize: %w", err)
	}
	b.advance(keep * 2 / 3)
	err = errors.Join(
		lost("a late owner's Finalize", b.Finalize(ctx, k, late.Token, response("late"), keep)),
		b.replays(ctx, k, "owner"),
	)
	if err != nil {
		return err
	}
	// Whether this succeeds is another rule's.
	_ = b.Finalize(ctx, k, owner.Token, response("owner again"), keep)
	if err := b.replays(ctx, k, "owner"); err != nil {
		return err
	}
	b.advance(keep * 2 / 3)
	if err := b.look(ctx, k, idem.Absent); err != nil {
		return fmt.Errorf("after the retention that the first Finalize named: %w", err)
	}
	return nil
}

func ownerOutlivesItsLease(ctx context.Context, b *Bench) error {
	verbs := []struct {
		name  string
		do    func(idem.Key, idem.Token) error
		after idem.State
	}{
		{"Renew", func(k idem.Key, t idem.Token) error { return b.Renew(ctx, k, t, lease) }, idem.InProgress},
		{"Finalize", func(k idem.Key, t idem.Token) error { return b.Finalize(ctx, k, t, response("done"), keep) }, idem.Replay},
		{"Release", func(k idem.Key, t idem.Token) error { return b.Release(ctx, k, t) }, idem.Absent},
	}
	for _, verb := range verbs {
		k := key(verb.name)
		owner, _, err := b.reserve(ctx, k)
		if err != nil {
			return err
		}
		b.advance(over)
		if err := verb.do(k, owner.Token); err != nil {
			return fmt.Errorf("%s after the lease: %w", verb.name, err)
		}
		if err := b.look(ctx, k, verb.after); err != nil {
			return fmt.Errorf("after %s: %w", verb.name, err)
		}
	}
	return nil
}

func modeIsTheOwners(ctx context.Context, b *Bench) error {
	joined := reservation(key("k"))
	joined.Joined = true
	o, err := b.begin(ctx, joined, idem.Reserved)
	if err != nil {
		return err
	}
	b.advance(over)
	leased := reservation(joined.Key)
	leased.TakeOver = o.Fence
	if _, err := b.begin(ctx, leased, idem.Reserved); err != nil {
		return err
	}
	b.advance(over)
	return b.look(ctx, joined.Key, idem.Unknown)
}

func releasedKeyIsFree(ctx context.Context, b *Bench) error {
	k := key("k")
	owner, _, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	if err := b.Release(ctx, k, owner.Token); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	if err := b.look(ctx, k, idem.Absent); err != nil {
		return err
	}
	other := reservation(k)
	other.Fingerprint = fingerprint(2)
	_, err = b.begin(ctx, other, idem.Reserved)
	return err
}
