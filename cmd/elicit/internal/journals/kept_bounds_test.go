package journals

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/journalfile"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestOldJournalsAreRemoved: whole journals go, the oldest first, until the others are within the bounds. A journal
// that is still written stays, and so does a file that no proxy named.
func TestOldJournalsAreRemoved(t *testing.T) {
	now := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		name   string
		bounds keepBounds
		want   string
	}{
		{"no bound", keepBounds{}, "a b c mine open"},
		{"days", keepBounds{days: 20}, "b c mine open"},
		{"size", keepBounds{mib: 2}, "c mine open"}, // open counts, and stays
		{"both", keepBounds{days: 5, mib: 100}, "c mine open"},
		{"nothing fits", keepBounds{mib: 1}, "mine open"},
	} {
		dir := t.TempDir()
		path := func(name string) string {
			switch name {
			case "mine":
			case "b": // of `elicit hook`
				name = "session-claude-code-" + strings.Repeat("b", 24) + ".jsonl"
			default:
				name = "20260101T000000Z-" + name + ".jsonl"
			}
			return filepath.Join(dir, name)
		}
		open, err := journalfile.Create(path("open"), nil)
		must.OK(t, err)
		defer open.Close()
		for name, days := range map[string]int{"a": 30, "b": 10, "c": 1, "open": 40, "mine": 400} {
			must.Write(t, make([]byte, 1<<20), path(name))
			then := now.AddDate(0, 0, -days)
			must.OK(t, os.Chtimes(path(name), then, then))
		}
		if _, err := tt.bounds.prune(dir, now); err != nil {
			t.Error(err)
		}
		var left []string
		for _, name := range []string{"a", "b", "c", "mine", "open"} {
			if _, err := os.Stat(path(name)); err == nil {
				left = append(left, name)
			}
		}
		if !slices.Equal(left, strings.Fields(tt.want)) {
			t.Errorf("%s: %v are left, want %s", tt.name, left, tt.want)
		}
	}
}

// TestKeepBoundsAreNumbers: a bound that cannot be read removes nothing.
func TestKeepBoundsAreNumbers(t *testing.T) {
	for given, want := range map[string]string{"": "for 365 days, up to 1024 MiB", "0": "for ever, of any size",
		"7": "for 7 days, up to 7 MiB", "-1": "", "a week": ""} {
		bounds, err := ReadBounds(func(string) string { return given })
		if want == "" {
			if err == nil {
				t.Errorf("%q is taken as %s", given, bounds)
			}
		} else if err != nil || bounds.String() != want {
			t.Errorf("%q: %s, %v; want %s", given, bounds, err, want)
		}
	}
}
