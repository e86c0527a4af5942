package page_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/page"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

const base = "https://bot.example/ask/#/"

// nodes are processes of one server: askers and their sources, over one store.
func nodes(t *testing.T, n int, wrap func(store.Store) store.Store) (askers []*ask.Asker, sources []page.Source) {
	t.Helper()
	m := memory.New()
	for range n {
		s := store.Store(m.Handle())
		if wrap != nil {
			s = wrap(s)
		}
		asker, err := ask.New(ask.Options{Server: "bot", Page: base, Store: s})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(asker.Close)
		askers, sources = append(askers, asker), append(sources, page.FromAsker(asker))
	}
	return askers, sources
}

// asking lets a tool ask on a page, for a client of ada, and returns the token of the link, and a channel for the
// outcome.
func asking(t *testing.T, asker *ask.Asker, c client, handler func(ctx context.Context) error) (string, <-chan error) {
	t.Helper()
	outcome := make(chan error, 1)
	go func() {
		who := ask.Client{Session: "1", Principal: "ada", Version: "2025-11-25", Declared: elicit.Modes{URL: true}, Conn: c}
		_, err := asker.Do(t.Context(), ask.Call{Client: who, Target: "key"}, handler)
		outcome <- err
	}()
	return strings.TrimPrefix(<-c.links, base), outcome
}

func secret(ctx context.Context) error {
	key, err := ask.Secret[struct {
		Key string `json:"key" min:"4"`
	}](ctx, "The key, please")
	if err == nil && key.Key != "s3cret" {
		err = fmt.Errorf("the key is %q", key.Key)
	}
	return err
}

func visitor(browser string) page.Visitor { return page.Visitor{Principal: "ada", Browser: browser} }

var right = page.Answer{Action: elicit.Accept, Content: json.RawMessage(`{"key":"s3cret"}`)}

// TestClaimsOfManyNodes lets browsers race for one link on two nodes. One wins, and every node knows it: the others can
// neither open nor answer, and the winner can do both anywhere.
func TestClaimsOfManyNodes(t *testing.T) {
	askers, sources := nodes(t, 3, nil)
	ctx := t.Context()
	for round := range 20 {
		token, outcome := asking(t, askers[0], newClient(), secret)
		var racing sync.WaitGroup
		var mu sync.Mutex
		var winners []string
		for i := range 8 {
			racing.Go(func() {
				browser := fmt.Sprintf("%d of round %d", i, round)
				switch _, err := sources[i%2].Claim(ctx, token, visitor(browser)); {
				case err == nil:
					mu.Lock()
					defer mu.Unlock()
					winners = append(winners, browser)
				case !errors.Is(err, page.ErrUsed):
					t.Errorf("browser %s: %v", browser, err)
				}
			})
		}
		racing.Wait()
		if len(winners) != 1 {
			t.Fatalf("%d browsers have the link: %v", len(winners), winners)
		}
		for i, source := range sources {
			if _, err := source.Open(ctx, token, visitor("another")); !errors.Is(err, page.ErrUsed) {
				t.Errorf("node %d opens it for another browser: %v", i, err)
			}
			if _, err := source.Answer(ctx, token, visitor("another"), right); !errors.Is(err, page.ErrUsed) {
				t.Errorf("node %d takes the answer of another browser: %v", i, err)
			}
			if _, err := source.Open(ctx, token, visitor(winners[0])); err != nil {
				t.Errorf("node %d does not open it: %v", i, err)
			}
			if _, err := source.Claim(ctx, token, page.Visitor{Principal: "eve", Browser: winners[0]}); !errors.Is(err,
				page.ErrForbidden) {
				t.Errorf("node %d gives it to another person: %v", i, err)
			}
		}
		if problems, err := sources[2].Answer(ctx, token, visitor(winners[0]), right); err != nil || problems != nil {
			t.Fatal(problems, err)
		}
		if err := <-outcome; err != nil {
			t.Error(err)
		}
		if _, err := sources[1].Answer(ctx, token, visitor(winners[0]), right); !errors.Is(err, page.ErrAnswered) {
			t.Errorf("a second answer: %v", err)
		}
		if _, err := sources[1].Open(ctx, token, visitor("another")); !errors.Is(err, page.ErrUnknown) {
			t.Errorf("another browser learns of the end: %v", err)
		}
	}
}

