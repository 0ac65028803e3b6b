package sqlitestore_test

import (
	"context"
	"database/sql"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// Opening takes a driver, which the program imports: here modernc.org/sqlite.
func Example() {
	ctx := context.Background()
	db, err := sql.Open("sqlite", "file:ledger.db?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)")
	if err != nil {
		return
	}
	defer db.Close()
	store := sqlitestore.New(db)
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
		if _, err := tx.ExecContext(ctx, "INSERT INTO claims (id) VALUES (?)", 7); err != nil {
			return err
		}
		response := idem.Response{Status: 201, Body: []byte("claim 7")}
		return store.FinalizeTx(ctx, tx, r.Key, r.Token, response, 0)
	})
	if err != nil {
		return // neither the claim nor the result is there, unless it is idem.ErrUncertain
	}
}
