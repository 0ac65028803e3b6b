package stores_test

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

var created = idem.Response{Status: 201}

// A session that waits for a lock would hold its connection for as long as the owner works.
func TestPgNobodyWaitsForAJoinedOwner(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	impatient := pgstore.New(pgPool(t, s.dsn, pgSet("lock_timeout", "1ms")))
	r := joined("k")
	o := begin(t, s, r, idem.Reserved)
	s.later(t, 2*time.Minute)
	other, over := reservation("k"), reservation("k")
	other.Fingerprint.Canon = 9
	over.TakeOver = o.Fence
	err := s.InTx(t.Context(), r.Key, r.Token, func(tx pgx.Tx) error {
		if err := pgEffect(t.Context(), tx, "k"); err != nil {
			return err
		}
		for range 2 { // while the record is locked, and while its new version is there too
			begin(t, impatient, reservation("k"), idem.InProgress)
			begin(t, impatient, joined("k"), idem.InProgress)
			begin(t, impatient, over, idem.InProgress)
			begin(t, impatient, other, idem.Conflict)
			look(t, impatient, r.Key, idem.InProgress)
			if err := s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 0); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	begin(t, impatient, reservation("k"), idem.Replay)
}

// An owner whose session the server ends has done nothing, and learns that.
func TestPgOwnerKilled(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	kill := func(tx pgx.Tx) error {
		var pid int
		if err := tx.QueryRow(t.Context(), "SELECT pg_backend_pid()").Scan(&pid); err != nil {
			return err
		}
		// With a time to wait: it returns when the session is gone.
		_, err := s.admin.Exec(t.Context(), "SELECT pg_terminate_backend($1, 10000)", pid)
		return err
	}
	t.Run("in the work", func(t *testing.T) {
		r := joined("work")
		begin(t, s, r, idem.Reserved)
		err := s.InTx(t.Context(), r.Key, r.Token, func(tx pgx.Tx) error {
			if err := errors.Join(pgEffect(t.Context(), tx, "work"), kill(tx)); err != nil {
				t.Fatal(err)
			}
			return s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 0)
		})
		if err == nil || errors.Is(err, idem.ErrUncertain) || errors.Is(err, idem.ErrLost) {
			t.Errorf("the transaction says %v", err)
		}
		s.noEffect(t, "work")
		begin(t, s, reservation("work"), idem.InProgress)
	})
	t.Run("before the commit", func(t *testing.T) {
		r := joined("commit")
		begin(t, s, r, idem.Reserved)
		err := s.InTx(t.Context(), r.Key, r.Token, func(tx pgx.Tx) error {
			return errors.Join(
				pgEffect(t.Context(), tx, "commit"),
				s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 0),
				kill(tx))
		})
		if !errors.Is(err, idem.ErrUncertain) {
			t.Errorf("the transaction says %v, not ErrUncertain", err)
		}
		s.noEffect(t, "commit")
		s.later(t, 2*time.Minute)
		next := joined("commit")
		begin(t, s, next, idem.Reserved)
		if err := s.InTx(t.Context(), r.Key, r.Token, func(pgx.Tx) error { return nil }); !errors.Is(err, idem.ErrLost) {
			t.Errorf("the former owner hears %v, not ErrLost", err)
		}
		if err := s.InTx(t.Context(), next.Key, next.Token, func(tx pgx.Tx) error {
			return s.FinalizeTx(t.Context(), tx, next.Key, next.Token, created, 0)
		}); err != nil {
			t.Error(err)
		}
	})
}

// A commit that the server answers with a refusal has not happened, and that is certain.
func TestPgCommitRefused(t *testing.T) {
	t.Parallel()
	work := func(r idem.Reservation, exec func(string) error, finalize func() error) error {
		return errors.Join(exec("INSERT INTO children VALUES (7)"), finalize())
	}
	check := func(t *testing.T, s idem.Store, p pgPlace, r idem.Reservation, err error) {
		t.Helper()
		if err == nil || errors.Is(err, idem.ErrUncertain) || !strings.Contains(err.Error(), "foreign key") {
			t.Errorf("the commit says %v, not that it was refused", err)
		}
		if n := pgAsk[int](t, p, "SELECT count(*) FROM children"); n != 0 {
			t.Errorf("%d business rows", n)
		}
		begin(t, s, reservation("k"), idem.InProgress)
		if err := s.Release(t.Context(), r.Key, r.Token); err != nil {
			t.Error(err)
		}
	}
	tables := func(t *testing.T, p pgPlace) {
		p.exec(t, `CREATE TABLE parents (id int PRIMARY KEY)`)
		p.exec(t, `CREATE TABLE children (parent int REFERENCES parents DEFERRABLE INITIALLY DEFERRED)`)
	}
	t.Run("pgx", func(t *testing.T) {
		t.Parallel()
		s := openPgx(t)
		tables(t, s.pgPlace)
		r := joined("k")
		begin(t, s, r, idem.Reserved)
		err := s.InTx(t.Context(), r.Key, r.Token, func(tx pgx.Tx) error {
			return work(r, func(text string) error { _, err := tx.Exec(t.Context(), text); return err }, func() error {
				return s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 0)
			})
		})
		check(t, s, s.pgPlace, r, err)
	})
	for _, driver := range []string{"pgx", "postgres"} {
		t.Run("database/sql with "+driver, func(t *testing.T) {
			t.Parallel()
			s := openPgDB(t, driver)
			tables(t, s.pgPlace)
			r := joined("k")
			begin(t, s, r, idem.Reserved)
			err := s.InTx(t.Context(), r.Key, r.Token, func(tx *sql.Tx) error {
				return work(r, func(text string) error { _, err := tx.ExecContext(t.Context(), text); return err }, func() error {
					return s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 0)
				})
			})
			check(t, s, s.pgPlace, r, err)
		})
	}
}

