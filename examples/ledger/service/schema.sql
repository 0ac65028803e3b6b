-- The ledger. Everything is keyed by tenant first: no statement of this service reads across tenants.
-- events is the record itself and only ever grows; the other tables say how things stand now, and a
-- row of theirs never leaves either: what is removed gets the state 'gone'.

CREATE TABLE IF NOT EXISTS events (
	seq     INTEGER PRIMARY KEY AUTOINCREMENT,
	tenant  TEXT NOT NULL,
	actor   TEXT NOT NULL,
	kind    TEXT NOT NULL, -- the endpoint key of the operation
	subject TEXT NOT NULL, -- the id of what it is about
	at      TEXT NOT NULL,
	detail  TEXT NOT NULL  -- the request's body in canonical JSON, or null
) STRICT;
CREATE INDEX IF NOT EXISTS events_by_subject ON events (tenant, subject, seq);

-- Evaluations.
CREATE TABLE IF NOT EXISTS evaluations (
	tenant TEXT, id TEXT, kind TEXT, title TEXT, pass_mark TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS versions (
	tenant TEXT, id TEXT, evaluation TEXT, number INTEGER, summary TEXT, audience TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS feedback (
	tenant TEXT, id TEXT, evaluation TEXT, rating INTEGER, author TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sections (
	tenant TEXT, id TEXT, evaluation TEXT, title TEXT, position INTEGER, time_limit TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS items (
	tenant TEXT, id TEXT, evaluation TEXT, section TEXT, question TEXT, points TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS buckets (
	tenant TEXT, id TEXT, evaluation TEXT, name TEXT, pick INTEGER, items TEXT, seed TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Authoring.
CREATE TABLE IF NOT EXISTS questions (
	tenant TEXT, id TEXT, stem TEXT, answer TEXT, difficulty TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS passages (
	tenant TEXT, id TEXT, title TEXT, text TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Programmes.
CREATE TABLE IF NOT EXISTS programmes (
	tenant TEXT, id TEXT, code TEXT, name TEXT, fee TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS requirements (
	tenant TEXT, id TEXT, programme TEXT, kind TEXT, target TEXT, minimum_score TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS enrolments (
	tenant TEXT, id TEXT, programme TEXT, subject TEXT, cohort TEXT, effective TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS notices (
	tenant TEXT, id TEXT, about TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- People.
CREATE TABLE IF NOT EXISTS users (
	tenant TEXT, id TEXT, email TEXT, locale TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS users_by_email ON users (tenant, email);
CREATE TABLE IF NOT EXISTS roles (
	tenant TEXT, id TEXT, name TEXT, permissions TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS role_grants (
	tenant TEXT, id TEXT, user TEXT, role TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS groups (
	tenant TEXT, id TEXT, name TEXT, parent TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS memberships (
	tenant TEXT, id TEXT, "group" TEXT, user TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS subjects (
	tenant TEXT, id TEXT, external_id TEXT, kind TEXT, born TEXT, attributes TEXT, merged_into TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX IF NOT EXISTS subjects_by_external_id ON subjects (tenant, external_id);
CREATE TABLE IF NOT EXISTS imports (
	tenant TEXT, id TEXT, mode TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Assignments.
CREATE TABLE IF NOT EXISTS assignments (
	tenant TEXT, id TEXT, evaluation TEXT, version INTEGER, subject TEXT, code TEXT, "window" TEXT, note TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS redemptions (
	tenant TEXT, id TEXT, assignment TEXT, nickname TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS overrides (
	tenant TEXT, id TEXT, assignment TEXT, kind TEXT, minutes INTEGER, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS schedules (
	tenant TEXT, id TEXT, assignment TEXT, opens TEXT, closes TEXT, timezone TEXT, capacity INTEGER, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Submissions.
CREATE TABLE IF NOT EXISTS submissions (
	tenant TEXT, id TEXT, assignment TEXT, session TEXT, points TEXT, out_of TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS evidence (
	tenant TEXT, id TEXT, submission TEXT, kind TEXT, title TEXT, media_type TEXT, digest TEXT, score TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS evidence_actions (
	tenant TEXT, id TEXT, evidence TEXT, action TEXT, assignee TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reviews (
	tenant TEXT, id TEXT, submission TEXT, action TEXT, comment TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS seals (
	tenant TEXT, id TEXT, about TEXT, hash TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS subject_links (
	tenant TEXT, id TEXT, submission TEXT, subject TEXT, "as" TEXT, share TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Claims and disputes.
CREATE TABLE IF NOT EXISTS claims (
	tenant TEXT, id TEXT, number TEXT, submission TEXT, kind TEXT, share TEXT, amount TEXT, currency TEXT, assignee TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS claim_events (
	tenant TEXT, id TEXT, claim TEXT, type TEXT, note TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS disputes (
	tenant TEXT, id TEXT, claim TEXT, grounds TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dispute_events (
	tenant TEXT, id TEXT, dispute TEXT, type TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Engagements.
CREATE TABLE IF NOT EXISTS engagements (
	tenant TEXT, id TEXT, client TEXT, scope TEXT, budget TEXT, terms TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS engagement_events (
	tenant TEXT, id TEXT, engagement TEXT, type TEXT, hours TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS ratifications (
	tenant TEXT, id TEXT, engagement TEXT, role TEXT, decision TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Remediation, compliance, reporting.
CREATE TABLE IF NOT EXISTS batches (
	tenant TEXT, id TEXT, rule TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS corrections (
	tenant TEXT, id TEXT, batch TEXT, submission TEXT, change TEXT, points TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS compliance_jobs (
	tenant TEXT, id TEXT, framework TEXT, period TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS projections (
	tenant TEXT, id TEXT, projection TEXT, since TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS percentile_runs (
	tenant TEXT, id TEXT, evaluation TEXT, percentiles TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;

-- Delivery.
CREATE TABLE IF NOT EXISTS sessions (
	tenant TEXT, id TEXT, assignment TEXT, device TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
	tenant TEXT, id TEXT, session TEXT, item TEXT, value TEXT, state TEXT NOT NULL,
	PRIMARY KEY (tenant, id)) STRICT, WITHOUT ROWID;
