package ask

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/encrypted"
	"github.com/elicit-engine/elicit/store/memory"
)

// tried counts what one node asks of its store.
type tried struct {
	*trouble
	times atomic.Int64
}

func (s *tried) Commit(ctx context.Context, c store.Change) (uint64, error) {
	s.times.Add(1)
	return s.trouble.Commit(ctx, c)
}

func (s *tried) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	s.times.Add(1)
	return s.trouble.Watch(ctx, session)
}

// alone runs a test with one node and its store. Time passes in a moment.
func alone(t *testing.T, test func(t *testing.T, a *Asker, s *tried)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var first *tried
		a, b := twoNodes(t, func(s store.Store) store.Store {
			if first == nil {
				first = &tried{trouble: &trouble{Store: s}}
				return first
			}
			return s
		})
		b.Close()
		test(t, a, first)
	})
}

// TestStoreThatFailsInPart lets commits or watches fail for a minute, while all else works. The node tries again after
// ever longer pauses, and the answer counts in the end.
func TestStoreThatFailsInPart(t *testing.T) {
	for name, fails := range map[string][2]int{"commits": {always, 0}, "watches": {0, always}} {
		alone(t, func(t *testing.T, a *Asker, s *tried) {
			_, err := a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
				s.begins(0, fails[0], fails[1])
				if fails[1] > 0 {
					time.Sleep(time.Minute)
				}
				time.AfterFunc(time.Minute, func() { s.begins(0, 0, 0) })
				return json.RawMessage(yes)
			}), func(ctx context.Context) error {
				s.begins(0, 0, fails[1])
				return confirm(ctx)
			})
			if n := s.times.Load(); err != nil || n < 10 || n > 100 {
				t.Errorf("%s are tried %d times in a minute: %v", name, n, err)
			}
			if len(a.watches) > 0 {
				t.Errorf("%s: %d watches stay", name, len(a.watches))
			}
		})
	}
}

// TestOverdue lets a question pass its deadline while the store is away, or takes no commits as one that is full. The
// node does not try without pauses, and its handler does not wait for the store.
func TestOverdue(t *testing.T) {
	for _, loads := range []int{0, always} {
		alone(t, func(t *testing.T, a *Asker, s *tried) {
			begun := time.Now()
			_, err := a.Do(t.Context(), forms("s", "", func(ctx context.Context, _ json.RawMessage) json.RawMessage {
				s.begins(loads, always, 0)
				<-ctx.Done()
				return nil
			}), confirm)
			if n := s.times.Load(); !errors.Is(err, ErrStore) || time.Since(begun) > 6*time.Minute || n > 100 {
				t.Errorf("after %v and %d commits, loads fail %d times: %v", time.Since(begun), n, loads, err)
			}
			s.begins(0, 0, 0)
		})
	}
}

// TestConsentOfALostSession lets the store lose all it has while a person visits a page. The page is gone, so the
// client gets another one at once.
func TestConsentOfALostSession(t *testing.T) {
	for _, principal := range []string{"", "p"} {
		alone(t, func(t *testing.T, a *Asker, s *tried) {
			c := Call{Target: "tool", Client: Client{Principal: principal, Version: "2026-07-28",
				Declared: elicit.Modes{URL: true}}}
			lost := asksByRounds(t, a, &c)
			s.Store = memory.New()
			begun := time.Now()
			if token := asksByRounds(t, a, &c); token == lost || time.Since(begun) > time.Second {
				t.Errorf("after %v: %s, before %s", time.Since(begun), token, lost)
			}
		})
	}
}

// TestRotationAtRest answers at a node that seals with a new key. The node of the question gets the answer if its ring
// has the key. Otherwise its handler hears that the store failed, soon after the deadline. An answer at a node that
// lost the old key is not taken.
func TestRotationAtRest(t *testing.T) {
	var keys [3]seal.Key // the last is for names
	for i := range keys {
		keys[i], _ = seal.NewKey(string(rune('a'+i)), bytes.Repeat([]byte{byte(i)}, seal.MinSecret))
	}
	before, after := keys[0], keys[1]
	for _, one := range []struct {
		answers, asks  []seal.Key
		answered, told error
	}{
		{[]seal.Key{after, before}, []seal.Key{before, after}, nil, nil},
		{[]seal.Key{after, before}, []seal.Key{before}, nil, ErrStore},
		{[]seal.Key{after}, []seal.Key{before}, ErrStore, ErrTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			rings := [][]seal.Key{one.answers, one.asks}
			a, b := twoNodes(t, func(s store.Store) store.Store {
				ring, err := seal.NewRing(rings[0]...)
				must.OK(t, err)
				rings = rings[1:]
				wrapped, err := encrypted.New(s, keys[2], ring)
				must.OK(t, err)
				return wrapped
			})
			opened := make(chan string, 1)
			go func() {
				_, err := a.AnswerPage(t.Context(), <-opened, "", elicit.Accept, []byte("{}"), nil)
				if !errors.Is(err, one.answered) {
					t.Errorf("an answer at the other node: %v, want %v", err, one.answered)
				}
			}()
			begun := time.Now()
			_, err := b.Do(t.Context(), visits(opened), confirmOnPage)
			if !errors.Is(err, one.told) || time.Since(begun) > 6*time.Minute {
				t.Errorf("after %v the handler hears %v, want %v", time.Since(begun), err, one.told)
			}
		})
	}
}
