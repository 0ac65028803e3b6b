package stores_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

// holdLock takes SQLite's one writer's lock, as any other program would, until the test ends.
func holdLock(t *testing.T, file string) {
	t.Helper()
	conn, err := openFile(t, file).Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	})
	if _, err := conn.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := conn.ExecContext(context.Background(), "ROLLBACK"); err != nil {
			t.Error(err)
		}
	})
}

func TestSQLiteBusy(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ledger.db")
	patient := openSQLite(t, file)
	dead, lost, live := joined("dead"), reservation("lost"), reservation("live")
	begin(t, patient, dead, idem.Reserved)
	unknown := begin(t, patient, lost, idem.Reserved)
	advance(t, patient, 2*time.Minute)
	begin(t, patient, live, idem.Reserved)
	holdLock(t, file)
	db := openFile(t, file, "busy_timeout(20)", "journal_mode(WAL)")
	s := sqlitestore.New(db)

	t.Run("live records are answered", func(t *testing.T) {
		quickly(t, func() { begin(t, patient, reservation("live"), idem.InProgress) })
		quickly(t, func() { begin(t, patient, reservation("lost"), idem.Unknown) })
	})
	t.Run("a take-over is in progress at once", func(t *testing.T) {
		takeOver := reservation("lost")
		takeOver.TakeOver = unknown.Fence
		quickly(t, func() { begin(t, patient, joined("dead"), idem.InProgress) })
		quickly(t, func() { begin(t, patient, takeOver, idem.InProgress) })
		quickly(t, func() {
			if o, err := patient.Lookup(t.Context(), dead.Key); err != nil || o.State != idem.InProgress {
				t.Errorf("Lookup: %+v, %v", o, err)
			}
		})
	})
	t.Run("connections keep their patience", func(t *testing.T) {
		for range 8 {
			conn, err := patient.db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close() // at the end, so that each is another one
			var timeout int
			if err := conn.QueryRowContext(t.Context(), "PRAGMA busy_timeout").Scan(&timeout); err != nil || timeout != 5000 {
				t.Errorf("busy_timeout is %d, %v", timeout, err)
			}
		}
	})
	t.Run("what must write says what it was doing", func(t *testing.T) {
		ctx, response := t.Context(), idem.Response{Status: 201}
		_, beginErr := s.Begin(ctx, reservation("new"))
		_, sweepErr := s.Sweep(ctx, 10)
		for want, err := range map[string]error{
			"begin claims.create: ":                beginErr,
			"renew claims.create: ":                s.Renew(ctx, live.Key, live.Token, time.Minute),
			"finalize claims.create: ":             s.Finalize(ctx, live.Key, live.Token, response, 0),
			"release claims.create: ":              s.Release(ctx, live.Key, live.Token),
			"begin transaction of claims.create: ": s.InTx(ctx, live.Key, live.Token, func(*sql.Tx) error { return nil }),
			"sweep: ":                              sweepErr,
		} {
			if err == nil || !strings.HasPrefix(err.Error(), want+"database is locked") || errors.Is(err, idem.ErrLost) {
				t.Errorf("%q: %v", want, err)
			}
		}
	})
	t.Run("a context ends the wait", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		quickly(t, func() {
			if _, err := patient.Begin(ctx, reservation("new")); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Begin says %v, not that its time is over", err)
			}
		})
	})
}

