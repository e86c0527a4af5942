package ask

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

const (
	sweepEvery = 5 * time.Second
	sweepPage  = 100
	sweepStop  = 5 // failures in a row
)

// countingLoads counts the sessions that are loaded.
type countingLoads struct {
	store.Store
	loads atomic.Int64
	err   atomic.Pointer[error] // of every load
}

func (s *countingLoads) Load(ctx context.Context, session string) (store.Saved, error) {
	s.loads.Add(1)
	if err := s.err.Load(); err != nil {
		return store.Saved{}, *err
	}
	return s.Store.Load(ctx, session)
}

// orphan leaves a question open for a minute in a store, and nobody who waits for it. Its process is gone.
func orphan(t *testing.T, m store.Store) {
	t.Helper()
	a, err := New(Options{Server: "bot", Store: m, TTL: time.Minute})
	must.OK(t, err)
	i, err := a.Do(t.Context(), Call{Target: "tool", Client: Client{Version: "2025-11-25"}}, confirm)
	if err != nil || i == nil {
		t.Fatal(i, err)
	}
	a.Close()
}

func settled(t *testing.T, s store.Store) (outcomes []string) {
	t.Helper()
	for entry, err := range s.History(t.Context(), store.Query{}) {
		must.OK(t, err)
		outcomes = append(outcomes, entry.Outcome)
	}
	return outcomes
}

// TestSweepPastUnreadable lets the time of a question pass whose process is gone. Before it in the store are many
// sessions that nobody can read, as those of a newer program are. They are tried ever less often.
func TestSweepPastUnreadable(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const unreadable = 2*sweepPage + 50
		m := memory.New()
		orphan(t, m.Handle())
		for i := range unreadable {
			_, err := m.Commit(t.Context(), store.Change{Session: fmt.Sprint("x", i), State: []byte("?"), Next: 1})
			must.OK(t, err)
		}
		s := &countingLoads{Store: m.Handle()}
		b, err := New(Options{Server: "bot", Store: s})
		must.OK(t, err)
		defer b.Close()
		time.Sleep(time.Minute + 2*sweepEvery)
		synctest.Wait()
		if got := settled(t, m); len(got) != 1 || got[0] != string(elicit.Cancelled) {
			t.Errorf("these questions are settled: %q", got)
		}
		time.Sleep(time.Hour)
		before := s.loads.Load()
		time.Sleep(time.Hour)
		if tried := (s.loads.Load() - before) / unreadable; tried < 5 || tried > 7 {
			t.Errorf("each was tried %d times in an hour", tried)
		}
	})
}

// TestSweepWithoutStore stops a sweep when the store is away, and goes on when it is there again.
func TestSweepWithoutStore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := memory.New()
		for range 10 * sweepStop {
			orphan(t, m.Handle())
		}
		s := &countingLoads{Store: m.Handle()}
		away := fmt.Errorf("%w: a test", store.ErrUnavailable)
		s.err.Store(&away)
		b, err := New(Options{Server: "bot", Store: s})
		must.OK(t, err)
		defer b.Close()
		time.Sleep(time.Minute + sweepEvery)
		synctest.Wait()
		if n := s.loads.Load(); n == 0 || n > 2*sweepStop {
			t.Errorf("%d loads without a store", n)
		}
		s.err.Store(nil)
		time.Sleep(time.Minute)
		synctest.Wait()
		if got := settled(t, m); len(got) != 10*sweepStop {
			t.Errorf("%d questions are settled", len(got))
		}
	})
}
