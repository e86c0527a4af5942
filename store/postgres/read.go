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
	err = s.pool.QueryRow(ctx, s.sql("SELECT version, due, state FROM @.session WHERE name = $1"),
		[]byte(session)).Scan(&saved.Version, &saved.Next, &saved.State)
	return saved, s.errorOf(ctx, err)
}

// query reads every row.
func query[T any](ctx context.Context, s *Store, scan func(pgx.CollectableRow) (T, error), text string, args ...any) (
	list []T, err error) {
	if err := s.gate.Begin(ctx, nil); err != nil {
		return nil, err
	}
	rows, err := s.pool.Query(ctx, s.sql(text), args...)
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
	}, "SELECT name FROM @.session WHERE due > 0 AND due <= $1 ORDER BY due, name LIMIT $2 OFFSET $3", now, limit, skip)
}

// Journal implements store.Store.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return store.Records(after, func(last store.Record) ([]store.Record, error) {
		return query(ctx, s, func(row pgx.CollectableRow) (r store.Record, err error) {
			err = row.Scan(&r.Version, &r.Index, &r.Line)
			return r, err
		}, `SELECT version, place, line FROM @.record WHERE session = $1 AND (version, place) > ($2, $3)
			ORDER BY version, place LIMIT 64`, []byte(session), last.Version, last.Index)
	})
}

// History implements store.Store.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return store.Entries(q, func(last store.Entry) ([]store.Entry, error) {
		return query(ctx, s, func(row pgx.CollectableRow) (e store.Entry, err error) {
			var session, id, server, tool, outcome, text []byte
			err = row.Scan(&e.At, &session, &id, &server, &tool, &outcome, &text, &e.Body)
			e.Session, e.ID, e.Server, e.Tool = string(session), string(id), string(server), string(tool)
			e.Outcome, e.Text = string(outcome), string(text)
			return e, err
		}, `SELECT at, session, id, server, tool, outcome, text, body FROM @.entry
			WHERE (at, session, id) < ($1, $2, $3) AND at >= $4 AND ($5 = ''::bytea OR session = $5)
			AND ($6 = ''::bytea OR server = $6) AND ($7 = ''::bytea OR tool = $7) AND ($8 = ''::bytea OR outcome = $8)
			ORDER BY at DESC, session DESC, id DESC LIMIT 256`, last.At, []byte(last.Session), []byte(last.ID), q.Since,
			[]byte(q.Session), []byte(q.Server), []byte(q.Tool), []byte(q.Outcome))
	})
}

// Watch implements store.Store. A commit that comes before the handle hears wakes too, because everyone is woken when
// the handle begins to hear.
func (s *Store) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	wakes, stop, err := s.watch.Add(ctx, session, nil)
	if err == nil {
		s.hears.Do(func() {
			s.ended.Go(s.hear)
			s.ended.Go(s.note)
		})
	}
	return wakes, stop, err
}

// note sends a note to all handles now and then. A handle that hears none is deaf.
func (s *Store) note() {
	for s.pause(s.patience) {
		ctx, cancel := context.WithTimeout(s.open, 2*s.patience)
		_, _ = s.pool.Exec(ctx, "SELECT pg_notify($1, '')", s.schema)
		cancel()
	}
}

// hear listens until the handle is closed, on a new connection after each that failed.
func (s *Store) hear() {
	for {
		s.listen()
		if !s.pause(50 * time.Millisecond) {
			return
		}
	}
}

// pause waits, and returns false if the handle is closed.
func (s *Store) pause(d time.Duration) bool {
	select {
	case <-time.After(d):
		return true
	case <-s.open.Done():
		return false
	}
}

// listen wakes those whose sessions were committed, until the connection fails or is quiet for too long. At first it
// wakes everyone, because notes may have been lost.
func (s *Store) listen() {
	ctx, cancel := context.WithTimeout(s.open, 2*s.patience)
	taken, err := s.pool.Acquire(ctx)
	if err != nil {
		cancel()
		return
	}
	conn := taken.Hijack()
	_, err = conn.Exec(ctx, "LISTEN "+s.sql("@"))
	cancel()
	if err == nil {
		s.watch.WakeAll()
	}
	for err == nil {
		ctx, cancel := context.WithTimeout(s.open, 2*s.patience)
		var note *pgconn.Notification
		if note, err = conn.WaitForNotification(ctx); err == nil {
			name, text, _ := strings.Cut(note.Payload, " ")
			session, _ := hex.DecodeString(name)
			version, _ := strconv.ParseUint(text, 10, 64)
			s.watch.Wake(string(session), version)
		}
		cancel()
	}
	ctx, cancel = context.WithTimeout(context.Background(), time.Second)
	_ = conn.Close(ctx)
	cancel()
}
