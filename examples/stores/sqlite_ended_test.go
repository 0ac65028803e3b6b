package stores_test

import (
	"context"
	"database/sql"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A handler that ends its transaction by itself, or goes on after SQLite has, had its effect apart from its
// result. It is answered with a fault for good, and never runs again.
func TestSQLiteTransactionThatEndedEarly(t *testing.T) {
	t.Parallel()
	type payload struct {
		Query idem.Query `json:"query,omitzero"`
	}
	insert := func(ctx context.Context, tx *sql.Tx, text string) error {
		_, err := tx.ExecContext(ctx, text)
		return err
	}
	for name, handle := range map[string]func(context.Context, *sql.Tx) error{
		"the handler commits": func(ctx context.Context, tx *sql.Tx) error {
			if err := insert(ctx, tx, "INSERT INTO results VALUES (1)"); err != nil {
				return err
			}
			return tx.Commit()
		},
		"the handler rolls back": func(ctx context.Context, tx *sql.Tx) error { return tx.Rollback() },
		"a statement rolls back": func(ctx context.Context, tx *sql.Tx) error {
			_ = insert(ctx, tx, "INSERT INTO results VALUES (1)")
			_ = insert(ctx, tx, "INSERT OR ROLLBACK INTO results VALUES (1)") // the handler goes on
			return insert(ctx, tx, "INSERT INTO results VALUES (2)")
		},
		"a statement is interrupted": func(ctx context.Context, tx *sql.Tx) error {
			short, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
			defer cancel()
			_ = insert(short, tx, "WITH RECURSIVE n(i) AS (SELECT 10 UNION ALL SELECT i + 1 FROM n) INSERT INTO results SELECT i FROM n")
			return insert(ctx, tx, "INSERT INTO results VALUES (2)")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSQLite(t)
			if _, err := s.db.Exec("CREATE TABLE results (n INTEGER UNIQUE)"); err != nil {
				t.Fatal(err)
			}
			svc := idem.New(s, func(*http.Request) (idem.Scope, error) {
				return idem.Scope{Tenant: "t", Actor: "a"}, nil
			})
			svc.Observer = func(context.Context, idem.Event) {}
			runs := 0
			h := idem.HandleTx(svc, &idem.Operation{Endpoint: "e", Method: "POST", Path: "/e"}, s,
				func(ctx context.Context, tx *sql.Tx, _ payload) (*idem.Response, error) {
					runs++
					if err := handle(ctx, tx); err != nil {
						return nil, err
					}
					return idem.JSON(201, "done")
				})
			for _, replayed := range []string{"", "true"} {
				r := httptest.NewRequest("POST", "/e", nil)
				r.Header.Set("Idempotency-Key", "k")
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if w.Code != 500 || w.Header().Get("Idempotent-Replayed") != replayed {
					t.Errorf("%d, replayed %q: %s", w.Code, w.Header().Get("Idempotent-Replayed"), w.Body)
				}
			}
			if runs != 1 {
				t.Errorf("it ran %d times", runs)
			}
		})
	}
}
