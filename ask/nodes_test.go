package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/seal"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// twoNodes are two processes of a server with one store. Others may change their options.
func twoNodes(t *testing.T, wrap func(store.Store) store.Store, change ...func(*Options)) (a, b *Asker) {
	t.Helper()
	m := memory.New()
	key, _ := seal.NewKey("k", make([]byte, seal.MinSecret))
	sealer, err := NewSealer(key)
	must.OK(t, err)
	var nodes [2]*Asker
	for i := range nodes {
		var s store.Store = m.Handle()
		if wrap != nil {
			s = wrap(s)
		}
		options := Options{Server: "bot", Page: "https://bot.example/", Store: s, Seal: sealer}
		for _, c := range change {
			c(&options)
		}
		nodes[i], err = New(options)
		must.OK(t, err)
		t.Cleanup(nodes[i].Close)
	}
	return nodes[0], nodes[1]
}

// forms is a client with forms whose person answers when told to.
func forms(session, principal string, c requests) Call {
	return Call{Target: "tool", Client: Client{Session: session, Principal: principal, Version: "2025-11-25",
		Declared: elicit.Modes{Form: true}, Conn: c}}
}

func confirm(ctx context.Context) error { return Confirm(ctx, "Go on?") }

const yes = `{"action":"accept","content":{}}`

// agrees says yes to everything.
func agrees(context.Context, json.RawMessage) json.RawMessage { return json.RawMessage(yes) }

// TestQueueOfTwoNodes settles a question on one node. The next in the queue belongs to a run of the other node, which
// sends it.
func TestQueueOfTwoNodes(t *testing.T) {
	a, b := twoNodes(t, nil)
	open, release, ended := make(chan struct{}), make(chan struct{}), make(chan error)
	go func() {
		_, err := a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
			close(open)
			<-release
			return json.RawMessage(yes)
		}), confirm)
		ended <- err
	}()
	<-open
	go func() {
		_, err := b.Do(t.Context(), forms("s", "", agrees), func(ctx context.Context) error {
			go func() {
				for queued := false; !queued; time.Sleep(time.Millisecond) {
					saved, _ := a.options.Store.Load(t.Context(), stored(a, "s"))
					queued = strings.Contains(string(saved.State), `"queued":true`)
				}
				close(release)
			}()
			return Confirm(ctx, "And this?")
		})
		ended <- err
	}()
	for range 2 {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestSessionThatChangesNodes asks in one session on two nodes in turn. Each finds that the other has committed, when
// the session has not heard of its run yet.
func TestSessionThatChangesNodes(t *testing.T) {
	a, b := twoNodes(t, nil)
	for _, node := range []*Asker{a, b, a, b, b, a} {
		_, err := node.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
			return json.RawMessage(yes)
		}), confirm)
		if err != nil {
			t.Error(err)
		}
	}
}

// TestCloseOfOneNode closes a node that knows a session. The question of the other node stays open.
func TestCloseOfOneNode(t *testing.T) {
	a, b := twoNodes(t, nil)
	if _, err := b.Do(t.Context(), forms("s", "", nil), func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	_, err := a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
		b.Close()
		return json.RawMessage(yes)
	}), confirm)
	if err != nil {
		t.Error(err)
	}
}

// TestSessionClosedElsewhere closes a session on another node. The waiting ask ends, and the next call opens it again.
func TestSessionClosedElsewhere(t *testing.T) {
	a, b := twoNodes(t, nil)
	_, err := a.Do(t.Context(), forms("s", "", func(ctx context.Context, _ json.RawMessage) json.RawMessage {
		if _, err := b.Do(ctx, forms("s", "", nil), func(context.Context) error { return nil }); err != nil {
			t.Error(err)
		}
		b.CloseSession("s")
		<-ctx.Done()
		return nil
	}), confirm)
	if !errors.Is(err, ErrClosed) {
		t.Errorf("a question of a closed session: %v", err)
	}
	_, err = a.Do(t.Context(), forms("s", "", agrees), confirm)
	if err != nil {
		t.Errorf("the next call: %v", err)
	}
}

// late fails every commit after it took effect.
type late struct {
	store.Store
	err error
}

func (s late) Commit(ctx context.Context, c store.Change) (uint64, error) {
	if _, err := s.Store.Commit(ctx, c); err != nil {
		return 0, err
	}
	return 0, s.err
}

// TestUncertainCommit never learns from a commit that it took effect. The person is asked again after a wrong answer.
func TestUncertainCommit(t *testing.T) {
	t.Run("unavailable", func(t *testing.T) { uncertainCommit(t, store.ErrUnavailable) })
	t.Run("conflict", func(t *testing.T) { uncertainCommit(t, store.ErrConflict) })
}

