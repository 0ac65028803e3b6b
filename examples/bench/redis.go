package main

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/idemgen/idemgen/runtime/redisstore"
)

// redisRow's baseline is what asking a script twice costs, whatever it does.
func redisRow(s *servers, connections int) row {
	return row{
		what:     fmt.Sprintf("redisstore Begin+Finalize, %s", counted(connections)),
		baseline: "two raw EVALSHA of an empty script",
		reach:    atLeast(0.85),
		unit:     perSecond,
		open: func(ctx context.Context) (sides, error) {
			server, err := s.redis()
			if err != nil {
				return sides{}, err
			}
			client := redis.NewClient(&redis.Options{Addr: server.Addr(), PoolSize: connections, ContextTimeoutEnabled: true})
			closed := func() { _ = client.Close() }
			empty, err := client.ScriptLoad(ctx, "return {}").Result()
			if err != nil {
				closed()
				return sides{}, err
			}
			eval := redisEval(client)
			twice := func(ctx context.Context) error {
				key := "idem:{" + newcomer().Key.Value + "}"
				for range 2 {
					if _, err := eval(ctx, "EVALSHA", empty, key, nil); err != nil {
						return err
					}
				}
				return nil
			}
			store := redisstore.New(eval, redisstore.Options{Retention: time.Minute})
			return sides{throughput(connections, beginFinalize(store, 0)), throughput(connections, twice), closed}, nil
		},
	}
}

func redisEval(client *redis.Client) redisstore.Eval {
	return func(ctx context.Context, command, script, key string, args []string) (any, error) {
		words := append(make([]any, 0, 4+len(args)), command, script, 1, key)
		for _, arg := range args {
			words = append(words, arg)
		}
		return client.Do(ctx, words...).Result()
	}
}
