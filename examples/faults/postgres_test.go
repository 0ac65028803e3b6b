package faults_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/lib/pq"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

var schemas atomic.Int64

// startPostgres makes a schema in the test binary's server.
func startPostgres(t testing.TB) place {
	t.Helper()
	return startPostgresAt(t, live.Postgres(t).Addr())
}

// startPostgresAt makes a schema in the server that listens there.
func startPostgresAt(t testing.TB, tcp string) place {
	t.Helper()
	schema := fmt.Sprintf("faults%d", schemas.Add(1))
	by := func(tcp string) string {
		host, port, err := net.SplitHostPort(tcp)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("host=%s port=%s user=idem dbname=postgres sslmode=disable search_path=%s", host, port, schema)
	}
	p := place{address: by(tcp), tcp: tcp, by: by}
	pool := pgPool(t, p.address)
	if _, err := pool.Exec(t.Context(), "CREATE SCHEMA "+schema); err != nil {
		t.Fatal(err)
	}
	if err := pgstore.New(pool).Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), "CREATE TABLE effects (name text, id text, half int)"); err != nil {
		t.Fatal(err)
	}
	p.effects = func(ctx context.Context) (map[string][]string, error) { return pgEffects(ctx, pool) }
	return p
}

// crashPostgres starts a server for one test, and says how to crash it: one of its processes is killed with SIGKILL, upon
// which PostgreSQL ends all others, forgets what is not on the disk, and recovers.
func crashPostgres(t testing.TB) (place, func() error) {
	t.Helper()
	server, err := live.StartPostgres(live.PostgresOptions{})
	if err != nil {
		live.Postgres(t) // skips the test where there is none
		t.Fatal(err)
	}
	t.Cleanup(server.Stop)
	p := startPostgresAt(t, server.Addr())
	return p, func() error {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		victim, err := pgx.Connect(ctx, p.address)
		if err != nil {
			return err
		}
		defer victim.Close(ctx)
		witness, err := pgx.Connect(ctx, p.address)
		if err != nil {
			return err
		}
		defer witness.Close(ctx)
		if err := syscall.Kill(int(victim.PgConn().PID()), syscall.SIGKILL); err != nil {
			return err
		}
		for witness.Ping(ctx) == nil { // until the server has noticed
			time.Sleep(5 * time.Millisecond)
		}
		for {
			conn, err := pgx.Connect(ctx, p.address)
			if err == nil {
				return conn.Close(ctx)
			}
			if ctx.Err() != nil {
				return err
			}
			time.Sleep(20 * time.Millisecond)
		}
	}
}

// pgPool is for what a test does beside the workers.
func pgPool(t testing.TB, address string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

const pgInsert = "INSERT INTO effects (name, id, half) VALUES ($1, $2, $3)"

func openPgx(ctx context.Context, j job) (service, error) {
	config, err := pgxpool.ParseConfig(j.Address)
	if err != nil {
		return service{}, err
	}
	config.MaxConns = int32(j.Pool)
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return service{}, err
	}
	half := func(ctx context.Context, tx pgx.Tx, e effect, half int) error {
		_, err := tx.Exec(ctx, pgInsert, e.name, e.id, half)
		return err
	}
	alone := func(ctx context.Context, fn func(pgx.Tx) error) error { return pgx.BeginFunc(ctx, pool, fn) }
	return newService(pgstore.New(pool), half, alone), nil
}

func openPq(_ context.Context, j job) (service, error) {
	db, err := sql.Open("postgres", j.Address)
	if err != nil {
		return service{}, err
	}
	db.SetMaxOpenConns(j.Pool)
	db.SetMaxIdleConns(j.Pool)
	return newService(pgstore.NewDB(db), sqlHalf(pgInsert), sqlAlone(db)), nil
}

func pgEffects(ctx context.Context, pool *pgxpool.Pool) (map[string][]string, error) {
	var (
		rows pgx.Rows
		err  error
	)
	for range 3 { // after a restart of the server the pool has dead connections
		if rows, err = pool.Query(ctx, selectEffects); err == nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	found := halves{}
	var (
		e effect
		n int
	)
	if _, err := pgx.ForEachRow(rows, []any{&e.name, &e.id, &n}, func() error {
		found[e] = n
		return nil
	}); err != nil {
		return nil, errors.Join(errors.New("count effects"), err)
	}
	return found.effects()
}
