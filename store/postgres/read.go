package postgres

import (
	"context"
	"encoding/hex"
	"iter"
	"strconv"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/store"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, session string) (saved store.Saved, err error) {
	if err := s.gate.Begin(ctx, nil); err != nil {
		return saved, err
	}
	err = s.pool.QueryRow(ctx, s.sql["get_session"], []byte(session)).Scan(&saved.Version, &saved.Next, &saved.State)
	return saved, s.errorOf(ctx, err)
}

// query reads every row of a statement.
func query[T any](ctx context.Context, s *Store, scan func(pgx.CollectableRow) (T, error), name string, args ...any) (
	list []T, err error) {
	if err := s.gate.Begin(ctx, nil); err != nil {
		return nil, err
	}
	rows, err := s.pool.Query(ctx, s.sql[name], args...)
	if err == nil {
		list, err = pgx.CollectRows(rows, scan)
	}
	return list, s.errorOf(ctx, err)
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	if err := store.CheckDue(now, skip, limit); err != nil {
		return nil, err
	}
	return query(ctx, s, func(row pgx.CollectableRow) (string, error) {
		var name []byte
		err := row.Scan(&name)
		return string(name), err
	}, "get_due", now, limit, skip)
}

// Journal implements store.Store.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return store.Records(after, func(last store.Record) ([]store.Record, error) {
		return query(ctx, s, func(row pgx.CollectableRow) (r store.Record, err error) {
			err = row.Scan(&r.Version, &r.Index, &r.Line)
			return r, err
		}, "get_records", []byte(session), last.Version, last.Index)
	})
}

// History implements store.Store.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return store.Entries(q, func(last store.Entry) ([]store.Entry, error) {
		return query(ctx, s, func(row pgx.CollectableRow) (e store.Entry, err error) {
			var session, id, server, tool, outcome, text []byte
			err = row.Scan(&session, &id, &e.At, &server, &tool, &outcome, &text, &e.Body)
			e.Session, e.ID, e.Server, e.Tool = string(session), string(id), string(server), string(tool)
			e.Outcome, e.Text = string(outcome), string(text)
			return e, err
		}, "get_entries", last.At, []byte(last.Session), []byte(last.ID), q.Since, []byte(q.Session), []byte(q.Server),
			[]byte(q.Tool), []byte(q.Outcome))
	})
}

// Watch implements store.Store. A commit that comes before the handle hears wakes too, because everyone is woken when
// the handle begins to hear.
func (s *Store) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	wakes, stop, err := s.watch.Add(ctx, session, nil)
	if err == nil {
		s.hears.Do(func() { s.ended.Go(s.hear) })
	}
	return wakes, stop, err
}

// hear listens until the handle is closed, on a new connection after each that failed.
func (s *Store) hear() {
	for s.open.Err() == nil {
		s.listen()
		select {
		case <-time.After(50 * time.Millisecond): // before the next connection
		case <-s.open.Done():
		}
	}
}

// listen wakes those whose sessions were committed, until the connection fails. At first it wakes everyone, because
// notes may have been lost. Now and then it listens again: a connection that does not confirm that is deaf.
func (s *Store) listen() {
	ctx, cancel := context.WithTimeout(s.open, 2*s.patience)
	taken, err := s.pool.Acquire(ctx)
	cancel()
	if err != nil {
		return
	}
	conn := taken.Hijack()
	for first := true; err == nil; first = false {
		ctx, cancel := context.WithTimeout(s.open, s.patience)
		if _, err = conn.Exec(ctx, s.sql["listen"]); err == nil && first {
			s.watch.WakeAll()
		}
		for noted := err; noted == nil; {
			var note *pgconn.Notification
			if note, noted = conn.WaitForNotification(ctx); noted == nil {
				name, text, _ := strings.Cut(note.Payload, " ")
				session, _ := hex.DecodeString(name)
				version, _ := strconv.ParseUint(text, 10, 64)
				s.watch.Wake(string(session), version)
			}
		}
		cancel()
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Second)
	_ = conn.Close(ctx)
	cancel()
}
