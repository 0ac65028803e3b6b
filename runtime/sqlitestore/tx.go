package sqlitestore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// InTx implements [idem.TxStore]. Its first statement takes SQLite's one writer's lock and keeps it until the end
// of fn, so that no other key can begin meanwhile. fn must use tx, and not the pool, for what it writes,
// and must leave Commit and Rollback to InTx. It must return at the first statement that fails: SQLite may have
// ended the transaction with it, so that what follows is no part of one.
//
// The transaction ends with ctx: it is rolled back then, and the error is ctx's.
func (s *Store) InTx(ctx context.Context, k idem.Key, t idem.Token, fn func(*sql.Tx) error) error {
	tx, err := s.begin(ctx, k, t)
	if err != nil {
		return fmt.Errorf("begin transaction of %s: %w", k.Endpoint, err)
	}
	defer tx.Rollback() // after an error, a panic or Goexit of fn; after the commit it does nothing
	if err := fn(tx); err != nil {
		return err
	}
	// No commit is sent on a context that is over: that much is certain.
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("commit %s: %w", k.Endpoint, err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("commit %s: %w: %w", k.Endpoint, idem.ErrUncertain, err)
	}
	return nil
}

// begin opens a transaction that holds the record.
func (s *Store) begin(ctx context.Context, k idem.Key, t idem.Token) (*sql.Tx, error) {
	var open *sql.Tx
	err := patiently(ctx, func() error {
		tx, err := s.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		n, err := execOnce(ctx, tx, s.sql.lock, owned(k, t))
		if err == nil && n == 0 {
			err = idem.ErrLost
		}
		if err != nil {
			tx.Rollback()
			return err
		}
		open = tx
		return nil
	})
	return open, err
}

// FinalizeTx implements [idem.TxStore]. In a transaction that [Store.InTx] did not open it must come before
// anything is read: SQLite refuses a transaction that has read to write once another has written since.
func (s *Store) FinalizeTx(ctx context.Context, tx *sql.Tx, k idem.Key, t idem.Token,
	r idem.Response, keep time.Duration) error {
	if err := stillOpen(ctx, tx); err != nil {
		return fmt.Errorf("finalize %s: %w", k.Endpoint, err)
	}
	return s.finalize(ctx, tx, k, t, r, keep)
}

// stillOpen finds out whether statements of tx are still in its transaction. SQLite ends one by itself
// when a write in it is interrupted, or fails with OR ROLLBACK; what follows then commits statement by
// statement. It has no function that tells, but a second BEGIN fails inside a transaction, and there alone.
func stillOpen(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, "BEGIN")
	switch {
	case err == nil:
		_, err = tx.ExecContext(ctx, "ROLLBACK")
		return errors.Join(idem.ErrTxEnded, err)
	case errors.Is(err, sql.ErrTxDone):
		return fmt.Errorf("%w: %w", idem.ErrTxEnded, err)
	case strings.Contains(err.Error(), "within a transaction"):
		return nil
	default:
		return err
	}
}

func (s *Store) finalize(ctx context.Context, q querier, k idem.Key, t idem.Token,
	r idem.Response, keep time.Duration) error {
	if keep < 0 {
		return fmt.Errorf("finalize %s: retention must not be less than 0", k.Endpoint)
	}
	header, body := []byte(nil), []byte(nil)
	if !r.Tombstone {
		header, body = idem.EncodeHeader(r.Header), r.Body
	}
	args := append(owned(k, t), r.Status, header, r.Tombstone, body, micros(keep))
	n, err := exec(ctx, q, s.sql.finalize, args)
	if err == nil && n == 0 {
		err = s.finalizedBy(ctx, q, k, t)
	}
	if err != nil {
		return fmt.Errorf("finalize %s: %w", k.Endpoint, err)
	}
	return nil
}

// finalizedBy is nil where t finalized the record before: an acknowledgement was lost.
func (s *Store) finalizedBy(ctx context.Context, q querier, k idem.Key, t idem.Token) error {
	rec, err := s.read(ctx, q, k)
	if err != nil {
		return err
	}
	if !rec.live() || !rec.finalized() || rec.token != t {
		return idem.ErrLost
	}
	return nil
}
