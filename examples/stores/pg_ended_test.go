package stores_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A pgEnd is a handler's work, which ends its transaction before its result is in it.
type pgEnd[Tx any] struct {
	name    string
	work    func(context.Context, Tx) error
	effects int // business rows that stay
}

// runPgEnds sends each work twice through a handler. A fault is answered for good, and the work never runs again.
func runPgEnds[Tx any](t *testing.T, open func(testing.TB) pgStore[Tx], ends []pgEnd[Tx]) {
	for _, c := range ends {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s, runs := open(t), 0
			svc := idem.New(s.Store, oneCaller)
			svc.Observer = func(context.Context, idem.Event) {}
			h := idem.HandleTx(svc, &transfersCreate, s.Store, func(ctx context.Context, tx Tx, _ transfer) (*idem.Response, error) {
				runs++
				if err := c.work(ctx, tx); err != nil {
					return nil, err
				}
				return idem.JSON(201, "done")
			})
			for _, replay := range []bool{false, true} {
				if status, replayed := post(t.Context(), h, "k"); status != 500 || replayed != replay {
					t.Errorf("%d, replayed: %t", status, replayed)
				}
			}
			if n, err := s.effects(t.Context(), "k"); runs != 1 || n != c.effects || err != nil {
				t.Errorf("it ran %d times, and there are %d business rows, not %d, %v", runs, n, c.effects, err)
			}
			if status, _ := post(t.Context(), h, "another"); status != 500 || runs != 2 {
				t.Errorf("another key, on a connection that the first has used: %d after %d runs", status, runs)
			}
		})
	}
}

// pgEndsByText is work that ends the transaction by a statement, which a driver does not see.
func pgEndsByText[Tx any](write func(context.Context, Tx, string) error, exec func(context.Context, Tx, string) error) []pgEnd[Tx] {
	var ends []pgEnd[Tx]
	for text, effects := range map[string]int{"COMMIT": 2, "ROLLBACK": 1, "END": 2, "ABORT": 1} {
		ends = append(ends, pgEnd[Tx]{"by " + text, func(ctx context.Context, tx Tx) error {
			return errors.Join(write(ctx, tx, "k"), exec(ctx, tx, text), write(ctx, tx, "k"))
		}, effects})
	}
	return ends
}

func TestPgxTransactionThatEndedEarly(t *testing.T) {
	t.Parallel()
	ends := append([]pgEnd[pgx.Tx]{
		{"the handler commits", func(ctx context.Context, tx pgx.Tx) error {
			return errors.Join(pgEffect(ctx, tx, "k"), tx.Commit(ctx))
		}, 1},
		{"the handler commits, and rolls back in any case", func(ctx context.Context, tx pgx.Tx) error {
			defer tx.Rollback(ctx)
			return errors.Join(pgEffect(ctx, tx, "k"), tx.Commit(ctx))
		}, 1},
		{"the handler rolls back", func(ctx context.Context, tx pgx.Tx) error {
			return errors.Join(pgEffect(ctx, tx, "k"), tx.Rollback(ctx))
		}, 0},
	}, pgEndsByText(pgEffect, func(ctx context.Context, tx pgx.Tx, text string) error {
		_, err := tx.Exec(ctx, text)
		return err
	})...)
	runPgEnds(t, func(t testing.TB) pgStore[pgx.Tx] { return openPgx(t) }, ends)
	t.Run("simple protocol", func(t *testing.T) {
		t.Parallel()
		runPgEnds(t, func(t testing.TB) pgStore[pgx.Tx] { return openPgx(t, pgMode(pgx.QueryExecModeSimpleProtocol)) }, ends)
	})
}

func TestPgDBTransactionThatEndedEarly(t *testing.T) {
	t.Parallel()
	ends := append([]pgEnd[*sql.Tx]{
		{"the handler commits", func(ctx context.Context, tx *sql.Tx) error {
			return errors.Join(pgDBEffect(ctx, tx, "k"), tx.Commit())
		}, 1},
		{"the handler commits, and rolls back in any case", func(ctx context.Context, tx *sql.Tx) error {
			defer tx.Rollback()
			return errors.Join(pgDBEffect(ctx, tx, "k"), tx.Commit())
		}, 1},
		{"the handler rolls back", func(ctx context.Context, tx *sql.Tx) error {
			return errors.Join(pgDBEffect(ctx, tx, "k"), tx.Rollback())
		}, 0},
	}, pgEndsByText(pgDBEffect, func(ctx context.Context, tx *sql.Tx, text string) error {
		_, err := tx.ExecContext(ctx, text)
		return err
	})...)
	for _, driver := range []string{"pgx", "postgres"} {
		t.Run(driver, func(t *testing.T) {
			t.Parallel()
			runPgEnds(t, func(t testing.TB) pgStore[*sql.Tx] { return openPgDB(t, driver) }, ends)
		})
	}
}