func uncertainCommit(t *testing.T, fault error) {
	a, _ := twoNodes(t, func(s store.Store) store.Store { return late{s, fault} })
	n := 0
	_, err := a.Do(t.Context(), forms("", "", func(context.Context, json.RawMessage) json.RawMessage {
		if n++; n == 1 {
			return json.RawMessage(`{"action":"accept","content":{"choice":7}}`)
		}
		return json.RawMessage(`{"action":"accept","content":{"choice":"b"}}`)
	}), func(ctx context.Context) error {
		got, err := Choose(ctx, "Which?", []Choice{{Value: "a"}, {Value: "b"}})
		if err == nil && got != "b" {
			err = fmt.Errorf("got %s", got)
		}
		return err
	})
	if err != nil || n != 2 {
		t.Errorf("after %d requests: %v", n, err)
	}
}

// overtaken lets somebody else commit after a commit took effect, and then fails. It does so once.
type overtaken struct {
	store.Store
	err  error
	then *func()
}

func (s overtaken) Commit(ctx context.Context, c store.Change) (uint64, error) {
	version, err := s.Store.Commit(ctx, c)
	if then := *s.then; then != nil && err == nil {
		*s.then = nil
		then()
		return 0, s.err
	}
	return version, err
}

// TestOvertakenCommit answers on a page in a commit that fails after it took effect, and after another node has
// committed. The answer counts, and whoever gave it is told so.
func TestOvertakenCommit(t *testing.T) {
	for _, fault := range []error{store.ErrUnavailable, store.ErrConflict} {
		var then func()
		n := 0
		a, b := twoNodes(t, func(s store.Store) store.Store {
			if n++; n == 2 {
				return overtaken{s, fault, &then}
			}
			return s
		})
		opened, another := make(chan string), make(chan error, 1)
		c := forms("s", "", func(ctx context.Context, params json.RawMessage) json.RawMessage {
			var asks struct{ URL string }
			if err := json.Unmarshal(params, &asks); err != nil {
				t.Error(err)
			}
			opened <- strings.TrimPrefix(asks.URL, "https://bot.example/")
			<-ctx.Done()
			return nil
		})
		c.Declared = elicit.Modes{URL: true}
		ended := make(chan error, 1)
		go func() {
			_, err := a.Do(t.Context(), c, func(ctx context.Context) error { return Confirm(ctx, "Go on?", OnPage()) })
			ended <- err
		}()
		token := <-opened
		then = func() {
			called := Call{Target: "another", Client: Client{Session: "s", Version: "2025-11-25"}}
			_, err := a.Do(t.Context(), called, func(ctx context.Context) error { return Confirm(ctx, "And this?") })
			another <- err
		}
		problems, err := b.AnswerPage(t.Context(), token, "", elicit.Accept, []byte(`{}`), nil)
		if err != nil || problems != nil {
			t.Errorf("%v: the answer: %v, %v", fault, problems, err)
		}
		if err := <-ended; err != nil {
			t.Errorf("%v: the call: %v", fault, err)
		}
		<-another
	}
}

// TestPrincipalOfARace opens one session for two principals on two nodes, before either has committed.
func TestPrincipalOfARace(t *testing.T) {
	a, b := twoNodes(t, nil)
	mallory := forms("s", "mallory", nil)
	_, err := b.Do(t.Context(), mallory, func(context.Context) error { // b knows of no other
		_, err := a.Do(t.Context(), forms("s", "ada", agrees), confirm)
		return err
	})
	must.OK(t, err)
	if _, err := b.Do(t.Context(), mallory, confirm); !errors.Is(err, ErrPrincipal) {
		t.Errorf("mallory in the session of ada: %v", err)
	}
	if _, err := b.Do(t.Context(), forms("s", "eve", nil), confirm); !errors.Is(err, ErrPrincipal) {
		t.Errorf("eve in the session of ada: %v", err)
	}
}

// TestReplayedState brings a state back twice, on two nodes.
func TestReplayedState(t *testing.T) {
	a, b := twoNodes(t, nil)
	c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{Form: true}}}
	i, err := a.Do(t.Context(), c, confirm)
	var result struct {
		InputRequests map[string]any
		RequestState  string
	}
	if err != nil || json.Unmarshal(i.Result, &result) != nil || len(result.InputRequests) != 1 {
		t.Fatal(i, err)
	}
	for key := range result.InputRequests {
		c.Responses = fmt.Appendf(nil, `{%q:%s}`, key, yes)
	}
	forged := []byte(result.RequestState)
	forged[len(forged)/2] ^= 1
	for _, state := range []string{string(forged), result.RequestState[:40], result.RequestState} {
		c.State = state
		_, err = b.Do(t.Context(), c, confirm)
		if right := state == result.RequestState; right != (err == nil) || !right && !errors.Is(err, ErrState) {
			t.Errorf("%.20s: %v", state, err)
		}
	}
	for _, node := range []*Asker{a, b} {
		if _, err = node.Do(t.Context(), c, confirm); !errors.Is(err, ErrState) {
			t.Errorf("a replayed state: %v", err)
		}
	}
}

