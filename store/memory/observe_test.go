package memory_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
	"github.com/elicit-engine/elicit/store/storetest"
)

// TestObserved certifies a store that is observed, and looks at what it told.
func TestObserved(t *testing.T) {
	var said bytes.Buffer
	counters, log := &store.Counters{}, store.Log(slog.New(slog.NewTextHandler(&said, nil)))
	storetest.Run(t, func(*testing.T) func() store.Store {
		first := memory.New()
		return func() store.Store { return store.Observe(first.Handle(), counters.Count, log) }
	})
	got := counters.All()
	for _, want := range []string{"load ok", "load closed", "commit ok", "commit conflict", "commit invalid",
		"commit ended", "redeem redeemed", "due ok", "due invalid", "watch ok", "journal ok", "history ok",
		"history closed"} {
		if got[want] == 0 {
			t.Errorf("%q was not counted; these were: %v", want, got)
		}
	}
	lines := strings.Count(said.String(), "\n")
	if warned := got["commit invalid"] + got["due invalid"] + got["redeem invalid"] + got["watch invalid"] +
		got["history invalid"]; uint64(lines) != warned || warned == 0 {
		t.Errorf("%d warnings for %d calls to look at", lines, warned)
	}
}

// broken is a store that fails.
type broken struct {
	store.Store
	err error
}

func (b broken) Load(context.Context, string) (store.Saved, error) { return store.Saved{}, b.err }

func TestPing(t *testing.T) {
	if err := store.Ping(t.Context(), memory.New()); err != nil {
		t.Errorf("a store that answers: %v", err)
	}
	var said bytes.Buffer
	away := fmt.Errorf("%w: a test", store.ErrUnavailable)
	s := store.Observe(broken{err: away}, store.Log(slog.New(slog.NewTextHandler(&said, nil))))
	if err := store.Ping(t.Context(), s); !errors.Is(err, store.ErrUnavailable) {
		t.Errorf("a store that is away: %v", err)
	}
	if !strings.Contains(said.String(), "level=WARN") || !strings.Contains(said.String(), "result=unavailable") {
		t.Errorf("the log says %q", said.String())
	}
	if got := (store.Call{Err: errors.New("other")}).Result(); got != "failed" {
		t.Errorf("another error is %q", got)
	}
}
