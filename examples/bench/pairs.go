package main

import (
	"context"
	"slices"
	"time"
)

// A side is one of two things that are compared. It runs for about so long and returns a figure: operations a second, or a
// latency.
type side func(ctx context.Context, run time.Duration) (float64, error)

// A row is one comparison.
type row struct {
	what, baseline string
	reach          reach
	unit           unit
	longer         int // a run lasts so many times as long; 0 is 1
	most           int // pairs of runs, where one takes long whatever it is asked; 0 is as many as there are to be

	// open makes ready what the sides need, until they are closed.
	open func(ctx context.Context) (sides, error)
}

type sides struct {
	ours, baseline side
	close          func()
}

// A plan is how much is measured for a row.
type plan struct {
	run   time.Duration
	pairs int
}

// A pair is the figures of two runs that followed each other.
type pair struct{ ours, baseline float64 }

func (p pair) ratio() float64 { return p.ours / p.baseline }

// measure runs both sides in turns, the one that was last first: A B, B A, A B. So neither is always the one that the
// machine's slower half second, or what the other left to be done, falls upon. One shorter run of each goes before, for
// connections, prepared statements and caches.
func measure(ctx context.Context, p plan, s sides) ([]pair, error) {
	for _, warm := range []side{s.ours, s.baseline} {
		if _, err := warm(ctx, p.run/4); err != nil {
			return nil, err
		}
	}
	var pairs []pair
	for i := range p.pairs {
		var (
			figures [2]float64
			order   = [2]side{s.ours, s.baseline}
		)
		if i%2 == 1 {
			slices.Reverse(order[:])
		}
		for j, next := range order {
			var err error
			if figures[j], err = next(ctx, p.run); err != nil {
				return nil, err
			}
		}
		if i%2 == 1 {
			slices.Reverse(figures[:])
		}
		pairs = append(pairs, pair{ours: figures[0], baseline: figures[1]})
	}
	return pairs, nil
}

// spread is the median of values, and the least and the greatest of them.
func spread(values []float64) (median, least, greatest float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2, sorted[0], sorted[n-1]
}
