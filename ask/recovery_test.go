package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
)

// trouble fails calls of a store: the next ones, or all until it is over. A commit that fails takes effect if late is
// set.
type trouble struct {
	store.Store
	mu            sync.Mutex
	loads         int // how many fail
	commits       int
	watches       int
	late          bool
	beforeWatches func() // before a watch that does not fail
}

const always = 1 << 30

func (s *trouble) fails(left *int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if *left > 0 {
		*left--
		return store.ErrUnavailable
	}
	return nil
}

func (s *trouble) begins(loads, commits, watches int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.loads, s.commits, s.watches = loads, commits, watches
}

func (s *trouble) Load(ctx context.Context, session string) (store.Saved, error) {
	if err := s.fails(&s.loads); err != nil {
		return store.Saved{}, err
	}
	return s.Store.Load(ctx, session)
}

func (s *trouble) Commit(ctx context.Context, c store.Change) (uint64, error) {
	err := s.fails(&s.commits)
	if err != nil && !s.late {
		return 0, err
	}
	version, other := s.Store.Commit(ctx, c)
	return version, errors.Join(err, other)
}

func (s *trouble) Watch(ctx context.Context, session string) (<-chan uint64, func(), error) {
	if err := s.fails(&s.watches); err != nil {
		return nil, nil, err
	}
	if s.beforeWatches != nil {
		s.beforeWatches()
	}
	return s.Store.Watch(ctx, session)
}

// troubled runs a test with two nodes, of which the first has trouble with its store. Time passes in a moment.
func troubled(t *testing.T, test func(t *testing.T, a, b *Asker, s *trouble)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var first *trouble
		a, b := twoNodes(t, func(s store.Store) store.Store {
			if first == nil {
				first = &trouble{Store: s}
				return first
			}
			return s
		})
		test(t, a, b, first)
	})
}

// visits is a client with URLs. Its person never tells it that they consented.
func visits(opened chan<- string) Call {
	return Call{Target: "tool", Client: Client{Session: "s", Version: "2025-11-25", Declared: elicit.Modes{URL: true},
		Conn: requests(func(ctx context.Context, params json.RawMessage) json.RawMessage {
			var p struct{ URL string }
			_ = json.Unmarshal(params, &p)
			opened <- p.URL[strings.LastIndex(p.URL, "/")+1:]
			<-ctx.Done()
			return nil
		})}}
}

func confirmOnPage(ctx context.Context) error { return Confirm(ctx, "Go on?", OnPage()) }

// accepts answers on the page of another node.
func accepts(t *testing.T, b *Asker, token string) {
	t.Helper()
	problems, err := b.AnswerPage(t.Context(), token, "", elicit.Accept, []byte("{}"), nil)
	if err != nil || len(problems) > 0 {
		t.Errorf("an answer on the page: %v, %v", problems, err)
	}
}

// TestHintThatCannotBeFollowed answers on another node. The node that waits hears of it, and cannot load then.
func TestHintThatCannotBeFollowed(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		opened := make(chan string, 1)
		go func() {
			token := <-opened
			synctest.Wait()
			s.begins(5, 0, 0)
			accepts(t, b, token)
		}()
		soon(t, func() error {
			_, err := a.Do(t.Context(), visits(opened), confirmOnPage)
			return err
		})
	})
}

// soon runs something that must not wait until a question ends by itself.
func soon(t *testing.T, do func() error) {
	t.Helper()
	begun := time.Now()
	if err := do(); err != nil || time.Since(begun) > time.Minute {
		t.Errorf("after %v: %v", time.Since(begun), err)
	}
}

// TestWatchThatBeginsLate answers on another node before the node that waits could begin to watch.
func TestWatchThatBeginsLate(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		opened := make(chan string, 1)
		s.begins(0, 0, 3)
		s.beforeWatches = sync.OnceFunc(func() { accepts(t, b, <-opened) })
		soon(t, func() error {
			_, err := a.Do(t.Context(), visits(opened), confirmOnPage)
			return err
		})
	})
}

