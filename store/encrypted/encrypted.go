// Package encrypted wraps a store so that what is at rest cannot be read, and cannot be changed or moved unnoticed.
//
//	s, err := encrypted.New(inner, encrypted.Ring{Names: secret, Keys: []encrypted.Key{{ID: "2026", Secret: key}}})
//
// States, records and entries are sealed with AES-256-GCM, each with a key of its own, derived from a secret
// of the ring and a random salt. Each is bound to what it belongs to: kind, session, version, place. Names of sessions,
// servers, tools and outcomes and other ids become codes that only the ring's owner can make. Times, sizes and numbers
// stay readable. Somebody who can write to the inner store can still delete a session, or bring back an acked effect.
package encrypted

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/elicit-engine/elicit/store"
)

// Errors of what is at rest. None of them means that something is absent.
var (
	ErrPlain    = errors.New("encrypted: the store holds something that is not encrypted")
	ErrTampered = errors.New("encrypted: the store holds something that was changed or moved")
	ErrKey      = errors.New("encrypted: the store holds something sealed with a key that is not in the ring")
)

// Store is an encrypted handle. It implements store.Store.
type Store struct {
	inner store.Store
	ring  *ring
}

// New wraps a store. Closing the result closes the inner store.
func New(inner store.Store, r Ring) (*Store, error) {
	keys, err := r.derive()
	if err != nil {
		return nil, err
	}
	return &Store{inner, keys}, nil
}

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, session string) (store.Saved, error) {
	name := s.ring.name(session)
	saved, err := s.inner.Load(ctx, name)
	if err != nil {
		return store.Saved{}, err
	}
	saved.State, err = s.ring.open(saved.State, "state", name, saved.Version, 0)
	return saved, err
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	name, r := s.ring.name(c.Session), s.ring
	sealed := c
	sealed.Session, sealed.Records, sealed.Entries = name, nil, nil
	if c.State != nil {
		sealed.State = r.seal(c.State, "state", name, c.Version(), 0)
	}
	for i, line := range c.Records {
		sealed.Records = append(sealed.Records, r.seal(line, "record", name, c.Version(), uint64(i)))
	}
	for _, e := range c.Entries {
		e.Session = c.Session
		plain, err := json.Marshal(e)
		if err != nil {
			return 0, err
		}
		id := r.code("entry", c.Session, e.ID)
		sealed.Entries = append(sealed.Entries, store.Entry{ID: id, At: e.At, Server: r.code("server", e.Server),
			Tool: r.code("tool", e.Tool), Outcome: r.code("outcome", e.Outcome),
			Body: r.seal(plain, "entry", name+" "+id, uint64(e.At), 0)})
	}
	return s.inner.Commit(ctx, sealed)
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	names, err := s.inner.Due(ctx, now, skip, limit)
	for i := range names {
		name, bad := s.ring.session(names[i])
		if bad == nil {
			names[i] = name
		}
		err = errors.Join(err, bad)
	}
	return names, err
}

// Watch implements store.Store.
func (s *Store) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	if err := store.CheckName("session", session); err != nil {
		return nil, nil, err
	}
	return s.inner.Watch(ctx, s.ring.name(session))
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := store.CheckName("id", id); err != nil {
		return err
	}
	return s.inner.Redeem(ctx, s.ring.code("redeemed", id), now, expires)
}

// Journal implements store.Store.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		name, last := s.ring.name(session), store.Record{Index: -1}
		for r, err := range s.inner.Journal(ctx, name, after) {
			if err == nil {
				r.Line, err = s.ring.open(r.Line, "record", name, r.Version, uint64(r.Index))
			}
			if err == nil && (r.Version < last.Version || r.Version == last.Version && r.Index != last.Index+1) {
				err = ErrTampered // a record was moved, repeated or left out
			}
			if last = r; err != nil {
				yield(store.Record{}, err)
				return
			}
			if !yield(r, nil) {
				return
			}
		}
	}
}

// History implements store.Store. A search for text opens every entry that the other members select.
func (s *Store) History(ctx context.Context, q store.Query) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		left := q.Limit
		for sealed, err := range s.inner.History(ctx, s.query(q)) {
			var e store.Entry
			if err == nil {
				e, err = s.entry(&sealed)
			}
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			wanted := q
			wanted.Before = nil // the inner store has another order within a moment
			if !wanted.Matches(&e) {
				continue
			}
			if left--; !yield(e, nil) || left == 0 {
				return
			}
		}
	}
}

// query is what the inner store is asked.
func (s *Store) query(q store.Query) store.Query {
	r := s.ring
	q.Server, q.Tool, q.Outcome = r.code("server", q.Server), r.code("tool", q.Tool), r.code("outcome", q.Outcome)
	if q.Session != "" {
		q.Session = r.name(q.Session)
	}
	if b := q.Before; b != nil {
		q.Before = &store.Entry{At: b.At, Session: r.name(b.Session), ID: r.code("entry", b.Session, b.ID)}
	}
	if q.Text != "" {
		q.Text, q.Limit = "", min(q.Limit, 0) // counted after opening; a limit that is none stays one
	}
	return q
}

func (s *Store) entry(sealed *store.Entry) (e store.Entry, err error) {
	plain, err := s.ring.open(sealed.Body, "entry", sealed.Session+" "+sealed.ID, uint64(sealed.At), 0)
	if err == nil && json.Unmarshal(plain, &e) != nil {
		err = ErrTampered
	}
	return e, err
}

// Close implements store.Store.
func (s *Store) Close() error { return s.inner.Close() }
