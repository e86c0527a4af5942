package pause_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/pause"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
	"github.com/elicit-engine/elicit/internal/must"
)

func Example() {
	fmt.Println(pause.Until(time.UnixMilli(0)).IsZero())
	// Output: true
}

// TestOnlyATrustedNoteHolds: a pause holds until its end, and a file of others, a far end and nonsense are none.
func TestOnlyATrustedNoteHolds(t *testing.T) {
	for _, name := range []string{"HOME", "XDG_STATE_HOME", "LocalAppData"} {
		t.Setenv(name, t.TempDir())
	}
	now := time.UnixMilli(1_700_000_000_000)
	holds := func(want bool) {
		t.Helper()
		if got := !pause.Until(now).IsZero(); got != want {
			t.Errorf("paused: %v", got)
		}
	}
	holds(false)
	begin := func(until time.Time) {
		t.Helper()
		must.OK(t, pause.Begin(until))
	}
	begin(now.Add(pause.Longest))
	holds(true)
	begin(now)
	holds(false)
	begin(now.Add(pause.Longest + time.Millisecond))
	holds(false)
	path, err := places.Pause()
	must.OK(t, err)
	must.Write(t, `{"until":"tomorrow"}`, path)
	holds(false)
	begin(now.Add(time.Minute))
	if os.PathSeparator == '/' {
		must.OK(t, os.Chmod(path, 0o666))
		holds(false)
		must.OK(t, os.Chmod(path, 0o600))
	}
	holds(true)
	for range 2 {
		must.OK(t, pause.End())
		holds(false)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		t.Error(err)
	}
}
