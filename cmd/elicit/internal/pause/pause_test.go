package pause_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/pause"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/places"
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
		if err := pause.Begin(until); err != nil {
			t.Fatal(err)
		}
	}
	begin(now.Add(pause.Longest))
	holds(true)
	begin(now)
	holds(false)
	begin(now.Add(pause.Longest + time.Millisecond))
	holds(false)
	path, err := places.Pause()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(`{"until":"tomorrow"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	holds(false)
	begin(now.Add(time.Minute))
	if os.PathSeparator == '/' {
		if err := os.Chmod(path, 0o666); err != nil {
			t.Fatal(err)
		}
		holds(false)
		if err := os.Chmod(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	holds(true)
	for range 2 {
		if err := pause.End(); err != nil {
			t.Fatal(err)
		}
		holds(false)
	}
	if _, err := os.Stat(filepath.Dir(path)); err != nil {
		t.Error(err)
	}
}
