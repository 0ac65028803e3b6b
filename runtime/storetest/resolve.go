package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// left makes k unknown, and returns its fence and its owner.
func (b *Bench) left(ctx context.Context, k idem.Key) (idem.Resolver, idem.Reservation, int64, error) {
	r, err := b.resolver()
	if err != nil {
		return nil, idem.Reservation{}, 0, err
	}
	owner, o, err := b.reserve(ctx, k)
	b.advance(over)
	return r, owner, o.Fence, err
}

// with is a response for Resolve.
func with(body string) *idem.Response {
	r := response(body)
	return &r
}

func resolveFinalizes(ctx context.Context, b *Bench) error {
	r, _, fence, err := b.left(ctx, key("k"))
	if err != nil {
		return err
	}
	want := idem.Response{Status: 402, Header: response("").Header, Body: []byte("declined\x00\xff")}
	if err := r.Resolve(ctx, key("k"), fence, &want, keep); err != nil {
		return fmt.Errorf("resolve: %w", err)
	}
	o, err := b.begin(ctx, reservation(key("k")), idem.Replay)
	if err != nil {
		return err
	}
	if err := errors.Join(same(o.Response, want), equal("fence", o.Fence, fence)); err != nil {
		return err
	}
	_, _, fence, err = b.left(ctx, key("tombstone"))
	if err != nil {
		return err
	}
	tombstone := idem.Response{Status: 201, Tombstone: true}
	if err := r.Resolve(ctx, key("tombstone"), fence, &tombstone, keep); err != nil {
		return fmt.Errorf("resolve without a response to keep: %w", err)
	}
	return b.look(ctx, key("tombstone"), idem.Tombstone)
}

func resolveKeepsFromNow(ctx context.Context, b *Bench) error {
	r, _, fence, err := b.left(ctx, key("k"))
	if err != nil {
		return err
	}
	_, _, always, err := b.left(ctx, key("always"))
	if err != nil {
		return err
	}
	b.advance(2 * keep)
	err = errors.Join(
		succeeds("resolve", r.Resolve(ctx, key("k"), fence, with("done"), keep)),
		succeeds("resolve", r.Resolve(ctx, key("always"), always, with("done"), 0)),
	)
	if err != nil {
		return err
	}
	b.advance(keep * 2 / 3)
	err = errors.Join(b.look(ctx, key("k"), idem.Replay), b.look(ctx, key("always"), idem.Replay))
	if err != nil {
		return fmt.Errorf("within the retention: %w", err)
	}
	b.advance(keep * 2 / 3)
	if err := b.look(ctx, key("k"), idem.Absent); err != nil {
		return fmt.Errorf("after the retention: %w", err)
	}
	return nil
}

func resolveReleases(ctx context.Context, b *Bench) error {
	k := key("k")
	r, _, fence, err := b.left(ctx, k)
	if err != nil {
		return err
	}
	if err := r.Resolve(ctx, k, fence, nil, 0); err != nil {
		return fmt.Errorf("resolve: %w", err)
	}
	if err := b.look(ctx, k, idem.Absent); err != nil {
		return err
	}
	other := reservation(k)
	other.Fingerprint = fingerprint(2)
	o, err := b.begin(ctx, other, idem.Reserved)
	if err != nil {
		return err
	}
	if o.Fence <= fence {
		return fmt.Errorf("the next fence is %d, not above %d", o.Fence, fence)
	}
	return nil
}

// refused is an error unless neither settlement of k by this fence is accepted.
func refused(ctx context.Context, r idem.Resolver, k idem.Key, fence int64) error {
	return errors.Join(
		lost("resolve with a response", r.Resolve(ctx, k, fence, with("refused"), keep)),
		lost("resolve by release", r.Resolve(ctx, k, fence, nil, 0)),
	)
}

func resolveNeedsTheFence(ctx context.Context, b *Bench) error {
	k := key("k")
	r, _, former, err := b.left(ctx, k)
	if err != nil {
		return err
	}
	next := reservation(k)
	next.TakeOver = former
	o, err := b.begin(ctx, next, idem.Reserved)
	if err != nil {
		return err
	}
	b.advance(over)
	for _, wrong := range []int64{former, o.Fence - 1, o.Fence + 1, 0} {
		if err := refused(ctx, r, k, wrong); err != nil {
			return fmt.Errorf("by %d, where the fence is %d and was %d: %w", wrong, o.Fence, former, err)
		}
	}
	// That it stayed unknown is seen by this, and not by Lookup, which has rules of its own.
	return succeeds("resolve by the record's fence", r.Resolve(ctx, k, o.Fence, with("done"), keep))
}

