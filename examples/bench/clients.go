package main

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// patience is how long a run may take beyond its time before it fails: nothing here hangs.
const patience = 30 * time.Second

// An operation is what a client repeats.
type operation func(ctx context.Context) error

// clients repeat an operation for this long, each as fast as it is answered, and tell what each one took.
func clients(ctx context.Context, n int, run time.Duration, op operation, took func(client int, d time.Duration)) error {
	ctx, cancel := context.WithTimeout(ctx, run+patience)
	defer cancel()
	failed := make([]error, n)
	var working sync.WaitGroup
	start := time.Now()
	for i := range n {
		working.Go(func() {
			for begun := start; begun.Sub(start) < run; {
				if failed[i] = op(ctx); failed[i] != nil {
					cancel() // the others need not go on
					return
				}
				ended := time.Now()
				took(i, ended.Sub(begun))
				begun = ended
			}
		})
	}
	working.Wait()
	return errors.Join(failed...)
}

// throughput is a side: how often a second so many clients are done with an operation.
func throughput(n int, op operation) side {
	return func(ctx context.Context, run time.Duration) (float64, error) {
		type counter struct {
			n int
			_ [56]byte // a cache line each
		}
		done := make([]counter, n)
		start := time.Now()
		err := clients(ctx, n, run, op, func(client int, _ time.Duration) { done[client].n++ })
		elapsed := time.Since(start)
		total := 0
		for _, d := range done {
			total += d.n
		}
		return float64(total) / elapsed.Seconds(), err
	}
}

// slowest is the latency in milliseconds that 99 of 100 operations of so many clients do not exceed.
func slowest(ctx context.Context, n int, run time.Duration, op operation) (float64, error) {
	each := make([][]time.Duration, n)
	err := clients(ctx, n, run, op, func(client int, d time.Duration) { each[client] = append(each[client], d) })
	if err != nil {
		return 0, err
	}
	return float64(percentile99(slices.Concat(each...))) / float64(time.Millisecond), nil
}

func percentile99(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[(len(all)*99-1)/100]
}
