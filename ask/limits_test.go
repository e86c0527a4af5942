package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// TestLimitsOfAPrincipal lets a principal make calls without end on two processes, each call with a session of its own.
// What it may ask at once is counted for both, and what it may ask later comes back with time.
func TestLimitsOfAPrincipal(t *testing.T) {
	var at atomic.Int64
	at.Store(1_000_000)
	m := memory.New()
	key, _ := seal.NewKey("k", make([]byte, seal.MinSecret))
	sealer, err := NewSealer(key)
	must.OK(t, err)
	var nodes [2]*Asker
	for i := range nodes {
		if nodes[i], err = New(Options{Server: "bot", Store: m.Handle(), Seal: sealer,
			Config: json.RawMessage(`{"limits":{"per_minute":60,"burst":40}}`),
			Now:    func() time.Time { return time.UnixMilli(at.Load()) }}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(nodes[i].Close)
	}
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
