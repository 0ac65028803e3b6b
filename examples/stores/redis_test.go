package stores_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// redisEval lets a store work through go-redis: a client of one server, of a cluster or of a failover group.
func redisEval(client redis.UniversalClient) redisstore.Eval {
	return func(ctx context.Context, command, script, key string, args []string) (any, error) {
		words := append(make([]any, 0, 4+len(args)), command, script, 1, key)
		for _, arg := range args {
			words = append(words, arg)
		}
		return client.Do(ctx, words...).Result()
	}
}

// redisKept is a store with its client, and the Redis keys that it has touched.
type redisKept struct {
	*redisstore.Store
	client redis.UniversalClient
	prefix string
	keys   *redisKeys
}

type redisKeys struct {
	sync.Mutex
	seen map[string]int
}

// all are the keys, each once.
func (k *redisKeys) all() []string {
	k.Lock()
	defer k.Unlock()
	return slices.Sorted(maps.Keys(k.seen))
}

func (k *redisKeys) recording(eval redisstore.Eval) redisstore.Eval {
	return func(ctx context.Context, command, script, key string, args []string) (any, error) {
		k.Lock()
		k.seen[key]++
		k.Unlock()
		return eval(ctx, command, script, key, args)
	}
}

// quietRedis drops what go-redis says of servers that are down: here they are meant to be.
type quietRedis struct{}

func (quietRedis) Printf(context.Context, string, ...any) {}

func init() { redis.SetLogger(quietRedis{}) }

// redisOptions are those of a client that a test can wait for.
func redisOptions(addrs ...string) *redis.UniversalOptions {
	return &redis.UniversalOptions{Addrs: addrs, IsClusterMode: len(addrs) > 1, ContextTimeoutEnabled: true,
		DialTimeout: time.Second, ReadTimeout: 5 * time.Second, WriteTimeout: 5 * time.Second, MaxRetries: 1}
}

func redisClient(t testing.TB, o *redis.UniversalOptions) redis.UniversalClient {
	t.Helper()
	client := redis.NewUniversalClient(o)
	t.Cleanup(func() {
		if err := client.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

var redisPrefixes atomic.Int64

// newRedis opens a store with a prefix of its own.
func newRedis(t testing.TB, client redis.UniversalClient) redisKept {
	t.Helper()
	return newRedisOver(t, client, redisEval(client))
}

func newRedisOver(t testing.TB, client redis.UniversalClient, eval redisstore.Eval) redisKept {
	t.Helper()
	s := redisKept{client: client, prefix: fmt.Sprintf("place%d:", redisPrefixes.Add(1)),
		keys: &redisKeys{seen: map[string]int{}}}
	s.Store = redisstore.New(s.keys.recording(eval), redisstore.Options{Retention: 24 * time.Hour, Prefix: s.prefix})
	return s
}

// earlier moves a lease's end by ARGV[1] microseconds and a time to live by ARGV[2] milliseconds.
var earlier = redis.NewScript(`
if redis.call('HEXISTS', KEYS[1], 'lease_until') == 1 then redis.call('HINCRBY', KEYS[1], 'lease_until', ARGV[1]) end
local left = redis.call('PTTL', KEYS[1])
if left >= 0 then redis.call('PEXPIRE', KEYS[1], left + ARGV[2]) end
return 1`)

// advanceRedis lets d pass: every lease and retention ends earlier, because the clock is the server's own.
func advanceRedis(t testing.TB, s idem.Store, d time.Duration) {
	t.Helper()
	kept := s.(redisKept)
	keys := kept.keys.all()
	if len(keys) == 0 {
		return
	}
	_, err := kept.client.Pipelined(t.Context(), func(pipe redis.Pipeliner) error {
		for _, key := range keys {
			earlier.Eval(t.Context(), pipe, []string{key}, -d.Microseconds(), -d.Milliseconds())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// settings asks a server of the test's own to be another one.
func settings(t testing.TB, client redis.UniversalClient, pairs ...string) {
	t.Helper()
	for pair := range slices.Chunk(pairs, 2) {
		if err := client.ConfigSet(t.Context(), pair[0], pair[1]).Err(); err != nil {
			t.Fatal(err)
		}
	}
}

// redisAlone opens a store on a server that no other test uses.
func redisAlone(t testing.TB, pairs ...string) (redisKept, *live.RedisServer) {
	t.Helper()
	o := live.RedisOptions{Settings: map[string]string{}}
	for pair := range slices.Chunk(pairs, 2) {
		o.Settings[pair[0]] = pair[1]
	}
	server := live.NewRedis(t, o)
	return newRedis(t, redisClient(t, redisOptions(server.Addr()))), server
}
