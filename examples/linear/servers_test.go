package linear_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// postgres is a store with the pool that it works on.
type postgres struct {
	*pgstore.Store[pgx.Tx]
	pool *pgxpool.Pool
}

// postgresAt opens a pool of its own.
func postgresAt(ctx context.Context, dsn string) (postgres, error) {
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return postgres{}, err
	}
	s := postgres{pgstore.New(pool), pool}
	if err := s.Migrate(ctx); err != nil {
		pool.Close()
		return postgres{}, err
	}
	return s, nil
}

var schemas atomic.Int64

// newSchema makes a place for a test's tables, and says how to get there.
func newSchema(t testing.TB) (dsn string) {
	t.Helper()
	server, name := live.Postgres(t), fmt.Sprintf("place%d", schemas.Add(1))
	onPostgres(t, "CREATE SCHEMA "+name)
	return server.DSN("postgres") + " search_path=" + name
}

// onPostgres runs a statement as the superuser.
func onPostgres(t testing.TB, text string, args ...any) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), live.Postgres(t).DSN("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	if _, err := conn.Exec(t.Context(), text, args...); err != nil {
		t.Fatal(err)
	}
}

func openPostgres(t testing.TB) []idem.Store {
	dsn := newSchema(t)
	var doors []idem.Store
	for range 2 {
		s, err := postgresAt(t.Context(), dsn)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.pool.Close)
		doors = append(doors, s.Store)
	}
	return doors
}

func openRedis(t testing.TB) []idem.Store {
	return []idem.Store{newRedis(t, live.Redis(t).Addr()), newRedis(t, live.Redis(t).Addr())}
}

// openRedisCluster has three masters with one clock, because they are on one machine.
func openRedisCluster(t testing.TB) []idem.Store {
	addrs := live.RedisCluster(t).Addrs()
	return []idem.Store{newRedis(t, addrs...), newRedis(t, addrs...)}
}

func newRedis(t testing.TB, addrs ...string) *redisstore.Store {
	t.Helper()
	client := redis.NewUniversalClient(&redis.UniversalOptions{
		Addrs: addrs, IsClusterMode: len(addrs) > 1, ContextTimeoutEnabled: true,
	})
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	eval := func(ctx context.Context, command, script, key string, args []string) (any, error) {
		words := []any{command, script, 1, key}
		for _, arg := range args {
			words = append(words, arg)
		}
		return client.Do(ctx, words...).Result()
	}
	return redisstore.New(eval, redisstore.Options{Retention: time.Hour, Prefix: fmt.Sprintf("%s:", t.Name())})
}
