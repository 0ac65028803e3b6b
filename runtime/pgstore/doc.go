// Package pgstore keeps idempotency records in a PostgreSQL database, beside the rows of the service: over a
// pool of pgx v5 or of database/sql, none of which it imports.
//
//	pool, err := pgxpool.New(ctx, "postgres://…")
//	…
//	store := pgstore.New(pool) // or pgstore.NewDB(db) for a *sql.DB
//	err = store.Migrate(ctx)
//
// # What the server must be
//
// PostgreSQL 12 or later, the primary, with synchronous_commit on, which is the default: with less, a crash forgets the
// last commits, and with them a key whose effect is outside this database. The encoding, the time zone and the
// isolation level that the pool's connections begin with do not matter. [Store.Migrate] checks what it can.
//
// Nothing is kept in a session, and no statement needs a name: a proxy that pools by transaction may stand between,
// with pgx in QueryExecModeExec or QueryExecModeSimpleProtocol, or in its default mode where the proxy knows
// prepared statements (PgBouncer 1.21), and with lib/pq under binary_parameters=yes. A proxy must not send the store's
// queries to a replica: Begin is a SELECT, which calls a function where it has found nothing.
//
// # Waiting
//
// A new key is one round trip, and so is every answer to a duplicate, which is a plain read: it locks nothing, writes
// nothing and waits for nobody, not for the transaction of a joined handler either. Nobody waits for a take-over: a record
// that someone holds is in progress. In lease mode no connection is held while a handler runs; a joined handler holds its
// transaction's, and needs no second one.
//
// # Transactions
//
// A joined reservation commits without waiting for the disk (synchronous_commit is off inside that one statement): the
// business transaction, which does wait, as its caller has it, makes both durable. Where the pool begins
// transactions at REPEATABLE READ or SERIALIZABLE the store repeats its own statements that the server refuses for
// others' sake, and not the handler's transaction: that has done nothing, and is the client's to send again.
//
// # Records
//
// Finalizing is a heap-only update while no retention is set: nearly all of them with responses of up to 1.7 kB. With a
// retention each record has an entry in the index of what expires, and somebody must call [Store.Sweep].
//
// Leased records have an entry in the index that [Store.Unresolved] lists by: of 25 bytes, and 70 bytes of the write-ahead log.
// With a retention finalizing takes it out, so that listing costs as much as there is in flight; without one listing
// reads every leased record that there ever was, in the order of their making: 50 ms for 300,000. An index over status would
// stay small always. But then no result would be a heap-only update, of joined records neither: 160 to 240 bytes of the log, and the
// primary key's entry a second time, for each.
//
// The primary key is the four parts of a key, as bytes: 220 bytes of index a record. A digest of them would be 80
// bytes, and was 0 to 10 % faster where the disk does not matter, which is not worth a table that its own key does not explain.
//
// They must fit an index of PostgreSQL: 2,600 bytes together. Where the policy's limits hold they
// are 710 at most, and the endpoint's name.
//
// # The clock
//
// Every instant is the server's clock_timestamp(), to the microsecond. A fence is above that of the key's record; where the
// record is gone, released or swept, it is the clock, and so above as long as the server's clock is not set back.
package pgstore
