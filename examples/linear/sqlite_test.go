package linear_test

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// sqlite is a store with the pool that it works on.
type sqlite struct {
	*sqlitestore.Store
	db *sql.DB
}

// sqliteAt opens a pool of its own to a file.
func sqliteAt(ctx context.Context, file string) (sqlite, error) {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath()}
	name.RawQuery = url.Values{"_pragma": {"busy_timeout(5000)", "journal_mode(WAL)"}}.Encode()
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		return sqlite{}, err
	}
	db.SetMaxIdleConns(8)
	s := sqlite{sqlitestore.New(db), db}
	if err := s.Migrate(ctx); err != nil {
		return sqlite{}, errors.Join(err, db.Close())
	}
	return s, nil
}

func openSQLite(t testing.TB) []idem.Store {
	file := filepath.Join(t.TempDir(), "records.db")
	var doors []idem.Store
	for range 3 {
		s, err := sqliteAt(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := s.db.Close(); err != nil {
				t.Error(err)
			}
		})
		doors = append(doors, s.Store)
	}
	return doors
}