// TestAnswerOfAStoreThatIsAway gives a node the answer of its client while it can store nothing.
func TestAnswerOfAStoreThatIsAway(t *testing.T) {
	troubled(t, func(t *testing.T, a, _ *Asker, s *trouble) {
		_, err := a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
			s.begins(10, 10, 0)
			return json.RawMessage(yes)
		}), confirm)
		if err != nil {
			t.Error(err)
		}
	})
}

// TestRunThatEndsWithoutStore ends a handler that does not wait for its question while nothing can be stored. The
// question ends when the store is there again, and the next one of the session is asked.
func TestRunThatEndsWithoutStore(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		asked, ended := make(chan struct{}), make(chan error, 1)
		_, err := a.Do(t.Context(), forms("s", "", func(ctx context.Context, _ json.RawMessage) json.RawMessage {
			close(asked)
			<-ctx.Done()
			return nil
		}), func(ctx context.Context) error {
			go func() { ended <- confirm(ctx) }()
			<-asked
			synctest.Wait()
			s.begins(3, 3, 0)
			return nil
		})
		must.OK(t, err)
		asksSoon(t, b)
		if err := <-ended; !errors.Is(err, ErrClosed) && !errors.Is(err, context.Canceled) {
			t.Errorf("a question of a handler that is over: %v", err)
		}
	})
}

// asksSoon asks in the session s long before an open question of it ends by itself.
func asksSoon(t *testing.T, b *Asker) {
	t.Helper()
	soon(t, func() error {
		_, err := b.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
			return json.RawMessage(yes)
		}), confirm)
		return err
	})
}

// TestQuestionOfACallThatFailed stores a question, and cannot tell. The call fails, and its question does not stay
// open.
func TestQuestionOfACallThatFailed(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		s.late = true
		_, err := a.Do(t.Context(), forms("s", "", func(ctx context.Context, _ json.RawMessage) json.RawMessage {
			<-ctx.Done()
			return nil
		}), func(ctx context.Context) error {
			s.begins(3, 3, 0)
			return confirm(ctx)
		})
		if !errors.Is(err, store.ErrUnavailable) || err.Error() != ErrStore.Error() { // a client reads the text
			t.Errorf("a call that cannot be stored: %v", err)
		}
		asksSoon(t, b)
	})
}

// TestAnswerThatNobodyCanTake answers at a node that cannot load the session. That is not the end of the question.
func TestAnswerThatNobodyCanTake(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		token := pageOf(t, b, Call{Target: "tool", Client: Client{Version: "2025-11-25"}})
		name, _, _ := strings.Cut(token, ".")
		s.begins(2, 0, 0)
		_, err := a.AnswerPage(t.Context(), token, "", elicit.Accept, []byte("{}"), nil)
		if !errors.Is(err, ErrStore) {
			t.Errorf("a page without a store: %v", err)
		}
		_, text := a.Submit(t.Context(), Client{Version: "2025-11-25"}, Submission{ID: name + "." + "1"})
		if !strings.Contains(text, ErrStore.Error()) {
			t.Errorf("a model without a store is told %q", text)
		}
		accepts(t, a, token)
	})
}

// TestAnswerThatCounts answers on a page. The commit takes effect, and its reply is lost.
func TestAnswerThatCounts(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		opened := make(chan string, 1)
		s.late = true
		go func() {
			token := <-opened
			s.begins(0, 1, 0)
			accepts(t, a, token)
		}()
		if _, err := b.Do(t.Context(), visits(opened), confirmOnPage); err != nil {
			t.Error(err)
		}
	})
}

// TestCloseUnknownSession closes a session on a node that has never met it.
func TestCloseUnknownSession(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, _ *trouble) {
		_, err := a.Do(t.Context(), forms("s", "", func(ctx context.Context, _ json.RawMessage) json.RawMessage {
			b.CloseSession("s")
			<-ctx.Done()
			return nil
		}), confirm)
		if !errors.Is(err, ErrClosed) {
			t.Errorf("a question of a closed session: %v", err)
		}
	})
}

