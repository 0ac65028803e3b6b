package pgstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A Store is an [idem.TxStore], an [idem.Sweeper] and an [idem.Resolver]. Make one with [New] or [NewDB]. Tx is what the pool
// begins: pgx.Tx or *sql.Tx.
type Store[Tx any] struct {
	db  database[Tx]
	sql statements
}

var (
	_ idem.TxStore[*sql.Tx] = (*Store[*sql.Tx])(nil)
	_ idem.Sweeper          = (*Store[*sql.Tx])(nil)
	_ idem.Resolver         = (*Store[*sql.Tx])(nil)
)

// An Option changes what [New] and [NewDB] make.
type Option func(*statements)

// Prefix stands before the names of the store's tables: "app_" makes app_idempotency_keys. It is up to 40
// letters, digits and underscores, not beginning with a digit, and none by default. It panics at anything else.
func Prefix(prefix string) Option {
	if !goodPrefix.MatchString(prefix) {
		panic(fmt.Sprintf("pgstore: prefix %q: use up to 40 letters, digits and underscores", prefix))
	}
	return func(s *statements) { *s = newStatements(prefix) }
}

func configure(options []Option) statements {
	s := newStatements("")
	for _, option := range options {
		option(&s)
	}
	return s
}

// New returns a store in pool, a *pgxpool.Pool of pgx v5, which stays the caller's. It does nothing to the
// database; see [Store.Migrate]. It panics where pool is nil. The type arguments are inferred:
//
//	store := pgstore.New(pool) // a *pgstore.Store[pgx.Tx]
func New[Tx Transaction[R, C], R Row, C any](pool Pool[R, Tx], options ...Option) *Store[Tx] {
	if pool == nil {
		panic("pgstore: nil pool")
	}
	return &Store[Tx]{db: pgxDatabase[Tx, R, C]{pool}, sql: configure(options)}
}

// NewDB is [New] for a pool of database/sql, over any driver for PostgreSQL.
func NewDB(db *sql.DB, options ...Option) *Store[*sql.Tx] {
	if db == nil {
		panic("pgstore: nil database")
	}
	return &Store[*sql.Tx]{db: sqlDatabase{db}, sql: configure(options)}
}

var errRetention = errors.New("retention must not be less than 0")

var errChanging = errors.New("the record kept changing while it was read")

// Begin implements [idem.Store]. A new key and an answer from the record are one statement each. A take-over
// never waits: where anyone holds the record the answer is InProgress.
func (s *Store[Tx]) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	if r.Lease <= 0 {
		return idem.Outcome{}, fmt.Errorf("begin %s: lease must be more than 0", r.Key.Endpoint)
	}
	o, err := s.begin(ctx, r)
	if err != nil {
		return idem.Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, err)
	}
	return o, nil
}

func (s *Store[Tx]) begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	for range rounds {
		rec, made, err := s.reserve(ctx, r)
		switch {
		case err != nil:
			return idem.Outcome{}, err
		case made.made:
			return reservation(r, made), nil
		case !rec.present:
			continue // another was first, and its record is not in what the statement saw
		}
		o, decided, err := s.decide(ctx, r, rec)
		if err != nil || decided {
			return o, err
		}
	}
	return idem.Outcome{}, errChanging
}

// decide answers a live record from what was read, and otherwise reserves by a statement that says again
// what was read. It has not decided where that statement found something else.
func (s *Store[Tx]) decide(ctx context.Context, r idem.Reservation, rec record) (idem.Outcome, bool, error) {
	switch {
	case !rec.live():
		c, err := s.change(ctx, s.sql.reclaim, append(owned(r.Key, r.Token), r.Joined, fingerprint(r), micros(r.Lease)))
		return reservation(r, c), c.made, err
	case rec.fingerprint != r.Fingerprint:
		return rec.outcome(idem.Conflict), true, nil
	case rec.finalized():
		return rec.outcome(rec.state()), true, nil
	case rec.token == r.Token:
		c, err := s.change(ctx, s.sql.renew, append(owned(r.Key, r.Token), micros(r.Lease)))
		return reservation(r, c), c.made, err
	case rec.leaseUntil > rec.now:
		return rec.outcome(idem.InProgress), true, nil
	case rec.joined, r.TakeOver != 0 && r.TakeOver == rec.fence:
		return s.takeOver(ctx, r, rec)
	default:
		return rec.outcome(idem.Unknown), true, nil
	}
}

