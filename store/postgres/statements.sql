-- tables: a schema, for which @ stands, becomes a store. Names are bytea: text has no NUL, and compares by a language.
SELECT pg_advisory_xact_lock(1164731252);
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
CREATE INDEX IF NOT EXISTS redeemed_until_idx ON @.redeemed(until);
-- look: an older program made tables with an outbox, and their format had the same number.
SELECT 'off' IN (current_setting('synchronous_commit'), current_setting('fsync')) AS early,
	to_regclass(quote_ident($1) || '.format') IS NOT NULL AS there,
	to_regclass(quote_ident($1) || '.outbox') IS NOT NULL AS older;
-- format
SELECT coalesce(max(version), 0) AS version FROM @.format;
-- commit: a row, or none for a conflict. The session's row is written first, so nobody waits in a circle.
WITH gone AS (DELETE FROM @.session WHERE name = $1::bytea AND version = $2::bigint AND $6::bytea IS NULL RETURNING 1),
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
SELECT pg_notify($17, encode($1, 'hex') || ' ' || $3) FROM put;
-- redeem: a row, or none for an id that was redeemed.
INSERT INTO @.redeemed VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1;
-- forget: some of what may be forgotten. It waits for no lock: the next one does what this one could not.
WITH sessions AS (DELETE FROM @.session WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.session
	WHERE expires > 0 AND expires <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED))),
records AS (DELETE FROM @.record WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.record
	WHERE keep > 0 AND keep <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED))),
entries AS (DELETE FROM @.entry WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.entry
	WHERE keep > 0 AND keep <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED)))
DELETE FROM @.redeemed WHERE ctid = ANY (ARRAY (SELECT ctid FROM @.redeemed
	WHERE until <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED));
-- get_session
SELECT version, due, state FROM @.session WHERE name = $1;
-- get_due
SELECT name FROM @.session WHERE due > 0 AND due <= $1 ORDER BY due, name LIMIT $2 OFFSET $3;
-- get_records
SELECT version, place, line FROM @.record WHERE session = $1 AND (version, place) > ($2, $3)
	ORDER BY version, place LIMIT 64;
-- get_entries
SELECT session, id, at, server, tool, outcome, text, body FROM @.entry WHERE (at, session, id) < ($1, $2, $3)
	AND at >= $4 AND ($5 = ''::bytea OR session = $5) AND ($6 = ''::bytea OR server = $6)
	AND ($7 = ''::bytea OR tool = $7) AND ($8 = ''::bytea OR outcome = $8)
	ORDER BY at DESC, session DESC, id DESC LIMIT 256;
-- listen: the name of the channel is that of the schema.
LISTEN @;
