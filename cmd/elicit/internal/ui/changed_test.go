package ui

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/engine/effect"
)

func changes(parts ...string) (list []effect.Change) {
	for _, p := range parts {
		is := map[byte]effect.ChangeKind{'=': effect.SameText, '+': effect.NewText, '-': effect.GoneText}[p[0]]
		list = append(list, effect.Change{Is: is, Text: p[1:]})
	}
	return list
}

func TestChangesAreMarked(t *testing.T) {
	long := strings.Repeat("word ", 40)
	for _, c := range []struct {
		name  string
		parts []effect.Change
		want  string
	}{
		{"none", nil, ""},
		{"a word", changes("=Run make ", "-test", "+clean", "= now?"), "| Run make [-test-][+clean+] now?"},
		{"far apart", changes("="+long, "+-f", "="+long, "-x"),
			"| … word word word word word word [+-f+]word word word word word word … word\n| word word word word word [-x-]"},
		{"control characters", changes("=Run ", "+\x1b[2Jls"), "| Run [+<U+001B>[2Jls+]"},
		{"the peer writes marks", changes("=Run [+ls+] ", "+-f"), "| Run [+ls+] {+-f+}"},
		{"another line", changes("=a\n", "-b", "+c"), "| a\n| [-b-][+c+]"},
	} {
		got := ansi.Strip(changed(&effect.Show{Changed: c.parts}, 76, spokenBar))
		if c.want != "" {
			c.want = "Changed since you last said yes:\n" + c.want
		}
		if got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
	var many []effect.Change
	for range 500 {
		many = append(many, changes("=a ", "+b")...)
	}
	got := ansi.Strip(changed(&effect.Show{Changed: many}, 76, spokenBar))
	if strings.Count(got, "[+b+]") != mostChanges || !strings.HasSuffix(got, "… and more changes") {
		t.Error(got)
	}
}

// TestChangesKeepTheirColours: a style begins and ends with its marks, also where a line is wrapped.
func TestChangesKeepTheirColours(t *testing.T) {
	words := strings.Repeat("gone ", 8)
	for width := 12; width < 60; width++ {
		text := changed(&effect.Show{Changed: changes("=Keep this and ", "-"+words, "= that")}, width, drawnBar)
		styled := ""
		for _, line := range strings.Split(text, "\n")[1:] {
			for _, part := range strings.Split(line, "\x1b[")[1:] {
				if inside, struck := strings.CutPrefix(part, "31;9m"); struck {
					styled += inside
				}
			}
		}
		if got, want := strings.ReplaceAll(styled, " ", ""), "[-"+strings.ReplaceAll(words, " ", "")+"-]"; got != want {
			t.Fatalf("width %d: %q, want %q\n%q", width, got, want, text)
		}
	}
}

// TestChangesFollowTheMessage: the message is whole, and the changes stand below it.
func TestChangesFollowTheMessage(t *testing.T) {
	q := confirmation()
	q.Message, q.Changed = "Run make clean now?", changes("=Run make ", "-test", "+clean", "= now?")
	q.Findings = secrets[1:]
	for _, width := range []int{80, 40} {
		draw(t, q, width, 24).shows("▌ Run make clean now?", "Changed since you last said yes:", "[-test-][+clean+]",
			"! MEDIUM")
	}
}
