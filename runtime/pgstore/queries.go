package pgstore

import (
	"regexp"
	"strings"
)

// The statements, with the tables' plain names. Each gives one row, or none. Parameters 1 to 4 are the key, and
// 5 is the token. Every parameter has its type, so that a driver need not ask the server for it.
const (
	// now is the server's clock in microseconds, at the moment when it is asked.
	now = `(extract(epoch FROM clock_timestamp()) * 1000000)::bigint`

	// once is the clock in a condition: asked once, and so usable with an index.
	once = `(SELECT ` + now + `)`

	thisKey = `tenant = $1::bytea AND actor = $2::bytea AND endpoint = $3::bytea AND idempotency_key = $4::bytea`

	reserved = thisKey + ` AND token = $5::bytea AND status IS NULL`

	// joined is parameter 6. A joined reservation does not wait for the disk: see idempotency_keys_insert.
	joined = `CASE WHEN $6::boolean THEN set_config('synchronous_commit', 'off', true) IS NOT NULL ELSE false END`

	// found is the time and the record, as parseRecord reads them: one value is sent and read in less time than ten.
	found = `(SELECT record_send(ROW(clock_timestamp(), token, fence, joined, fingerprint, status, header, body,
		lease_until, expires_at)) FROM idempotency_keys WHERE ` + thisKey + `)`

	// selectRecord says the time where there is no record.
	selectRecord = `SELECT coalesce(` + found + `, int8send(` + now + `))`

	// reserve reads the record, and where there is none, inserts one and says its fence. Where it says NULL, the key was
	// inserted by another after the statement's snapshot was taken: it lost a race and must ask again. Parameter 5 is the
	// token and the fingerprint after it, because a replay too pays for each parameter.
	reserve       = reserveFirst + `false` + reserveLast
	reserveJoined = reserveFirst + `true` + reserveLast

	reserveFirst = `SELECT coalesce(` + found + `, idempotency_keys_insert(
			$1::bytea, $2::bytea, $3::bytea, $4::bytea, $5::bytea, `
	reserveLast = `, $6::bigint))`

	// reclaim reserves a key whose record is past its retention and not swept yet.
	reclaim = `WITH made AS (
			UPDATE idempotency_keys SET token = $5::bytea, fence = greatest(fence + 1, now), joined = ` + joined + `,
				fingerprint = $7::bytea, status = NULL, header = NULL, body = NULL,
				lease_until = now + $8::bigint, expires_at = NULL, created_at = now
			FROM (SELECT ` + now + ` AS now) AS clock
			WHERE ` + thisKey + ` AND status IS NOT NULL AND expires_at <= now
			RETURNING fence
		)
		SELECT ` + now + `, coalesce((SELECT fence FROM made), 0)`

	// takeOver gives the record, as it was read, to another owner: parameter 9. It changes nothing where someone
	// holds the record, by InTx or otherwise.
	takeOver = `WITH free AS (
			SELECT FROM idempotency_keys
			WHERE ` + reserved + ` AND fence = $7::bigint AND lease_until <= ` + once + `
			FOR UPDATE SKIP LOCKED
		), made AS (
			UPDATE idempotency_keys SET token = $9::bytea, fence = greatest(fence + 1, now), joined = ` + joined + `,
				lease_until = now + $8::bigint, created_at = now
			FROM (SELECT ` + now + ` AS now) AS clock
			WHERE ` + reserved + ` AND fence = $7::bigint AND EXISTS (SELECT FROM free)
			RETURNING fence
		)
		SELECT ` + now + `, coalesce((SELECT fence FROM made), 0)`

	// touch changes nothing. It finds the record as it was read, and nobody holding it.
	touch = `SELECT ` + now + `, coalesce((
			SELECT fence FROM idempotency_keys
			WHERE ` + reserved + ` AND fence = $6::bigint AND lease_until <= ` + once + `
			FOR SHARE SKIP LOCKED), 0)`

	renew = `WITH made AS (
			UPDATE idempotency_keys SET lease_until = ` + now + ` + $6::bigint
			WHERE ` + reserved + `
			RETURNING fence
		)
		SELECT ` + now + `, coalesce((SELECT fence FROM made), 0)`

	// lock holds the record until the transaction ends.
	lock = `SELECT 1::bigint FROM idempotency_keys WHERE ` + reserved + ` FOR UPDATE`

	store = `UPDATE idempotency_keys SET status = $6::integer, header = $7::bytea, body = $8::bytea,
				expires_at = CASE WHEN $9::bigint > 0 THEN ` + now + ` + $9::bigint END
			WHERE ` + reserved

	finalize = store + ` RETURNING 1::bigint`

	// finalizeIn is finalize in a transaction that has written before, as every one has that holds a record. It
	// changes nothing where there is no transaction, or one that has only read.
	finalizeIn = store + ` AND txid_current_if_assigned() IS NOT NULL RETURNING 1::bigint`

	// inTransaction fails outside of a transaction, with noActiveTransaction. It conflicts with no statement.
	inTransaction = `LOCK TABLE idempotency_keys IN ACCESS SHARE MODE`

	release = `DELETE FROM idempotency_keys WHERE ` + reserved + ` RETURNING 1::bigint`

	// sweep passes over what others hold: another sweep's, or a key that is just reclaimed.
	sweep = `WITH gone AS (
			DELETE FROM idempotency_keys
			WHERE ctid = ANY (ARRAY(
				SELECT ctid FROM idempotency_keys
				WHERE status IS NOT NULL AND expires_at <= ` + once + `
				ORDER BY expires_at LIMIT $1::bigint
				FOR UPDATE SKIP LOCKED))
			AND status IS NOT NULL AND expires_at <= ` + once + `
			RETURNING fence
		)
		SELECT count(*) FROM gone`

	// leased is the predicate of idempotency_keys_leased.
	leased = `expires_at IS NULL AND NOT joined`

	unknown = leased + ` AND status IS NULL AND lease_until <= ` + once

	// selectUnresolved goes on after the fence, parameter 5, and the key. Its one value is the records one after
	// the other, as unresolved reads them: what drivers make of arrays, and of several rows, differs.
	selectUnresolved = `SELECT coalesce(string_agg(int8send(fence) || int8send(created_at) || int8send(lease_until) ||
			int4send(length(fingerprint)) || fingerprint || int4send(length(tenant)) || tenant ||
			int4send(length(actor)) || actor || int4send(length(endpoint)) || endpoint ||
			int4send(length(idempotency_key)) || idempotency_key, ''::bytea), '')
		FROM (
			SELECT * FROM idempotency_keys
			WHERE ` + unknown + ` AND fence >= $5::bigint
				AND (fence, tenant, actor, endpoint, idempotency_key) >
					($5::bigint, $1::bytea, $2::bytea, $3::bytea, $4::bytea)
			ORDER BY fence, tenant, actor, endpoint, idempotency_key LIMIT $6::bigint
		) AS page`

	// resolve and resolveRelease have the fence as parameter 5, because whoever resolves has no token.
	resolve = `UPDATE idempotency_keys SET token = $6::bytea, status = $7::integer, header = $8::bytea, body = $9::bytea,
				expires_at = CASE WHEN $10::bigint > 0 THEN ` + now + ` + $10::bigint END
			WHERE ` + thisKey + ` AND fence = $5::bigint AND ` + unknown + `
			RETURNING 1::bigint`

	resolveRelease = `DELETE FROM idempotency_keys WHERE ` + thisKey + ` AND fence = $5::bigint AND ` + unknown + `
			RETURNING 1::bigint`

	selectServer  = `SELECT current_setting('server_version_num')::bigint, current_setting('synchronous_commit')`
	lockSchema    = `SELECT pg_advisory_xact_lock(hashtext('idempotency_schema'))::text`
	selectSchema  = `SELECT to_regclass('idempotency_schema') IS NOT NULL`
	selectVersion = `SELECT coalesce(max(version), 0) FROM idempotency_schema`
)

