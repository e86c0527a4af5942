package ui

import (
	"io"
	"strings"
	"testing"
)

func TestLinesOfOthersWaitForTheQuestion(t *testing.T) {
	var screen strings.Builder
	terminal := &Terminal{}
	server, ours := terminal.Beside(&screen, true), terminal.Beside(&screen, false)
	say := func(w io.Writer, text string) {
		if n, err := io.WriteString(w, text); n != len(text) || err != nil {
			t.Fatalf("writing %q: %d, %v", text, n, err)
		}
	}
	expect := func(when, want string) {
		t.Helper()
		if got := screen.String(); got != want {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
		screen.Reset()
	}
	say(server, "\x1b[32mready\x1b[0m\r\nhalf a ")
	say(ours, "elicit: a note\n")
	say(server, "line\x1b[2J\n\n")
	expect("before", "▌ ready\nelicit: a note\n▌ half a line<U+001B>[2J\n▌ \n")

	terminal.hold(true)
	say(server, "Save a backup copy first?\n")
	say(ours, "elicit: another note\n")
	say(server, strings.Repeat(strings.Repeat("x", 3000)+"\n", 30))
	expect("during", "")
	terminal.hold(false)
	got := screen.String()
	for _, want := range []string{"▌ Save a backup copy first?\n", "elicit: another note\n",
		"elicit: 9 more lines were left out while"} {
		if !strings.Contains(got, want) {
			t.Errorf("after: no %q in %d bytes", want, len(got))
		}
	}
	screen.Reset()

	say(server, strings.Repeat("y", mostLine+1)+"\nthe end")
	if long := screen.String(); strings.Count(long, "▌ ") != 2 || !strings.HasSuffix(long, "\n▌ y\n") {
		t.Errorf("a long line became %d lines", strings.Count(long, "\n"))
	}
	screen.Reset()
	terminal.beside[0].close()
	expect("at the end", "▌ the end\n")
}
