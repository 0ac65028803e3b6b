// Package servicetest gives tests of the ledger a database each.
package servicetest

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/idemgen/idemgen/examples/ledger/service"
)

// fresh is the file of a database that is prepared and closed: made once, and copied for each test.
var fresh = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "ledger-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	file := filepath.Join(folder, "ledger.db")
	db, err := service.Open(file)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(service.Prepare(context.Background(), db), db.Close()); err != nil {
		return nil, err
	}
	return os.ReadFile(file)
})

// Open returns a prepared database of the test's own.
func Open(t testing.TB) *sql.DB {
	t.Helper()
	content, err := fresh()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ledger.db")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := service.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}
