package ask

import (
	"context"
	"errors"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/store"
)

// watch loads the session of a run whenever another process has committed, until the run ends. The session is locked.
func (r *run) watch() {
	if r.unwatch != nil {
		return
	}
	s := r.session
	if s.watches++; s.watches == 1 {
		ctx, cancel := context.WithCancel(context.Background())
		s.unwatch = cancel
		hints, end, err := s.asker.options.Store.Watch(ctx, s.name)
		go s.follow(ctx, hints, end, err)
	}
	r.unwatch = func() {
		if s.watches--; s.watches == 0 {
			s.unwatch()
		}
	}
}

// follow catches up with every hint. A watch that could not begin, or has ended, begins again.
func (s *session) follow(ctx context.Context, hints <-chan struct{}, end func(), err error) {
	for pause := shortPause; ; pause = longer(pause) {
		if err == nil {
			for range hints {
				s.catchUp()
				pause = shortPause
			}
			end()
		}
		if errors.Is(err, store.ErrClosed) || !s.asker.sleep(ctx, pause) {
			return
		}
		if hints, end, err = s.asker.options.Store.Watch(ctx, s.name); err == nil {
			s.catchUp() // the hints until now are lost
		}
	}
}

// catchUp looks whether another process has decided something for the runs here.
func (s *session) catchUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.version == 0 || len(s.runs) == 0 {
		return
	}
	if s.load(context.Background()) != nil {
		s.reload()
	}
}

// reload loads the session until it succeeds, if runs here may wait for what was committed. The session is locked.
func (s *session) reload() {
	if s.reloading || s.closed || len(s.runs) == 0 {
		return
	}
	s.reloading = true
	go s.asker.retry(context.Background(), func() (done bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		done = s.closed || len(s.runs) == 0 || !errors.Is(s.load(context.Background()), ErrStore)
		s.reloading = !done
		return done
	})
}

// finish reports the end of a run until the store takes it: a question must not stay open when nobody waits for it. The
// session is locked.
func (s *session) finish(ctx context.Context, ev asking.Event) {
	if t := s.locked(ctx, nil, ev); !errors.Is(t.err, ErrStore) {
		return
	}
	s.asker.use(s)
	go func() {
		defer s.asker.release(s)
		s.asker.retry(context.Background(), func() bool {
			return !errors.Is(s.step(context.Background(), ev).err, ErrStore)
		})
	}()
}

// shortPause and longPause bound the pauses between two attempts to reach a store.
const (
	shortPause = 10 * time.Millisecond
	longPause  = time.Second
)

func longer(pause time.Duration) time.Duration { return min(2*pause, longPause) }

// retry tries after ever longer pauses, until it is done or there is no reason to wait any longer.
func (a *Asker) retry(ctx context.Context, try func() (done bool)) {
	for pause := shortPause; a.sleep(ctx, pause) && !try(); pause = longer(pause) {
	}
}

// sleep returns false when there is no reason to wait any longer.
func (a *Asker) sleep(ctx context.Context, pause time.Duration) bool {
	select {
	case <-time.After(pause):
		return true
	case <-ctx.Done():
	case <-a.stop:
	}
	return false
}
