package redisstore_test

import (
	"context"
	"errors"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/redisstore"
)

// A client is what the program imports: here with the method Do of go-redis, without the type of its result.
type client interface {
	Do(ctx context.Context, words ...any) (any, error)
}

var connected client

func Example() {
	ctx := context.Background()
	eval := func(ctx context.Context, command, script, key string, args []string) (any, error) {
		words := []any{command, script, 1, key}
		for _, arg := range args {
			words = append(words, arg)
		}
		return connected.Do(ctx, words...)
	}
	store := redisstore.New(eval, redisstore.Options{Retention: 24 * time.Hour})
	if err := store.Check(ctx); err != nil {
		return // or a warning, where the service accepts, say, redisstore.ErrForgets
	}

	r := idem.Reservation{
		Key: idem.Key{
			Scope:    idem.Scope{Tenant: "acme", Actor: "u-17"},
			Endpoint: "claims.create",
			Value:    "5f1c",
		},
		Token: idem.NewToken(),
		Lease: 30 * time.Second,
	}
	if o, err := store.Begin(ctx, r); err != nil || o.State != idem.Reserved {
		return
	}
	response := idem.Response{Status: 201, Body: []byte("claim 7")}
	if err := store.Finalize(ctx, r.Key, r.Token, response, 0); errors.Is(err, idem.ErrLost) {
		return // another owner took the record over, or Redis lost it: the work may run twice
	}
}
