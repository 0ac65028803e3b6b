package sqlitestore

import (
	"regexp"
	"strings"
)

// The statements, with the tables' plain names. Parameters 1 to 4 are the key, and 5 is the token.
const (
	// now is SQLite's clock in microseconds. It is the same throughout a statement. The day is a float64 that is
	// exact to 40 microseconds; rounding gives back the millisecond that SQLite's clock counts in.
	now = `(CAST(round((julianday('now') - 2440587.5) * 86400000) AS INTEGER) * 1000)`

	thisKey = `tenant = ?1 AND actor = ?2 AND endpoint = ?3 AND idempotency_key = ?4`

	reserved = thisKey + ` AND token = ?5 AND status IS NULL`

	// selectRecord has one row in any case, so that it always tells the time.
	selectRecord = `SELECT ` + now + `, k.token, k.fence, k.joined, k.fingerprint, k.status, k.body IS NULL,
			k.header, k.body, k.lease_until, k.expires_at
		FROM (SELECT 1) LEFT JOIN idempotency_keys AS k ON ` + thisKey

	// insertRecord reserves a key without a live record: absent, or past its retention.
	insertRecord = `INSERT INTO idempotency_keys AS k
			(tenant, actor, endpoint, idempotency_key, token, fence, joined, fingerprint, lease_until, created_at)
		VALUES (?1, ?2, ?3, ?4, ?5, max((SELECT fence FROM idempotency_schema) + 1, ` + now + `),
			?6, ?7, ` + now + ` + ?8, ` + now + `)
		ON CONFLICT (tenant, actor, endpoint, idempotency_key) DO UPDATE SET
			token = excluded.token, fence = max(k.fence + 1, excluded.fence), joined = excluded.joined,
			fingerprint = excluded.fingerprint, status = NULL, header = NULL, body = NULL,
			lease_until = excluded.lease_until, expires_at = NULL, created_at = excluded.created_at
		WHERE k.status IS NOT NULL AND k.expires_at <= ` + now + `
		RETURNING fence, ` + now

	// takeOver gives the record, as it was read, to another owner.
	takeOver = `UPDATE idempotency_keys SET
			token = ?6, fence = max(fence + 1, ` + now + `), joined = ?7, lease_until = ` + now + ` + ?8,
			created_at = ` + now + `
		WHERE ` + reserved + ` AND fence = ?9 AND lease_until <= ` + now + `
		RETURNING fence, ` + now

	// touch changes nothing. It finds the record as it was read, and the writer's lock free.
	touch = `UPDATE idempotency_keys SET fence = fence
		WHERE ` + reserved + ` AND fence = ?6 AND lease_until <= ` + now + `
		RETURNING fence, ` + now

	renew = `UPDATE idempotency_keys SET lease_until = ` + now + ` + ?6
		WHERE ` + reserved + `
		RETURNING fence, ` + now

	// lock takes the writer's lock with the record: a statement that writes waits for the lock before it
	// reads, where a transaction that read first could only fail.
	lock = `UPDATE idempotency_keys SET token = token WHERE ` + reserved

	finalize = `UPDATE idempotency_keys SET status = ?6, header = ?7,
			body = CASE WHEN ?8 THEN NULL ELSE coalesce(?9, x'') END, expires_at = ` + now + ` + nullif(?10, 0)
		WHERE ` + reserved

	release = `DELETE FROM idempotency_keys WHERE ` + reserved

	sweep = `DELETE FROM idempotency_keys WHERE rowid IN (
			SELECT rowid FROM idempotency_keys
			WHERE status IS NOT NULL AND expires_at <= ` + now + `
			ORDER BY expires_at LIMIT ?1)`

	unknown = `status IS NULL AND joined = 0 AND lease_until <= ` + now

	selectUnresolved = `SELECT tenant, actor, endpoint, idempotency_key, fence, fingerprint, created_at, lease_until
		FROM idempotency_keys
		WHERE ` + unknown + ` AND (fence, tenant, actor, endpoint, idempotency_key) > (?1, ?2, ?3, ?4, ?5)
		ORDER BY fence, tenant, actor, endpoint, idempotency_key LIMIT ?6`

	// resolve and resolveRelease have the fence as parameter 5, because whoever resolves has no token.
	resolve = `UPDATE idempotency_keys SET token = ?6, status = ?7, header = ?8,
			body = CASE WHEN ?9 THEN NULL ELSE coalesce(?10, x'') END, expires_at = ` + now + ` + nullif(?11, 0)
		WHERE ` + thisKey + ` AND fence = ?5 AND ` + unknown

	resolveRelease = `DELETE FROM idempotency_keys WHERE ` + thisKey + ` AND fence = ?5 AND ` + unknown

	selectSchema  = `SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'idempotency_schema'`
	selectVersion = `SELECT version FROM idempotency_schema`
)

// statements are the texts for one prefix.
type statements struct {
	selectRecord, insertRecord, takeOver, touch, renew, lock, finalize, release, sweep string
	selectUnresolved, resolve, resolveRelease                                          string
	schema, selectSchema, selectVersion                                                string
}

var goodPrefix = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]{0,62})?$`)

func newStatements(prefix string) statements {
	// The column idempotency_key is neither of these.
	named := strings.NewReplacer(
		"idempotency_keys", prefix+"idempotency_keys",
		"idempotency_schema", prefix+"idempotency_schema",
	).Replace
	return statements{
		selectRecord: named(selectRecord), insertRecord: named(insertRecord), takeOver: named(takeOver),
		touch: named(touch), renew: named(renew), lock: named(lock), finalize: named(finalize),
		release: named(release), sweep: named(sweep),
		selectUnresolved: named(selectUnresolved), resolve: named(resolve), resolveRelease: named(resolveRelease),
		schema: named(schema), selectSchema: named(selectSchema), selectVersion: named(selectVersion),
	}
}
