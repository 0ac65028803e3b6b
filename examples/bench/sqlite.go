package main

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite"

	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// The same statements without the store, of a key that is new: see those for PostgreSQL.
const (
	sqliteNow = `CAST(unixepoch('subsec') * 1000000 AS INTEGER)`

	sqliteInsert = `INSERT INTO hand_idempotency_keys
			(tenant, actor, endpoint, idempotency_key, token, fence, joined, fingerprint, lease_until, created_at)
		VALUES (?1, ?2, ?3, ?4, ?5, ` + sqliteNow + `, 0, ?6, ` + sqliteNow + ` + ?7, ` + sqliteNow + `)
		ON CONFLICT (tenant, actor, endpoint, idempotency_key) DO NOTHING`

	sqliteUpdate = `UPDATE hand_idempotency_keys SET status = ?6, header = ?7, body = ?8
		WHERE tenant = ?1 AND actor = ?2 AND endpoint = ?3 AND idempotency_key = ?4 AND token = ?5 AND status IS NULL`
)

// A sqliteFile is a database in a folder of its own, with a store and the same tables again for what is done by hand.
type sqliteFile struct {
	*sql.DB
	dir   string
	store *sqlitestore.Store
}

func openSQLite(ctx context.Context) (f sqliteFile, err error) {
	if f.dir, err = os.MkdirTemp("", "idemgen-bench-"); err != nil {
		return f, err
	}
	defer func() {
		if err != nil {
			f.close()
		}
	}()
	name := "file:" + filepath.Join(f.dir, "bench.db") + "?_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)"
	if f.DB, err = sql.Open("sqlite", name); err != nil {
		return f, err
	}
	f.store = sqlitestore.New(f.DB)
	for _, store := range []*sqlitestore.Store{f.store, sqlitestore.New(f.DB, sqlitestore.Prefix(byHand))} {
		if err = store.Migrate(ctx); err != nil {
			return f, err
		}
	}
	return f, nil
}

func (f sqliteFile) close() {
	if f.DB != nil {
		_ = f.DB.Close()
	}
	_ = os.RemoveAll(f.dir)
}

func sqliteRow() row {
	return row{
		what:     "sqlitestore Begin+Finalize (WAL)",
		baseline: "two raw statements, modernc.org/sqlite",
		reach:    atLeast(0.85),
		unit:     perSecond,
		open: func(ctx context.Context) (sides, error) {
			f, err := openSQLite(ctx)
			return sides{throughput(1, beginFinalize(f.store, 0)), throughput(1, f.beginFinalizeByHand), f.close}, err
		},
	}
}

func (f sqliteFile) beginFinalizeByHand(ctx context.Context) error {
	r := newcomer()
	sum := r.Fingerprint.Bytes()
	err := f.exec(ctx, sqliteInsert, append(keyed(r.Key), r.Token[:], sum[:], r.Lease.Microseconds()))
	if err != nil {
		return err
	}
	return f.exec(ctx, sqliteUpdate, append(keyed(r.Key), r.Token[:], answer.Status, answerHeader, answer.Body))
}

func (f sqliteFile) exec(ctx context.Context, text string, args []any) error {
	result, err := f.ExecContext(ctx, text, args...)
	if err != nil {
		return err
	}
	return changed(result.RowsAffected())
}