// TestCallEndedElsewhere ends a call on another node between two questions. The second does not wait for ever, whether
// its node has heard of the end or not.
func TestCallEndedElsewhere(t *testing.T) {
	for _, watches := range []int{0, always} {
		troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
			s.begins(0, 0, watches) // so many fail
			c := forms("s", "", func(context.Context, json.RawMessage) json.RawMessage { return json.RawMessage(yes) })
			soon(t, func() error {
				_, err := a.Do(t.Context(), c, func(ctx context.Context) error {
					if err := confirm(ctx); err != nil {
						return err
					}
					elsewhere(t, b, stored(b, "s"), asking.Cancelled{Call: ctx.Value(runKey{}).(*run).id})
					if watches == 0 {
						synctest.Wait()
					}
					if err := confirm(ctx); !errors.Is(err, ErrClosed) {
						t.Errorf("a question of a call that has ended: %v", err)
					}
					return nil
				})
				return err
			})
		})
	}
}

// TestAnswerBeforeTheEnd ends the wait for a question that another node has settled: whoever answered was told that the
// answer counts.
func TestAnswerBeforeTheEnd(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		s.begins(0, 0, always) // nobody tells the first node
		opened := make(chan string, 1)
		_, err := a.Do(t.Context(), visits(opened), func(ctx context.Context) error {
			ctx, cancel := context.WithCancel(ctx)
			go func() {
				accepts(t, b, <-opened)
				cancel()
			}()
			return confirmOnPage(ctx)
		})
		if err != nil {
			t.Errorf("a question that was answered: %v", err)
		}
	})
}

// TestInterruptOfAnotherNode repeats a call before its page is finished. The call waits, until a node whose clock is
// ahead decides that it ends again.
func TestInterruptOfAnotherNode(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, _ *trouble) {
		b.options.Now = func() time.Time { return time.Now().Add(time.Minute) }
		c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{URL: true}}}
		token := asksByRounds(t, a, &c)
		name, _, _ := strings.Cut(token, ".")
		go func() {
			synctest.Wait() // the call waits
			elsewhere(t, b, name, event.Ticked{})
		}()
		begun := time.Now()
		if i, err := a.Do(t.Context(), c, confirm); err != nil || i == nil || time.Since(begun) > time.Second {
			t.Errorf("after %v: %+v, %v", time.Since(begun), i, err)
		}
	})
}

// asksByRounds makes a call that ends with a page to visit, whose token it returns. Then it makes the call ready to be
// repeated.
func asksByRounds(t *testing.T, node *Asker, c *Call) (token string) {
	t.Helper()
	i, err := node.Do(t.Context(), *c, confirm)
	if err != nil || i == nil {
		t.Fatal(i, err)
	}
	var result struct {
		InputRequests map[string]struct{ Params struct{ URL string } }
		RequestState  string
	}
	must.Unmarshal(t, i.Result, &result)
	c.State = result.RequestState
	for key, asks := range result.InputRequests {
		token = strings.TrimPrefix(asks.Params.URL, "https://bot.example/")
		c.Responses = fmt.Appendf(nil, `{%q:{"action":"accept"}}`, key)
	}
	return token
}

// TestRequestWithoutConnection asks in a session whose earlier calls could carry requests. This one cannot.
func TestRequestWithoutConnection(t *testing.T) {
	troubled(t, func(t *testing.T, a, _ *Asker, _ *trouble) {
		c := forms("s", "", func(context.Context, json.RawMessage) json.RawMessage { return json.RawMessage(yes) })
		if _, err := a.Do(t.Context(), c, confirm); err != nil {
			t.Fatal(err)
		}
		c.Conn = nil
		if _, err := a.Do(t.Context(), c, confirm); !errors.Is(err, ErrClient) {
			t.Errorf("a request without a connection: %v", err)
		}
	})
}

// pageOf makes a call that ends with a text for the model, and returns the token of the page in it.
func pageOf(t *testing.T, node *Asker, c Call) string {
	t.Helper()
	i, err := node.Do(t.Context(), c, confirm)
	if err != nil || i == nil {
		t.Fatal(i, err)
	}
	var result struct{ Content []struct{ Text string } }
	must.Unmarshal(t, i.Result, &result)
	_, link, _ := strings.Cut(result.Content[0].Text, "https://bot.example/")
	token, _, _ := strings.Cut(link, "\n")
	return token
}
