package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// made returns a question of parts, with one empty line between two.
func made(parts ...any) *effect.Show {
	q := confirmation()
	q.Message = ""
	for i := 0; i < len(parts); i += 2 {
		text, lines := parts[i+1].(string), 0
		if lines = strings.Count(text, "\n") + 1; i+2 < len(parts) {
			text, lines = text+"\n\n", lines+1
		}
		q.Message += text
		q.Parts = append(q.Parts, elicit.Part{Is: parts[i].(elicit.PartKind), Lines: lines})
	}
	return q
}

// hunk is a section of a diff with this many changed lines.
func hunk(file string, lines int) string {
	var text strings.Builder
	text.WriteString("update " + file + "\n@@ -1 +1 @@")
	for i := range lines {
		fmt.Fprintf(&text, "\n+%s line %d", file, i+1)
	}
	return text.String()
}

var unfold = tea.KeyPressMsg{Code: 'o', Mod: tea.ModCtrl}

func TestACommandHasItsDirectoryBesideIt(t *testing.T) {
	q := made(elicit.PartText, "To publish", elicit.PartCommand, "git push \\\n  origin", elicit.PartDirectory, "In /w")
	d := draw(t, q, 80, 24)
	d.shows("▌ To publish\n▌\n▌ $ git push \\\n▌     origin\n▌\n▌ In /w")
	const work = "/home/ann/work/project"
	q = made(elicit.PartCommand, "git push", elicit.PartDirectory, "In "+work, elicit.PartText, "Now.")
	d = draw(t, q, 80, 24)
	d.shows("▌ $ git push   In " + work + "\n▌\n▌ Now.")
	d = draw(t, q, 36, 24)
	d.shows("▌ $ git push\n▌\n▌ In " + work + "\n▌\n▌ Now.")
}

func TestAccessIsATable(t *testing.T) {
	q := made(elicit.PartAccess, "Network: every host\n\nread /etc\nwrite "+strings.Repeat("/long", 10))
	d := draw(t, q, 40, 24)
	d.shows("▌ Network:  every host\n▌ read      /etc\n▌ write     /long/long", "\n▌           ")
}

// TestFoldedLinesAreUnread: while lines of a diff are folded, nobody can agree, also if all else is on the screen. The
// opened lines have to be on the screen too.
func TestFoldedLinesAreUnread(t *testing.T) {
	diff := hunk("/w/a", 40) + "\n\n" + hunk("/w/b", 2)
	q := made(elicit.PartText, "Two files", elicit.PartDiff, diff, elicit.PartText, "The end.")
	d := draw(t, q, 80, 24)
	d.wait(ignoreKeys)
	d.shows("▌ update /w/a\n▌ @@ -1 +1 @@\n  ▸ 41 lines are folded (+40 -0): ^O opens\n▌ update /w/b", "The end.",
		"(Accept)", "ctrl+o unfold")
	d.press(yes, enter)
	d.shows("✗ open what is folded first")
	d.press(unfold)
	d.shows("+/w/a line 1\n", "more lines", "(Accept)")
	if d.press(yes, enter); d.given.Action != "" {
		t.Fatal("agreed to lines that were not on the screen")
	}
	for range 5 {
		d.press(down)
	}
	d.shows("+/w/a line 40", "The end.", "[Accept]")
	d.press(unfold) // and folds it again, which takes nothing back
	d.shows("41 lines are folded", "The end.")
	if d.press(yes, enter); d.given.Action != elicit.Accept {
		t.Errorf("the answer is %q", d.given.Action)
	}
}

// TestAShortDiffIsNotFolded: a fold would only be in the way.
func TestAShortDiffIsNotFolded(t *testing.T) {
	d := draw(t, made(elicit.PartDiff, hunk("/w/a", longDiff-4)), 80, 40)
	d.wait(ignoreKeys)
	d.shows("+/w/a line 1", fmt.Sprint("+/w/a line ", longDiff-4))
	if d.press(yes, enter); d.given.Action != elicit.Accept {
		t.Errorf("the answer is %q", d.given.Action)
	}
}

