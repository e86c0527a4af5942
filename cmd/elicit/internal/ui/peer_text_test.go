package ui

import (
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestWrapped(t *testing.T) {
	for _, c := range []struct {
		name, in string
		width    int
		want     string
	}{
		{"short", "one two", 10, "one two"},
		{"at a space", "one two three", 9, "one two|three"},
		{"exactly", "one two12", 9, "one two12"},
		{"a long word", "abcdefghijk", 8, "abcdefgh|ijk"},
		{"indentation stays", "    abcdefgh", 8, "    abcd|efgh"},
		{"empty lines stay", "a\n\nb", 10, "a||b"},
		{"never narrower than eight", "abcdefghi", 2, "abcdefgh|i"},
		{"wide letters", "東京東京東京", 8, "東京東京|東京"},
		{"marks stay with their letter", "abcdefgh\u0301i", 8, "abcdefgh\u0301|i"},
		{"flags", "🇩🇪🇫🇷🇳🇱", 8, "🇩🇪🇫🇷|🇳🇱"},
		{"a joiner ends no line", "xx👩\u200d👩\u200d👧", 8, "xx👩\u200d👩|👧"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.Join(wrapped(c.in, c.width), "|"); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestEveryLineIsBarred draws texts of all kinds of characters at every width. It measures each line as a terminal may:
// by clusters and by characters. Each line fits both ways, and begins with the bar.
func TestEveryLineIsBarred(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"a", "word", " ", "  ", "\n", "\r\n", "\t", "▌", "| ", "é", "e\u0301",
		"東", "👩\u200d👩\u200d👧", "\u2764\ufe0f", "🇩🇪",
		"\u1100\u1161", "\u200d", "\u3164", "\u202e", "\x1b[2J", "\x9b",
		"مرحبا", "किं", "1\ufe0f\u20e3", "\U0001f3f4\U000e0067", "\u0600"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(pieces, 1, 60).Draw(t, "text"), "")
		width := rapid.IntRange(20, 100).Draw(t, "width")
		bar := rapid.SampledFrom([]string{drawnBar, spokenBar}).Draw(t, "bar")
		drawn := ansi.Strip(peer(Plain(text), width, bar))
		for line := range strings.SplitSeq(drawn, "\n") {
			if !strings.HasPrefix(line+" ", bar) {
				t.Fatalf("no bar before %q", line)
			}
			if w := max(lipgloss.Width(line), ansi.StringWidthWc(line)); w > width {
				t.Fatalf("%q has %d columns of %d", line, w, width)
			}
			if strings.HasSuffix(line, joiner) {
				t.Fatalf("%q ends in a joiner", line)
			}
		}
	})
}

func TestOurLinesAreIndented(t *testing.T) {
	if got, want := ours(lipgloss.NewStyle(), "one two three four", 12), "one two\n   three\n   four"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
