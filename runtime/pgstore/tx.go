package pgstore

import (
	"context"
	"fmt"
	"time"

	"github.com/idemgen/idemgen/runtime/idem"
)

// InTx implements [idem.TxStore]. The transaction has the isolation that the caller's pool begins with, and is
// not repeated: one that the server refuses for others' sake, by SQLSTATE 40001 at REPEATABLE READ or SERIALIZABLE,
// has done nothing, and its error says so. fn must use tx, and not the pool, for what it writes, and must leave
// Commit and Rollback to InTx.
//
// The transaction ends with ctx: it is rolled back then, and the error is ctx's.
func (s *Store[Tx]) InTx(ctx context.Context, k idem.Key, t idem.Token, fn func(Tx) error) error {
	tx, err := s.hold(ctx, k, t)
	if err != nil {
		return fmt.Errorf("begin transaction of %s: %w", k.Endpoint, err)
	}
	defer s.rollback(ctx, tx) // after an error, a panic or Goexit of fn; after the commit it does nothing
	if err := fn(tx); err != nil {
		return err
	}
	// No commit is sent on a context that is over: that much is certain.
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("commit %s: %w", k.Endpoint, err)
	}
	err = s.db.commit(ctx, tx)
	switch {
	case err == nil:
		return nil
	case refused(err):
		return fmt.Errorf("commit %s: %w", k.Endpoint, err)
	default:
		return fmt.Errorf("commit %s: %w: %w", k.Endpoint, idem.ErrUncertain, err)
	}
}

// hold opens a transaction whose first statement locks the record. With that statement it takes its snapshot, where
// it has one for all statements: so whatever happened to the record before is in it.
func (s *Store[Tx]) hold(ctx context.Context, k idem.Key, t idem.Token) (Tx, error) {
	for n := 1; ; n++ {
		tx, err := s.db.begin(ctx)
		if err != nil {
			return tx, err
		}
		held, err := count(ctx, s.askIn(tx), s.sql.lock, owned(k, t))
		if err == nil && held > 0 {
			return tx, nil
		}
		s.rollback(ctx, tx)
		if err == nil {
			err = idem.ErrLost
		}
		if n == rounds || !again(err) || ctx.Err() != nil {
			return tx, err
		}
		pause(ctx, n)
	}
}

// rollback ends tx, where it has not ended. What goes wrong with that ends the connection, and tx with it.
func (s *Store[Tx]) rollback(ctx context.Context, tx Tx) {
	const enough = 5 * time.Second
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), enough)
	defer cancel()
	_ = s.db.rollback(ctx, tx)
}

// FinalizeTx implements [idem.TxStore]. It is [idem.ErrTxEnded] where tx was committed or rolled back, by its methods or
// by a statement of those names. It is not where the server has rolled it back: after a statement that failed,
// or with the end of the session. A transaction that the handler begins by a statement, as COMMIT AND CHAIN does, is taken
// for tx: there is nothing to tell it from one of the caller's own.
func (s *Store[Tx]) FinalizeTx(ctx context.Context, tx Tx, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	err := s.finalizeIn(ctx, tx, k, t, r, keep)
	switch {
	case err == nil:
		return nil
	case closed(err):
		err = fmt.Errorf("%w: %w", idem.ErrTxEnded, err)
	}
	return fmt.Errorf("finalize %s: %w", k.Endpoint, err)
}

func (s *Store[Tx]) finalizeIn(ctx context.Context, tx Tx, k idem.Key, t idem.Token, r idem.Response, keep time.Duration) error {
	if keep < 0 {
		return errRetention
	}
	ask, args := s.askIn(tx), append(owned(k, t), result(r, keep)...)
	n, err := count(ctx, ask, s.sql.finalizeIn, args)
	if err != nil || n > 0 {
		return err
	}
	// A transaction of InTx is over, or t has lost. One that the caller opened may have written nothing yet.
	if err := s.db.execIn(ctx, tx, s.sql.inTransaction); err != nil {
		return err
	}
	return s.finalize(ctx, ask, k, t, args)
}

func (s *Store[Tx]) finalize(ctx context.Context, ask asking, k idem.Key, t idem.Token, args []any) error {
	n, err := count(ctx, ask, s.sql.finalize, args)
	if err == nil && n == 0 {
		err = s.finalizedBy(ctx, ask, k, t)
	}
	return err
}

// result are the parameters of what is stored of r. A body that is NULL is a tombstone's, and an empty one is not NULL.
func result(r idem.Response, keep time.Duration) []any {
	switch {
	case r.Tombstone:
		return []any{int64(r.Status), nil, nil, micros(keep)}
	case r.Body == nil:
		r.Body = []byte{}
	}
	return []any{int64(r.Status), idem.EncodeHeader(r.Header), r.Body, micros(keep)}
}

// finalizedBy is nil where t finalized the record before: an acknowledgement was lost.
func (s *Store[Tx]) finalizedBy(ctx context.Context, ask asking, k idem.Key, t idem.Token) error {
	rec, err := s.read(ctx, ask, k)
	if err != nil {
		return err
	}
	if !rec.live() || !rec.finalized() || rec.token != t {
		return idem.ErrLost
	}
	return nil
}