func resolveSettlesTheUnknownOnly(ctx context.Context, b *Bench) error {
	r, err := b.resolver()
	if err != nil {
		return err
	}
	joined := func(o *idem.Reservation) { o.Joined = true }
	leased := func(*idem.Reservation) {}
	tombstone := idem.Response{Status: 201, Tombstone: true}
	for _, c := range []struct {
		name  string
		begin func(*idem.Reservation)
		after time.Duration
		then  func(idem.Reservation, idem.Outcome) error // where it fails, that is another rule's
		stays idem.State
	}{
		{"live", leased, 0, nil, idem.InProgress},
		{"joined and live", joined, 0, nil, idem.InProgress},
		{"joined, its lease over", joined, over, nil, idem.Absent},
		{"renewed since", leased, over, func(o idem.Reservation, _ idem.Outcome) error {
			return b.Renew(ctx, o.Key, o.Token, lease)
		}, idem.InProgress},
		{"taken over since", leased, over, func(o idem.Reservation, was idem.Outcome) error {
			next := reservation(o.Key)
			next.TakeOver = was.Fence
			_, err := b.Begin(ctx, next)
			return err
		}, idem.InProgress},
		{"finalized since", leased, over, func(o idem.Reservation, _ idem.Outcome) error {
			return b.Finalize(ctx, o.Key, o.Token, response("done"), 9*keep)
		}, idem.Replay},
		{"a tombstone since", leased, over, func(o idem.Reservation, _ idem.Outcome) error {
			return b.Finalize(ctx, o.Key, o.Token, tombstone, 9*keep)
		}, idem.Tombstone},
	} {
		owner := reservation(key(c.name))
		c.begin(&owner)
		o, err := b.begin(ctx, owner, idem.Reserved)
		if err != nil {
			return err
		}
		b.advance(c.after)
		if c.then != nil && c.then(owner, o) != nil || b.look(ctx, owner.Key, c.stays) != nil {
			continue
		}
		err = errors.Join(refused(ctx, r, owner.Key, o.Fence), b.look(ctx, owner.Key, c.stays))
		if err != nil {
			return fmt.Errorf("a record that is %s: %w", c.name, err)
		}
	}
	return nil
}

func resolveRepeats(ctx context.Context, b *Bench) error {
	done, not := key("done"), key("not done")
	r, _, fence, err := b.left(ctx, done)
	if err != nil {
		return err
	}
	_, _, other, err := b.left(ctx, not)
	if err != nil {
		return err
	}
	return errors.Join(
		succeeds("resolve", r.Resolve(ctx, done, fence, with("done"), keep)),
		succeeds("resolve again", r.Resolve(ctx, done, fence, with("done"), keep)),
		succeeds("resolve by release", r.Resolve(ctx, not, other, nil, 0)),
		succeeds("resolve by release again", r.Resolve(ctx, not, other, nil, 0)),
	)
}

func resolvedIsFinal(ctx context.Context, b *Bench) error {
	done, not := key("done"), key("not done")
	r, _, fence, err := b.left(ctx, done)
	if err != nil {
		return err
	}
	_, _, other, err := b.left(ctx, not)
	if err != nil {
		return err
	}
	if r.Resolve(ctx, done, fence, with("first"), keep) != nil || r.Resolve(ctx, not, other, nil, 0) != nil ||
		b.replays(ctx, done, "first") != nil || b.look(ctx, not, idem.Absent) != nil {
		return nil // other rules say so
	}
	return errors.Join(
		lost("resolve with another response", r.Resolve(ctx, done, fence, with("second"), keep)),
		b.replays(ctx, done, "first"),
		lost("resolve by release after a response", r.Resolve(ctx, done, fence, nil, 0)),
		b.replays(ctx, done, "first"),
		lost("resolve with a response after a release", r.Resolve(ctx, not, other, with("second"), keep)),
		lost("resolve of a key never begun", r.Resolve(ctx, key("never"), other, with("second"), keep)),
		b.look(ctx, not, idem.Absent),
	)
}

func resolveEndsTheAttempt(ctx context.Context, b *Bench) error {
	k := key("k")
	r, late, fence, err := b.left(ctx, k)
	if err != nil {
		return err
	}
	if r.Resolve(ctx, k, fence, with("resolved"), keep) != nil || b.replays(ctx, k, "resolved") != nil {
		return nil // other rules say so
	}
	return errors.Join(
		lost("a late owner's Finalize", b.Finalize(ctx, k, late.Token, response("late"), keep)),
		b.replays(ctx, k, "resolved"),
	)
}
