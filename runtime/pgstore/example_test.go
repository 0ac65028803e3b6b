package pgstore_test

import (
	"context"
	"database/sql"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// Opening takes a driver, which the program imports: here lib/pq or pgx/v5/stdlib. With a *pgxpool.Pool it is
// pgstore.New(pool), and the transaction is a pgx.Tx.
func Example() {
	ctx := context.Background()
	db, err := sql.Open("postgres", "postgres://ledger@db.internal/ledger")
	if err != nil {
		return
	}
	defer db.Close()
	store := pgstore.NewDB(db)
	if err := store.Migrate(ctx); err != nil {
		return
	}

	r := idem.Reservation{
		Key: idem.Key{
			Scope:    idem.Scope{Tenant: "acme", Actor: "u-17"},
			Endpoint: "claims.create",
			Value:    "5f1c",
		},
		Token:  idem.NewToken(),
		Lease:  5 * time.Second,
		Joined: true,
	}
	if o, err := store.Begin(ctx, r); err != nil || o.State != idem.Reserved {
		return
	}
	err = store.InTx(ctx, r.Key, r.Token, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, "INSERT INTO claims (id) VALUES ($1)", 7); err != nil {
			return err
		}
		response := idem.Response{Status: 201, Body: []byte("claim 7")}
		return store.FinalizeTx(ctx, tx, r.Key, r.Token, response, 0)
	})
	if err != nil {
		return // neither the claim nor the result is there, unless it is idem.ErrUncertain
	}
}
