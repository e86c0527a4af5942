package memory_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
	"github.com/elicit-engine/elicit/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) func() store.Store {
		first := memory.New()
		return func() store.Store { return first.Handle() }
	})
}

// TestJournalAfterAClockWasSetBack has a second session of one name begin at an earlier time than the first: each
// record comes once.
func TestJournalAfterAClockWasSetBack(t *testing.T) {
	s := memory.New()
	defer s.Close()
	for _, now := range []int64{200, 100} {
		first, err := s.Commit(t.Context(), store.Change{Session: "s", Now: now, State: []byte("x"),
			Records: [][]byte{fmt.Appendf(nil, "%d", now)}})
		must.OK(t, err)
		_, err = s.Commit(t.Context(), store.Change{Session: "s", From: first, Now: now})
		must.OK(t, err)
	}
	var lines []string
	for r, err := range s.Journal(t.Context(), "s", 0) {
		must.OK(t, err)
		lines = append(lines, string(r.Line))
	}
	if got := strings.Join(lines, " "); got != "100 200" {
		t.Errorf("got %s, want 100 200", got)
	}
}
