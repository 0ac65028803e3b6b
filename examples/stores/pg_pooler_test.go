package stores_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// Behind a proxy that pools by transaction every statement may meet another session.
func TestPgBehindPgBouncer(t *testing.T) {
	t.Parallel()
	p, name := newPgDatabase(t, "")
	pooler := live.PgBouncer(t, live.Postgres(t), 3)
	dsn := pooler.DSN(name)
	if err := pgstore.New(pgPool(t, dsn, pgMode(pgx.QueryExecModeExec))).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.exec(t, "CREATE TABLE effects (name bytea)")
	for _, mode := range []pgx.QueryExecMode{pgx.QueryExecModeExec, pgx.QueryExecModeSimpleProtocol} {
		t.Run(mode.String(), func(t *testing.T) {
			s := pgstore.New(pgPool(t, dsn, pgMode(mode), pgSet("client_encoding", "UTF8"), pgConns(20)))
			behindPooler(t, p, mode.String(), s, pgEffect)
		})
	}
	t.Run("lib/pq", func(t *testing.T) {
		behindPooler(t, p, "pq", pgstore.NewDB(pgDB(t, "postgres", dsn+" binary_parameters=yes")), pgDBEffect)
	})
	t.Run("rules", func(t *testing.T) {
		pool := pgPool(t, dsn, pgMode(pgx.QueryExecModeExec))
		storetest.Run(t, storetest.Harness{
			New: func(t testing.TB) idem.Store {
				prefix := fmt.Sprintf("p%d_", pgPlaces.Add(1))
				s := prefixed{pgstore.New(pool, pgstore.Prefix(prefix)), prefix}
				if err := s.Migrate(t.Context()); err != nil {
					t.Fatal(err)
				}
				return s
			},
			Advance: func(t testing.TB, s idem.Store, d time.Duration) {
				p.exec(t, "UPDATE "+s.(prefixed).prefix+`idempotency_keys
					SET lease_until = lease_until - $1, expires_at = expires_at - $1`, d.Microseconds())
			},
		})
	})
	t.Run("a race", func(t *testing.T) {
		direct := pgstore.New(pgPool(t, p.dsn))
		pools := []*pgstore.Store[pgx.Tx]{direct, pgstore.New(pgPool(t, dsn, pgMode(pgx.QueryExecModeExec)))}
		for n := range 10 {
			won := 0
			for _, state := range race(t, pools, fmt.Sprint("race", n), n%2 == 0) {
				if state == idem.Reserved {
					won++
				}
			}
			if won != 1 {
				t.Errorf("of newcomers at once %d reserved the key", won)
			}
		}
	})
	left := pgAsk[int](t, p, `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'
		AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
	if left != 0 {
		t.Errorf("%d advisory locks are left", left)
	}
}

// prefixed is one of several stores in a database.
type prefixed struct {
	*pgstore.Store[pgx.Tx]
	prefix string
}

// behindPooler runs handlers of both modes, and their retries, from more clients than the proxy has connections.
func behindPooler[Tx any](t *testing.T, p pgPlace, name string, s *pgstore.Store[Tx], write func(context.Context, Tx, string) error) {
	t.Helper()
	svc := idem.New(s, oneCaller)
	joined := idem.HandleTx(svc, &transfersCreate, s, func(ctx context.Context, tx Tx, _ transfer) (*idem.Response, error) {
		if err := write(ctx, tx, name); err != nil {
			return nil, err
		}
		return idem.JSON(201, "done")
	})
	leased := idem.Handle(svc, &transfersCreate, func(context.Context, transfer) (*idem.Response, error) {
		return idem.JSON(201, "done")
	})
	const keys = 25
	var sending sync.WaitGroup
	for n := range keys {
		for mode, h := range map[string]http.Handler{"joined": joined, "leased": leased} {
			sending.Add(1)
			go func() {
				defer sending.Done()
				key := fmt.Sprint(name, mode, n)
				if status, replayed := post(t.Context(), h, key); status != 201 || replayed {
					t.Errorf("%s: a first request: %d, replayed: %t", mode, status, replayed)
				}
				if status, replayed := post(t.Context(), h, key); status != 201 || !replayed {
					t.Errorf("%s: a retry: %d, replayed: %t", mode, status, replayed)
				}
			}()
		}
	}
	sending.Wait()
	if n, err := p.effects(t.Context(), name); n != keys || err != nil {
		t.Errorf("%d effects of %d keys, %v", n, keys, err)
	}
}
