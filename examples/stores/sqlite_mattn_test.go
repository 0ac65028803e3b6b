//go:build cgo

package stores_test

import (
	"context"
	"database/sql"
	"net/url"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
	"github.com/idemgen/idemgen/runtime/storetest"
)

// openMattn opens a store on a file with the other driver, which is SQLite's own C code.
func openMattn(t testing.TB, file string) sqlite {
	t.Helper()
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(),
		RawQuery: "_busy_timeout=5000&_journal_mode=WAL&_synchronous=FULL"}
	db, err := sql.Open("sqlite3", name.String())
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(8)
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	s := sqlite{Store: sqlitestore.New(db), db: db}
	if err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := db.ExecContext(t.Context(), "CREATE TABLE IF NOT EXISTS effects (name BLOB)"); err != nil {
		t.Fatal(err)
	}
	return s
}

func newMattn(t testing.TB) sqlite {
	t.Helper()
	return openMattn(t, filepath.Join(t.TempDir(), "ledger ?#%.db"))
}

func TestMattnRules(t *testing.T) {
	t.Parallel()
	storetest.Run(t, storetest.Harness{
		New:     func(t testing.TB) idem.Store { return newMattn(t) },
		Advance: advance,
	})
}

func TestMattnTxRules(t *testing.T) {
	t.Parallel()
	storetest.RunTx(t, storetest.TxHarness[*sql.Tx]{
		New:     func(t testing.TB) idem.TxStore[*sql.Tx] { return newMattn(t) },
		Advance: advance,
		Write:   writeEffect,
		Written: func(ctx context.Context, s idem.TxStore[*sql.Tx], name string) (bool, error) {
			n, err := effects(ctx, s.(sqlite).db, name)
			return n > 0, err
		},
	})
}

// A duplicate must not wait for the transaction of the key's owner, whatever words the driver has for "busy".
func TestMattnBusyIsInProgress(t *testing.T) {
	t.Parallel()
	s := newMattn(t)
	owner := joined("k")
	begin(t, s, owner, idem.Reserved)
	advance(t, s, 2*time.Minute) // its lease is over, and it is at work all the same
	err := s.InTx(t.Context(), owner.Key, owner.Token, func(*sql.Tx) error {
		quickly(t, func() { begin(t, s, joined("k"), idem.InProgress) })
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Two pools share one file: each key is reserved once, and each effect is there once. Both are of one driver: two
// copies of SQLite in one process take each other's file locks away.
func TestMattnRaceOfTwoPools(t *testing.T) {
	t.Parallel()
	const keys, callers = 20, 8
	file := filepath.Join(t.TempDir(), "ledger.db")
	stores := []sqlite{openMattn(t, file), openMattn(t, file)}
	var reserved atomic.Int64
	var working sync.WaitGroup
	for n := range callers {
		s := stores[n%len(stores)]
		working.Add(1)
		go func() {
			defer working.Done()
			for k := range keys {
				r := joined(string(rune('a' + k)))
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				o, err := s.Begin(ctx, r)
				if err == nil && o.State == idem.Reserved {
					reserved.Add(1)
					err = s.InTx(ctx, r.Key, r.Token, func(tx *sql.Tx) error {
						if err := writeEffect(ctx, tx, r.Key.Value); err != nil {
							return err
						}
						return s.FinalizeTx(ctx, tx, r.Key, r.Token, idem.Response{Status: 201}, 0)
					})
				}
				cancel()
				if err != nil {
					t.Errorf("%s: %v", r.Key.Value, err)
				}
			}
		}()
	}
	working.Wait()
	if reserved.Load() != keys {
		t.Errorf("%d reservations of %d keys", reserved.Load(), keys)
	}
	for k := range keys {
		if n, err := effects(t.Context(), stores[0].db, string(rune('a'+k))); n != 1 || err != nil {
			t.Errorf("key %c has %d effects, %v", 'a'+k, n, err)
		}
	}
}
