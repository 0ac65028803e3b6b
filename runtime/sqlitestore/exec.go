package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// querier is a pool, a connection of it or a transaction.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// keyed are parameters 1 to 4. Bytes, because a driver may bind a string as text, which is no BLOB.
func keyed(k idem.Key) []any {
	return []any{[]byte(k.Scope.Tenant), []byte(k.Scope.Actor), []byte(k.Endpoint), []byte(k.Value)}
}

// owned are parameters 1 to 5.
func owned(k idem.Key, t idem.Token) []any { return append(keyed(k), t[:]) }

func fingerprint(r idem.Reservation) []byte {
	b := r.Fingerprint.Bytes()
	return b[:]
}

// micros rounds up, so that a short time is not none.
func micros(d time.Duration) int64 {
	n := d.Microseconds()
	if d%time.Microsecond > 0 {
		n++
	}
	return n
}

// A change is what a writing statement with RETURNING says.
type change struct {
	made       bool // false: it found no row to change
	fence, now int64
}

// write runs a statement that returns a fence and the time.
func (s *Store) write(ctx context.Context, q querier, text string, args []any) (change, error) {
	var c change
	err := patiently(ctx, func() error {
		var err error
		c, err = scanChange(q.QueryContext(ctx, text, args...))
		return err
	})
	return c, err
}

// scanChange reads to the end of the rows, because only there SQLite commits, and says whether it could.
func scanChange(rows *sql.Rows, err error) (change, error) {
	if err != nil {
		return change{}, err
	}
	defer rows.Close()
	var c change
	for rows.Next() {
		if err := rows.Scan(&c.fence, &c.now); err != nil {
			return change{}, err
		}
		c.made = true
	}
	if err := rows.Err(); err != nil {
		return change{}, err
	}
	return c, rows.Close()
}

// exec runs a statement and says how many rows it changed.
func exec(ctx context.Context, q querier, text string, args []any) (int64, error) {
	var n int64
	err := patiently(ctx, func() error {
		var err error
		n, err = execOnce(ctx, q, text, args)
		return err
	})
	return n, err
}

func execOnce(ctx context.Context, q querier, text string, args []any) (int64, error) {
	result, err := q.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// patiently runs a statement again that found the database busy for the whole busy_timeout: SQLite's
// waiting is not fair, so that under load one of many writers can be unlucky once. Every statement of
// this package may be repeated.
func patiently(ctx context.Context, run func() error) error {
	const attempts = 3
	for n := 1; ; n++ {
		err := run()
		if n == attempts || !busy(err) || ctx.Err() != nil {
			return err
		}
	}
}

// atOnce is how long writeAtOnce waits: long enough for the writes of this package to pass, and short
// beside a handler's transaction.
const atOnce = 25 * time.Millisecond

// writeAtOnce is write for a lock that may be held for long: busy says so of its error. It lowers the
// busy_timeout of one connection while it has it to itself.
func (s *Store) writeAtOnce(ctx context.Context, text string, args []any) (change, error) {
	statement, err := s.db.statement(ctx, text)
	if err != nil {
		return change{}, err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return change{}, err
	}
	defer conn.Close()
	var timeout int64
	if err := conn.QueryRowContext(ctx, "PRAGMA busy_timeout").Scan(&timeout); err != nil {
		return change{}, fmt.Errorf("read busy_timeout: %w", err)
	}
	defer setTimeout(context.WithoutCancel(ctx), conn, timeout)
	if err := setTimeout(ctx, conn, min(timeout, atOnce.Milliseconds())); err != nil {
		return change{}, err
	}
	return writeIn(ctx, conn, statement, args)
}

// writeIn runs a prepared statement on conn, which takes a transaction: that is less work than to prepare it again. The
// transaction does not end with ctx, because database/sql would then close the connection, and with it what is in memory.
func writeIn(ctx context.Context, conn *sql.Conn, statement *sql.Stmt, args []any) (change, error) {
	tx, err := conn.BeginTx(context.WithoutCancel(ctx), nil)
	if err != nil {
		return change{}, err
	}
	defer tx.Rollback() // after the commit it does nothing
	c, err := scanChange(tx.StmtContext(ctx, statement).QueryContext(ctx, args...))
	if err != nil {
		return change{}, err
	}
	return c, tx.Commit()
}

// setTimeout sets busy_timeout in milliseconds. A connection where that does not work leaves the pool.
func setTimeout(ctx context.Context, conn *sql.Conn, milliseconds int64) error {
	_, err := conn.ExecContext(ctx, fmt.Sprintf("PRAGMA busy_timeout = %d", milliseconds))
	if err != nil {
		discard(conn)
		return fmt.Errorf("set busy_timeout: %w", err)
	}
	return nil
}

// busy reports whether another connection holds the lock. Drivers differ: modernc.org/sqlite has a Code
// method, others have SQLite's own words.
func busy(err error) bool {
	if err == nil {
		return false
	}
	var coded interface{ Code() int }
	if errors.As(err, &coded) {
		const sqliteBusy, sqliteLocked = 5, 6 // the low byte; the rest says why
		primary := coded.Code() & 0xff
		return primary == sqliteBusy || primary == sqliteLocked
	}
	text := err.Error()
	return strings.Contains(text, "database is locked") || strings.Contains(text, "database table is locked")
}
