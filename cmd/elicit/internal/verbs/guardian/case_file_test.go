package guardian

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestCutToDifference: of two long texts the part with the difference is shown, and two short ones are shown whole.
func TestCutToDifference(t *testing.T) {
	long := strings.Repeat("ü", 400)
	for _, c := range []struct{ a, b, wantA, wantB string }{
		{"a", "b", "a", "b"},
		{long + "x" + long, long + "y" + long, "üx", "üy"},
		{long, long + "end", "ü", "end"},
		{"", long, "", "ü"},
	} {
		a, b := cutToDifference(c.a, c.b)
		for _, s := range []string{a, b} {
			if len(s) > maxShown+12 || !utf8.ValidString(s) {
				t.Errorf("%d bytes: %q", len(s), s)
			}
		}
		if !strings.Contains(a, c.wantA) || !strings.Contains(b, c.wantB) {
			t.Errorf("%q\n%q\nwant %q and %q in them", a, b, c.wantA, c.wantB)
		}
	}
}

// TestGuardianCommands: docs/reference/command.md describes every verb of elicit guardian.
func TestGuardianCommands(t *testing.T) {
	manual := must.Text(t, "../../../../../docs/reference/command.md")
	list := NewCommand().Commands()
	for i := 0; i < len(list); i++ {
		cmd := list[i]
		if cmd.HasSubCommands() { // such a command only prints its help
			list = append(list, cmd.Commands()...)
			continue
		}
		if !strings.Contains(manual, "`"+cmd.CommandPath()+"`") {
			t.Errorf("docs/reference/command.md does not list %s", cmd.CommandPath())
		}
	}
	if len(list) < 10 {
		t.Errorf("%d commands", len(list))
	}
}

// TestSpaced: spaced adds blanks between members, and changes nothing inside strings.
func TestSpaced(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":1,"b":[1,2]}`:        `{"a": 1, "b": [1, 2]}`,
		`{"a:,":"x\\",":\",":","}`: `{"a:,": "x\\", ":\",": ","}`,
		`""`:                       `""`,
	} {
		if got := spaced(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
