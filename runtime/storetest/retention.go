package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

func expiryCountsFromFinalize(ctx context.Context, b *Bench) error {
	owner := reservation(key("k"))
	owner.Lease = 3 * keep
	if _, err := b.begin(ctx, owner, idem.Reserved); err != nil {
		return err
	}
	b.advance(2 * keep)
	if err := b.Finalize(ctx, owner.Key, owner.Token, response("done"), keep); err != nil {
		return fmt.Errorf("finalize: %w", err)
	}
	b.advance(keep * 2 / 3)
	if err := b.look(ctx, owner.Key, idem.Replay); err != nil {
		return fmt.Errorf("within the retention: %w", err)
	}
	b.advance(keep * 2 / 3)
	if err := b.look(ctx, owner.Key, idem.Absent); err != nil {
		return fmt.Errorf("after the retention: %w", err)
	}
	return nil
}

func keepZeroIsNotNone(ctx context.Context, b *Bench) error {
	k := key("k")
	if err := b.finalized(ctx, k, response("done"), 0); err != nil {
		return err
	}
	b.advance(time.Second)
	return b.look(ctx, k, idem.Replay)
}

func sweepSparesTheLiving(ctx context.Context, b *Bench) error {
	sweeper, ok := b.Store.(idem.Sweeper)
	if !ok {
		return nil // its records expire by themselves
	}
	want := map[idem.Key]idem.State{}
	reserve := func(name string, lease time.Duration, joined bool, state idem.State) error {
		r := reservation(key(name))
		r.Lease, r.Joined = lease, joined
		want[r.Key] = state
		_, err := b.begin(ctx, r, idem.Reserved)
		return err
	}
	finalize := func(name string, r idem.Response, keep time.Duration, state idem.State) error {
		want[key(name)] = state
		return b.finalized(ctx, key(name), r, keep)
	}
	tombstone := idem.Response{Status: 200, Tombstone: true}
	err := errors.Join(
		reserve("live lease", 9*keep, false, idem.InProgress),
		reserve("lease over", lease, false, idem.Unknown),
		reserve("joined live lease", 9*keep, true, idem.InProgress),
		finalize("kept", response("done"), 9*keep, idem.Replay),
		finalize("kept tombstone", tombstone, 9*keep, idem.Tombstone),
		finalize("past retention", response("done"), keep, idem.Absent),
		finalize("tombstone past retention", tombstone, keep, idem.Absent),
	)
	if err != nil {
		return err
	}
	b.advance(2 * keep)
	switch n, err := sweeper.Sweep(ctx, 100); {
	case err != nil:
		return fmt.Errorf("sweep: %w", err)
	case n != 2:
		return fmt.Errorf("sweep removes %d records, not the 2 that are past their retention", n)
	}
	for k, state := range want {
		if err := b.look(ctx, k, state); err != nil {
			return fmt.Errorf("after Sweep, %s: %w", k.Value, err)
		}
	}
	return b.sweepSparesTheNew(ctx, sweeper)
}

// sweepSparesTheNew is about a key that was begun anew before its former record was swept.
func (b *Bench) sweepSparesTheNew(ctx context.Context, sweeper idem.Sweeper) error {
	anew := key("last")
	// Several that expire first: a store may reclaim some of them when the key is begun.
	for i, k := range []idem.Key{key("a"), key("b"), key("c"), key("d"), key("e"), anew} {
		if err := b.finalized(ctx, k, response("done"), keep+time.Duration(i)*time.Second); err != nil {
			return err
		}
	}
	b.advance(2 * keep)
	if _, _, err := b.reserve(ctx, anew); err != nil {
		return nil // past-retention-is-new says so
	}
	if _, err := sweeper.Sweep(ctx, 100); err != nil {
		return fmt.Errorf("sweep: %w", err)
	}
	if err := b.look(ctx, anew, idem.InProgress); err != nil {
		return fmt.Errorf("after Sweep, a key that was begun anew: %w", err)
	}
	return nil
}

func sweepKeepsToItsLimit(ctx context.Context, b *Bench) error {
	sweeper, ok := b.Store.(idem.Sweeper)
	if !ok {
		return nil
	}
	for _, name := range []string{"a", "b", "c"} {
		if err := b.finalized(ctx, key(name), response("done"), keep); err != nil {
			return err
		}
	}
	b.advance(2 * keep)
	for _, want := range []int{2, 1, 0} {
		n, err := sweeper.Sweep(ctx, 2)
		if err != nil || n != want {
			return fmt.Errorf("sweep of 2 removes %d, not %d: %v", n, want, err)
		}
	}
	return nil
}

func fenceNeverGoesBack(ctx context.Context, b *Bench) error {
	k := key("k")
	var last int64
	begin := func(after string) (idem.Reservation, error) {
		r := reservation(k)
		if after == "a take-over" {
			r.TakeOver = last
		}
		o, err := b.begin(ctx, r, idem.Reserved)
		if err == nil && o.Fence <= last {
			err = fmt.Errorf("after %s the fence is %d, not above %d", after, o.Fence, last)
		}
		last = o.Fence
		return r, err
	}
	if _, err := begin("nothing"); err != nil {
		return err
	}
	b.advance(over)
	owner, err := begin("a take-over")
	if err != nil {
		return err
	}
	if err := b.Release(ctx, k, owner.Token); err != nil {
		return fmt.Errorf("release: %w", err)
	}
	if owner, err = begin("a release"); err != nil {
		return err
	}
	if err := b.Finalize(ctx, k, owner.Token, response("done"), keep); err != nil {
		return fmt.Errorf("finalize: %w", err)
	}
	b.advance(keep + time.Second)
	if sweeper, ok := b.Store.(idem.Sweeper); ok {
		if _, err := sweeper.Sweep(ctx, 10); err != nil {
			return fmt.Errorf("sweep: %w", err)
		}
	}
	_, err = begin("the retention and a sweep")
	return err
}

func answersTellTheTime(ctx context.Context, b *Bench) error {
	k := key("k")
	var missing []error
	tell := func(o idem.Outcome, err error) error {
		if err == nil && o.Now.IsZero() {
			missing = append(missing, fmt.Errorf("%s comes without the store's time", StateName(o.State)))
		}
		return err
	}
	r := reservation(k)
	err := errors.Join(
		tell(b.Lookup(ctx, k)),
		tell(b.Begin(ctx, r)),
		tell(b.Begin(ctx, reservation(k))),
		tell(b.Lookup(ctx, k)),
		b.Finalize(ctx, k, r.Token, response("done"), keep),
		tell(b.Begin(ctx, reservation(k))),
	)
	return errors.Join(err, errors.Join(missing...))
}
