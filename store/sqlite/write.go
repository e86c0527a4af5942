package sqlite

import (
	"context"
	"database/sql"
	"errors"

	"github.com/elicit-engine/elicit/store"
)

// transaction runs a change in a transaction that holds the file's write lock from its beginning.
func (s *Store) transaction(ctx context.Context, change func(*sql.Tx) error) error {
	if err := s.gate.Begin(ctx); err != nil {
		return err
	}
	tx, err := s.write.BeginTx(ctx, nil)
	if err == nil {
		if err = change(tx); err == nil {
			err = tx.Commit()
		} else {
			_ = tx.Rollback()
		}
	}
	return s.errorOf(ctx, err)
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	err := s.transaction(ctx, func(tx *sql.Tx) error { return s.commit(ctx, tx, &c) })
	if err != nil {
		return 0, err
	}
	s.watch.Wake(c.Session, c.Version())
	return c.Version(), nil
}

func (s *Store) commit(ctx context.Context, tx *sql.Tx, c *store.Change) error {
	if err := s.sweep(ctx, tx, c.Now); err != nil {
		return err
	}
	gone, seq := 0, int64(0)
	if c.State == nil {
		gone = 1
	}
	err := tx.StmtContext(ctx, s.tick).QueryRowContext(ctx, gone).Scan(&seq)
	if errors.Is(err, sql.ErrNoRows) {
		return store.ErrNewer // another process has changed the schema since this one opened the file
	} else if err != nil {
		return err
	}
	if err = s.putSession(ctx, tx, c, seq); errors.Is(err, sql.ErrNoRows) {
		return store.ErrConflict
	} else if err != nil {
		return err
	}
	return s.putHistory(ctx, tx, c)
}

// putSession writes the session. sql.ErrNoRows says that the version is another one.
func (s *Store) putSession(ctx context.Context, tx *sql.Tx, c *store.Change, seq int64) error {
	put, args := s.insert, []any{int64(c.Version()), c.Next, c.Expires, seq, c.State, []byte(c.Session)}
	switch {
	case c.State == nil:
		put, args = s.remove, []any{[]byte(c.Session), int64(c.From)}
	case c.From != 0:
		put, args = s.update, append(args, int64(c.From))
	}
	return tx.StmtContext(ctx, put).QueryRowContext(ctx, args...).Scan(new(int64))
}

func (s *Store) putHistory(ctx context.Context, tx *sql.Tx, c *store.Change) (err error) {
	name := []byte(c.Session)
	for i, line := range c.Records {
		if err == nil {
			_, err = tx.StmtContext(ctx, s.recordPut).ExecContext(ctx, name, int64(c.Version()), i, c.KeepRecords, line)
		}
	}
	for _, e := range c.Entries {
		if err == nil {
			_, err = tx.StmtContext(ctx, s.entryPut).ExecContext(ctx, name, []byte(e.ID), e.At, e.Server, e.Tool,
				e.Outcome, c.Keep, e.Text, e.Body)
		}
	}
	return err
}

// sweep forgets some of what may be forgotten, at every 16th call.
func (s *Store) sweep(ctx context.Context, tx *sql.Tx, now int64) error {
	if s.calls.Add(1)%16 != 0 {
		return nil
	}
	for _, do := range []string{
		`UPDATE clock SET gone = gone + 1 WHERE EXISTS (SELECT 1 FROM session WHERE expires > 0 AND expires <= ?)`,
		`DELETE FROM session WHERE id IN (SELECT id FROM session WHERE expires > 0 AND expires <= ? LIMIT 64)`,
		`DELETE FROM record WHERE (session, version, place) IN
			(SELECT session, version, place FROM record WHERE keep > 0 AND keep <= ? LIMIT 64)`,
		`DELETE FROM entry WHERE n IN (SELECT n FROM entry WHERE keep > 0 AND keep <= ? LIMIT 64)`,
		`DELETE FROM redeemed WHERE id IN (SELECT id FROM redeemed WHERE until <= ? LIMIT 64)`,
	} {
		if _, err := tx.ExecContext(ctx, do, now); err != nil {
			return err
		}
	}
	return nil
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := s.gate.Begin(ctx); err != nil {
		return err
	}
	if err := store.CheckRedeem(id, now, expires); err != nil {
		return err
	}
	return s.transaction(ctx, func(tx *sql.Tx) error {
		if err := s.sweep(ctx, tx, now); err != nil {
			return err
		}
		done, err := tx.StmtContext(ctx, s.redeem).ExecContext(ctx, []byte(id), expires+store.Skew)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n == 1 {
			return err
		}
		return store.ErrRedeemed
	})
}
