// Code generated from store/sqlite/statements.sql by go test ./internal/house -run TestScriptsAreFresh -update; DO NOT EDIT.
export const statements = `-- tables: an empty file becomes a store. Names are blobs, so that two are equal only if their bytes are.
CREATE TABLE clock(id INTEGER PRIMARY KEY CHECK (id = 1), schema INTEGER, seq INTEGER, gone INTEGER);
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
PRAGMA user_version = 2;
-- second: a file of the first schema becomes one of the second. Sessions with effects were due before their time.
UPDATE session SET due = next;
UPDATE clock SET schema = 2;
DROP TABLE outbox;
PRAGMA user_version = 2;
-- tick: another process may have changed the schema since this one opened the file.
UPDATE clock SET seq = seq + 1, gone = gone + ? WHERE schema = 2;
-- insert
INSERT INTO session(version, due, expires, seq, state, name) VALUES (?, ?, ?, (SELECT seq FROM clock), ?, ?)
	ON CONFLICT(name) DO NOTHING;
-- update
UPDATE session SET version = ?, due = ?, expires = ?, seq = (SELECT seq FROM clock), state = ?
	WHERE name = ? AND version = ?;
-- remove
DELETE FROM session WHERE name = ? AND version = ?;
-- record
INSERT INTO record(session, version, place, keep, line) VALUES (?, ?, ?, ?, ?);
-- entry
INSERT INTO entry(session, id, at, server, tool, outcome, keep, text, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT(session, id) DO UPDATE SET at = excluded.at, server = excluded.server, tool = excluded.tool,
	outcome = excluded.outcome, keep = excluded.keep, text = excluded.text, body = excluded.body;
-- redeem
INSERT INTO redeemed(id, until) VALUES (?, ?) ON CONFLICT DO NOTHING;
-- forget_clock: a deleted session leaves no trace, so everyone who watches looks.
UPDATE clock SET gone = gone + 1 WHERE EXISTS (SELECT 1 FROM session WHERE expires > 0 AND expires <= ?);
-- forget_session
DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires > 0 AND expires <= ? LIMIT 64);
-- forget_record
DELETE FROM record WHERE (session, version, place) IN
	(SELECT session, version, place FROM record WHERE keep > 0 AND keep <= ? LIMIT 64);
-- forget_entry
DELETE FROM entry WHERE n IN (SELECT n FROM entry WHERE keep > 0 AND keep <= ? LIMIT 64);
-- forget_redeemed
DELETE FROM redeemed WHERE id IN (SELECT id FROM redeemed WHERE until <= ? LIMIT 64);
-- get_session
SELECT version, due, state FROM session WHERE name = ?;
-- get_due
SELECT name FROM session WHERE due > 0 AND due <= ? ORDER BY due, id LIMIT ? OFFSET ?;
-- get_records
SELECT version, place, line FROM record WHERE session = ? AND (version, place) > (?, ?)
	ORDER BY version, place LIMIT 64;
-- get_entries
SELECT session, id, at, server, tool, outcome, text, body FROM entry WHERE (at, session, id) < (?1, ?2, ?3)
	AND at >= ?4 AND (?5 = x'' OR session = ?5) AND (?6 = '' OR server = ?6) AND (?7 = '' OR tool = ?7)
	AND (?8 = '' OR outcome = ?8) ORDER BY at DESC, session DESC, id DESC LIMIT 256;
-- get_clock
SELECT seq, gone FROM clock;
-- get_changed
SELECT name, version FROM session WHERE seq > ?;
`;
