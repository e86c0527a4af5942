package ask

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
)

// TestCancelElsewhere lists an open question on another node and takes it back there. The handler hears of it, its
// client's request is cancelled, and the history says by whom.
func TestCancelElsewhere(t *testing.T) {
	a, b := twoNodes(t, nil)
	asked, withdrawn := make(chan struct{}), make(chan struct{})
	c := Call{Target: "tool", Client: Client{Session: "s", Principal: "ann", Version: "2025-11-25",
		Declared: elicit.Modes{Form: true}, Conn: requests(func(ctx context.Context, _ json.RawMessage) json.RawMessage {
			close(asked)
			<-ctx.Done()
			close(withdrawn)
			return nil
		})}}
	ended := make(chan error, 1)
	go func() {
		_, err := a.Do(t.Context(), c, func(ctx context.Context) error { return Confirm(ctx, "Delete all?") })
		ended <- err
	}()
	<-asked
	if list, _, err := b.OpenQuestions(t.Context(), "eve"); err != nil || len(list) != 0 {
		t.Fatalf("the questions of somebody else: %v, %v", list, err)
	}
	list, more, err := b.OpenQuestions(t.Context(), "ann")
	if err != nil || more || len(list) != 1 || list[0].Message != "Delete all?" || list[0].Caller != "ann" {
		t.Fatalf("%+v, %v, %v", list, more, err)
	}
	if err := b.Cancel(t.Context(), list[0].ID, ""); err == nil {
		t.Error("nobody took the question back")
	}
	must.OK(t, b.Cancel(t.Context(), list[0].ID, "ops@example.org"))
	if err := b.Cancel(t.Context(), list[0].ID, "ops@example.org"); !errors.Is(err, ErrClosed) {
		t.Errorf("a second time: %v", err)
	}
	if err := <-ended; !errors.Is(err, ErrCancelled) {
		t.Errorf("the handler got %v", err)
	}
	<-withdrawn
	entries := 0
	for entry, err := range a.options.Store.History(t.Context(), store.Query{}) {
		if entries++; err != nil || !strings.Contains(string(entry.Body), `"by":"ops@example.org"`) {
			t.Errorf("the history: %s, %v", entry.Body, err)
		}
	}
	if entries != 1 {
		t.Errorf("%d entries", entries)
	}
	if list, _, err := a.OpenQuestions(t.Context(), ""); err != nil || len(list) != 0 {
		t.Errorf("afterwards: %v, %v", list, err)
	}
}
