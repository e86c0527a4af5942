package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"iter"

	"github.com/elicit-engine/elicit/store"
)

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, session string) (saved store.Saved, err error) {
	if err = s.gate.Begin(ctx, nil); err != nil {
		return saved, err
	}
	err = s.statements["get_session"].QueryRowContext(ctx, []byte(session)).Scan(&saved.Version, &saved.Next,
		&saved.State)
	if errors.Is(err, sql.ErrNoRows) {
		err = store.ErrUnknown
	}
	return saved, s.errorOf(ctx, err)
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
	if err := s.gate.Begin(ctx, store.CheckDue(now, skip, limit)); err != nil {
		return nil, err
	}
	names, err := all(func() (*sql.Rows, error) { return s.statements["get_due"].QueryContext(ctx, now, limit, skip) },
		func(rows *sql.Rows, name *string) error { return rows.Scan(name) })
	return names, s.errorOf(ctx, err)
}

// Journal implements store.Store.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return store.Records(after, func(last store.Record) ([]store.Record, error) {
		if err := s.gate.Begin(ctx, nil); err != nil {
			return nil, err
		}
		some, err := all(func() (*sql.Rows, error) {
			return s.statements["get_records"].QueryContext(ctx, []byte(session), int64(last.Version), last.Index)
		}, func(rows *sql.Rows, r *store.Record) error { return rows.Scan(&r.Version, &r.Index, &r.Line) })
		return some, s.errorOf(ctx, err)
	})
}

// History implements store.Store.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return store.Entries(q, func(last store.Entry) ([]store.Entry, error) {
		if err := s.gate.Begin(ctx, nil); err != nil {
			return nil, err
		}
		some, err := all(func() (*sql.Rows, error) {
			return s.statements["get_entries"].QueryContext(ctx, last.At, []byte(last.Session), []byte(last.ID), q.Since,
				[]byte(q.Session), q.Server, q.Tool, q.Outcome)
		}, func(rows *sql.Rows, e *store.Entry) error {
			return rows.Scan(&e.Session, &e.ID, &e.At, &e.Server, &e.Tool, &e.Outcome, &e.Text, &e.Body)
		})
		return some, s.errorOf(ctx, err)
	})
}
