package stores_test

import (
	"context"
	"database/sql"
	"sync/atomic"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// memory is a store with the time that it lives in.
type memory struct {
	*memstore.Store
	passed *atomic.Int64
}

func newMemory(capacity int) memory {
	m := memory{passed: new(atomic.Int64)}
	m.Store = memstore.New(memstore.Options{
		Capacity:  capacity,
		Retention: 24 * time.Hour,
		Now:       func() time.Time { return time.Now().Add(time.Duration(m.passed.Load())) },
	})
	return m
}

func TestMemoryRules(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Harness{
		New:     func(testing.TB) idem.Store { return newMemory(1000) },
		Advance: func(_ testing.TB, s idem.Store, d time.Duration) { s.(memory).passed.Add(int64(d)) },
		Bounded: func(_ testing.TB, n int) idem.Store { return newMemory(n) },
	})
}

func TestSQLiteRules(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Harness{
		New:     func(t testing.TB) idem.Store { return newSQLite(t) },
		Advance: advance,
	})
}

func TestSQLiteTxRules(t *testing.T) {
	t.Parallel()
	storetest.RunTx(t, storetest.TxHarness[*sql.Tx]{
		New:     func(t testing.TB) idem.TxStore[*sql.Tx] { return newSQLite(t) },
		Advance: advance,
		Write:   writeEffect,
		Written: func(ctx context.Context, s idem.TxStore[*sql.Tx], name string) (bool, error) {
			n, err := effects(ctx, s.(sqlite).db, name)
			return n > 0, err
		},
	})
}

// An in-memory database works behind a pool of one connection.
func TestSQLiteInMemoryRules(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Harness{
		New:     func(t testing.TB) idem.Store { return newSQLiteInMemory(t) },
		Advance: advance,
	})
}
