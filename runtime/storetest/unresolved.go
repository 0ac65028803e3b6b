package storetest

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// errNoResolver is no failure: see [Run].
var errNoResolver = errors.New("the store is no idem.Resolver: nobody can list or settle its unknown outcomes")

// whole is a limit that none of these lists comes near.
const whole = 1000

// resolver is the store's other side.
func (b *Bench) resolver() (idem.Resolver, error) {
	r, ok := b.Store.(idem.Resolver)
	if !ok {
		return nil, errNoResolver
	}
	return r, nil
}

// unknown reserves the keys and lets the leases end. It returns the fences.
func (b *Bench) unknown(ctx context.Context, keys ...idem.Key) ([]int64, error) {
	fences := make([]int64, len(keys))
	for i, k := range keys {
		_, o, err := b.reserve(ctx, k)
		if err != nil {
			return nil, err
		}
		fences[i] = o.Fence
	}
	b.advance(over)
	return fences, nil
}

// pages reads the list to its end, and lets each see every page. A page may be empty without being the last.
func pages(ctx context.Context, r idem.Resolver, limit int, each func([]idem.Unresolved) error) error {
	after := ""
	for range 200 {
		list, next, err := r.Unresolved(ctx, after, limit)
		if err != nil {
			return fmt.Errorf("list unresolved: %w", err)
		}
		if err := each(list); err != nil {
			return err
		}
		if next == "" {
			return nil
		}
		after = next
	}
	return errors.New("the list of what is unresolved does not end")
}

// listed counts how often each key is listed.
func listed(ctx context.Context, r idem.Resolver, limit int) (map[idem.Key]int, error) {
	times := map[idem.Key]int{}
	err := pages(ctx, r, limit, func(list []idem.Unresolved) error {
		for _, u := range list {
			times[u.Key]++
		}
		return nil
	})
	return times, err
}

func unresolvedListsTheUnknown(ctx context.Context, b *Bench) error {
	r, err := b.resolver()
	if err != nil {
		return err
	}
	lost, taken := key("lost"), key("taken over and lost again")
	fences, err := b.unknown(ctx, lost, taken)
	if err != nil {
		return err
	}
	again := reservation(taken)
	again.TakeOver = fences[1]
	joined := reservation(key("joined"))
	joined.Joined = true
	released, _, err := b.reserve(ctx, key("released"))
	if err != nil {
		return err
	}
	err = errors.Join(
		b.reserved(ctx, again),
		b.reserved(ctx, joined),
		b.finalized(ctx, key("done"), response("done"), keep),
		b.finalized(ctx, key("tombstone"), idem.Response{Status: 201, Tombstone: true}, keep),
		b.finalized(ctx, key("past retention"), response("done"), time.Second),
		succeeds("release", b.Release(ctx, released.Key, released.Token)),
	)
	if err != nil {
		return err
	}
	b.advance(over)
	if err := b.reserved(ctx, reservation(key("live"))); err != nil {
		return err
	}
	times, err := listed(ctx, r, whole)
	if err != nil {
		return err
	}
	var errs []error
	for _, k := range []idem.Key{lost, taken} {
		if times[k] != 1 {
			errs = append(errs, fmt.Errorf("an unknown record, %q, is listed %d times, not once", k.Value, times[k]))
		}
		delete(times, k)
	}
	for k := range times {
		errs = append(errs, fmt.Errorf("the record that is %q is listed, and is not unknown", k.Value))
	}
	return errors.Join(errs...)
}

// reserved is an error unless n reserves its key.
func (b *Bench) reserved(ctx context.Context, n idem.Reservation) error {
	_, err := b.begin(ctx, n, idem.Reserved)
	return err
}

