package sqlite

import (
	"context"
	"database/sql"
)

// statements are prepared once. Those that begin with "get" are for the reading connections.
type statements struct {
	tick, insert, update, remove, recordPut, entryPut, redeem        *sql.Stmt
	getSession, getDue, getRecords, getEntries, getClock, getChanged *sql.Stmt
	all                                                              []*sql.Stmt
}

func (p *statements) prepare(ctx context.Context, write, read *sql.DB) error {
	for _, one := range []struct {
		into **sql.Stmt
		db   *sql.DB
		text string
	}{
		{&p.tick, write, `UPDATE clock SET seq = seq + 1, gone = gone + ? WHERE schema = 2 RETURNING seq`},
		{&p.insert, write, `INSERT INTO session(version, due, expires, seq, state, name) VALUES (?, ?, ?, ?, ?, ?)
			ON CONFLICT(name) DO NOTHING RETURNING id`},
		{&p.update, write, `UPDATE session SET version = ?, due = ?, expires = ?, seq = ?, state = ?
			WHERE name = ? AND version = ? RETURNING id`},
		{&p.remove, write, `DELETE FROM session WHERE name = ? AND version = ? RETURNING id`},
		{&p.recordPut, write, `INSERT INTO record(session, version, place, keep, line) VALUES (?, ?, ?, ?, ?)`},
		{&p.entryPut, write, `INSERT INTO entry(session, id, at, server, tool, outcome, keep, text, body)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(session, id) DO UPDATE SET at = excluded.at,
			server = excluded.server, tool = excluded.tool, outcome = excluded.outcome, keep = excluded.keep,
			text = excluded.text, body = excluded.body`},
		{&p.redeem, write, `INSERT INTO redeemed(id, until) VALUES (?, ?) ON CONFLICT DO NOTHING`},
		{&p.getSession, read, `SELECT version, due, state FROM session WHERE name = ?`},
		{&p.getDue, read, `SELECT name FROM session WHERE due > 0 AND due <= ? ORDER BY due, id LIMIT ? OFFSET ?`},
		{&p.getRecords, read, `SELECT version, place, line FROM record
			WHERE session = ? AND (version, place) > (?, ?) ORDER BY version, place LIMIT 64`},
		{&p.getEntries, read, `SELECT session, id, at, server, tool, outcome, text, body FROM entry
			WHERE (at, session, id) < (?1, ?2, ?3) AND at >= ?4 AND (?5 = x'' OR session = ?5)
			AND (?6 = '' OR server = ?6) AND (?7 = '' OR tool = ?7) AND (?8 = '' OR outcome = ?8)
			ORDER BY at DESC, session DESC, id DESC LIMIT 256`},
		{&p.getClock, read, `SELECT seq, gone FROM clock`},
		{&p.getChanged, read, `SELECT name, version FROM session WHERE seq > ?`},
	} {
		made, err := one.db.PrepareContext(ctx, one.text)
		if err != nil {
			return err
		}
		*one.into = made
		p.all = append(p.all, made)
	}
	return nil
}

func (p *statements) close() {
	for _, s := range p.all {
		_ = s.Close()
	}
}
