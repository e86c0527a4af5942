package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/store"
)

// poll looks for commits of other processes while somebody watches.
type poll struct {
	mu        sync.Mutex
	running   bool
	seq, gone int64 // of the clock, at the last look
}

// Watch implements store.Store.
func (s *Store) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	s.poll.mu.Lock()
	defer s.poll.mu.Unlock()
	if !s.poll.running { // every commit after this moment is news
		if err := s.statements["get_clock"].QueryRowContext(ctx).Scan(&s.poll.seq, &s.poll.gone); err != nil {
			return nil, nil, s.errorOf(ctx, err)
		}
	}
	wakes, stop, err := s.watch.Add(ctx, session, nil)
	if err == nil && !s.poll.running {
		s.poll.running = true
		s.ended.Go(s.look)
	}
	return wakes, stop, err
}

// look runs until nobody watches.
func (s *Store) look() {
	ticks := s.ticks
	if ticks == nil {
		ticker := time.NewTicker(20 * time.Millisecond)
		defer ticker.Stop()
		ticks = ticker.C
	}
	for {
		select {
		case <-ticks:
		case <-s.open.Done():
			return
		}
		if !s.tell() {
			return
		}
	}
}

// tell wakes those whose sessions changed, and reports whether somebody still watches.
func (s *Store) tell() bool {
	s.poll.mu.Lock()
	defer s.poll.mu.Unlock()
	if s.watch.Watched() == 0 {
		s.poll.running = false
		return false
	}
	var seq, gone int64
	err := s.statements["get_clock"].QueryRowContext(s.open).Scan(&seq, &gone)
	if err == nil && seq == s.poll.seq && gone == s.poll.gone {
		return true
	}
	if err == nil && gone == s.poll.gone {
		_, err = all(func() (*sql.Rows, error) { return s.statements["get_changed"].QueryContext(s.open, s.poll.seq) },
			func(rows *sql.Rows, one *store.Entry) error {
				var version uint64
				err := rows.Scan(&one.Session, &version)
				s.watch.Wake(one.Session, version)
				return err
			})
	}
	if err != nil || gone != s.poll.gone { // a deleted session leaves no trace, so everyone looks
		s.watch.WakeAll()
	}
	if err == nil {
		s.poll.seq, s.poll.gone = seq, gone
	}
	return true
}
