package ask

import (
	"context"
	"errors"
	"time"

	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/store"
)

// sweepEvery is how often a process looks for sessions that nobody else has stepped in time.
const sweepEvery = 5 * time.Second

const (
	sweepPage  = 100
	sweepPause = 10 * time.Minute // the longest pause before a session that failed is tried again
	sweepStop  = 5                // after so many failures in a row the store itself is away
)

// failing is a session that could not be stepped.
type failing struct {
	pause time.Duration
	again int64 // when it is tried again
}

// sweepStore lets time pass for sessions whose process is gone.
func (a *Asker) sweepStore() {
	ticker := time.NewTicker(sweepEvery)
	defer ticker.Stop()
	failed := map[string]failing{}
	for {
		select {
		case <-a.stop:
			return
		case <-ticker.C:
		}
		failed = a.sweep(failed)
	}
}

// sweep steps the sessions that are due. Sessions that fail stay due, so the sweep goes past them, and tries them again
// after ever longer pauses. It takes those that have failed before, and returns those that fail now.
func (a *Asker) sweep(before map[string]failing) map[string]failing {
	failed, seen := map[string]failing{}, map[string]bool{}
	for skip, away := 0, 0; skip <= store.MaxSkip; {
		now := a.options.Now().UnixMilli()
		ctx, cancel := context.WithTimeout(context.Background(), storeWait)
		due, err := a.options.Store.Due(ctx, now, skip, sweepPage)
		cancel()
		if len(due) == 0 && err != nil {
			return before // the store is away
		}
		for _, name := range due {
			f := before[name]
			switch {
			case seen[name]: // it stays due although it was stepped
				skip++
				continue
			case f.again > now:
			case a.tick(name, &away):
				seen[name] = true
				continue
			default:
				f.pause = min(max(2*f.pause, sweepEvery), sweepPause)
				f.again = now + f.pause.Milliseconds()
			}
			seen[name], failed[name] = true, f
			if skip++; away == sweepStop {
				for name, f := range before {
					if !seen[name] {
						failed[name] = f
					}
				}
				return failed
			}
		}
		if len(due) < sweepPage || a.over() {
			break
		}
	}
	return failed
}

// tick steps a session, and counts failures in a row of the store.
func (a *Asker) tick(name string, away *int) (done bool) {
	s, err := a.find(context.Background(), name)
	if s != nil {
		err = s.step(context.Background(), event.Ticked{}).err
		a.release(s)
	}
	if *away++; !errors.Is(err, store.ErrUnavailable) && !errors.Is(err, context.DeadlineExceeded) {
		*away = 0
	}
	return s != nil && err == nil
}
