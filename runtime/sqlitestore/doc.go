// Package sqlitestore keeps idempotency records in a SQLite database, beside the rows of the service:
// over any database/sql driver, none of which it imports.
//
//	db, err := sql.Open("sqlite", "file:ledger.db?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)")
//	…
//	store := sqlitestore.New(db)
//	err = store.Migrate(ctx)
//
// # What the database must be
//
// [Store.Migrate] checks each of these and says what to change. They belong in the data source name,
// because most hold for one connection of the pool, and the pool opens and closes connections as it likes.
//
//   - SQLite 3.37 or later (STRICT tables).
//   - journal_mode WAL: the answer to a duplicate is a read, and only in WAL a read never waits for a writer.
//   - busy_timeout above 0, say 5 s: writers wait for each other.
//   - synchronous FULL, which is SQLite's default: with less, a power cut forgets the last commits, and with
//     them a key whose effect is outside this database.
//   - An in-memory database only behind a pool of one connection (SetMaxOpenConns(1), and no limit on that
//     connection's life): each connection to ":memory:" is a database of its own.
//
// # Waiting
//
// SQLite has one writer at a time. Replays, conflicts and in-progress answers are reads, and wait for
// nobody; so is a take-over where the writer's lock cannot be had at once, which is "in progress". A new
// key, Renew, Finalize, Release, Resolve and Sweep are one short write each: they wait while another transaction
// writes, for busy_timeout and a few times over. So keep transactions short, those of joined handlers
// included: for as long as one runs, no other key can begin. Whoever waits to write holds a connection of the
// pool, so the pool needs more connections than there are writers at a time, for the reads; in a pool of one
// connection everything waits for the open transaction.
//
// # The clock
//
// Every instant is SQLite's own, to the millisecond, in the statement that decides. julianday('now') is
// used because unixepoch('subsec') needs SQLite 3.42.
package sqlitestore
