package stores_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/jackc/pgx/v5/stdlib"
	_ "github.com/lib/pq"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

// A pgPlace is where a test's tables are: a schema or a database that no other test has.
type pgPlace struct {
	dsn string
	// admin is a pool for what a test does beside the store.
	admin *pgxpool.Pool
}

var pgPlaces atomic.Int64

// newPgPlace makes a schema.
func newPgPlace(t testing.TB) pgPlace {
	t.Helper()
	schema := fmt.Sprintf("place%d", pgPlaces.Add(1))
	p := pgPlaceAt(t, live.Postgres(t).DSN("postgres")+" search_path="+schema)
	p.exec(t, "CREATE SCHEMA "+schema)
	return p
}

// newPgDatabase makes a database of another kind than the server's others.
func newPgDatabase(t testing.TB, options string) (pgPlace, string) {
	t.Helper()
	server := live.Postgres(t)
	name := fmt.Sprintf("place%d", pgPlaces.Add(1))
	pgPlaceAt(t, server.DSN("postgres")).exec(t, "CREATE DATABASE "+name+" TEMPLATE template0 "+options)
	return pgPlaceAt(t, server.DSN(name)), name
}

func pgPlaceAt(t testing.TB, dsn string) pgPlace {
	t.Helper()
	// What the tests do beside need not survive a crash.
	return pgPlace{dsn: dsn, admin: pgPool(t, dsn, pgSet("synchronous_commit", "off"))}
}

func (p pgPlace) exec(t testing.TB, text string, args ...any) {
	t.Helper()
	if _, err := p.admin.Exec(t.Context(), text, args...); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

// pgAsk reads the one value of a query.
func pgAsk[V any](t testing.TB, p pgPlace, text string, args ...any) (v V) {
	t.Helper()
	if err := p.admin.QueryRow(t.Context(), text, args...).Scan(&v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// later lets d pass: every lease and retention ends earlier, because the clock is the server's own.
func (p pgPlace) later(t testing.TB, d time.Duration) {
	t.Helper()
	p.exec(t, "UPDATE idempotency_keys SET lease_until = lease_until - $1, expires_at = expires_at - $1", d.Microseconds())
}

// effects counts the business rows of this name.
func (p pgPlace) effects(ctx context.Context, name string) (n int, err error) {
	err = p.admin.QueryRow(ctx, "SELECT count(*) FROM effects WHERE name = $1", []byte(name)).Scan(&n)
	return n, err
}

// noEffect fails the test where the business row is there.
func (p pgPlace) noEffect(t testing.TB, name string) {
	t.Helper()
	if n, err := p.effects(t.Context(), name); n != 0 || err != nil {
		t.Errorf("%d business rows, %v", n, err)
	}
}

// pgPool opens a pool that ends with the test.
func pgPool(t testing.TB, dsn string, change ...func(*pgxpool.Config)) *pgxpool.Pool {
	t.Helper()
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	config.MaxConns = 8
	for _, c := range change {
		c(config)
	}
	pool, err := pgxpool.NewWithConfig(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// pgSet has every connection of a pool begin with a setting.
func pgSet(name, value string) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) { c.ConnConfig.RuntimeParams[name] = value }
}

func pgMode(mode pgx.QueryExecMode) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) { c.ConnConfig.DefaultQueryExecMode = mode }
}

func pgConns(n int32) func(*pgxpool.Config) {
	return func(c *pgxpool.Config) { c.MaxConns = n }
}

// pgDB opens a pool of database/sql that ends with the test.
func pgDB(t testing.TB, driver, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// A pgStore is a store with its place.
type pgStore[Tx any] struct {
	*pgstore.Store[Tx]
	pgPlace
}

// newPg makes the store's tables, and one for the work of the tests.
func newPg[Tx any](t testing.TB, s *pgstore.Store[Tx], p pgPlace) pgStore[Tx] {
	t.Helper()
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	p.exec(t, "CREATE TABLE IF NOT EXISTS effects (name bytea)")
	return pgStore[Tx]{s, p}
}

// openPgx opens a store on a pool of pgx.
func openPgx(t testing.TB, change ...func(*pgxpool.Config)) pgStore[pgx.Tx] {
	t.Helper()
	p := newPgPlace(t)
	return newPg(t, pgstore.New(pgPool(t, p.dsn, change...)), p)
}

// openPgDB opens a store on a pool of database/sql.
func openPgDB(t testing.TB, driver string) pgStore[*sql.Tx] {
	t.Helper()
	p := newPgPlace(t)
	return newPg(t, pgstore.NewDB(pgDB(t, driver, p.dsn)), p)
}

func pgEffect(ctx context.Context, tx pgx.Tx, name string) error {
	_, err := tx.Exec(ctx, "INSERT INTO effects (name) VALUES ($1)", []byte(name))
	return err
}

func pgDBEffect(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO effects (name) VALUES ($1)", []byte(name))
	return err
}

// look fails the test unless Lookup says want.
func look(t *testing.T, s idem.Store, k idem.Key, want idem.State) {
	t.Helper()
	if o, err := s.Lookup(t.Context(), k); err != nil || o.State != want {
		t.Errorf("Lookup says %+v, %v, not state %d", o, err, want)
	}
}
