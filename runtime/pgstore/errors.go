package pgstore

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"slices"
	"time"
)

// sqlState is the server's five-letter code of an error, as pgx and lib/pq both tell it, or "".
func sqlState(err error) string {
	var coded interface{ SQLState() string }
	if errors.As(err, &coded) {
		return coded.SQLState()
	}
	return ""
}

// again says that a statement or transaction was rolled back because of others, and may be repeated as it is.
// PostgreSQL says so of a single statement too, where the caller's default isolation is above READ COMMITTED.
func again(err error) bool {
	state := sqlState(err)
	return state == "40001" || state == "40P01" // serialization failure, deadlock
}

// refused says that the server has answered a commit by rolling back. It does not believe everyone who
// answers: a proxy that lost the server, and a server that is going down, may speak of a commit that happened.
func refused(err error) bool {
	const completionUnknown = "40003"
	state := sqlState(err)
	if len(state) != 5 || state == completionUnknown {
		return false
	}
	switch state[:2] {
	case "08", // connection exception
		"53", // insufficient resources
		"57", // operator intervention
		"58", // system error
		"XX": // internal error
		return false
	}
	return true
}

// closed says that the transaction which a statement was for is not open any more, by the client's doing.
func closed(err error) bool {
	const noActiveTransaction = "25P01"
	return sqlState(err) == noActiveTransaction || errors.Is(err, sql.ErrTxDone) || says(err, "tx is closed")
}

// noRow says that a statement had no row: sql.ErrNoRows, which pgx.ErrNoRows wraps since pgx 5.7.
func noRow(err error) bool {
	return errors.Is(err, sql.ErrNoRows) || says(err, "no rows in result set")
}

// says finds an error of pgx that has no other mark than its text.
func says(err error, text string) bool {
	if err == nil {
		return false
	}
	if err.Error() == text {
		return true
	}
	switch err := err.(type) {
	case interface{ Unwrap() error }:
		return says(err.Unwrap(), text)
	case interface{ Unwrap() []error }:
		return slices.ContainsFunc(err.Unwrap(), func(err error) bool { return says(err, text) })
	}
	return false
}

// pause lets the others go first, for longer each time.
func pause(ctx context.Context, n int) {
	limit := time.Millisecond << min(n, 4)
	select {
	case <-ctx.Done():
	case <-time.After(rand.N(limit)):
	}
}