// A transaction whose context ends is rolled back, and that is certain. The connection stays good.
func TestPgContextEndsTransaction(t *testing.T) {
	t.Parallel()
	run := func(t *testing.T, s idem.Store, p pgPlace, inTx func(context.Context, idem.Reservation, func()) error) {
		r := joined("k")
		begin(t, s, r, idem.Reserved)
		ctx, cancel := context.WithCancel(t.Context())
		err := inTx(ctx, r, cancel)
		if !errors.Is(err, context.Canceled) || errors.Is(err, idem.ErrUncertain) {
			t.Errorf("the transaction says %v, not that it was cancelled", err)
		}
		p.noEffect(t, "k")
		s.Release(t.Context(), r.Key, r.Token)
		begin(t, s, reservation("k"), idem.Reserved)
	}
	t.Run("pgx", func(t *testing.T) {
		t.Parallel()
		s := openPgx(t, pgConns(1))
		run(t, s, s.pgPlace, func(ctx context.Context, r idem.Reservation, cancel func()) error {
			return s.InTx(ctx, r.Key, r.Token, func(tx pgx.Tx) error {
				defer cancel()
				return errors.Join(pgEffect(ctx, tx, "k"), s.FinalizeTx(ctx, tx, r.Key, r.Token, created, 0))
			})
		})
	})
	t.Run("database/sql", func(t *testing.T) {
		t.Parallel()
		s := openPgDB(t, "postgres")
		run(t, s, s.pgPlace, func(ctx context.Context, r idem.Reservation, cancel func()) error {
			return s.InTx(ctx, r.Key, r.Token, func(tx *sql.Tx) error {
				defer cancel()
				return errors.Join(pgDBEffect(ctx, tx, "k"), s.FinalizeTx(ctx, tx, r.Key, r.Token, created, 0))
			})
		})
	})
}

func TestPgGoexitRollsBack(t *testing.T) {
	t.Parallel()
	s := openPgx(t, pgConns(1))
	r := joined("k")
	begin(t, s, r, idem.Reserved)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		err := s.InTx(t.Context(), r.Key, r.Token, func(tx pgx.Tx) error {
			if err := pgEffect(t.Context(), tx, "k"); err != nil {
				return err
			}
			runtime.Goexit()
			return nil
		})
		t.Errorf("InTx returns %v", err)
	}()
	<-gone
	s.noEffect(t, "k")
	begin(t, s, reservation("the one connection is free"), idem.Reserved)
}

// The owner that asks whether its commit has happened waits until that is known.
func TestPgSecondTransactionOfAnOwnerWaits(t *testing.T) {
	t.Parallel()
	for _, level := range []string{"read committed", "repeatable read", "serializable"} {
		t.Run(level, func(t *testing.T) {
			t.Parallel()
			s := openPgx(t, pgSet("default_transaction_isolation", level))
			r := joined("k")
			begin(t, s, r, idem.Reserved)
			asked := make(chan error, 1)
			err := s.InTx(t.Context(), r.Key, r.Token, func(tx pgx.Tx) error {
				go func() {
					asked <- s.InTx(t.Context(), r.Key, r.Token, func(pgx.Tx) error { return nil })
				}()
				s.waitForLock(t)
				return s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 0)
			})
			if err != nil {
				t.Error(err)
			}
			if err := <-asked; !errors.Is(err, idem.ErrLost) {
				t.Errorf("the second transaction says %v, not ErrLost", err)
			}
			look(t, s, r.Key, idem.Replay)
		})
	}
}

// waitForLock waits until a session waits for a lock on the place's records.
func (p pgPlace) waitForLock(t *testing.T) {
	t.Helper()
	for begun := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		waiting := pgAsk[bool](t, p, `SELECT EXISTS (SELECT FROM pg_locks AS w JOIN pg_locks AS r USING (pid)
			WHERE NOT w.granted AND r.relation = 'idempotency_keys'::regclass)`)
		if waiting {
			return
		}
		if time.Since(begun) > 10*time.Second {
			t.Fatal("nobody waits")
		}
	}
}

// Two sweeps at once share the work; a record that someone holds is for the next one.
func TestPgSweepsTogether(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	for _, name := range []string{"a", "b", "c", "d"} {
		r := reservation(name)
		begin(t, s, r, idem.Reserved)
		if err := s.Finalize(t.Context(), r.Key, r.Token, created, time.Minute); err != nil {
			t.Fatal(err)
		}
	}
	s.later(t, time.Hour)
	err := pgx.BeginFunc(t.Context(), s.admin, func(tx pgx.Tx) error {
		if _, err := tx.Exec(t.Context(), `SELECT FROM idempotency_keys WHERE idempotency_key = 'a' FOR UPDATE`); err != nil {
			return err
		}
		impatient := pgstore.New(pgPool(t, s.dsn, pgSet("lock_timeout", "1ms"), func(c *pgxpool.Config) { c.MaxConns = 2 }))
		for _, want := range []int{2, 1, 0} {
			if n, err := impatient.Sweep(t.Context(), 2); n != want || err != nil {
				t.Errorf("Sweep removes %d, %v, not %d", n, err, want)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n, err := s.Sweep(t.Context(), 2); n != 1 || err != nil {
		t.Errorf("Sweep removes %d, %v, not the one that was held", n, err)
	}
}
