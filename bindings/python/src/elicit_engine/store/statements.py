# Code generated from store/*/statements.sql by go test ./internal/house -run TestScriptsAreFresh -update; DO NOT EDIT.
POSTGRES = {
    "tables": """SELECT pg_advisory_xact_lock(1164731252);
CREATE SCHEMA IF NOT EXISTS @;
CREATE TABLE IF NOT EXISTS @.format(version int);
INSERT INTO @.format SELECT 1 WHERE NOT EXISTS (SELECT FROM @.format);
CREATE TABLE IF NOT EXISTS @.session(name bytea PRIMARY KEY, version bigint NOT NULL, due bigint NOT NULL,
	expires bigint NOT NULL, state bytea NOT NULL);
CREATE INDEX IF NOT EXISTS session_due_name_idx ON @.session(due, name) WHERE due > 0;
CREATE INDEX IF NOT EXISTS session_expires_idx ON @.session(expires) WHERE expires > 0;
CREATE TABLE IF NOT EXISTS @.record(session bytea, version bigint, place int, keep bigint NOT NULL, line bytea,
	PRIMARY KEY (session, version, place));
CREATE INDEX IF NOT EXISTS record_keep_idx ON @.record(keep) WHERE keep > 0;
CREATE TABLE IF NOT EXISTS @.entry(at bigint, session bytea, id bytea, server bytea, tool bytea, outcome bytea,
	keep bigint NOT NULL, text bytea, body bytea, PRIMARY KEY (session, id));
CREATE INDEX IF NOT EXISTS entry_at_session_id_idx ON @.entry(at, session, id);
CREATE INDEX IF NOT EXISTS entry_keep_idx ON @.entry(keep) WHERE keep > 0;
CREATE TABLE IF NOT EXISTS @.redeemed(id bytea PRIMARY KEY, until bigint NOT NULL);
CREATE INDEX IF NOT EXISTS redeemed_until_idx ON @.redeemed(until);""",
    "look": """SELECT 'off' IN (current_setting('synchronous_commit'), current_setting('fsync')) AS early,
	to_regclass(quote_ident($1) || '.format') IS NOT NULL AS there,
	to_regclass(quote_ident($1) || '.outbox') IS NOT NULL AS older;""",
    "format": """SELECT coalesce(max(version), 0) AS version FROM @.format;""",
    "commit": """WITH gone AS (DELETE FROM @.session WHERE name = $1::bytea AND version = $2::bigint AND $6::bytea IS NULL RETURNING 1),
made AS (INSERT INTO @.session SELECT $1, $3::bigint, $4::bigint, $5::bigint, $6 WHERE $2 = 0 AND $6 IS NOT NULL
	ON CONFLICT DO NOTHING RETURNING 1),
changed AS (UPDATE @.session SET version = $3, due = $4, expires = $5, state = $6
	WHERE name = $1 AND version = $2 AND $6 IS NOT NULL RETURNING 1),
put AS (SELECT 1 FROM gone UNION ALL SELECT 1 FROM made UNION ALL SELECT 1 FROM changed),
records AS (INSERT INTO @.record SELECT $1, $3, n - 1, $7::bigint, line
	FROM put, unnest($8::bytea[]) WITH ORDINALITY AS all_records(line, n)),
entries AS (INSERT INTO @.entry SELECT DISTINCT ON (id) at, $1, id, server, tool, outcome, $9::bigint, text, body
	FROM put, unnest($10::bigint[], $11::bytea[], $12::bytea[], $13::bytea[], $14::bytea[], $15::bytea[], $16::bytea[])
	WITH ORDINALITY AS all_entries(at, id, server, tool, outcome, text, body, n) ORDER BY id, n DESC
	ON CONFLICT (session, id) DO UPDATE SET at = excluded.at, server = excluded.server, tool = excluded.tool,
	outcome = excluded.outcome, keep = excluded.keep, text = excluded.text, body = excluded.body)
SELECT pg_notify($17, encode($1, 'hex') || ' ' || $3) FROM put;""",
    "redeem": """INSERT INTO @.redeemed VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1;""",
    "forget": """WITH sessions AS (DELETE FROM @.session WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.session
	WHERE expires > 0 AND expires <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED))),
records AS (DELETE FROM @.record WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.record
	WHERE keep > 0 AND keep <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED))),
entries AS (DELETE FROM @.entry WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.entry
	WHERE keep > 0 AND keep <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED)))
DELETE FROM @.redeemed WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.redeemed
	WHERE until <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED));""",
    "get_session": """SELECT version, due, state FROM @.session WHERE name = $1;""",
    "get_due": """SELECT name FROM @.session WHERE due > 0 AND due <= $1 ORDER BY due, name LIMIT $2 OFFSET $3;""",
    "get_records": """SELECT version, place, line FROM @.record WHERE session = $1 AND (version, place) > ($2, $3)
	ORDER BY version, place LIMIT 64;""",
    "get_entries": """SELECT session, id, at, server, tool, outcome, text, body FROM @.entry WHERE (at, session, id) < ($1, $2, $3)
	AND at >= $4 AND ($5 = ''::bytea OR session = $5) AND ($6 = ''::bytea OR server = $6)
	AND ($7 = ''::bytea OR tool = $7) AND ($8 = ''::bytea OR outcome = $8)
	ORDER BY at DESC, session DESC, id DESC LIMIT 256;""",
    "listen": """LISTEN @;""",
}
SQLITE = {
    "tables": """CREATE TABLE clock(id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER, seq INTEGER, gone INTEGER);
INSERT INTO clock VALUES (1, 2, 0, 0);
CREATE TABLE session(id INTEGER PRIMARY KEY, name BLOB UNIQUE, version INTEGER, due INTEGER, expires INTEGER,
	seq INTEGER, state BLOB);
CREATE INDEX session_due ON session(due) WHERE due > 0;
CREATE INDEX session_expires ON session(expires) WHERE expires > 0;
CREATE INDEX session_seq ON session(seq);
CREATE TABLE record(session BLOB, version INTEGER, place INTEGER, keep INTEGER, line BLOB,
	PRIMARY KEY (session, version, place)) WITHOUT ROWID;
CREATE INDEX record_keep ON record(keep) WHERE keep > 0;
CREATE TABLE entry(n INTEGER PRIMARY KEY, session BLOB, id BLOB, at INTEGER, server TEXT, tool TEXT, outcome TEXT,
	keep INTEGER, text TEXT, body BLOB, UNIQUE (session, id));
CREATE INDEX entry_order ON entry(at DESC, session DESC, id DESC);
CREATE INDEX entry_keep ON entry(keep) WHERE keep > 0;
CREATE TABLE redeemed(id BLOB PRIMARY KEY, until INTEGER) WITHOUT ROWID;
CREATE INDEX redeemed_until ON redeemed(until);
PRAGMA application_id = 1164731252;
PRAGMA user_version = 2;""",
    "second": """UPDATE session SET due = next;
UPDATE clock SET schema = 2;
DROP TABLE outbox;
PRAGMA user_version = 2;""",
    "tick": """UPDATE clock SET seq = seq + 1, gone = gone + ? WHERE schema = 2;""",
    "insert": """INSERT INTO session(version, due, expires, seq, state, name) VALUES (?, ?, ?, (SELECT seq FROM clock), ?, ?)
	ON CONFLICT(name) DO NOTHING;""",
    "update": """UPDATE session SET version = ?, due = ?, expires = ?, seq = (SELECT seq FROM clock), state = ?
	WHERE name = ? AND version = ?;""",
    "remove": """DELETE FROM session WHERE name = ? AND version = ?;""",
    "record": """INSERT INTO record(session, version, place, keep, line) VALUES (?, ?, ?, ?, ?);""",
    "entry": """INSERT INTO entry(session, id, at, server, tool, outcome, keep, text, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT(session, id) DO UPDATE SET at = excluded.at, server = excluded.server, tool = excluded.tool,
	outcome = excluded.outcome, keep = excluded.keep, text = excluded.text, body = excluded.body;""",
    "redeem": """INSERT INTO redeemed(id, until) VALUES (?, ?) ON CONFLICT DO NOTHING;""",
    "forget_clock": """UPDATE clock SET gone = gone + 1 WHERE EXISTS (SELECT 1 FROM session WHERE expires > 0 AND expires <= ?);""",
    "forget_session": """DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires > 0 AND expires <= ? LIMIT 64);""",
    "forget_record": """DELETE FROM record WHERE (session, version, place) IN
	(SELECT session, version, place FROM record WHERE keep > 0 AND keep <= ? LIMIT 64);""",
    "forget_entry": """DELETE FROM entry WHERE n IN (SELECT n FROM entry WHERE keep > 0 AND keep <= ? LIMIT 64);""",
    "forget_redeemed": """DELETE FROM redeemed WHERE id IN (SELECT id FROM redeemed WHERE until <= ? LIMIT 64);""",
    "get_session": """SELECT version, due, state FROM session WHERE name = ?;""",
    "get_due": """SELECT name FROM session WHERE due > 0 AND due <= ? ORDER BY due, id LIMIT ? OFFSET ?;""",
    "get_records": """SELECT version, place, line FROM record WHERE session = ? AND (version, place) > (?, ?)
	ORDER BY version, place LIMIT 64;""",
    "get_entries": """SELECT session, id, at, server, tool, outcome, text, body FROM entry WHERE (at, session, id) < (?1, ?2, ?3)
	AND at >= ?4 AND (?5 = x'' OR session = ?5) AND (?6 = '' OR server = ?6) AND (?7 = '' OR tool = ?7)
	AND (?8 = '' OR outcome = ?8) ORDER BY at DESC, session DESC, id DESC LIMIT 256;""",
    "get_clock": """SELECT seq, gone FROM clock;""",
    "get_changed": """SELECT name, version FROM session WHERE seq > ?;""",
}
