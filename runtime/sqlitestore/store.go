package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// A Store is an [idem.TxStore], an [idem.Sweeper] and an [idem.Resolver]. Make one with [New].
type Store struct {
	db  *pool
	sql statements
}

var (
	_ idem.TxStore[*sql.Tx] = (*Store)(nil)
	_ idem.Sweeper          = (*Store)(nil)
	_ idem.Resolver         = (*Store)(nil)
)

// An Option changes what [New] makes.
type Option func(*Store)

// Prefix stands before the names of the store's tables: "app_" makes app_idempotency_keys. It is up to 63
// letters, digits and underscores, not beginning with a digit, and none by default. It panics at anything else.
func Prefix(prefix string) Option {
	if !goodPrefix.MatchString(prefix) {
		panic(fmt.Sprintf("sqlitestore: prefix %q: use up to 63 letters, digits and underscores", prefix))
	}
	return func(s *Store) { s.sql = newStatements(prefix) }
}

// New returns a store in db, which stays the caller's. It does nothing to the database; see
// [Store.Migrate]. It panics where db is nil. A store is made once: each prepares statements of its own, which db
// keeps until it is closed.
func New(db *sql.DB, options ...Option) *Store {
	if db == nil {
		panic("sqlitestore: nil database")
	}
	s := &Store{db: &pool{DB: db, prepared: map[string]*sql.Stmt{}}, sql: newStatements("")}
	for _, option := range options {
		option(s)
	}
	return s
}

// rounds bounds how often Begin and Lookup read a record that changes under their hands. Each round that is lost
// was won by another caller.
const rounds = 10

// patience bounds how long Begin waits for the writer's lock to reserve a new key. The service's StoreTimeout
// is usually shorter.
const patience = 15 * time.Second

var errChanging = errors.New("the record kept changing while it was read")

// Begin implements [idem.Store]. A take-over never waits longer than an ordinary write takes: where the writer's
// lock is held longer, by the record's owner or by anyone, the answer is InProgress.
func (s *Store) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	if r.Lease <= 0 {
		return idem.Outcome{}, fmt.Errorf("begin %s: lease must be more than 0", r.Key.Endpoint)
	}
	start := time.Now()
	for lost := 0; lost < rounds; {
		rec, err := s.read(ctx, s.db, r.Key)
		if err != nil {
			return idem.Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, err)
		}
		o, decided, err := s.decide(ctx, r, rec)
		if busy(err) && time.Since(start) < patience && ctx.Err() == nil {
			continue // for a new key: it may be somebody's by now
		}
		if err != nil {
			return idem.Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, err)
		}
		if decided {
			return o, nil
		}
		lost++
	}
	return idem.Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, errChanging)
}

// decide answers a live record from what was read, and otherwise reserves by one statement that says again
// what was read. It has not decided where that statement found something else.
func (s *Store) decide(ctx context.Context, r idem.Reservation, rec record) (idem.Outcome, bool, error) {
	switch {
	case !rec.live():
		args := append(owned(r.Key, r.Token), r.Joined, fingerprint(r), micros(r.Lease))
		// At once, or read again: whoever holds the writer's lock may be the owner of this very key, who
		// reserved it after it was read here, and a duplicate must not wait for that transaction.
		return reservation(r)(s.writeAtOnce(ctx, s.sql.insertRecord, args))
	case rec.fingerprint != r.Fingerprint:
		return rec.outcome(idem.Conflict), true, nil
	case rec.finalized():
		return rec.outcome(rec.state()), true, nil
	case rec.token == r.Token:
		args := append(owned(r.Key, r.Token), micros(r.Lease))
		return reservation(r)(s.write(ctx, s.db, s.sql.renew, args))
	case rec.leaseUntil > rec.now:
		return rec.outcome(idem.InProgress), true, nil
	case rec.joined, r.TakeOver != 0 && r.TakeOver == rec.fence:
		args := append(owned(r.Key, rec.token), r.Token[:], r.Joined, micros(r.Lease), rec.fence)
		c, err := s.writeAtOnce(ctx, s.sql.takeOver, args)
		if busy(err) {
			return rec.outcome(idem.InProgress), true, nil
		}
		return reservation(r)(c, err)
	default:
		return rec.outcome(idem.Unknown), true, nil
	}
}

