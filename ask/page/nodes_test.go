package page_test

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
)

// TestClaimsOfManyNodes lets browsers race for one link on two nodes. One wins, and every node knows it: the others can
// neither open nor answer, and the winner can do both anywhere.
func TestClaimsOfManyNodes(t *testing.T) {
	d := newNodes(t, 3, byHeader, kept)
	for range 20 {
		q := d.put("ada")
		var racing sync.WaitGroup
		var mu sync.Mutex
		var winners []*browser
		for i := range 8 {
			b := d.browser("ada")
			b.node = i % 2
			b.post("open", q.token, "", "new")
			racing.Go(func() {
				text, state := b.state("claim", q.token, "")
				mu.Lock()
				defer mu.Unlock()
				if state == "open" {
					winners = append(winners, b)
				} else if state != "used" {
					t.Errorf("a browser got %s", text)
				}
			})
		}
		racing.Wait()
		if len(winners) != 1 {
			t.Fatalf("%d browsers have the link", len(winners))
		}
		winner, other := winners[0], d.browser("ada")
		for node := range d.pages {
			winner.node, other.node = node, node
			other.post("open", q.token, "", "new")
			other.post("claim", q.token, "", "used")
			other.post("answer", q.token, rightKey, "used")
			winner.post("open", q.token, "", "open")
			winner.user = "eve"
			winner.post("claim", q.token, "", "forbidden")
			winner.user = "ada"
		}
		winner.post("answer", q.token, rightKey, "done")
		if err := <-q.done; err != nil {
			t.Error(err)
		}
		winner.node = 1
		winner.post("answer", q.token, rightKey, "answered")
		other.post("claim", q.token, "", "unknown")
	}
}

// TestAnswerOnce: of many answers of one browser at once, to two nodes, one counts.
func TestAnswerOnce(t *testing.T) {
	d := newNodes(t, 2, nil, kept)
	q := d.put("")
	b := d.browser("")
	b.enter(q.token)
	var racing sync.WaitGroup
	var mu sync.Mutex
	states := map[string]int{}
	for i := range 16 {
		racing.Go(func() {
			one := &browser{d, i % 2, "", b.cookies}
			_, state := one.state("answer", q.token, rightKey)
			mu.Lock()
			defer mu.Unlock()
			states[state]++
		})
	}
	racing.Wait()
	if states["done"] != 1 || states["answered"] != 15 {
		t.Errorf("the states are %v", states)
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

// TestPageWithoutStore tells an unknown link from a store that is away. Nothing is refused for good, and the text of
// the fault goes to the server's log and not to the page.
func TestPageWithoutStore(t *testing.T) {
	gone := false
	d := newNodes(t, 2, nil, func(i int, s store.Store) store.Store {
		if i == 1 {
			s = away{s, &gone}
		}
		return s
	})
	q := d.put("")
	b := d.browser("")
	b.node = 1
	b.post("open", q.token, "", "new")
	gone = true
	for _, act := range []string{"open", "claim", "answer"} {
		if text := b.post(act, q.token, map[string]string{"answer": rightKey}[act], "failed"); text != `{"state":"failed"}` {
			t.Errorf("%s: the page learns %s", act, text)
		}
	}
	if len(d.errors) != 3 || !errors.Is(d.errors[0], ask.ErrStore) || !errors.Is(d.errors[0], store.ErrUnavailable) {
		t.Errorf("the reported errors are %v", d.errors)
	}
	gone = false
	b.post("claim", q.token, "", "open")
	b.post("answer", q.token, rightKey, "done")
	if err := <-q.done; err != nil {
		t.Error(err)
	}
}

// TestCompletionOnAnotherNode finishes a page on another node than that of the call. The client is told before the call
// has its result, once.
func TestCompletionOnAnotherNode(t *testing.T) {
	d := newNodes(t, 2, nil, kept)
	q := d.put("")
	for consented := false; !consented; { // the page shows it as soon as the store has it
		p, err := d.askers[1].Page(t.Context(), q.token)
		must.OK(t, err)
		consented = p.Consented
	}
	b := d.browser("")
	b.node = 1
	b.enter(q.token)
	b.post("answer", q.token, rightKey, "done")
	if err := <-q.done; err != nil {
		t.Error(err)
	}
	link := q.token[len(q.token)-32:]
	if got := <-q.client.notices; got != `notifications/elicitation/complete {"elicitationId":"`+link+`"}` {
		t.Errorf("the client is told %s", got)
	}
	if len(q.client.notices) > 0 {
		t.Errorf("the client is told again: %s", <-q.client.notices)
	}
}

// TestAnotherPrincipal asks grace in a call of ada. Grace answers in her browser, on another node.
func TestAnotherPrincipal(t *testing.T) {
	d := newNodes(t, 2, byHeader, kept)
	for action, want := range map[elicit.Action]error{elicit.Accept: nil, elicit.Decline: ask.ErrDeclined} {
		q := d.ask("ada", func(ctx context.Context) error { return ask.Confirm(ctx, "Approve?", ask.For("grace")) })
		more := `,"action":"` + string(action) + `","content":{}`
		ada, grace := d.browser("ada"), d.browser("grace")
		ada.node, grace.node = 1, 1
		ada.post("open", q.token, "", "new")
		ada.post("claim", q.token, "", "forbidden")
		ada.post("answer", q.token, more, "forbidden")
		grace.enter(q.token)
		grace.post("answer", q.token, more, "done")
		if err := <-q.done; !errors.Is(err, want) {
			t.Errorf("%s: %v", action, err)
		}
	}
}
