// Package encrypted wraps a store so that what is at rest cannot be read, and cannot be changed or moved unnoticed.
//
//	s, err := encrypted.New(inner, names, ring) // a seal.Key that stays the same, and a seal.Ring
//
// Package engine/asking/atrest says how. Losing a key is an error, never an absence.
package encrypted

import (
	"context"
	"crypto/rand"
	"errors"
	"iter"

	"github.com/elicit-engine/elicit/engine/asking/atrest"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/store"
)

// Errors of what is at rest. None of them means that something is absent.
var (
	ErrPlain    = atrest.ErrPlain
	ErrTampered = atrest.ErrTampered
	ErrKey      = atrest.ErrKey
)

// Store is an encrypted handle. It implements store.Store.
type Store struct {
	inner store.Store
	ring  *atrest.Ring
}

// New wraps a store. The key for names stays the same when keys rotate. The first key of the ring seals, and all open:
// keep old ones as long as something sealed with them is at rest. Closing the result closes the inner store.
func New(inner store.Store, names seal.Key, keys *seal.Ring) (*Store, error) {
	ring, err := atrest.New(names, keys)
	if err != nil {
		return nil, err
	}
	return &Store{inner, ring}, nil
}

// Load implements store.Store.
func (s *Store) Load(ctx context.Context, session string) (store.Saved, error) {
	saved, err := s.inner.Load(ctx, s.ring.Session(session))
	if err != nil {
		return store.Saved{}, err
	}
	saved.State, err = s.ring.State(saved.State, session, saved.Version)
	return saved, err
}

// Commit implements store.Store.
func (s *Store) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if err := c.Check(); err != nil {
		return 0, err
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	return s.inner.Commit(ctx, s.ring.Change(c, c.Version(), random))
}

// Due implements store.Store.
func (s *Store) Due(ctx context.Context, now int64, skip, limit int) ([]string, error) {
	names, err := s.inner.Due(ctx, now, skip, limit)
	for i := range names {
		name, bad := s.ring.Name(names[i])
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
	return s.inner.Watch(ctx, s.ring.Session(session))
}

// Redeem implements store.Store.
func (s *Store) Redeem(ctx context.Context, id string, now, expires int64) error {
	if err := store.CheckName("id", id); err != nil {
		return err
	}
	return s.inner.Redeem(ctx, s.ring.Redeemed(id), now, expires)
}

// Journal implements store.Store.
func (s *Store) Journal(ctx context.Context, session string, after uint64) iter.Seq2[store.Record, error] {
	return func(yield func(store.Record, error) bool) {
		var last *atrest.Record
		for r, err := range s.inner.Journal(ctx, s.ring.Session(session), after) {
			at := atrest.Record{Version: r.Version, Index: r.Index}
			if err == nil {
				r.Line, err = s.ring.Record(r.Line, session, at, last)
			}
			if last = &at; err != nil {
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
		wanted, left := q, q.Limit
		wanted.Before = nil
		for e, err := range s.inner.History(ctx, s.ring.Query(q)) {
			if err == nil {
				e, err = s.ring.Entry(&e)
			}
			if err != nil {
				yield(store.Entry{}, err)
				return
			}
			if !wanted.Matches(&e) {
				continue
			}
			if left--; !yield(e, nil) || left == 0 {
				return
			}
		}
	}
}

// Close implements store.Store.
func (s *Store) Close() error { return s.inner.Close() }
