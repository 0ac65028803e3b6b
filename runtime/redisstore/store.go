package redisstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// DefaultPrefix stands before the keys of records where [Options] names no other.
const DefaultPrefix = "idem:"

// Options are what a [Store] is made with.
type Options struct {
	// Retention is how long a finalized record is kept where Finalize names no time. It must be more
	// than 0: memory that kept results for ever would be full one day. A client that retries later
	// than this runs again.
	Retention time.Duration
	// Prefix stands before every key: [DefaultPrefix] by default. Stores with different ones share a server.
	// It has no braces, because they would place all records of a cluster on one node.
	Prefix string
}

// A Store is an [idem.Store] and an [idem.Resolver]. Make one with [New]. It needs no sweep: Redis removes
// what is past its retention.
type Store struct {
	eval      Eval
	retention time.Duration
	prefix    string
}

var (
	_ idem.Store    = (*Store)(nil)
	_ idem.Resolver = (*Store)(nil)
)

// New returns a store that asks through eval, whose client stays the caller's. It sends nothing; see
// [Store.Check]. It panics where eval is nil, Retention is not more than 0 or Prefix has a brace.
func New(eval Eval, o Options) *Store {
	switch {
	case eval == nil:
		panic("redisstore: nil Eval")
	case o.Retention <= 0:
		panic("redisstore: Retention must be more than 0")
	case strings.ContainsAny(o.Prefix, "{}"):
		panic(fmt.Sprintf("redisstore: prefix %q: it must not have a brace", o.Prefix))
	}
	if o.Prefix == "" {
		o.Prefix = DefaultPrefix
	}
	return &Store{eval: eval, retention: o.Retention, prefix: o.Prefix}
}

// remembered is how long the fence of a released record is kept: longer than the clocks of a master and the
// replica that takes over from it can differ.
const remembered = time.Hour

// Begin implements [idem.Store]. A new key is [idem.ErrFull] where the server's memory is full and it evicts nothing.
func (s *Store) Begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	if r.Lease <= 0 {
		return idem.Outcome{}, fmt.Errorf("begin %s: lease must be more than 0", r.Key.Endpoint)
	}
	o, err := s.begin(ctx, r)
	if err != nil {
		return idem.Outcome{}, fmt.Errorf("begin %s: %w", r.Key.Endpoint, err)
	}
	return o, nil
}

func (s *Store) begin(ctx context.Context, r idem.Reservation) (idem.Outcome, error) {
	framed, fingerprint := frame(r.Key), r.Fingerprint.Bytes()
	args := []string{string(r.Token[:]), string(fingerprint[:]), micros(r.Lease), framed, strconv.FormatInt(r.TakeOver, 10)}
	if r.Joined {
		args = append(args, "1")
	}
	answer, err := s.run(ctx, beginScript, s.place(framed), args...)
	if err != nil {
		return idem.Outcome{}, err
	}
	return answer.outcome()
}

// Lookup implements [idem.Store].
func (s *Store) Lookup(ctx context.Context, k idem.Key) (idem.Outcome, error) {
	var o idem.Outcome
	answer, err := s.run(ctx, lookupScript, s.place(frame(k)))
	if err == nil {
		o, err = answer.outcome()
	}
	if err != nil {
		return idem.Outcome{}, fmt.Errorf("look up %s: %w", k.Endpoint, err)
	}
	return o, nil
}

// Renew implements [idem.Store].
func (s *Store) Renew(ctx context.Context, k idem.Key, t idem.Token, lease time.Duration) error {
	if lease < 0 {
		return fmt.Errorf("renew %s: lease must not be less than 0", k.Endpoint)
	}
	if err := s.change(ctx, renewScript, k, string(t[:]), micros(lease)); err != nil {
		return fmt.Errorf("renew %s: %w", k.Endpoint, err)
	}
	return nil
}

// Finalize implements [idem.Store]. A keep of 0 is the store's own Retention. It succeeds where the server's memory is
// full too. [idem.ErrLost] may also mean that Redis lost the record.
func (s *Store) Finalize(ctx context.Context, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	kept, err := s.result(r, keep)
	if err == nil {
		err = s.change(ctx, finalizeScript, k, append([]string{string(t[:])}, kept...)...)
	}
	if err != nil {
		return fmt.Errorf("finalize %s: %w", k.Endpoint, err)
	}
	return nil
}

// Release implements [idem.Store].
func (s *Store) Release(ctx context.Context, k idem.Key, t idem.Token) error {
	if err := s.change(ctx, releaseScript, k, string(t[:]), millis(remembered)); err != nil {
		return fmt.Errorf("release %s: %w", k.Endpoint, err)
	}
	return nil
}

// change runs a script that changes k's record, or says that it is lost.
func (s *Store) change(ctx context.Context, sc script, k idem.Key, args ...string) error {
	answer, err := s.run(ctx, sc, s.place(frame(k)), args...)
	if err != nil {
		return err
	}
	return answer.done()
}

// result is how long to keep a response, and the fields that it is kept in.
func (s *Store) result(r idem.Response, keep time.Duration) ([]string, error) {
	if keep < 0 {
		return nil, errors.New("retention must not be less than 0")
	}
	if keep == 0 {
		keep = s.retention
	}
	args := []string{millis(keep), "status", strconv.Itoa(r.Status)}
	if r.Tombstone {
		return args, nil
	}
	return append(args, "header", string(idem.EncodeHeader(r.Header)), "body", string(r.Body)), nil
}

// micros and millis are d in whole units, rounded up: what is more than 0 stays so. Redis counts a time to live
// from the last whole millisecond, so that one more keeps it from ending early.
func micros(d time.Duration) string { return units(d, time.Microsecond) }
func millis(d time.Duration) string { return units(d+time.Millisecond, time.Millisecond) }

func units(d, unit time.Duration) string {
	n := int64(d / unit)
	if d%unit > 0 {
		n++
	}
	return strconv.FormatInt(n, 10)
}
