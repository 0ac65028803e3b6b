-- Version 1 of the store's tables. Store.Migrate runs this once; a service that has its own migrations can
-- run it itself, with every table's name prefixed where the store has a prefix.
--
-- Instants are microseconds since 1970-01-01 UTC, by SQLite's own clock. Keys are BLOBs, because a key
-- may hold any bytes and is compared byte for byte. The table keeps its rowid: a row may carry a body of
-- a megabyte, which belongs in no index, and the index of what expires stays small.

CREATE TABLE idempotency_keys (
    tenant          BLOB    NOT NULL,
    actor           BLOB    NOT NULL,
    endpoint        BLOB    NOT NULL,
    idempotency_key BLOB    NOT NULL,
    token           BLOB    NOT NULL, -- the owner's; it stays when the record is finalized
    fence           INTEGER NOT NULL,
    joined          INTEGER NOT NULL, -- 1: effect and result commit in one transaction
    fingerprint     BLOB    NOT NULL,
    status          INTEGER,          -- NULL: not finalized
    header          BLOB,             -- as HTTP lines
    body            BLOB,             -- NULL once finalized: a tombstone; an empty body is an empty BLOB
    lease_until     INTEGER NOT NULL,
    expires_at      INTEGER,          -- NULL: not finalized, or kept for ever
    created_at      INTEGER NOT NULL, -- when its owner began
    PRIMARY KEY (tenant, actor, endpoint, idempotency_key)
) STRICT;

CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at) WHERE expires_at IS NOT NULL;

-- What is or can become unknown, the oldest owner first. It is as small as the work in flight, and a heartbeat,
-- which moves lease_until alone, does not touch it. The key makes each place in it one record's, also where
-- VACUUM has changed the rowids.
CREATE INDEX idempotency_keys_unresolved
    ON idempotency_keys (fence, tenant, actor, endpoint, idempotency_key)
    WHERE status IS NULL AND joined = 0;

-- One row: the version of these tables, and the highest fence of a record that is gone. A new record's
-- fence is above it, so that no key's fence goes back, however the record went and whatever the clock does.
CREATE TABLE idempotency_schema (
    id      INTEGER PRIMARY KEY CHECK (id = 1),
    version INTEGER NOT NULL,
    fence   INTEGER NOT NULL
) STRICT;

INSERT INTO idempotency_schema (id, version, fence) VALUES (1, 1, 0);

CREATE TRIGGER idempotency_keys_fence AFTER DELETE ON idempotency_keys
WHEN OLD.fence > (SELECT fence FROM idempotency_schema)
BEGIN
    UPDATE idempotency_schema SET fence = OLD.fence;
END;
