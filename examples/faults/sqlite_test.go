package faults_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// startSQLite makes a file.
func startSQLite(t testing.TB) place {
	t.Helper()
	p := place{address: sqliteAddress(filepath.Join(t.TempDir(), "orders.db"))}
	db, err := sql.Open("sqlite", p.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	err = sqlitestore.New(db).Migrate(t.Context())
	if err == nil {
		_, err = db.ExecContext(t.Context(), "CREATE TABLE effects (name TEXT, id TEXT, half INTEGER)")
	}
	if err != nil {
		t.Fatal(err)
	}
	p.effects = func(ctx context.Context) (map[string][]string, error) { return sqlEffects(ctx, db) }
	return p
}

// sqliteAddress names a file for the driver. Pragmas that are given come after the usual ones, and beat them.
func sqliteAddress(file string, pragmas ...string) string {
	query := url.Values{"_pragma": append([]string{"busy_timeout(5000)", "journal_mode(WAL)"}, pragmas...)}
	return "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + query.Encode()
}

func openSQLite(ctx context.Context, j job) (service, error) {
	db, err := sql.Open("sqlite", j.Address)
	if err != nil {
		return service{}, err
	}
	db.SetMaxOpenConns(j.Pool)
	db.SetMaxIdleConns(j.Pool)
	store := sqlitestore.New(db)
	if err := store.Migrate(ctx); err != nil {
		return service{}, err
	}
	return newService(store, sqlHalf("INSERT INTO effects (name, id, half) VALUES (?, ?, ?)"), sqlAlone(db)), nil
}

// sqlHalf writes one row of an effect.
func sqlHalf(text string) func(context.Context, *sql.Tx, effect, int) error {
	return func(ctx context.Context, tx *sql.Tx, e effect, half int) error {
		_, err := tx.ExecContext(ctx, text, e.name, e.id, half)
		return err
	}
}

func sqlAlone(db *sql.DB) func(context.Context, func(*sql.Tx) error) error {
	return func(ctx context.Context, fn func(*sql.Tx) error) error {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := fn(tx); err != nil {
			return errors.Join(err, tx.Rollback())
		}
		return tx.Commit()
	}
}

const selectEffects = "SELECT name, id, count(*) FROM effects GROUP BY name, id"

func sqlEffects(ctx context.Context, db *sql.DB) (map[string][]string, error) {
	rows, err := db.QueryContext(ctx, selectEffects)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := halves{}
	for rows.Next() {
		var (
			e effect
			n int
		)
		if err := rows.Scan(&e.name, &e.id, &n); err != nil {
			return nil, err
		}
		found[e] = n
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	return found.effects()
}
