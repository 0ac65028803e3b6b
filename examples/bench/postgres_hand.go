package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/idemgen/idemgen/runtime/idem"
)

// What one writes without the store: an INSERT that tells by its row whether the key is new, and an UPDATE by its owner. They
// have the clock, the columns, the indexes and the parameters of the store, and no answer for a key that is not new.
const (
	instant = `(SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) AS clock`

	insertByHand = `INSERT INTO hand_idempotency_keys
			(tenant, actor, endpoint, idempotency_key, token, fence, joined, fingerprint, lease_until, created_at)
		SELECT $1, $2, $3, $4, $5, now, false, $6, now + $7, now FROM ` + instant + `
		ON CONFLICT (tenant, actor, endpoint, idempotency_key) DO NOTHING
		RETURNING fence, created_at`

	// insertJoinedByHand does not wait for the disk, as the store's joined reservation does not.
	insertJoinedByHand = `INSERT INTO hand_idempotency_keys
			(tenant, actor, endpoint, idempotency_key, token, fence, joined, fingerprint, lease_until, created_at)
		SELECT $1, $2, $3, $4, $5, now, set_config('synchronous_commit', 'off', true) IS NOT NULL, $6, now + $7, now
		FROM ` + instant + `
		ON CONFLICT (tenant, actor, endpoint, idempotency_key) DO NOTHING
		RETURNING fence, created_at`

	owner = `tenant = $1 AND actor = $2 AND endpoint = $3 AND idempotency_key = $4 AND token = $5 AND status IS NULL`

	lockByHand = `SELECT fence FROM hand_idempotency_keys WHERE ` + owner + ` FOR UPDATE`

	updateByHand = `UPDATE hand_idempotency_keys SET status = $6, header = $7, body = $8, expires_at = NULL WHERE ` + owner

	// selectRaw reads a record of the store itself, all of it that an answer depends on.
	selectRaw = `SELECT token, fence, joined, fingerprint, status, header, body, lease_until, expires_at FROM idempotency_keys
		WHERE tenant = $1 AND actor = $2 AND endpoint = $3 AND idempotency_key = $4`
)

// querier is a pool or a transaction.
type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

func keyed(k idem.Key) []any {
	return []any{[]byte(k.Scope.Tenant), []byte(k.Scope.Actor), []byte(k.Endpoint), []byte(k.Value)}
}

func reserveByHand(ctx context.Context, q querier, text string, r idem.Reservation) error {
	sum := r.Fingerprint.Bytes()
	var fence, now int64
	return q.QueryRow(ctx, text, append(keyed(r.Key), r.Token[:], sum[:], r.Lease.Microseconds())...).Scan(&fence, &now)
}

func finalizeByHand(ctx context.Context, q querier, r idem.Reservation) error {
	tag, err := q.Exec(ctx, updateByHand, append(keyed(r.Key), r.Token[:], answer.Status, answerHeader, answer.Body)...)
	return changed(tag.RowsAffected(), err)
}

func (p place) beginFinalizeByHand(ctx context.Context) error {
	r := newcomer()
	if err := reserveByHand(ctx, p, insertByHand, r); err != nil {
		return err
	}
	return finalizeByHand(ctx, p, r)
}

func (p place) selectByHand(ctx context.Context, k idem.Key) error {
	var (
		token, sum, header, body []byte
		fence, leaseUntil        int64
		joined                   bool
		status                   *int
		expiresAt                *int64
	)
	return p.QueryRow(ctx, selectRaw, keyed(k)...).Scan(&token, &fence, &joined, &sum, &status, &header, &body, &leaseUntil, &expiresAt)
}