func unresolvedTellsWhatItWas(ctx context.Context, b *Bench) error {
	r, err := b.resolver()
	if err != nil {
		return err
	}
	k := key("k")
	_, first, err := b.reserve(ctx, k)
	if err != nil {
		return err
	}
	b.advance(over)
	time.Sleep(20 * time.Millisecond) // a clock that cannot be moved must tell the owners apart too
	owner := reservation(k)
	owner.TakeOver = first.Fence
	before, err := b.Lookup(ctx, k)
	if err != nil {
		return fmt.Errorf("lookup: %w", err)
	}
	o, err := b.begin(ctx, owner, idem.Reserved)
	if err != nil {
		return err
	}
	after, err := b.Lookup(ctx, k)
	if err != nil {
		return fmt.Errorf("lookup: %w", err)
	}
	b.advance(over)
	now, err := b.Lookup(ctx, k)
	if err != nil {
		return fmt.Errorf("lookup: %w", err)
	}
	list, _, err := r.Unresolved(ctx, "", whole)
	if err != nil || len(list) != 1 || now.Now.IsZero() {
		return err // what is listed, and that answers tell the time, are other rules'
	}
	u := list[0]
	return errors.Join(
		equal("fence", u.Fence, o.Fence),
		equal("fingerprint", u.Fingerprint, owner.Fingerprint),
		within("the last owner began", u.Reserved, before.Now, after.Now),
		within("the lease was over", u.LeaseEnded, now.Now.Add(-lease/2), now.Now.Add(lease-over)),
	)
}

func equal[T comparable](what string, got, want T) error {
	if got != want {
		return fmt.Errorf("the %s of an unresolved record is %v, not %v", what, got, want)
	}
	return nil
}

// within forgives a clock that is kept to the millisecond.
func within(what string, got, from, to time.Time) error {
	const rounding = 2 * time.Millisecond
	if got.Before(from.Add(-rounding)) || got.After(to.Add(rounding)) {
		return fmt.Errorf("%s at %v, and it was between %v and %v", what, got, from, to)
	}
	return nil
}

func unresolvedKeysAreBytes(ctx context.Context, b *Bench) error {
	r, err := b.resolver()
	if err != nil {
		return err
	}
	if _, err := b.unknown(ctx, alike...); err != nil {
		return nil // that they are mixed up is another rule's
	}
	// Small pages, because cursors are made of keys.
	times, err := listed(ctx, r, 3)
	if err != nil {
		return err
	}
	for _, k := range alike {
		if times[k] == 0 {
			return fmt.Errorf("key %q is not listed", k)
		}
		delete(times, k)
	}
	for k := range times {
		return fmt.Errorf("key %q is listed, and was never begun", k)
	}
	return nil
}

// several are keys of a few pages.
func several() []idem.Key {
	keys := make([]idem.Key, 10)
	for i := range keys {
		keys[i] = key(fmt.Sprintf("k-%d", i))
	}
	return keys
}

func unresolvedPagesLoseNothing(ctx context.Context, b *Bench) error {
	r, err := b.resolver()
	if err != nil {
		return err
	}
	keys := several()
	if _, err := b.unknown(ctx, keys...); err != nil {
		return err
	}
	seen := map[idem.Key]bool{}
	err = pages(ctx, r, 3, func(list []idem.Unresolved) error {
		for _, u := range list {
			seen[u.Key] = true
			// What becomes of it is another rule's: here it is about those that stay.
			_ = r.Resolve(ctx, u.Key, u.Fence, nil, 0)
		}
		return nil
	})
	for _, k := range keys {
		if err == nil && !seen[k] {
			err = fmt.Errorf("%q is on none of the pages", k.Value)
		}
	}
	return err
}

func unresolvedKeepsToItsLimit(ctx context.Context, b *Bench) error {
	r, err := b.resolver()
	if err != nil {
		return err
	}
	if _, err := b.unknown(ctx, several()...); err != nil {
		return err
	}
	for _, limit := range []int{1, 4, 10} {
		err := pages(ctx, r, limit, func(list []idem.Unresolved) error {
			if len(list) > limit {
				return fmt.Errorf("a page of at most %d has %d records", limit, len(list))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}
