-- Version 1 of the store's tables. Store.Migrate runs this once; a service that has its own migrations can
-- run it itself (pgstore.Schema), with every table's name prefixed where the store has a prefix.
--
-- Instants are microseconds since 1970-01-01 UTC, by the server's own clock, so that no session's time zone or
-- date style has a say: to_timestamp(created_at / 1e6) shows one. Keys are bytea, because a key may hold any
-- bytes, which text may not, and is compared byte for byte: encode(idempotency_key, 'escape') shows one.

-- Finalize changes no column that an index is over, unless there is a retention, and finds room for the response
-- beside the reservation: so its update is a heap-only one, which touches no index.
CREATE TABLE idempotency_keys (
    tenant          bytea   NOT NULL,
    actor           bytea   NOT NULL,
    endpoint        bytea   NOT NULL,
    idempotency_key bytea   NOT NULL,
    token           bytea   NOT NULL, -- the owner's; it stays when the record is finalized
    fence           bigint  NOT NULL,
    joined          boolean NOT NULL, -- effect and result commit in one transaction
    fingerprint     bytea   NOT NULL,
    status          integer,          -- NULL: not finalized
    header          bytea,            -- as HTTP lines
    body            bytea,            -- NULL once finalized: a tombstone; an empty body is an empty bytea
    lease_until     bigint  NOT NULL,
    expires_at      bigint,           -- NULL: not finalized, or kept for ever
    created_at      bigint  NOT NULL, -- when its last owner began
    PRIMARY KEY (tenant, actor, endpoint, idempotency_key)
) WITH (fillfactor = 80);

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;

-- What is or can become unknown is in here, the oldest owner first. With a retention nothing else is: finalizing takes
-- a record out. A predicate over status would take it out always, and make an update of status one that is not
-- heap-only, for joined records too; expires_at is one column that already has an index.
CREATE INDEX idempotency_keys_leased ON idempotency_keys (fence) WHERE expires_at IS NULL AND NOT joined;

-- What Store.Begin inserts by, from within the statement that has read and found nothing: so a new key costs one
-- round trip, and a duplicate costs a read and not the planning of an insert. NULL says that another was first:
-- ON CONFLICT DO NOTHING looks before it inserts, so that this leaves no dead row either. What it takes apart and makes,
-- its caller would have to get ready for each duplicate too.
--
-- A joined reservation that a crash of the server forgets does no harm: its owner's transaction finds no record to
-- lock, and an owner that has committed has made the reservation durable too. So its statement, which is a
-- transaction by itself, does not wait for the disk. The setting ends with it.
CREATE FUNCTION idempotency_keys_insert(
    bytea, bytea, bytea, bytea, -- the key
    bytea,                      -- token, 16 bytes, and fingerprint
    boolean,                    -- joined
    bigint                      -- lease in microseconds
) RETURNS bytea LANGUAGE plpgsql AS $$
DECLARE
    instant bigint := extract(epoch FROM clock_timestamp()) * 1000000;
    later   bigint;
    made    bigint;
BEGIN
    IF $6 THEN
        PERFORM set_config('synchronous_commit', 'off', true);
    END IF;
    INSERT INTO idempotency_keys
        (tenant, actor, endpoint, idempotency_key, token, fence, joined, fingerprint, lease_until, created_at)
    VALUES ($1, $2, $3, $4, substring($5 FROM 1 FOR 16), instant, $6, substring($5 FROM 17), instant + $7, instant)
    ON CONFLICT (tenant, actor, endpoint, idempotency_key) DO NOTHING
    RETURNING fence INTO made;
    -- The insert waits where the key's record is just being removed, perhaps one that was reserved since: then its
    -- owner's fence may be above this instant. To begin and to release, two calls and two commits, takes longer than a
    -- fifth of a millisecond.
    later := extract(epoch FROM clock_timestamp()) * 1000000;
    IF made IS NOT NULL AND later - instant > 200 THEN
        UPDATE idempotency_keys SET fence = later, lease_until = later + $7, created_at = later
        WHERE tenant = $1 AND actor = $2 AND endpoint = $3 AND idempotency_key = $4
        RETURNING fence INTO made;
    END IF;
    RETURN int8send(made);
END
$$;

-- One row: the version of these tables.
CREATE TABLE idempotency_schema (
    id      integer PRIMARY KEY CHECK (id = 1),
    version integer NOT NULL
);

INSERT INTO idempotency_schema (id, version) VALUES (1, 1);
