package ui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

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
