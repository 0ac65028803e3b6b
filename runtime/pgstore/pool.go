package pgstore

import (
	"context"
	"database/sql"
)

// A Row is one row of an answer, not yet read: a pgx.Row or a *sql.Row.
type Row interface {
	Scan(dest ...any) error
}

// A Pool is what [New] takes: a *pgxpool.Pool of pgx v5, or what wraps one. A transaction and a single
// connection are none: a record must be reserved whatever becomes of the caller's transaction, and no
// connection may be held while a handler runs.
type Pool[R Row, Tx any] interface {
	QueryRow(ctx context.Context, sql string, args ...any) R
	Begin(ctx context.Context) (Tx, error)
	// Close is never called. It is what tells a pool from a connection, whose Close takes a context, and
	// from a transaction, which has none.
	Close()
}

// A Transaction is what a [Pool] begins: a pgx.Tx. C is what its Exec says, and is not looked at.
type Transaction[R Row, C any] interface {
	QueryRow(ctx context.Context, sql string, args ...any) R
	Exec(ctx context.Context, sql string, args ...any) (C, error)
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}

// database is a pool as the store uses it.
type database[Tx any] interface {
	row(ctx context.Context, text string, args []any) Row
	begin(ctx context.Context) (Tx, error)
	rowIn(ctx context.Context, tx Tx, text string, args []any) Row
	execIn(ctx context.Context, tx Tx, text string) error
	commit(ctx context.Context, tx Tx) error
	rollback(ctx context.Context, tx Tx) error
}

// pgxDatabase is a database over pgx.
type pgxDatabase[Tx Transaction[R, C], R Row, C any] struct{ pool Pool[R, Tx] }

func (d pgxDatabase[Tx, R, C]) row(ctx context.Context, text string, args []any) Row {
	return d.pool.QueryRow(ctx, text, args...)
}

func (d pgxDatabase[Tx, R, C]) begin(ctx context.Context) (Tx, error) { return d.pool.Begin(ctx) }

func (d pgxDatabase[Tx, R, C]) rowIn(ctx context.Context, tx Tx, text string, args []any) Row {
	return tx.QueryRow(ctx, text, args...)
}

func (d pgxDatabase[Tx, R, C]) execIn(ctx context.Context, tx Tx, text string) error {
	_, err := tx.Exec(ctx, text)
	return err
}

func (d pgxDatabase[Tx, R, C]) commit(ctx context.Context, tx Tx) error   { return tx.Commit(ctx) }
func (d pgxDatabase[Tx, R, C]) rollback(ctx context.Context, tx Tx) error { return tx.Rollback(ctx) }

// sqlDatabase is a database over database/sql, whose transactions end with the context that began them.
type sqlDatabase struct{ db *sql.DB }

func (d sqlDatabase) row(ctx context.Context, text string, args []any) Row {
	return d.db.QueryRowContext(ctx, text, args...)
}

func (d sqlDatabase) begin(ctx context.Context) (*sql.Tx, error) { return d.db.BeginTx(ctx, nil) }

func (d sqlDatabase) rowIn(ctx context.Context, tx *sql.Tx, text string, args []any) Row {
	return tx.QueryRowContext(ctx, text, args...)
}

func (d sqlDatabase) execIn(ctx context.Context, tx *sql.Tx, text string) error {
	_, err := tx.ExecContext(ctx, text)
	return err
}

func (d sqlDatabase) commit(_ context.Context, tx *sql.Tx) error   { return tx.Commit() }
func (d sqlDatabase) rollback(_ context.Context, tx *sql.Tx) error { return tx.Rollback() }
