package pgstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"testing"
)

// coded is an error as pgx and lib/pq tell one of the server.
type coded string

func (c coded) Error() string    { return "ERROR: " + string(c) }
func (c coded) SQLState() string { return string(c) }

func TestRefusedCommits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err  error
		want bool
		why  string
	}{
		{coded("23503"), true, "a deferred constraint"},
		{coded("40001"), true, "a serialization failure"},
		{coded("40P01"), true, "a deadlock"},
		{coded("P0001"), true, "a deferred trigger's own refusal"},
		{coded("25P02"), true, "a transaction that had failed"},
		{fmt.Errorf("commit: %w", coded("23505")), true, "a driver's wrapping"},
		{coded("40003"), false, "the server says that it does not know"},
		{coded("57P01"), false, "a server going down may have committed"},
		{coded("08P01"), false, "a proxy speaks of a server it lost"},
		{coded("58000"), false, "a proxy's system error"},
		{coded("53300"), false, "a proxy's lack of connections"},
		{coded("XX000"), false, "an internal error"},
		{coded(""), false, "no code"},
		{context.DeadlineExceeded, false, "no answer"},
		{errors.New("unexpected EOF"), false, "a connection that ended"},
	} {
		if got := refused(c.err); got != c.want {
			t.Errorf("%s (%v): refused is %t", c.why, c.err, got)
		}
	}
}

func TestTransactionsThatTheClientEnded(t *testing.T) {
	t.Parallel()
	closedByPgx := errors.New("tx is closed") // pgx.ErrTxClosed
	for _, c := range []struct {
		err  error
		want bool
		why  string
	}{
		{sql.ErrTxDone, true, "database/sql"},
		{fmt.Errorf("traced: %w", sql.ErrTxDone), true, "a wrapping"},
		{closedByPgx, true, "pgx"},
		{fmt.Errorf("traced: %w", closedByPgx), true, "a wrapping of pgx's"},
		{fmt.Errorf("%w, %w", errors.New("traced"), errors.Join(closedByPgx)), true, "more than one wrapping"},
		{coded("25P01"), true, "no transaction"},
		{coded("25P02"), false, "a transaction that has failed is rolled back"},
		{coded("57P01"), false, "so is one whose session ended"},
		{coded("25P03"), false, "by a timeout too"},
		{errors.New("conn closed"), false, "so is one whose connection ended"},
		{fmt.Errorf("%w", context.DeadlineExceeded), false, "no answer to a statement"},
		{errors.New("the tx is closed?"), false, "another's text"},
	} {
		if got := closed(c.err); got != c.want {
			t.Errorf("%s (%v): closed is %t", c.why, c.err, got)
		}
	}
}

func TestWhatIsAskedAgain(t *testing.T) {
	t.Parallel()
	for state, want := range map[string]bool{"40001": true, "40P01": true, "55P03": false, "57014": false, "23505": false} {
		if got := again(coded(state)); got != want {
			t.Errorf("%s is asked again: %t", state, got)
		}
	}
}

// What pgx says of no row wraps what database/sql says, and did not before 5.7.
func TestNoRow(t *testing.T) {
	t.Parallel()
	for _, err := range []error{sql.ErrNoRows, fmt.Errorf("scan: %w", sql.ErrNoRows), errors.New("no rows in result set")} {
		if n, err := count(t.Context(), func(context.Context, string, []any, ...any) error { return err }, "", nil); n != 0 || err != nil {
			t.Errorf("it counts %d, %v", n, err)
		}
	}
	if _, err := count(t.Context(), func(context.Context, string, []any, ...any) error { return coded("40001") }, "", nil); err == nil {
		t.Error("another error is no row")
	}
}
