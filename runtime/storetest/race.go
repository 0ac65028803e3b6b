package storetest

import (
	"context"
	"fmt"
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
