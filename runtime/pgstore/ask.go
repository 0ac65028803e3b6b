package pgstore

import (
	"context"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// keyed are parameters 1 to 4. Bytes, because text may not hold any byte.
func keyed(k idem.Key) []any {
	const parameters = 10 // as many as any statement has
	args := make([]any, 0, parameters)
	return append(args, []byte(k.Scope.Tenant), []byte(k.Scope.Actor), []byte(k.Endpoint), []byte(k.Value))
}

// owned are parameters 1 to 5.
func owned(k idem.Key, t idem.Token) []any { return append(keyed(k), t[:]) }

func fingerprint(r idem.Reservation) []byte {
	b := r.Fingerprint.Bytes()
	return b[:]
}

// micros rounds up, so that a short time is not none.
func micros(d time.Duration) int64 {
	n := d.Microseconds()
	if d%time.Microsecond > 0 {
		n++
	}
	return n
}

// rounds bounds how often a statement is repeated that lost against others. Each round that is lost was
// won by another caller.
const rounds = 20

// asking runs a statement and reads its row. noRow says of the error that there was none.
type asking func(ctx context.Context, text string, args []any, into ...any) error

// ask runs a statement on the pool, as a transaction by itself, which all of this package may be repeated as.
func (s *Store[Tx]) ask(ctx context.Context, text string, args []any, into ...any) error {
	for n := 1; ; n++ {
		err := s.db.row(ctx, text, args).Scan(into...)
		if err == nil || n == rounds || !again(err) || ctx.Err() != nil {
			return err
		}
		pause(ctx, n)
	}
}

// askIn runs statements as part of tx. One that fails is not repeated: tx has failed with it.
func (s *Store[Tx]) askIn(tx Tx) asking {
	return func(ctx context.Context, text string, args []any, into ...any) error {
		return s.db.rowIn(ctx, tx, text, args).Scan(into...)
	}
}

// A change is what a statement that reserves or renews says.
type change struct {
	made       bool // false: it found no row to change
	fence, now int64
}

// change runs a statement that says the time, and a fence where it changed a row: 0 where not.
func (s *Store[Tx]) change(ctx context.Context, text string, args []any) (change, error) {
	var now, fence int64
	err := s.ask(ctx, text, args, &now, &fence)
	return change{made: fence != 0, fence: fence, now: now}, err
}

// count runs a statement that says how many rows it changed, by no row where by none.
func count(ctx context.Context, ask asking, text string, args []any) (n int64, err error) {
	if err = ask(ctx, text, args, &n); noRow(err) {
		return 0, nil
	}
	return n, err
}
