package linear_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A service serves one operation over a database, in this process or in another one.
type service struct {
	store   idem.Store
	leased  func(*idem.Service, *idem.Operation, work) *idem.Handler
	joined  func(*idem.Service, *idem.Operation, work) *idem.Handler
	effects func(context.Context) (who string, err error) // of all transactions that have committed
	close   func()
}

// work is what a handler does. In joined mode session is the server's number of the connection that the handler's
// transaction is on, and the transaction has this worker's effect in it; else it is 0.
type work func(ctx context.Context, session int) (*idem.Response, error)

type payload struct {
	Query idem.Query `json:"query,omitzero"`
}

func operation(lease time.Duration, unknown idem.OnUnknown) *idem.Operation {
	return &idem.Operation{
		Endpoint: "claims.create", Method: http.MethodPost, Path: "/claims",
		Policy: idem.Policy{Lease: lease, OnUnknown: unknown},
	}
}

var zombieScope = idem.Scope{Tenant: "acme", Actor: "u-17"}

func zombieKey(value string) idem.Key {
	return idem.Key{Scope: zombieScope, Endpoint: "claims.create", Value: value}
}

func scope(*http.Request) (idem.Scope, error) { return zombieScope, nil }

// openService opens the database at an address, which names what it is of first. who works there is in its effects.
func openService(ctx context.Context, address, who string) (service, error) {
	kind, at, _ := strings.Cut(address, ":")
	switch kind {
	case "sqlite":
		return openSQLiteService(ctx, at, who)
	case "postgres":
		return openPostgresService(ctx, at, who)
	default:
		return service{}, fmt.Errorf("address %q", address)
	}
}

func openSQLiteService(ctx context.Context, file, who string) (service, error) {
	s, err := sqliteAt(ctx, file)
	if err != nil {
		return service{}, err
	}
	if _, err := s.db.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS effects (who TEXT)"); err != nil {
		return service{}, err
	}
	act := func(ctx context.Context, tx *sql.Tx) (int, error) {
		_, err := tx.ExecContext(ctx, "INSERT INTO effects VALUES (?)", who)
		return 0, err
	}
	effects := func(ctx context.Context) (all string, err error) {
		err = s.db.QueryRowContext(ctx, "SELECT coalesce(group_concat(who, ' '), '') FROM effects").Scan(&all)
		return all, err
	}
	return serviceOn(s.Store, act, effects, func() { _ = s.db.Close() }), nil
}

func openPostgresService(ctx context.Context, dsn, who string) (service, error) {
	s, err := postgresAt(ctx, dsn)
	if err != nil {
		return service{}, err
	}
	if _, err := s.pool.Exec(ctx, "CREATE TABLE IF NOT EXISTS effects (who text)"); err != nil {
		return service{}, err
	}
	act := func(ctx context.Context, tx pgx.Tx) (session int, err error) {
		err = tx.QueryRow(ctx, "INSERT INTO effects VALUES ($1) RETURNING pg_backend_pid()", who).Scan(&session)
		return session, err
	}
	effects := func(ctx context.Context) (all string, err error) {
		err = s.pool.QueryRow(ctx, "SELECT coalesce(string_agg(who, ' '), '') FROM effects").Scan(&all)
		return all, err
	}
	return serviceOn(s.Store, act, effects, s.pool.Close), nil
}

func serviceOn[Tx any](store idem.TxStore[Tx], act func(context.Context, Tx) (int, error),
	effects func(context.Context) (string, error), end func()) service {
	return service{
		store: store,
		leased: func(s *idem.Service, op *idem.Operation, do work) *idem.Handler {
			return idem.Handle(s, op, func(ctx context.Context, _ payload) (*idem.Response, error) { return do(ctx, 0) })
		},
		joined: func(s *idem.Service, op *idem.Operation, do work) *idem.Handler {
			return idem.HandleTx(s, op, store, func(ctx context.Context, tx Tx, _ payload) (*idem.Response, error) {
				session, err := act(ctx, tx)
				if err != nil {
					return nil, err
				}
				return do(ctx, session)
			})
		},
		effects: effects,
		close:   end,
	}
}