// takeOver reserves rec for r. Where it cannot, and the record is as it was, someone holds it.
func (s *Store[Tx]) takeOver(ctx context.Context, r idem.Reservation, rec record) (idem.Outcome, bool, error) {
	args := append(owned(r.Key, rec.token), r.Joined, rec.fence, micros(r.Lease), r.Token[:])
	c, err := s.change(ctx, s.sql.takeOver, args)
	if err != nil || c.made {
		return reservation(r, c), c.made, err
	}
	return s.held(ctx, r.Key, rec)
}

// held answers InProgress where the record is still what it was when it could not be locked.
func (s *Store[Tx]) held(ctx context.Context, k idem.Key, rec record) (idem.Outcome, bool, error) {
	latest, err := s.read(ctx, s.ask, k)
	if err != nil || !latest.reservedAs(rec) {
		return idem.Outcome{}, false, err
	}
	return latest.outcome(idem.InProgress), true, nil
}

// reservation is the outcome of a statement that has reserved.
func reservation(r idem.Reservation, c change) idem.Outcome {
	return idem.Outcome{State: idem.Reserved, Fence: c.fence, Fingerprint: r.Fingerprint, Now: time.UnixMicro(c.now)}
}

// Lookup implements [idem.Store]. A joined reservation whose lease is over has an owner where someone holds its
// record: it is InProgress then.
func (s *Store[Tx]) Lookup(ctx context.Context, k idem.Key) (idem.Outcome, error) {
	o, err := s.lookup(ctx, k)
	if err != nil {
		return idem.Outcome{}, fmt.Errorf("look up %s: %w", k.Endpoint, err)
	}
	return o, nil
}

func (s *Store[Tx]) lookup(ctx context.Context, k idem.Key) (idem.Outcome, error) {
	for range rounds {
		rec, err := s.read(ctx, s.ask, k)
		if err != nil {
			return idem.Outcome{}, err
		}
		if !rec.live() || rec.state() != idem.Absent {
			return rec.outcome(rec.state()), nil
		}
		c, err := s.change(ctx, s.sql.touch, append(owned(k, rec.token), rec.fence))
		if err != nil || c.made {
			return rec.outcome(idem.Absent), err
		}
		o, decided, err := s.held(ctx, k, rec)
		if err != nil || decided {
			return o, err
		}
	}
	return idem.Outcome{}, errChanging
}

// Renew implements [idem.Store].
func (s *Store[Tx]) Renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	if lease < 0 {
		return fmt.Errorf("renew %s: lease must not be less than 0", k.Endpoint)
	}
	c, err := s.change(ctx, s.sql.renew, append(owned(k, t), micros(lease)))
	if err == nil && !c.made {
		err = idem.ErrLost
	}
	if err != nil {
		return fmt.Errorf("renew %s: %w", k.Endpoint, err)
	}
	return nil
}

// Finalize implements [idem.Store]. A keep of 0 is for ever.
func (s *Store[Tx]) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	err := errRetention
	if keep >= 0 {
		err = s.finalize(ctx, s.ask, k, t, append(owned(k, t), result(r, keep)...))
	}
	if err != nil {
		return fmt.Errorf("finalize %s: %w", k.Endpoint, err)
	}
	return nil
}

// Release implements [idem.Store].
func (s *Store[Tx]) Release(ctx context.Context, k idem.Key, t idem.Token) error {
	err := s.release(ctx, k, t)
	if err != nil {
		return fmt.Errorf("release %s: %w", k.Endpoint, err)
	}
	return nil
}

func (s *Store[Tx]) release(ctx context.Context, k idem.Key, t idem.Token) error {
	for range rounds {
		n, err := count(ctx, s.ask, s.sql.release, owned(k, t))
		if err != nil || n > 0 {
			return err
		}
		rec, err := s.read(ctx, s.ask, k)
		switch {
		case err != nil:
			return err
		case !rec.live():
			return nil // an acknowledgement was lost, or nothing ever began
		case rec.finalized() || rec.token != t:
			return idem.ErrLost
		}
		// A Begin of this very token arrived between the two statements: once more.
	}
	return errChanging
}

// absent is nil where the key has no live record: there is nothing to release.
func (s *Store[Tx]) absent(ctx context.Context, k idem.Key) error {
	rec, err := s.read(ctx, s.ask, k)
	if err != nil {
		return err
	}
	if rec.live() {
		return idem.ErrLost
	}
	return nil
}

// Sweep implements [idem.Sweeper] as one statement, which waits for nobody and passes over what others hold:
// several processes may sweep at once. A limit of 1,000 is a good one.
func (s *Store[Tx]) Sweep(ctx context.Context, limit int) (int, error) {
	if limit <= 0 {
		return 0, errors.New("sweep: limit must be more than 0")
	}
	n, err := count(ctx, s.ask, s.sql.sweep, []any{int64(limit)})
	if err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	return int(n), nil
}
