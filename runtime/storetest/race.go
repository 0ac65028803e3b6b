package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/idemgen/idemgen/runtime/idem"
)

const (
	racers = 12
	races  = 6
)

func raceHasOneWinner(ctx context.Context, b *Bench) error {
	for n := range races {
		if err := b.race(ctx, reservation(key(fmt.Sprintf("race-%d", n)))); err != nil {
			return err
		}
	}
	return nil
}

func takeOverHasOneWinner(ctx context.Context, b *Bench) error {
	for n := range races {
		k := key(fmt.Sprintf("race-%d", n))
		first := reservation(k)
		first.Joined = n%2 == 1
		o, err := b.begin(ctx, first, idem.Reserved)
		if err != nil {
			return err
		}
		b.advance(over)
		r := reservation(k)
		r.TakeOver = o.Fence
		if err := b.race(ctx, r); err != nil {
			return fmt.Errorf("joined %t: %w", first.Joined, err)
		}
	}
	return nil
}

// race lets many newcomers begin as r, each with its own token, at one moment.
func (b *Bench) race(ctx context.Context, r idem.Reservation) error {
	var (
		racing   sync.WaitGroup
		start    = make(chan struct{})
		outcomes [racers]idem.Outcome
		errs     [racers]error
	)
	for i := range racers {
		racing.Add(1)
		go func() {
			defer racing.Done()
			mine := r
			mine.Token = idem.NewToken()
			<-start
			outcomes[i], errs[i] = b.Begin(ctx, mine)
		}()
	}
	close(start)
	racing.Wait()
	winners := 0
	for i, o := range outcomes {
		switch {
		case errs[i] != nil:
			return fmt.Errorf("begin: %w", errs[i])
		case o.State == idem.Reserved:
			winners++
		case o.State != idem.InProgress:
			return fmt.Errorf("a loser is told %s, not InProgress", StateName(o.State))
		}
	}
	if winners != 1 {
		return fmt.Errorf("of %d newcomers at once %d reserved the key", racers, winners)
	}
	return nil
}

func resolveOrTakeOverWins(ctx context.Context, b *Bench) error {
	for n := range races {
		k := key(fmt.Sprintf("race-%d", n))
		r, _, fence, err := b.left(ctx, k)
		if err != nil {
			return err
		}
		race := resolveRace{key: k, fence: fence}
		starters := race.starters(ctx, b, r)
		if n%2 == 0 { // of goroutines that become ready together, the last one tends to run first
			slices.Reverse(starters)
		}
		together(starters)
		if err := race.result(); err != nil {
			return err
		}
	}
	return nil
}

// A resolveRace is between some who settle a record, all in the same way, and others who take it over.
type resolveRace struct {
	key      idem.Key
	fence    int64
	settled  [racers / 2]error
	taken    [racers / 2]error
	outcomes [racers / 2]idem.Outcome
}

func (race *resolveRace) starters(ctx context.Context, b *Bench, r idem.Resolver) []func() {
	var all []func()
	for i := range race.settled {
		all = append(all, func() {
			race.settled[i] = r.Resolve(ctx, race.key, race.fence, with("done"), keep)
		}, func() {
			next := reservation(race.key)
			next.TakeOver = race.fence
			race.outcomes[i], race.taken[i] = b.Begin(ctx, next)
		})
	}
	return all
}

func (race *resolveRace) result() error {
	settles, takes := false, false
	for i := range race.settled {
		switch {
		case race.taken[i] != nil:
			return fmt.Errorf("begin: %w", race.taken[i])
		case race.settled[i] != nil && !errors.Is(race.settled[i], idem.ErrLost):
			return fmt.Errorf("resolve: %w", race.settled[i])
		}
		settles = settles || race.settled[i] == nil
		takes = takes || race.outcomes[i].State == idem.Reserved
	}
	if settles == takes {
		return fmt.Errorf("the record is settled: %t; and taken over: %t", settles, takes)
	}
	return nil
}

// together starts all at one moment, and waits for them.
func together(all []func()) {
	var racing sync.WaitGroup
	start := make(chan struct{})
	for _, do := range all {
		racing.Add(1)
		go func() {
			defer racing.Done()
			<-start
			do()
		}()
	}
	close(start)
	racing.Wait()
}
