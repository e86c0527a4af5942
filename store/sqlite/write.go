package sqlite

import (
	"context"
	"database/sql"

	"github.com/elicit-engine/elicit/store"
)

// transaction runs a change in a transaction that holds the file's write lock from its beginning. There is one
// connection that writes, so nobody else changes its mode.
func (s *Store) transaction(ctx context.Context, lazy bool, change func(*sql.Tx) error) error {
	if err := s.begin(ctx, nil); err != nil {
		return err
	}
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return s.errorOf(ctx, err)
	}
	defer conn.Close()
	sync := "PRAGMA synchronous = FULL"
	if lazy {
		sync = "PRAGMA synchronous = NORMAL"
	}
	var tx *sql.Tx
	if _, err = conn.ExecContext(ctx, sync); err == nil {
		tx, err = conn.BeginTx(ctx, nil)
	}
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
	err := s.transaction(ctx, c.Lazy, func(tx *sql.Tx) error { return s.commit(ctx, tx, &c) })
	if err != nil {
		return 0, err
	}
	s.watch.Wake(c.Session, c.Version())
	return c.Version(), nil
}

func (s *Store) commit(ctx context.Context, tx *sql.Tx, c *store.Change) error {
	name, version, gone := []byte(c.Session), int64(c.Version()), 0
	put, args := "insert", []any{version, c.Next, c.Expires, c.State, name}
	switch {
	case c.State == nil:
		put, args, gone = "remove", []any{name, int64(c.From)}, 1
	case c.From != 0:
		put, args = "update", append(args, int64(c.From))
	}
	err := s.sweep(ctx, tx, c.Now)
	do := func(what string, none error, args ...any) {
		if err == nil {
			err = s.exec(ctx, tx, what, none, args...)
		}
	}
	do("tick", store.ErrNewer, gone)
	do(put, store.ErrConflict, args...)
	for i, line := range c.Records {
		do("record", nil, name, version, i, c.KeepRecords, line)
	}
	for _, e := range c.Entries {
		do("entry", nil, name, []byte(e.ID), e.At, e.Server, e.Tool, e.Outcome, c.Keep, e.Text, e.Body)
	}
	return err
}

// exec executes a statement. If it changes nothing, the error is none.
func (s *Store) exec(ctx context.Context, tx *sql.Tx, what string, none error, args ...any) error {
	done, err := tx.StmtContext(ctx, s.statements[what]).ExecContext(ctx, args...)
	if err != nil {
		return err
	}
	if n, err := done.RowsAffected(); err != nil || n > 0 {
		return err
	}
	return none
}

// sweep forgets some of what may be forgotten, at every 16th call.
func (s *Store) sweep(ctx context.Context, tx *sql.Tx, now int64) error {
	if s.calls.Add(1)%16 != 0 {
		return nil
	}
	for _, what := range forgetting {
		if err := s.exec(ctx, tx, what, nil, now); err != nil {
			return err
		}
	}
	return nil
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := s.gate.Begin(ctx, store.CheckRedeem(id, now, expires)); err != nil {
		return err
	}
	return s.transaction(ctx, false, func(tx *sql.Tx) error {
		if err := s.sweep(ctx, tx, now); err != nil {
			return err
		}
		return s.exec(ctx, tx, "redeem", store.ErrRedeemed, []byte(id), expires+store.Skew)
	})
}
