package postgres

import (
	"context"
	"fmt"

	"github.com/elicit-engine/elicit/store"
	"github.com/jackc/pgx/v5"
)

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	name, version, all := []byte(c.Session), c.Version(), &pgx.Batch{}
	// With the lock, each statement sees what the transaction before this one left.
	all.Queue(s.sql("SELECT FROM @.session WHERE name = $1 FOR UPDATE"), name)
	one := func(put string, args ...any) { // a division by zero ends the transaction, and nothing after it happens
		all.Queue(s.sql("WITH put AS ("+put+" RETURNING 1) SELECT 1 / count(*) FROM put"), append([]any{name}, args...)...)
	}
	switch {
	case c.State == nil:
		one("DELETE FROM @.session WHERE name = $1 AND version = $2", c.From)
	case c.From == 0:
		one("INSERT INTO @.session VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING", version, c.Next, c.Expires, c.State)
	default:
		one("UPDATE @.session SET version = $3, due = $4, expires = $5, state = $6 WHERE name = $1 AND version = $2",
			c.From, version, c.Next, c.Expires, c.State)
	}
	for i, line := range c.Records {
		all.Queue(s.sql("INSERT INTO @.record VALUES ($1, $2, $3, $4, $5)"), name, version, i, c.KeepRecords, line)
	}
	for _, e := range c.Entries {
		all.Queue(s.sql(`INSERT INTO @.entry VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
			ON CONFLICT (session, id) DO UPDATE SET at = excluded.at, server = excluded.server, tool = excluded.tool,
			outcome = excluded.outcome, keep = excluded.keep, text = excluded.text, body = excluded.body`), e.At, name,
			[]byte(e.ID), []byte(e.Server), []byte(e.Tool), []byte(e.Outcome), c.Keep, []byte(e.Text), e.Body)
	}
	all.Queue("SELECT pg_notify($1, $2)", s.schema, fmt.Sprintf("%x %d", name, version))
	err := s.send(ctx, all)
	switch code(err) {
	case "22012", "23505", "40001", "40P01": // a division by zero, a version that is taken, serialization, a deadlock
		return 0, store.ErrConflict
	}
	if err != nil {
		return 0, s.errorOf(ctx, err)
	}
	s.watch.Wake(c.Session, version)
	s.sweep(ctx, c.Now)
	return version, nil
}

// send performs statements in one transaction and one round trip. Each first locks the session, or ends where there is
// none, so nobody waits in a circle.
func (s *Store) send(ctx context.Context, all *pgx.Batch) error {
	if err := s.gate.Begin(ctx, nil); err != nil {
		return err
	}
	return s.pool.SendBatch(ctx, all).Close()
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := s.gate.Begin(ctx, store.CheckRedeem(id, now, expires)); err != nil {
		return err
	}
	done, err := s.pool.Exec(ctx, s.sql("INSERT INTO @.redeemed VALUES ($1, $2) ON CONFLICT DO NOTHING"), []byte(id),
		expires+store.Skew)
	if err == nil && done.RowsAffected() == 0 {
		return store.ErrRedeemed
	}
	s.sweep(ctx, now)
	return s.errorOf(ctx, err)
}

// sweep forgets some of what may be forgotten, at every 16th call. It waits for no lock, and the next sweep does what
// this one could not.
func (s *Store) sweep(ctx context.Context, now int64) {
	if s.calls.Add(1)%16 != 0 {
		return
	}
	for table, until := range map[string]string{"session": "expires", "record": "keep", "entry": "keep",
		"redeemed": "until"} {
		_, _ = s.pool.Exec(ctx, s.sql("DELETE FROM @."+table+" WHERE ctid = ANY (ARRAY (SELECT ctid FROM @."+table+
			" WHERE "+until+" > 0 AND "+until+" <= $1 LIMIT 64 FOR UPDATE SKIP LOCKED))"), now)
	}
}
