package stores_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

func TestSQLiteMigrateRefuses(t *testing.T) {
	t.Parallel()
	const prefix = "migrate idempotency store: "
	for _, c := range []struct {
		name    string
		memory  bool
		pragmas []string
		want    string
	}{
		{"a journal where readers wait", false, []string{"busy_timeout(5000)", "journal_mode(DELETE)"},
			`journal_mode is delete: replays would wait for writers; with modernc.org/sqlite add "_pragma=journal_mode(WAL)" to the data source name`},
		{"impatience", false, []string{"journal_mode(WAL)"},
			`busy_timeout is 0 on a connection: set it for all of them in the data source name, with modernc.org/sqlite by "_pragma=busy_timeout(5000)"`},
		{"commits that a power cut forgets", false, []string{"busy_timeout(5000)", "journal_mode(WAL)", "synchronous(NORMAL)"},
			"synchronous is 1 on a connection: a power cut would forget keys whose work was done; use FULL, which is the default"},
		{"memory in pieces", true, []string{"busy_timeout(5000)"},
			"in an in-memory database every connection sees its own records: call SetMaxOpenConns(1), or use a file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "ledger.db")
			if c.memory {
				file = ":memory:"
			}
			err := sqlitestore.New(openFile(t, file, c.pragmas...)).Migrate(t.Context())
			if err == nil || err.Error() != prefix+c.want {
				t.Errorf("Migrate says\n%v, not\n%s", err, prefix+c.want)
			}
		})
	}
}

// A pragma that was executed holds for the one connection that happened to execute it.
func TestSQLiteMigrateSeesOtherConnections(t *testing.T) {
	t.Parallel()
	db := openFile(t, filepath.Join(t.TempDir(), "ledger.db"), "journal_mode(WAL)")
	if _, err := db.ExecContext(t.Context(), "PRAGMA busy_timeout = 5000"); err != nil {
		t.Fatal(err)
	}
	if err := sqlitestore.New(db).Migrate(t.Context()); err == nil {
		t.Error("Migrate accepts a pool where one connection is patient")
	}
}

func TestSQLiteMigrateTogether(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ledger.db")
	stores := []*sqlitestore.Store{sqlitestore.New(openFile(t, file)), sqlitestore.New(openFile(t, file))}
	var migrating sync.WaitGroup
	for i := range 8 {
		migrating.Add(1)
		go func() {
			defer migrating.Done()
			if err := stores[i%2].Migrate(t.Context()); err != nil {
				t.Error(err)
			}
		}()
	}
	migrating.Wait()
}

func TestSQLiteMigrateAgainKeepsRecords(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	begin(t, s, reservation("k"), idem.Reserved)
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	begin(t, s, reservation("k"), idem.InProgress)
}

func TestSQLiteMigrateRefusesLaterVersion(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	if _, err := s.db.ExecContext(t.Context(), "UPDATE idempotency_schema SET version = 2"); err != nil {
		t.Fatal(err)
	}
	want := "migrate idempotency store: the tables are of version 2, this program knows version 1: update the program"
	if err := s.Migrate(t.Context()); err == nil || err.Error() != want {
		t.Errorf("Migrate says\n%v, not\n%s", err, want)
	}
}

func TestSQLitePrefixesAreApart(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	other := sqlitestore.New(s.db, sqlitestore.Prefix("app_"))
	if _, err := other.Begin(t.Context(), reservation("k")); err == nil {
		t.Fatal("Begin works on the tables of another prefix")
	}
	if err := other.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := reservation("k")
	begin(t, s, r, idem.Reserved)
	begin(t, other, reservation("k"), idem.Reserved)
	if err := other.Release(t.Context(), r.Key, r.Token); !errors.Is(err, idem.ErrLost) {
		t.Errorf("Release says %v, not ErrLost", err)
	}
}

func TestSQLiteRefusesPrefix(t *testing.T) {
	t.Parallel()
	for _, prefix := range []string{"1a", "a-b", "a b", "a\"", "a;", "é"} {
		t.Run(prefix, func(t *testing.T) {
			t.Parallel()
			defer func() {
				if recover() == nil {
					t.Errorf("Prefix(%q) does not panic", prefix)
				}
			}()
			sqlitestore.Prefix(prefix)
		})
	}
}
