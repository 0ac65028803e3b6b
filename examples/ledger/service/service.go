package service

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"

	"modernc.org/sqlite"

	"github.com/idemgen/idemgen/runtime/idem"
	"github.com/idemgen/idemgen/runtime/sqlitestore"
)

//go:embed schema.sql
var schema string

//go:embed seed.sql
var seed string

// Open opens the database file as the store asks for it: readers never wait for the writer (WAL), and
// writers wait for each other.
func Open(file string) (*sql.DB, error) {
	return sql.Open("sqlite", (&url.URL{
		Scheme: "file", Opaque: file,
		RawQuery: "_pragma=journal_mode(WAL)&_pragma=busy_timeout(5000)&_txlock=immediate",
	}).String())
}

// Prepare makes the tables of the ledger and of the idempotency store, and gives every tenant something
// to write about. It changes nothing where that is done already.
func Prepare(ctx context.Context, db *sql.DB) error {
	if err := sqlitestore.New(db).Migrate(ctx); err != nil {
		return err
	}
	return inTx(ctx, db, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, schema); err != nil {
			return fmt.Errorf("make the ledger's tables: %w", err)
		}
		return fill(ctx, tx)
	})
}

// Reset puts the rows of a prepared database back to what every tenant starts with. Events and idempotency records
// stay.
func Reset(ctx context.Context, db *sql.DB) error {
	return inTx(ctx, db, func(tx *sql.Tx) error {
		for _, m := range tables.FindAllStringSubmatch(schema, -1) {
			if m[1] == "events" {
				continue
			}
			if _, err := tx.ExecContext(ctx, "DELETE FROM "+m[1]); err != nil {
				return fmt.Errorf("empty %s: %w", m[1], err)
			}
		}
		return fill(ctx, tx)
	})
}

var tables = regexp.MustCompile(`CREATE TABLE IF NOT EXISTS (\w+)`)

// fill gives every tenant something to write about.
func fill(ctx context.Context, tx *sql.Tx) error {
	for _, tenant := range Tenants {
		if _, err := tx.ExecContext(ctx, seed, sql.Named("tenant", tenant)); err != nil {
			return fmt.Errorf("seed %s: %w", tenant, err)
		}
	}
	return nil
}

func inTx(ctx context.Context, db *sql.DB, do func(*sql.Tx) error) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// Options are for the demo and the tests; the zero value is the service as it should be.
type Options struct {
	Gate     *Gate         // stops requests at chosen points
	Observer idem.Observer // hears every outcome
	Unsafe   Unsafe        // takes a guarantee away, to show what it was for
	// Store is what the service keeps its records in: made of the store that it would use itself.
	Store func(idem.TxStore[*sql.Tx]) idem.TxStore[*sql.Tx]
}

// New returns the service over a database that [Prepare] has seen.
func New(db *sql.DB, o Options) http.Handler {
	var store idem.TxStore[*sql.Tx] = gatedStore{Store: sqlitestore.New(db), gate: o.Gate}
	if o.Store != nil {
		store = o.Store(store)
	}
	svc := idem.New(store, o.Unsafe.scope())
	svc.Facts = facts
	svc.Authorize = authorize
	svc.MapError = mapError
	svc.Observer = o.Observer

	mux := http.NewServeMux()
	for _, h := range keyed(svc, store, db) {
		op := h.Operation()
		mux.Handle(op.Method+" "+op.Path, o.Unsafe.unwrap(h, db, o.Gate))
	}
	exempt(mux)
	reads(mux, db)
	return o.Gate.answers(authenticate(mux))
}

// mapError makes a domain error of what the database says about two rows that cannot both be. Any other
// error is answered with 500, which tells the client nothing: it is logged here.
func mapError(ctx context.Context, err error) *idem.Response {
	var failed *sqlite.Error
	const unique, primaryKey = 2067, 1555 // SQLite's extended result codes
	if errors.As(err, &failed) && (failed.Code() == unique || failed.Code() == primaryKey) {
		return (&idem.Problem{Status: http.StatusUnprocessableEntity, Code: "duplicate", Detail: "it is there already"}).Response()
	}
	slog.ErrorContext(ctx, "a write failed", "error", err)
	return nil
}

// alone runs a handler of lease mode in a transaction of its own. Its effect is real at the commit, and
// its result is stored after that: in between lies what only a lease can tell about.
func alone[P any](db *sql.DB, fn idem.TxFunc[*sql.Tx, P]) idem.Func[P] {
	return func(ctx context.Context, p P) (*idem.Response, error) {
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return nil, err
		}
		defer tx.Rollback()
		r, err := fn(ctx, tx, p)
		if err != nil {
			return nil, err
		}
		return r, tx.Commit()
	}
}
