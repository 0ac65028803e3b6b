package main

import (
	"context"
	"runtime"
	"sync"
	"time"

	"github.com/idemgen/idemgen/runtime/memstore"
)

// roomy is a store that no run fills.
func roomy() *memstore.Store {
	return memstore.New(memstore.Options{Capacity: 1 << 30, Retention: time.Hour, MaxBytes: 1 << 40})
}

// memoryRow's baseline remembers nothing when it is done, and so has no garbage to collect; it is the least that two
// steps on a map that is shared can cost.
func memoryRow() row {
	n := runtime.GOMAXPROCS(0)
	return row{
		what:     "memstore Begin+Finalize, parallel",
		baseline: "one sync.Map LoadOrStore + Delete",
		unit:     perSecond,
		open: func(context.Context) (sides, error) {
			ours := func(ctx context.Context, run time.Duration) (float64, error) {
				runtime.GC() // the former run's records
				return throughput(n, beginFinalize(roomy(), 0))(ctx, run)
			}
			var inFlight sync.Map
			baseline := throughput(n, func(context.Context) error {
				r := newcomer()
				inFlight.LoadOrStore(r.Key, r.Token)
				inFlight.Delete(r.Key)
				return nil
			})
			return sides{ours, baseline, func() {}}, nil
		},
	}
}
