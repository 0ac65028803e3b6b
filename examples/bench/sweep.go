package main

import (
	"context"
	"fmt"
	"time"
)

const (
	sweepRate    = 1000 // records a second
	sweepClients = 16
	sweepEvery   = 100 * time.Millisecond
)

// sweepRow compares how long the slowest of the clients' operations take: p99 with Sweep over p99 without.
func sweepRow(s *servers) row {
	return row{
		what:     fmt.Sprintf("pgstore Sweep of %d records a second while %d clients work", sweepRate, sweepClients),
		baseline: "the same clients without Sweep",
		reach:    atMost(1.5),
		unit:     p99,
		longer:   4, // a percentile needs more than an average
		open: func(ctx context.Context) (sides, error) {
			p, err := openPlace(ctx, s, sweepClients+1)
			quiet := func(ctx context.Context, run time.Duration) (float64, error) {
				if err := p.expire(ctx, run); err != nil {
					return 0, err
				}
				return slowest(ctx, sweepClients, run, beginFinalize(p.store, time.Hour))
			}
			swept := func(ctx context.Context, run time.Duration) (float64, error) {
				if err := p.expire(ctx, run); err != nil {
					return 0, err
				}
				sweeping := p.sweepDuring(ctx, run)
				figure, err := slowest(ctx, sweepClients, run, beginFinalize(p.store, time.Hour))
				if failed := <-sweeping; failed != nil {
					return 0, failed
				}
				return figure, err
			}
			return sides{swept, quiet, p.Close}, err
		},
	}
}

// expire leaves as many records past their retention as a sweep finds in a run, and some more, and no others. They are copies of
// one that the store made.
func (p place) expire(ctx context.Context, run time.Duration) error {
	if _, err := p.Exec(ctx, "TRUNCATE idempotency_keys"); err != nil {
		return err
	}
	if err := beginFinalize(p.store, time.Microsecond)(ctx); err != nil {
		return err
	}
	return p.copyRecord(ctx, "idempotency_keys", int(run.Seconds()*sweepRate)+sweepRate)
}

// copyRecord fills a table with n copies of the one record in it, under other keys. What columns it has is the store's affair.
func (p place) copyRecord(ctx context.Context, table string, n int) error {
	tx, err := p.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx) // after the commit it does nothing
	for _, text := range []string{
		fmt.Sprintf("CREATE TEMP TABLE copies ON COMMIT DROP AS SELECT k.* FROM generate_series(1, %d), (SELECT * FROM %s LIMIT 1) AS k", n, table),
		"UPDATE copies SET idempotency_key = convert_to(md5(random()::text || ctid), 'UTF8')",
		fmt.Sprintf("INSERT INTO %s SELECT * FROM copies", table),
	} {
		if _, err := tx.Exec(ctx, text); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}

// sweepDuring removes records at the rate, until the run is over. It fails where it cannot keep up.
func (p place) sweepDuring(ctx context.Context, run time.Duration) <-chan error {
	ended := make(chan error, 1)
	go func() {
		const limit = sweepRate * int(sweepEvery) / int(time.Second)
		tick := time.NewTicker(sweepEvery)
		defer tick.Stop()
		start, swept := time.Now(), 0
		for time.Since(start) < run {
			n, err := p.store.Sweep(ctx, limit)
			if err != nil {
				ended <- err
				return
			}
			swept += n
			<-tick.C
		}
		elapsed := time.Since(start)
		if want := elapsed.Seconds() * sweepRate; float64(swept) < 0.7*want {
			ended <- fmt.Errorf("%d records swept in %v, and not %.0f", swept, elapsed.Round(time.Millisecond), want)
			return
		}
		ended <- nil
	}()
	return ended
}