// TestHugeAnswer gives an answer of 10 MB, and then a right one.
func TestHugeAnswer(t *testing.T) {
	a, _ := twoNodes(t, nil)
	n := 0
	_, err := a.Do(t.Context(), forms("s", "", func(context.Context, json.RawMessage) json.RawMessage {
		if n++; n == 1 {
			return json.RawMessage(`{"action":"accept","content":{"Name":"` + strings.Repeat("x", 10<<20) + `"}}`)
		}
		return json.RawMessage(`{"action":"accept","content":{"Name":"Ada"}}`)
	}), func(ctx context.Context) error {
		got, err := Form[struct{ Name string }](ctx, "Your name?")
		if err == nil && got.Name != "Ada" {
			err = fmt.Errorf("got %d bytes", len(got.Name))
		}
		return err
	})
	if err != nil || n != 2 {
		t.Errorf("after %d requests: %v", n, err)
	}
}

// TestManyQuestions asks 10,000 questions in one call. Those beyond the limit fail at once, and the session goes on.
func TestManyQuestions(t *testing.T) {
	a, err := New(Options{Server: "bot"})
	must.OK(t, err)
	defer a.Close()
	busy, answered := 0, 0
	c := forms("s", "", func(context.Context, json.RawMessage) json.RawMessage { return json.RawMessage(yes) })
	_, err = a.Do(t.Context(), c, func(ctx context.Context) error {
		for range 10_000 {
			switch err := confirm(ctx); {
			case err == nil:
				answered++
			case errors.Is(err, ErrBusy):
				busy++
			default:
				return err
			}
		}
		return nil
	})
	if err != nil || answered == 0 || answered > 256 || answered+busy != 10_000 {
		t.Errorf("%d answered, %d refused, %v", answered, busy, err)
	}
	if _, err = a.Do(t.Context(), forms("other", "", c.Conn.(requests)), confirm); err != nil {
		t.Errorf("another session: %v", err)
	}
}

// TestLimitsOfAPrincipal lets a principal make calls without end on two processes, each call with a session of its own.
// What it may ask at once is counted for both, and what it may ask later comes back with time.
func TestLimitsOfAPrincipal(t *testing.T) {
	var at atomic.Int64
	at.Store(1_000_000)
	a, b := twoNodes(t, nil, func(o *Options) {
		o.Page, o.Config = "", json.RawMessage(`{"limits":{"per_minute":60,"burst":40}}`)
		o.Now = func() time.Time { return time.UnixMilli(at.Load()) }
	})
	nodes := []*Asker{a, b}
	ask := func(node int, principal, state string, responses json.RawMessage) (*Interruption, error) {
		return nodes[node].Do(t.Context(), Call{Target: "tool", State: state, Responses: responses,
			Client: Client{Principal: principal, Version: "2026-07-28", Declared: elicit.Modes{Form: true}}},
			confirm)
	}
	flood := func() (let int, one *Interruption) {
		var all sync.WaitGroup
		var mu sync.Mutex
		for i := range 200 {
			all.Go(func() {
				interruption, err := ask(i%2, "ann", "", nil)
				mu.Lock()
				defer mu.Unlock()
				if interruption != nil {
					let, one = let+1, interruption
				} else if !errors.Is(err, ErrBusy) {
					t.Errorf("a call that is not let in: %v", err)
				}
			})
		}
		all.Wait()
		return let, one
	}
	let, one := flood()
	if let != 40 {
		t.Errorf("%d of 200 calls were let in, want 40", let)
	}
	if interruption, err := ask(0, "bob", "", nil); interruption == nil {
		t.Errorf("another principal: %v", err)
	}
	var round struct {
		RequestState  string
		InputRequests map[string]any
	}
	must.Unmarshal(t, one.Result, &round)
	for key := range round.InputRequests { // the person has answered, so the call is never refused
		_, err := ask(1, "ann", round.RequestState, fmt.Appendf(nil, `{%q:{"action":"accept","content":{}}}`, key))
		if err != nil {
			t.Errorf("an answered call: %v", err)
		}
	}
	at.Add(10_000)
	if let, _ := flood(); let != 10 {
		t.Errorf("ten seconds later %d calls were let in, want 10", let)
	}
	at.Add(3600_000)
	if let, _ := flood(); let != 40 {
		t.Errorf("an hour later %d calls were let in, want 40", let)
	}
}

// TestLimitsWithoutTheStore asks while the store cannot tell what was asked before.
func TestLimitsWithoutTheStore(t *testing.T) {
	a, _ := twoNodes(t, func(s store.Store) store.Store { return &deadStore{s} })
	_, err := a.Do(t.Context(), Call{Target: "tool", Client: Client{Principal: "ann", Version: "2026-07-28",
		Declared: elicit.Modes{Form: true}}}, confirm)
	if !errors.Is(err, ErrStore) {
		t.Errorf("without a store: %v", err)
	}
}

// deadStore loads nothing.
type deadStore struct{ store.Store }

func (deadStore) Load(context.Context, string) (store.Saved, error) {
	return store.Saved{}, store.ErrUnavailable
}
