package stores_test

import (
	"context"
	"net/http"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// A store over go-redis: a single server, a cluster or a failover group, as the client is told.
func Example_goRedis() {
	client := redis.NewUniversalClient(&redis.UniversalOptions{
		Addrs:                 []string{"redis.internal:6379"},
		ContextTimeoutEnabled: true, // else a server that hangs holds a request for longer than the service allows
	})
	defer client.Close()

	eval := func(ctx context.Context, command, script, key string, args []string) (any, error) {
		words := []any{command, script, 1, key}
		for _, arg := range args {
			words = append(words, arg)
		}
		return client.Do(ctx, words...).Result()
	}
	store := redisstore.New(eval, redisstore.Options{Retention: 24 * time.Hour})
	if err := store.Check(context.Background()); err != nil {
		return // the server may lose records: see the package's comment
	}
	_ = idem.New(store, func(r *http.Request) (idem.Scope, error) {
		return idem.Scope{Tenant: idem.SingleTenant, Actor: idem.Anonymous}, nil
	})
}