// TestEveryLineOfAPartIsDrawn: at every size each line of the peer has its bar, and no character is lost or moved.
func TestEveryLineOfAPartIsDrawn(t *testing.T) {
	long := strings.Repeat("word ", 40) + "last"
	for _, is := range elicit.PartKinds() {
		for _, width := range []int{20, 40, 200} {
			q := made(is, "+"+long+"\n\x1b[31mred\n▸ 9 lines are folded", elicit.PartText, "end")
			words, _, _ := said(q, width, drawnBar, true)
			text := ansi.Strip(strings.Join(words, "\n"))
			for line := range strings.SplitSeq(text, "\n") {
				if !strings.HasPrefix(line, "▌") || ansi.StringWidth(line) > width {
					t.Errorf("%s at %d: a line without a bar, or too long: %q", is, width, line)
				}
			}
			joined := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\n' || r == '▌' }), "")
			want := "+" + strings.ReplaceAll(long, " ", "") + "<U+001B>[31mred▸9linesarefoldedend"
			if is == elicit.PartCommand {
				want = "$" + want
			}
			if joined != want {
				t.Errorf("%s at %d: %q", is, width, joined)
			}
		}
	}
}

// TestPartsThatDoNotFit: what a host made wrong hides no line.
func TestPartsThatDoNotFit(t *testing.T) {
	q := confirmation()
	q.Message = "one\ntwo\nthree"
	for _, parts := range [][]elicit.Part{{{Is: elicit.PartText, Lines: 1}},
		{{Is: "html", Lines: 9}, {Is: elicit.PartDiff, Lines: 1}}} {
		q.Parts = parts
		words, _, _ := said(q, 80, drawnBar, true)
		if text := ansi.Strip(strings.Join(words, "\n")); !strings.Contains(text, "one") || !strings.Contains(text, "three") {
			t.Errorf("%v: %s", parts, text)
		}
	}
}

// BenchmarkLongDiff draws a diff far beyond the limit of a message.
func BenchmarkLongDiff(b *testing.B) {
	q := made(elicit.PartDiff, hunk("/w/a", 200_000))
	b.SetBytes(int64(len(q.Message)))
	for b.Loop() {
		said(q, 100, drawnBar, true)
	}
}

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

// questionOf returns a question whose message has this many short lines.
func questionOf(lines int) *effect.Show {
	var message []string
	for i := range lines {
		message = append(message, fmt.Sprint("line ", i+1))
	}
	return &effect.Show{Server: "demo", Mode: elicit.Form, Message: strings.Join(message, "\n")}
}

func TestReadingEndsWithTheLastLine(t *testing.T) {
	r := readingProgress{q: questionOf(30)}
	r.fit(80)
	for page, want := range []string{"line 9", "line 17", "line 25", "line 30"} {
		if r.done {
			t.Fatalf("done before page %d", page)
		}
		lines := r.visible(10, true)
		if got := lines[len(lines)-2]; !strings.HasSuffix(got, want) || len(lines) != 10 {
			t.Errorf("page %d: %d lines to %q, want 10 to %q", page, len(lines), got, want)
		}
		r.turnPage(1)
	}
	if !r.done {
		t.Error("not done after the last page")
	}
	r.turnPage(-100)
	if r.visible(10, true); r.top != 0 || !r.done {
		t.Errorf("back at the beginning: line %d, done %v", r.top, r.done)
	}
}

func TestReadingCountsOnlyWhatWasDrawn(t *testing.T) {
	for _, c := range []struct {
		name string
		do   func(*readingProgress)
	}{
		{"drawn for another size", func(r *readingProgress) { r.visible(40, false) }},
		{"pages that were skipped", func(r *readingProgress) {
			r.visible(10, true)
			r.turnPage(1)
			r.turnPage(1)
			r.turnPage(1)
			r.visible(10, true)
		}},
		{"the end alone", func(r *readingProgress) {
			r.turnPage(100)
			r.visible(10, true)
		}},
		{"the end after the width has changed", func(r *readingProgress) {
			r.visible(10, true)
			r.turnPage(1)
			r.visible(10, true)
			r.fit(40)
			r.turnPage(2)
			r.visible(12, true)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := readingProgress{q: questionOf(30)}
			r.fit(80)
			if c.do(&r); r.done {
				t.Error("counts as read")
			}
		})
	}
}

func TestShortMessageIsReadAtOnce(t *testing.T) {
	r := readingProgress{q: questionOf(3)}
	r.fit(80)
	if lines := r.visible(3, true); !r.done || len(lines) != 3 {
		t.Errorf("done %v with %d lines", r.done, len(lines))
	}
}
