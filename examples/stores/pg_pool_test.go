package stores_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/pgstore"
)

// transfer is the payload of an operation without parameters.
type transfer struct {
	Query idem.Query `json:"query,omitzero"`
	Body  struct {
		Amount int64 `json:"amount"`
	} `json:"body"`
}

var transfersCreate = idem.Operation{
	Endpoint: "transfers.create", Method: "POST", Path: "/transfers",
	Bodies: []idem.Body{{MediaType: "application/json"}},
}

func oneCaller(*http.Request) (idem.Scope, error) {
	return idem.Scope{Tenant: "acme", Actor: "u-17"}, nil
}

// post sends a transfer and says the status, and whether the answer is a replay.
func post(ctx context.Context, h http.Handler, key string) (status int, replayed bool) {
	r := httptest.NewRequestWithContext(ctx, "POST", "/transfers", strings.NewReader(`{"amount":10}`))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Idempotency-Key", key)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	_, _ = io.Copy(io.Discard, w.Body)
	return w.Code, w.Header().Get("Idempotent-Replayed") == "true"
}

// In lease mode no connection is held while a handler runs.
func TestPgPoolOfTwoServesFiftyHandlers(t *testing.T) {
	t.Parallel()
	const requests = 50
	s := openPgx(t)
	dsn := s.dsn + " application_name=fifty"
	for name, store := range map[string]idem.Store{
		"pgx": pgstore.New(pgPool(t, dsn, pgConns(2))),
		"database/sql": func() idem.Store {
			db := pgDB(t, "postgres", dsn)
			db.SetMaxOpenConns(2)
			return pgstore.NewDB(db)
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			var running, answered sync.WaitGroup
			running.Add(requests)
			release := make(chan struct{})
			h := idem.Handle(idem.New(store, oneCaller), &transfersCreate, func(context.Context, transfer) (*idem.Response, error) {
				running.Done()
				<-release
				return idem.JSON(201, "done")
			})
			for n := range requests {
				answered.Add(1)
				go func() {
					defer answered.Done()
					if status, replayed := post(t.Context(), h, fmt.Sprint(name, n)); status != 201 || replayed {
						t.Errorf("a first request: %d, replayed: %t", status, replayed)
					}
				}()
			}
			running.Wait() // all at once, on two connections
			held := pgAsk[int](t, s.pgPlace, `SELECT count(*) FROM pg_stat_activity
				WHERE application_name = 'fifty' AND state IN ('idle in transaction', 'idle in transaction (aborted)')`)
			advisory := pgAsk[int](t, s.pgPlace, `SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)
				WHERE locktype = 'advisory' AND application_name = 'fifty'`)
			close(release)
			answered.Wait()
			if held != 0 || advisory != 0 {
				t.Errorf("while handlers run, %d connections are held in a transaction, %d with advisory locks", held, advisory)
			}
			if status, replayed := post(t.Context(), h, name+"0"); status != 201 || !replayed {
				t.Errorf("a retry: %d, replayed: %t", status, replayed)
			}
		})
	}
}

// A joined handler holds one connection, and needs no second one to end; a handler of lease mode may use the pool.
func TestPgPoolIsNotExhausted(t *testing.T) {
	t.Parallel()
	const requests = 30
	s := openPgx(t)
	for _, size := range []int32{1, 2} {
		pool := pgPool(t, s.dsn, pgConns(size))
		store := pgstore.New(pool)
		svc := idem.New(store, oneCaller)
		joined := idem.HandleTx(svc, &transfersCreate, store, func(ctx context.Context, tx pgx.Tx, _ transfer) (*idem.Response, error) {
			if err := pgEffect(ctx, tx, fmt.Sprint("joined", size)); err != nil {
				return nil, err
			}
			return idem.JSON(201, "done")
		})
		leased := idem.Handle(svc, &transfersCreate, func(ctx context.Context, _ transfer) (*idem.Response, error) {
			_, err := pool.Exec(ctx, "INSERT INTO effects VALUES ($1)", []byte(fmt.Sprint("leased", size)))
			if err != nil {
				return nil, err
			}
			return idem.JSON(201, "done")
		})
		for name, h := range map[string]http.Handler{"joined": joined, "leased": leased} {
			t.Run(fmt.Sprint(name, " on ", size), func(t *testing.T) {
				var sending sync.WaitGroup
				for n := range requests {
					sending.Add(1)
					go func() {
						defer sending.Done()
						if status, _ := post(t.Context(), h, fmt.Sprint(name, size, n)); status != 201 {
							t.Errorf("a first request: %d", status)
						}
					}()
				}
				sending.Wait()
				if n, err := s.effects(t.Context(), fmt.Sprint(name, size)); n != requests || err != nil {
					t.Errorf("%d effects of %d requests, %v", n, requests, err)
				}
			})
		}
	}
}

// A joined handler whose session is ended under it is answered by a refusal, and the retry does the work.
func TestPgKilledHandlerIsRefused(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	kill := true
	h := idem.HandleTx(idem.New(s.Store, oneCaller), &transfersCreate, s.Store, func(ctx context.Context, tx pgx.Tx, _ transfer) (*idem.Response, error) {
		if err := pgEffect(ctx, tx, "killed"); err != nil {
			return nil, err
		}
		if kill {
			var pid int
			if err := tx.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
				return nil, err
			}
			s.exec(t, "SELECT pg_terminate_backend($1, 10000)", pid)
		}
		return idem.JSON(201, "done")
	})
	if status, _ := post(t.Context(), h, "k"); status != 503 {
		t.Errorf("the request whose transaction was killed: %d, not 503", status)
	}
	s.noEffect(t, "killed")
	kill = false
	if status, replayed := post(t.Context(), h, "k"); status != 201 || replayed {
		t.Errorf("the retry: %d, replayed: %t", status, replayed)
	}
	if n, err := s.effects(t.Context(), "killed"); n != 1 || err != nil {
		t.Errorf("%d effects, %v", n, err)
	}
}

// Without a connection to be had, a request is refused in time, and its key stays free.
func TestPgExhaustedPoolFailsClosed(t *testing.T) {
	t.Parallel()
	s := openPgx(t)
	pool := pgPool(t, s.dsn, pgConns(1))
	svc := idem.New(pgstore.New(pool), oneCaller)
	svc.StoreTimeout = 100 * time.Millisecond
	h := idem.Handle(svc, &transfersCreate, func(context.Context, transfer) (*idem.Response, error) {
		return idem.JSON(201, "done")
	})
	err := pool.AcquireFunc(t.Context(), func(*pgxpool.Conn) error {
		quickly(t, func() {
			if status, _ := post(t.Context(), h, "k"); status != 503 {
				t.Errorf("without a connection: %d, not 503", status)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if status, replayed := post(t.Context(), h, "k"); status != 201 || replayed {
		t.Errorf("with one: %d, replayed: %t", status, replayed)
	}
}
