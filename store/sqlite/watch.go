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
	mu      sync.Mutex
	running bool
	seen    clock // at the last look
}

// clock is a row of the file. seq counts commits, and gone the deletions and the sweeps that forget sessions.
type clock struct{ seq, gone int64 }

func (s *Store) clock(ctx context.Context) (clock, error) {
	now, err := all(ctx, s, nil, "get_clock", func(rows *sql.Rows, c *clock) error { return rows.Scan(&c.seq, &c.gone) })
	return append(now, clock{})[0], err
}

// Watch implements store.Store.
func (s *Store) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	s.poll.mu.Lock()
	defer s.poll.mu.Unlock()
	err := s.begin(ctx, nil)
	if err == nil && !s.poll.running { // every commit after this moment is news
		s.poll.seen, err = s.clock(ctx)
	}
	if err != nil {
		return nil, nil, err
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
	now, err := s.clock(s.open)
	if err == nil && now == s.poll.seen {
		return true
	}
	if err == nil && now.gone == s.poll.seen.gone {
		_, err = all(s.open, s, nil, "get_changed", func(rows *sql.Rows, one *store.Entry) error {
			var version uint64
			err := rows.Scan(&one.Session, &version)
			s.watch.Wake(one.Session, version)
			return err
		}, s.poll.seen.seq)
	}
	if err != nil || now.gone != s.poll.seen.gone { // a deleted session leaves no trace, so everyone looks
		s.watch.WakeAll()
	}
	if err == nil {
		s.poll.seen = now
	}
	return true
}
