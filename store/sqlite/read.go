package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"iter"

	"github.com/elicit-engine/elicit/store"
)

// all reads every row of a query.
func all[T any](
	ctx context.Context, s *Store, check error, query string, scan func(*sql.Rows, *T) error, args ...any,
) (list []T, err error) {
	if err = s.begin(ctx, check); err != nil {
		return nil, err
	}
	rows, err := s.statements[query].QueryContext(ctx, args...)
	if err == nil {
		defer rows.Close()
		for err == nil && rows.Next() {
			var one T
			err = scan(rows, &one)
			list = append(list, one)
		}
		err = cmp.Or(err, rows.Err())
	}
	return list, s.errorOf(ctx, err)
}

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, session string) (store.Saved, error) {
	found, err := all(ctx, s, nil, "get_session", func(rows *sql.Rows, saved *store.Saved) error {
		return rows.Scan(&saved.Version, &saved.Next, &saved.State)
	}, []byte(session))
	if err == nil && len(found) == 0 {
		err = store.ErrUnknown
	}
	return append(found, store.Saved{})[0], err
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	return all(ctx, s, store.CheckDue(now, skip, limit), "get_due",
		func(rows *sql.Rows, name *string) error { return rows.Scan(name) }, now, limit, skip)
}

// Journal implements store.Store.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return store.Records(after, func(last store.Record) ([]store.Record, error) {
		return all(ctx, s, nil, "get_records", func(rows *sql.Rows, r *store.Record) error {
			return rows.Scan(&r.Version, &r.Index, &r.Line)
		}, []byte(session), int64(last.Version), last.Index)
	})
}

// History implements store.Store.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return store.Entries(q, func(last store.Entry) ([]store.Entry, error) {
		return all(ctx, s, nil, "get_entries", func(rows *sql.Rows, e *store.Entry) error {
			return rows.Scan(&e.Session, &e.ID, &e.At, &e.Server, &e.Tool, &e.Outcome, &e.Text, &e.Body)
		}, last.At, []byte(last.Session), []byte(last.ID), q.Since, []byte(q.Session), q.Server, q.Tool, q.Outcome)
	})
}
