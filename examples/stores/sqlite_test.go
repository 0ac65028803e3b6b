package stores_test

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// sqlite is a store with the pool that it works on.
type sqlite struct {
	*sqlitestore.Store
	db *sql.DB
}

// openFile opens a pool of several connections to a file.
func openFile(t testing.TB, file string, pragmas ...string) *sql.DB {
	t.Helper()
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath()}
	query := url.Values{"_pragma": pragmas}
	if len(pragmas) == 0 {
		query.Set("_pragma", "busy_timeout(5000)")
		query.Add("_pragma", "journal_mode(WAL)")
	}
	name.RawQuery = query.Encode()
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(8)
	db.SetMaxIdleConns(8)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// openSQLite opens a store on a file, with a table for the work of the tests.
func openSQLite(t testing.TB, file string) sqlite {
	t.Helper()
	db := openFile(t, file)
	s := sqlite{Store: sqlitestore.New(db), db: db}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE IF NOT EXISTS effects (name BLOB)"); err != nil {
		t.Fatal(err)
	}
	return s
}

func newSQLite(t testing.TB) sqlite {
	t.Helper()
	return openSQLite(t, filepath.Join(t.TempDir(), "ledger ?#%.db"))
}

// advance lets every lease and retention end earlier: the clock is SQLite's own.
func advance(t testing.TB, s idem.Store, d time.Duration) {
	t.Helper()
	_, err := s.(sqlite).db.ExecContext(t.Context(),
		"UPDATE idempotency_keys SET lease_until = lease_until - ?1, expires_at = expires_at - ?1", d.Microseconds())
	if err != nil {
		t.Fatal(err)
	}
}

func writeEffect(ctx context.Context, tx *sql.Tx, name string) error {
	_, err := tx.ExecContext(ctx, "INSERT INTO effects (name) VALUES (?)", []byte(name))
	return err
}

func effects(ctx context.Context, db *sql.DB, name string) (n int, err error) {
	err = db.QueryRowContext(ctx, "SELECT count(*) FROM effects WHERE name = ?", []byte(name)).Scan(&n)
	return n, err
}

func newSQLiteInMemory(t testing.TB) sqlite {
	t.Helper()
	db := openFile(t, ":memory:", "busy_timeout(5000)")
	db.SetMaxOpenConns(1)
	s := sqlite{Store: sqlitestore.New(db), db: db}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s
}

// reservation is a newcomer's, with a token of its own.
func reservation(value string) idem.Reservation {
	return idem.Reservation{
		Key:   idem.Key{Scope: idem.Scope{Tenant: "acme", Actor: "u-17"}, Endpoint: "claims.create", Value: value},
		Token: idem.NewToken(),
		Lease: time.Minute,
	}
}

func joined(value string) idem.Reservation {
	r := reservation(value)
	r.Joined = true
	return r
}

// begin fails the test unless the answer is the wanted one.
func begin(t *testing.T, s idem.Store, r idem.Reservation, want idem.State) idem.Outcome {
	t.Helper()
	o, err := s.Begin(t.Context(), r)
	if err != nil || o.State != want {
		t.Fatalf("Begin says %s, %v, not %s", storetest.StateName(o.State), err, storetest.StateName(want))
	}
	return o
}

// quickly fails the test where do waits for a lock.
func quickly(t *testing.T, do func()) {
	t.Helper()
	start := time.Now()
	do()
	if took := time.Since(start); took > time.Second {
		t.Errorf("it took %v", took)
	}
}