// What the server rolled back is not done: it is refused, and the retry does it.
func TestPgTransactionThatTheServerRolledBack(t *testing.T) {
	t.Parallel()
	type exec = func(ctx context.Context, text string) error
	for name, fault := range map[string]func(context.Context, exec){
		"a statement fails": func(ctx context.Context, exec exec) {
			_ = exec(ctx, "SELECT 1/0") // the handler goes on
		},
		"a statement is interrupted": func(ctx context.Context, exec exec) {
			short, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
			defer cancel()
			_ = exec(short, "SELECT pg_sleep(1)")
		},
		"a statement is cancelled": func(ctx context.Context, exec exec) {
			_ = exec(ctx, "SET LOCAL statement_timeout = 20")
			_ = exec(ctx, "SELECT pg_sleep(1)")
		},
		"the session is idle for too long": func(ctx context.Context, exec exec) {
			_ = exec(ctx, "SET LOCAL idle_in_transaction_session_timeout = 20")
			time.Sleep(200 * time.Millisecond)
		},
	} {
		t.Run("pgx, "+name, func(t *testing.T) {
			t.Parallel()
			runPgFault(t, openPgx(t), pgEffect, func(ctx context.Context, tx pgx.Tx) {
				fault(ctx, func(ctx context.Context, text string) error { _, err := tx.Exec(ctx, text); return err })
			})
		})
		for _, driver := range []string{"pgx", "postgres"} {
			t.Run("database/sql with "+driver+", "+name, func(t *testing.T) {
				t.Parallel()
				runPgFault(t, openPgDB(t, driver), pgDBEffect, func(ctx context.Context, tx *sql.Tx) {
					fault(ctx, func(ctx context.Context, text string) error { _, err := tx.ExecContext(ctx, text); return err })
				})
			})
		}
	}
}

// runPgFault sends work that a fault comes upon, and again without one.
func runPgFault[Tx any](t *testing.T, s pgStore[Tx], write func(context.Context, Tx, string) error, fault func(context.Context, Tx)) {
	faulty := true
	svc := idem.New(s.Store, oneCaller)
	svc.Observer = func(context.Context, idem.Event) {}
	h := idem.HandleTx(svc, &transfersCreate, s.Store, func(ctx context.Context, tx Tx, _ transfer) (*idem.Response, error) {
		if err := write(ctx, tx, "k"); err != nil {
			return nil, err
		}
		if faulty {
			fault(ctx, tx)
		}
		return idem.JSON(201, "done")
	})
	if status, replayed := post(t.Context(), h, "k"); status != 503 || replayed {
		t.Errorf("%d, replayed: %t", status, replayed)
	}
	s.noEffect(t, "k")
	faulty = false
	if status, replayed := post(t.Context(), h, "k"); status != 201 || replayed {
		t.Errorf("the retry: %d, replayed: %t", status, replayed)
	}
	if n, err := s.effects(t.Context(), "k"); n != 1 || err != nil {
		t.Errorf("%d business rows, %v", n, err)
	}
}

// A transaction that the caller opened may finalize as its first statement, and only has to be open.
func TestPgFinalizeInATransactionOfOnesOwn(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	for _, write := range []bool{false, true} {
		r := joined(fmt.Sprint(write))
		begin(t, s, r, idem.Reserved)
		err := pgx.BeginFunc(t.Context(), s.admin, func(tx pgx.Tx) error {
			if write {
				if err := pgEffect(t.Context(), tx, "k"); err != nil {
					return err
				}
			}
			return s.FinalizeTx(t.Context(), tx, r.Key, r.Token, created, 0)
		})
		if err != nil {
			t.Errorf("after writing: %t: %v", write, err)
		}
		look(t, s, r.Key, idem.Replay)
	}
}
