package stores_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/examples/stores/live"
	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// rulesOnRedis runs every rule on stores that share a client.
func rulesOnRedis(t *testing.T, client redis.UniversalClient) {
	storetest.Run(t, storetest.Harness{
		New:     func(t testing.TB) idem.Store { return newRedis(t, client) },
		Advance: advanceRedis,
	})
}

func TestRedisRules(t *testing.T) {
	t.Parallel()
	for name, protocol := range map[string]int{"RESP2": 2, "RESP3": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := redisOptions(live.Redis(t).Addr())
			o.Protocol = protocol
			rulesOnRedis(t, redisClient(t, o))
		})
	}
}

func TestRedisClusterRules(t *testing.T) {
	t.Parallel()
	rulesOnRedis(t, redisClient(t, redisOptions(live.RedisCluster(t).Addrs()...)))
}