// reservation makes an outcome of a statement that reserves.
func reservation(r idem.Reservation) func(change, error) (idem.Outcome, bool, error) {
	return func(c change, err error) (idem.Outcome, bool, error) {
		if err != nil || !c.made {
			return idem.Outcome{}, false, err
		}
		o := idem.Outcome{State: idem.Reserved, Fence: c.fence, Fingerprint: r.Fingerprint, Now: time.UnixMicro(c.now)}
		return o, true, nil
	}
}

// Lookup implements [idem.Store]. A joined reservation whose lease is over has an owner where the writer's lock
// is taken, by whomever: it is InProgress then.
func (s *Store) Lookup(ctx context.Context, k idem.Key) (idem.Outcome, error) {
	for range rounds {
		rec, err := s.read(ctx, s.db, k)
		if err != nil {
			return idem.Outcome{}, fmt.Errorf("look up %s: %w", k.Endpoint, err)
		}
		if !rec.live() || rec.state() != idem.Absent {
			return rec.outcome(rec.state()), nil
		}
		c, err := s.writeAtOnce(ctx, s.sql.touch, append(owned(k, rec.token), rec.fence))
		switch {
		case busy(err):
			return rec.outcome(idem.InProgress), nil
		case err != nil:
			return idem.Outcome{}, fmt.Errorf("look up %s: %w", k.Endpoint, err)
		case c.made:
			return rec.outcome(idem.Absent), nil
		}
	}
	return idem.Outcome{}, fmt.Errorf("look up %s: %w", k.Endpoint, errChanging)
}

// Renew implements [idem.Store].
func (s *Store) Renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	if lease < 0 {
		return fmt.Errorf("renew %s: lease must not be less than 0", k.Endpoint)
	}
	c, err := s.write(ctx, s.db, s.sql.renew, append(owned(k, t), micros(lease)))
	if err == nil && !c.made {
		err = idem.ErrLost
	}
	if err != nil {
		return fmt.Errorf("renew %s: %w", k.Endpoint, err)
	}
	return nil
}

// Finalize implements [idem.Store]. A keep of 0 is for ever.
func (s *Store) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	return s.finalize(ctx, s.db, k, t, r, keep)
}

// Release implements [idem.Store].
func (s *Store) Release(ctx context.Context, k idem.Key, t idem.Token) error {
	err := s.release(ctx, k, t)
	if err != nil {
		return fmt.Errorf("release %s: %w", k.Endpoint, err)
	}
	return nil
}

func (s *Store) release(ctx context.Context, k idem.Key, t idem.Token) error {
	for range rounds {
		n, err := exec(ctx, s.db, s.sql.release, owned(k, t))
		if err != nil || n > 0 {
			return err
		}
		rec, err := s.read(ctx, s.db, k)
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

// absent is nil where there is nothing to release: an acknowledgement was lost, or nothing ever began.
func (s *Store) absent(ctx context.Context, k idem.Key) error {
	rec, err := s.read(ctx, s.db, k)
	if err != nil {
		return err
	}
	if rec.live() {
		return idem.ErrLost
	}
	return nil
}

// Sweep implements [idem.Sweeper] as one statement. It holds the writer's lock for as long as it removes:
// a limit of 1,000 is a good one.
func (s *Store) Sweep(ctx context.Context, limit int) (int, error) {
	if limit <= 0 {
		return 0, errors.New("sweep: limit must be more than 0")
	}
	n, err := exec(ctx, s.db, s.sql.sweep, []any{limit})
	if err != nil {
		return 0, fmt.Errorf("sweep: %w", err)
	}
	return int(n), nil
}