// statements are the texts for one prefix.
type statements struct {
	selectRecord, reserve, reserveJoined, reclaim, takeOver, touch, renew, lock, finalize, release, sweep string
	finalizeIn, inTransaction, selectUnresolved, resolve, resolveRelease                                  string
	schema, lockSchema, selectSchema, selectVersion                                                       string
}

// PostgreSQL cuts names at 63 bytes: idempotency_keys_expiry and idempotency_keys_leased must fit.
var goodPrefix = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]{0,39})?$`)

func newStatements(prefix string) statements {
	// The column idempotency_key is neither of these.
	named := strings.NewReplacer(
		"idempotency_keys", prefix+"idempotency_keys",
		"idempotency_schema", prefix+"idempotency_schema",
	).Replace
	return statements{
		selectRecord: named(selectRecord), reserve: named(reserve), reserveJoined: named(reserveJoined), reclaim: named(reclaim),
		takeOver: named(takeOver), touch: named(touch), renew: named(renew), lock: named(lock),
		finalize: named(finalize), release: named(release), sweep: named(sweep),
		finalizeIn: named(finalizeIn), inTransaction: named(inTransaction),
		selectUnresolved: named(selectUnresolved), resolve: named(resolve), resolveRelease: named(resolveRelease),
		schema: named(schema), lockSchema: named(lockSchema), selectSchema: named(selectSchema),
		selectVersion: named(selectVersion),
	}
}
