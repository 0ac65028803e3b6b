package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

func joinedRow(s *servers, connections int) row {
	return row{
		what:     fmt.Sprintf("pgstore joined, business insert + idempotency, %s", counted(connections)),
		baseline: "the same statements by hand through pgx",
		reach:    atLeast(0.9),
		unit:     perSecond,
		open: func(ctx context.Context) (sides, error) {
			p, err := openPlace(ctx, s, connections)
			return sides{throughput(connections, p.joined), throughput(connections, p.joinedByHand), p.Close}, err
		},
	}
}

// joinedCostRow says what idempotency costs where there is none yet: a reservation and a transaction of five round trips
// beside one of three, each with one wait for the disk.
func joinedCostRow(s *servers, connections int) row {
	r := joinedRow(s, connections)
	r.baseline = "the business insert alone, in its transaction"
	r.reach = reach{}
	r.open = func(ctx context.Context) (sides, error) {
		p, err := openPlace(ctx, s, connections)
		return sides{throughput(connections, p.joined), throughput(connections, p.business), p.Close}, err
	}
	return r
}

// insertClaim is the business.
func insertClaim(ctx context.Context, q querier, id string) error {
	const text = `INSERT INTO claims (id, amount, note) VALUES ($1, $2, $3)`
	tag, err := q.Exec(ctx, text, id, int64(125000), "the second delivery was incomplete")
	return changed(tag.RowsAffected(), err)
}

func (p place) business(ctx context.Context) error {
	return pgx.BeginFunc(ctx, p, func(tx pgx.Tx) error { return insertClaim(ctx, tx, newcomer().Key.Value) })
}

func (p place) joined(ctx context.Context) error {
	r := newcomer()
	r.Joined = true
	if err := begin(ctx, p.store, r); err != nil {
		return err
	}
	return p.store.InTx(ctx, r.Key, r.Token, func(tx pgx.Tx) error {
		if err := insertClaim(ctx, tx, r.Key.Value); err != nil {
			return err
		}
		return p.store.FinalizeTx(ctx, tx, r.Key, r.Token, answer, 0)
	})
}

func (p place) joinedByHand(ctx context.Context) error {
	r := newcomer()
	if err := reserveByHand(ctx, p, insertJoinedByHand, r); err != nil {
		return err
	}
	tx, err := p.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx) // after the commit it does nothing
	var fence int64
	if err := tx.QueryRow(ctx, lockByHand, append(keyed(r.Key), r.Token[:])...).Scan(&fence); err != nil {
		return err
	}
	if err := insertClaim(ctx, tx, r.Key.Value); err != nil {
		return err
	}
	if err := finalizeByHand(ctx, tx, r); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