// Two processes, many workers, some duplicates: every key is worked on once, and nobody hears of a lock.
func TestSQLiteUnderLoad(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ledger.db")
	pools := []sqlite{openSQLite(t, file), openSQLite(t, file)}
	const workers, keys = 16, 40
	var working sync.WaitGroup
	for w := range workers {
		working.Add(1)
		go func() {
			defer working.Done()
			s := pools[w%len(pools)]
			for i := range keys {
				if i%5 != 0 && i%workers != w {
					continue // every fifth key is everyone's
				}
				if err := attempt(t.Context(), s, joined(fmt.Sprint(i))); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	working.Wait()
	for i := range keys {
		n, err := effects(t.Context(), pools[0].db, fmt.Sprint(i))
		if err != nil || n != 1 {
			t.Errorf("key %d has %d effects, %v", i, n, err)
		}
	}
}

// attempt does a key's work in a transaction, unless someone else does or did.
func attempt(ctx context.Context, s sqlite, r idem.Reservation) error {
	o, err := s.Begin(ctx, r)
	if err != nil || o.State != idem.Reserved {
		return err
	}
	return s.InTx(ctx, r.Key, r.Token, func(tx *sql.Tx) error {
		if err := writeEffect(ctx, tx, r.Key.Value); err != nil {
			return err
		}
		return s.FinalizeTx(ctx, tx, r.Key, r.Token, idem.Response{Status: 201}, 0)
	})
}

func TestSQLiteRaceOfTwoPools(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ledger.db")
	pools := []sqlite{openSQLite(t, file), openSQLite(t, file)}
	for n := range 10 {
		const racers = 16
		states := make(chan idem.State, racers)
		start := make(chan struct{})
		for i := range racers {
			go func() {
				<-start
				o, err := pools[i%len(pools)].Begin(t.Context(), reservation(fmt.Sprint(n)))
				if err != nil {
					t.Error(err)
				}
				states <- o.State
			}()
		}
		close(start)
		won := 0
		for range racers {
			if <-states == idem.Reserved {
				won++
			}
		}
		if won != 1 {
			t.Errorf("of %d newcomers at once %d reserved the key", racers, won)
		}
	}
}

// A commit that SQLite refuses, here for a foreign key that is checked at its end, may be one whose answer
// was lost, for all that the store can tell.
func TestSQLiteCommitError(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	for _, text := range []string{
		"CREATE TABLE parents (id INTEGER PRIMARY KEY)",
		"CREATE TABLE children (parent INTEGER REFERENCES parents (id) DEFERRABLE INITIALLY DEFERRED)",
	} {
		if _, err := s.db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	s.db.SetMaxOpenConns(1) // the pragma below holds for one connection
	if _, err := s.db.ExecContext(t.Context(), "PRAGMA foreign_keys = ON"); err != nil {
		t.Fatal(err)
	}
	r := joined("k")
	begin(t, s, r, idem.Reserved)
	err := s.InTx(t.Context(), r.Key, r.Token, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(t.Context(), "INSERT INTO children VALUES (7)"); err != nil {
			return err
		}
		return s.FinalizeTx(t.Context(), tx, r.Key, r.Token, idem.Response{Status: 201}, 0)
	})
	if !errors.Is(err, idem.ErrUncertain) || !strings.Contains(err.Error(), "FOREIGN KEY") {
		t.Errorf("the commit says %v, not ErrUncertain and why", err)
	}
	begin(t, s, reservation("k"), idem.InProgress)
	begin(t, s, reservation("the connection is usable"), idem.Reserved)
}

// A transaction whose context ends is rolled back, and that is certain.
func TestSQLiteContextEndsTransaction(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	r := joined("k")
	begin(t, s, r, idem.Reserved)
	ctx, cancel := context.WithCancel(t.Context())
	err := s.InTx(ctx, r.Key, r.Token, func(tx *sql.Tx) error {
		defer cancel()
		return s.FinalizeTx(ctx, tx, r.Key, r.Token, idem.Response{Status: 201}, 0)
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, idem.ErrUncertain) {
		t.Errorf("the transaction says %v, not that it was cancelled", err)
	}
	begin(t, s, reservation("k"), idem.InProgress)
	begin(t, s, reservation("the lock is free"), idem.Reserved)
}

func TestSQLiteGoexitRollsBack(t *testing.T) {
	t.Parallel()
	s := newSQLite(t)
	r := joined("k")
	begin(t, s, r, idem.Reserved)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		err := s.InTx(t.Context(), r.Key, r.Token, func(tx *sql.Tx) error {
			if err := writeEffect(t.Context(), tx, "k"); err != nil {
				return err
			}
			runtime.Goexit()
			return nil
		})
		t.Errorf("InTx returns %v", err)
	}()
	<-gone
	if n, err := effects(t.Context(), s.db, "k"); n != 0 || err != nil {
		t.Errorf("%d effects, %v", n, err)
	}
	begin(t, s, reservation("the lock is free"), idem.Reserved)
}
