package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"
	"math"

	"github.com/elicit-engine/elicit/store"
)

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, session string) (saved store.Saved, err error) {
	if err = s.begin(ctx); err != nil {
		return saved, err
	}
	saved, err = s.load(ctx, session)
	return saved, s.errorOf(ctx, err)
}

func (s *Store) load(ctx context.Context, session string) (saved store.Saved, err error) {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true}) // session and outbox of one moment
	if err != nil {
		return saved, err
	}
	defer tx.Rollback()
	var id int64
	err = tx.StmtContext(ctx, s.getSession).QueryRowContext(ctx, []byte(session)).Scan(&id, &saved.Version,
		&saved.Next, &saved.Retry, &saved.State)
	if errors.Is(err, sql.ErrNoRows) {
		return store.Saved{}, store.ErrUnknown
	} else if err != nil {
		return saved, err
	}
	saved.Outbox, err = all(func() (*sql.Rows, error) { return tx.StmtContext(ctx, s.getOutbox).QueryContext(ctx, id) },
		func(rows *sql.Rows, e *store.Effect) error { return rows.Scan(&e.ID, &e.Body) })
	return saved, err
}

// all reads every row of a query.
func all[T any](query func() (*sql.Rows, error), scan func(*sql.Rows, *T) error) (list []T, err error) {
	rows, err := query()
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var one T
		if err := scan(rows, &one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	if err := store.CheckDue(now, skip, limit); err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	names, err := all(func() (*sql.Rows, error) { return s.getDue.QueryContext(ctx, now, limit, skip) },
		func(rows *sql.Rows, name *string) error { return rows.Scan(name) })
	return names, s.errorOf(ctx, err)
}

// Journal implements store.Store. It reads some records at a time, and holds nothing open between them.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		last := store.Record{Version: min(after, math.MaxInt64), Index: math.MaxInt32}
		for {
			err := s.begin(ctx)
			var some []store.Record
			if err == nil {
				some, err = all(func() (*sql.Rows, error) {
					return s.getRecords.QueryContext(ctx, []byte(session), int64(last.Version), last.Index)
				}, func(rows *sql.Rows, r *store.Record) error { return rows.Scan(&r.Version, &r.Index, &r.Line) })
				err = s.errorOf(ctx, err)
			}
			if err != nil {
				yield(store.Record{}, err)
				return
			}
			for _, r := range some {
				if last = r; !yield(r, nil) {
					return
				}
			}
			if len(some) == 0 {
				return
			}
		}
	}
}

// History implements store.Store. It reads some entries at a time, and holds nothing open between them.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := q.Check(); err != nil {
			yield(store.Entry{}, err)
			return
		}
		last := store.Entry{At: store.MaxTime + 1}
		if q.Until != 0 {
			last.At = q.Until // no session is empty, so an entry at Until is not below
		}
		if q.Before != nil && store.Newer(&last, q.Before) < 0 {
			last = *q.Before
		}
		for left := q.Limit; ; {
			err := s.begin(ctx)
			var some []store.Entry
			if err == nil {
				some, err = s.entries(ctx, &q, &last)
			}
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			for _, e := range some {
				if last = e; !q.Matches(&e) {
					continue
				}
				if left--; !yield(e, nil) || left == 0 {
					return
				}
			}
			if len(some) == 0 {
				return
			}
		}
	}
}

func (s *Store) entries(ctx context.Context, q *store.Query, last *store.Entry) ([]store.Entry, error) {
	some, err := all(func() (*sql.Rows, error) {
		return s.getEntries.QueryContext(ctx, last.At, []byte(last.Session), []byte(last.ID), q.Since,
			[]byte(q.Session), q.Server, q.Tool, q.Outcome)
	}, func(rows *sql.Rows, e *store.Entry) error {
		return rows.Scan(&e.Session, &e.ID, &e.At, &e.Server, &e.Tool, &e.Outcome, &e.Text, &e.Body)
	})
	return some, s.errorOf(ctx, err)
}
