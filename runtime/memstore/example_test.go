package memstore_test

import (
	"context"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/memstore"
)

func Example() {
	store := memstore.New(memstore.Options{Capacity: 100_000, Retention: 24 * time.Hour})

	ctx := context.Background()
	first := idem.Reservation{
		Key: idem.Key{
			Scope:    idem.Scope{Tenant: "acme", Actor: "u-17"},
			Endpoint: "claims.create",
			Value:    "5f1c",
		},
		Token: idem.NewToken(),
		Lease: 30 * time.Second,
	}
	o, err := store.Begin(ctx, first)
	if err != nil || o.State != idem.Reserved {
		return
	}
	response := idem.Response{Status: 201, Body: []byte("claim 7")}
	if err := store.Finalize(ctx, first.Key, first.Token, response, 0); err != nil {
		return
	}

	retry := first
	retry.Token = idem.NewToken()
	o, err = store.Begin(ctx, retry)
	fmt.Println(o.State == idem.Replay, string(o.Response.Body), err)
	// Output: true claim 7 <nil>
}
