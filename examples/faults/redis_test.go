package faults_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// startRedis takes a part of the test binary's server.
func startRedis(t testing.TB) place {
	t.Helper()
	return startRedisAt(t, live.Redis(t).Addr())
}

// startRedisCluster takes a part of the test binary's cluster.
func startRedisCluster(t testing.TB) place {
	t.Helper()
	return startRedisAt(t, live.RedisCluster(t).Addrs()...)
}

var redisParts atomic.Int64

// startRedisAt takes the keys with a prefix that no other test has. An address is the prefix, a blank, and where to connect.
func startRedisAt(t testing.TB, tcp ...string) place {
	t.Helper()
	prefix := fmt.Sprintf("faults%d:", redisParts.Add(1))
	by := func(tcp string) string { return prefix + " " + tcp }
	p := place{address: by(strings.Join(tcp, ",")), tcp: tcp[0], by: by}
	_, client := redisClient(p.address, job{Pool: 4}, 3)
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	p.effects = func(ctx context.Context) (map[string][]string, error) { return redisEffects(ctx, client, prefix) }
	return p
}

// redisClient is a client of the address, of one server or of a cluster.
func redisClient(address string, j job, retries int) (string, redis.UniversalClient) {
	prefix, tcp, _ := strings.Cut(address, " ")
	addrs := strings.Split(tcp, ",")
	return prefix, redis.NewUniversalClient(&redis.UniversalOptions{
		Addrs: addrs, IsClusterMode: len(addrs) > 1, PoolSize: j.Pool, MaxActiveConns: j.Pool,
		ContextTimeoutEnabled: true, MaxRetries: retries,
	})
}

func openRedis(_ context.Context, j job) (service, error) {
	prefix, client := redisClient(j.Address, j, 1)
	eval := func(ctx context.Context, command, script, key string, args []string) (any, error) {
		words := []any{command, script, 1, key}
		for _, arg := range args {
			words = append(words, arg)
		}
		return client.Do(ctx, words...).Result()
	}
	store := redisstore.New(eval, redisstore.Options{Retention: 24 * time.Hour, Prefix: prefix})
	// Every verb of a store may be sent again by the client, an effect may not.
	const never = -1
	_, once := redisClient(j.Address, j, never)
	return service{store: &gated{store}, effect: func(ctx context.Context, e effect) error {
		_, err := once.TxPipelined(ctx, func(tx redis.Pipeliner) error {
			tx.RPush(ctx, redisList(prefix), e.name+" "+e.id)
			pass(ctx, midEffect)
			tx.RPush(ctx, redisList(prefix), e.name+" "+e.id)
			return nil
		})
		return err
	}}, nil
}

// redisList has the halves of effects.
func redisList(prefix string) string { return prefix + "effects" }

func redisEffects(ctx context.Context, client redis.UniversalClient, prefix string) (map[string][]string, error) {
	lines, err := client.LRange(ctx, redisList(prefix), 0, -1).Result()
	if err != nil {
		return nil, errors.Join(errors.New("count effects"), err)
	}
	found := halves{}
	for _, line := range lines {
		name, id, _ := strings.Cut(line, " ")
		found[effect{name, id}]++
	}
	return found.effects()
}

// crashRedis starts a server for one test that has what it did on disk before it answers, and says how to crash it. With
// appendfsync everysec it keeps its writes back, for up to two seconds, while the disk is busy with those before: then
// the end of the process alone loses acknowledged records, which this test has seen.
func crashRedis(t testing.TB) (place, func() error) {
	t.Helper()
	server := live.NewRedis(t, live.RedisOptions{Settings: map[string]string{"appendonly": "yes", "appendfsync": "always"}})
	return startRedisAt(t, server.Addr()), func() error {
		if err := server.Kill(); err != nil {
			return err
		}
		return server.Restart()
	}
}