// away is a store that cannot be reached while it is told so.
type away struct {
	store.Store
	gone *bool
}

func (s away) Load(ctx context.Context, session string) (store.Saved, error) {
	if *s.gone {
		return store.Saved{}, store.ErrUnavailable
	}
	return s.Store.Load(ctx, session)
}

// TestPageWithoutStore tells an unknown link from a store that is away. Nothing is refused for good.
func TestPageWithoutStore(t *testing.T) {
	var gone [2]bool
	n := -1
	askers, sources := nodes(t, 2, func(s store.Store) store.Store {
		n++
		return away{s, &gone[n]}
	})
	source, ctx := sources[1], t.Context()
	token, outcome := asking(t, askers[0], newClient(), secret)
	act := func(what string, wrong func(error) bool) {
		t.Helper()
		_, claim := source.Claim(ctx, token, visitor("a"))
		_, open := source.Open(ctx, token, visitor("a"))
		_, answer := source.Answer(ctx, token, visitor("a"), right)
		for name, err := range map[string]error{"claim": claim, "open": open, "answer": answer} {
			if wrong(err) {
				t.Errorf("%s, %s: %v", what, name, err)
			}
		}
	}
	gone[1] = true
	act("without a store", func(err error) bool { return !errors.Is(err, ask.ErrStore) })
	gone[1] = false
	act("with the store", func(err error) bool { return err != nil })
	if err := <-outcome; err != nil {
		t.Error(err)
	}
}

// TestCompletionOnAnotherNode finishes a page on another node than that of the call. The client is told before the call
// has its result, once.
func TestCompletionOnAnotherNode(t *testing.T) {
	askers, sources := nodes(t, 2, nil)
	c := newClient()
	token, outcome := asking(t, askers[0], c, secret)
	for consented := false; !consented; { // the page shows it as soon as the store has it
		p, err := askers[1].Page(t.Context(), token)
		if err != nil {
			t.Fatal(err)
		}
		consented = p.Consented
	}
	if _, err := sources[1].Claim(t.Context(), token, visitor("a")); err != nil {
		t.Fatal(err)
	}
	if _, err := sources[1].Answer(t.Context(), token, visitor("a"), right); err != nil {
		t.Fatal(err)
	}
	if err := <-outcome; err != nil {
		t.Error(err)
	}
	_, link, _ := strings.Cut(token, ".")
	if got := <-c.notices; got != `notifications/elicitation/complete {"elicitationId":"`+link+`"}` {
		t.Errorf("the client is told %s", got)
	}
	if len(c.notices) > 0 {
		t.Errorf("the client is told again: %s", <-c.notices)
	}
}

// TestAnotherPrincipal asks grace in a call of ada. Grace answers in her browser, on another node.
func TestAnotherPrincipal(t *testing.T) {
	askers, sources := nodes(t, 2, nil)
	ctx := t.Context()
	for action, want := range map[elicit.Action]error{elicit.Accept: nil, elicit.Decline: ask.ErrDeclined} {
		token, outcome := asking(t, askers[0], newClient(), func(ctx context.Context) error {
			return ask.Confirm(ctx, "Approve?", ask.For("grace"))
		})
		a := page.Answer{Action: action}
		if action == elicit.Accept {
			a.Content = json.RawMessage(`{}`)
		}
		if _, err := sources[1].Claim(ctx, token, visitor("a")); !errors.Is(err, page.ErrForbidden) {
			t.Errorf("ada opens it: %v", err)
		}
		if _, err := askers[1].AnswerPage(ctx, token, "ada", action, a.Content, nil); err == nil ||
			!strings.Contains(err.Error(), "somebody else") {
			t.Errorf("ada answers: %v", err)
		}
		grace := page.Visitor{Principal: "grace", Browser: "g"}
		if q, err := sources[1].Claim(ctx, token, grace); err != nil || q.Message != "Approve?" {
			t.Errorf("%+v, %v", q, err)
		}
		if _, err := sources[1].Answer(ctx, token, grace, a); err != nil {
			t.Error(err)
		}
		if err := <-outcome; !errors.Is(err, want) {
			t.Errorf("%s: %v", action, err)
		}
	}
}
