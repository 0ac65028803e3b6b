package stores_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// runPg runs all of storetest on the stores that open makes.
func runPg[Tx any](t *testing.T, open func(testing.TB) pgStore[Tx], write func(context.Context, Tx, string) error) {
	storetest.Run(t, storetest.Harness{
		New:     func(t testing.TB) idem.Store { return open(t) },
		Advance: pgAdvance[Tx],
	})
	runPgTx(t, open, write)
}

func runPgTx[Tx any](t *testing.T, open func(testing.TB) pgStore[Tx], write func(context.Context, Tx, string) error) {
	storetest.RunTx(t, storetest.TxHarness[Tx]{
		New:     func(t testing.TB) idem.TxStore[Tx] { return open(t) },
		Advance: pgAdvance[Tx],
		Write:   write,
		Written: func(ctx context.Context, s idem.TxStore[Tx], name string) (bool, error) {
			n, err := s.(pgStore[Tx]).effects(ctx, name)
			return n > 0, err
		},
	})
}

func pgAdvance[Tx any](t testing.TB, s idem.Store, d time.Duration) {
	t.Helper()
	s.(pgStore[Tx]).later(t, d)
}

func TestPgxRules(t *testing.T) {
	t.Parallel()
	runPg(t, func(t testing.TB) pgStore[pgx.Tx] { return openPgx(t) }, pgEffect)
}

// The simple protocol is what remains where a proxy knows no other.
func TestPgxSimpleProtocolRules(t *testing.T) {
	t.Parallel()
	runPg(t, func(t testing.TB) pgStore[pgx.Tx] { return openPgx(t, pgMode(pgx.QueryExecModeSimpleProtocol)) }, pgEffect)
}

func TestPgxStdlibRules(t *testing.T) {
	t.Parallel()
	runPg(t, func(t testing.TB) pgStore[*sql.Tx] { return openPgDB(t, "pgx") }, pgDBEffect)
}

func TestPqRules(t *testing.T) {
	t.Parallel()
	runPg(t, func(t testing.TB) pgStore[*sql.Tx] { return openPgDB(t, "postgres") }, pgDBEffect)
}

// What the caller's transactions begin with is the caller's.
func TestPgSerializableRules(t *testing.T) {
	t.Parallel()
	serializable := pgSet("default_transaction_isolation", "serializable")
	runPg(t, func(t testing.TB) pgStore[pgx.Tx] { return openPgx(t, serializable) }, pgEffect)
}

func TestPgRepeatableReadRules(t *testing.T) {
	t.Parallel()
	repeatable := pgSet("default_transaction_isolation", "repeatable read")
	runPgTx(t, func(t testing.TB) pgStore[pgx.Tx] { return openPgx(t, repeatable) }, pgEffect)
}
