package ask

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
)

// connect is a handler that waits for a flow, and tells by which id its end is reported.
func connect(ids chan<- string) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		return URL(ctx, "Connect", "https://id.example/?state=1", Wait(func(id string) { ids <- id }))
	}
}

// TestCompletedElsewhere reports the end of a flow on another node: between two calls of a client that carries its
// state, with and without the consent that it brings back, and while a call waits for a request.
func TestCompletedElsewhere(t *testing.T) {
	a, b := twoNodes(t, nil)
	for _, action := range []string{"accept", ""} {
		ids := make(chan string, 2)
		c := Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{URL: true}}}
		c = answered(t, a, c, `{"action":"accept"}`, connect(ids))
		if action == "" {
			c.Responses = nil
		}
		must.OK(t, b.Completed(t.Context(), <-ids))
		if i, err := a.Do(t.Context(), c, connect(ids)); i != nil || err != nil {
			t.Errorf("after the flow: %v, %v", i, err)
		}
	}
	ids := make(chan string, 1)
	c := Call{Target: "tool", Client: Client{Session: "s", Version: "2025-11-25", Declared: elicit.Modes{URL: true},
		Conn: requests(func(context.Context, json.RawMessage) json.RawMessage {
			id := <-ids
			if err := b.Completed(t.Context(), id); err != nil {
				t.Error(err)
			}
			if err := b.Completed(t.Context(), id); !errors.Is(err, ErrUnknown) {
				t.Errorf("a second end: %v", err)
			}
			return json.RawMessage(`{"action":"accept"}`)
		})}}
	if i, err := a.Do(t.Context(), c, connect(ids)); i != nil || err != nil {
		t.Errorf("a call that waits: %v, %v", i, err)
	}
}

// TestCompletedUnknown reports the end of flows that nobody waits for, and one while the store is away.
func TestCompletedUnknown(t *testing.T) {
	troubled(t, func(t *testing.T, a, b *Asker, s *trouble) {
		ids := make(chan string, 1)
		answered(t, b, Call{Target: "tool", Client: Client{Version: "2026-07-28", Declared: elicit.Modes{URL: true}}},
			`{"action":"accept"}`, connect(ids))
		id := <-ids
		for _, other := range []string{"", "x", "x.y", id[:len(id)-1], id + "0"} {
			if err := a.Completed(t.Context(), other); !errors.Is(err, ErrUnknown) {
				t.Errorf("%q: %v", other, err)
			}
		}
		s.begins(1, 0, 0)
		if err := a.Completed(t.Context(), id); !errors.Is(err, ErrStore) || !errors.Is(err, store.ErrUnavailable) {
			t.Errorf("without a store: %v", err)
		}
		if err := a.Completed(t.Context(), id); err != nil {
			t.Error(err)
		}
	})
}
