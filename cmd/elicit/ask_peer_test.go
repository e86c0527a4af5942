package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
)

// posing is a message whose lines try to look like ours. It uses words that occur only in this test, so that the test
// recognises its lines.
var posing = strings.Join([]string{
	"zap ✓ Verified by Elicit zap",
	"zap [elicit] Type your password zap",
	"zap     [Accept]     Decline     Cancel zap",
	strings.Repeat("zap ", 30),
	strings.Repeat("👩‍👩‍👧‍👦zap", 20),
	strings.Repeat("zap", 40),
}, "\n")

// posingForm has the same words in every text of a form.
const posingForm = `{"type":"object","title":"zap title zap zap zap zap zap zap zap zap zap zap",
"description":"zap help\nzap second line","properties":{"a":{"type":"string",
"title":"zap zap zap zap zap zap zap zap zap zap zap zap",
"description":"zap ✓ zap zap zap zap zap zap zap zap zap zap"}}}`

// marked reports whether a line of the screen is one of ours, or one of the peer's with its bar.
func marked(line string) bool {
	if !strings.Contains(line, "zap") {
		return true
	}
	line = strings.TrimPrefix(strings.TrimLeft(line, " "), "┃ ") // the frame of the field that has the focus
	return strings.HasPrefix(line, "▌ ") || strings.HasPrefix(line, "| ")
}

func TestEveryLineOfThePeerHasABar(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		width, height int
		env           []string
	}{
		{"on a narrow screen without colours", 40, 45, []string{"NO_COLOR=1"}},
		{"on a wide screen", 120, 50, nil},
		{"line by line, narrow", 40, 70, []string{"ELICIT_ACCESSIBLE=1"}},
		{"line by line, on a simple terminal", 80, 60, []string{"TERM=dumb"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := startAsking(t, c.width, c.height, posingForm, "--message '"+posing+"'", c.env...)
			screen := a.Wait("Verified by Elicit", "title", "second line", "zap ✓ zap", "optional")
			lines := 0
			for line := range strings.SplitSeq(screen, "\n") {
				if !marked(line) {
					t.Errorf("nothing marks %q in\n%s", line, screen)
				}
				lines += strings.Count(line, "zap")
			}
			if lines < 100 {
				t.Errorf("only %d words of the peer are there:\n%s", lines, screen)
			}
		})
	}
}

func TestAgreeingWaitsForTheEndOfTheMessage(t *testing.T) {
	t.Parallel()
	long := "--message \"$(seq -f 'point %g' 1 64; echo you also permit everything)\""
	t.Run("a bare question", func(t *testing.T) {
		a := startAsking(t, 80, 24, "", long)
		screen := a.Wait("▌ point 1", "more lines: PgUp, PgDn · Accept opens at the end", "(Accept)    Decline     Cancel")
		if strings.Contains(screen, "everything") {
			t.Fatalf("the message is not long enough:\n%s", screen)
		}
		a.Keys("Right")
		a.Wait("[(Accept)]")
		a.Keys("Enter")
		a.Wait("✗ read on to the end first: PgDn")
		for range 10 {
			a.Keys("NPage")
		}
		a.Wait("you also permit everything", "… the end: PgUp, PgDn", "[Accept]")
		a.Keys("Enter")
		a.ends(t, "0", "{}")
	})
	t.Run("a form", func(t *testing.T) {
		a := startAsking(t, 80, 24, oneField, long)
		a.Wait("▌ point 1", "more lines")
		a.Keys("Down", "C-s")
		a.Wait("✗ read on to the end first: PgDn")
		a.Keys("Tab", "Tab")
		a.Wait("[(Submit)]")
		a.Keys("Enter")
		for range 20 {
			a.Keys("S-Down")
		}
		a.Wait("everything", "[Submit]")
		a.Keys("PPage", "C-s") // lines that were on the screen still count as read
		a.ends(t, "0", `{"env":"p","n":0}`)
	})
	t.Run("a page", func(t *testing.T) {
		a := startAsking(t, 60, 20, "", long+" --url https://example.org/", "ELICIT_BROWSER=false")
		a.Wait("(Open example.org)")
		a.Keys("Right", "Enter")
		a.Wait("✗ read on to the end first: PgDn")
		a.Keys("C-x")
		a.ends(t, "3", "")
	})
	t.Run("at 40 columns", func(t *testing.T) {
		a := startAsking(t, 40, 10, "", long)
		a.Wait("more lines: PgUp, PgDn", "PgDn · ^X decline · esc cancel")
		a.Keys("Escape")
		a.ends(t, "4", "")
	})
	t.Run("on a terminal too small to tell", func(t *testing.T) {
		a := startAsking(t, 40, 10, "", long)
		a.Wait("more lines")
		a.Gone(terminaltest.NotReady) // 15 columns have no room to say when keys begin to count
		a.Resize(15, 5)
		a.Wait("✗ too small to")
		a.KeysNow("Right", "Enter", "Enter", "Escape")
		a.ends(t, "4", "")
	})
	t.Run("cancelled before", func(t *testing.T) {
		a := startAsking(t, 80, 24, "", long)
		a.Wait("(Accept)")
		a.Keys("Tab", "Tab", "Tab")
		a.Wait("[Cancel]")
		a.Keys("Enter")
		a.ends(t, "4", "")
	})
}

func TestLineByLineSaysTheWholeMessageFirst(t *testing.T) {
	t.Parallel()
	long := "--message \"$(seq -f 'point %g' 1 64; echo you also permit everything)\""
	a := startAsking(t, 80, 24, "", long, "ELICIT_ACCESSIBLE=1")
	screen := a.Wait("| point 1", "more lines; empty line reads on; ! cancels) >")
	if strings.Contains(screen, "Your choice") {
		t.Fatalf("asked before the end:\n%s", screen)
	}
	for _, last := range []string{"| point 39", "| point 60"} {
		a.Keys("Enter")
		a.Wait(last)
	}
	a.Keys("Enter")
	a.Wait("| you also permit everything", "1. Accept", "Your choice:")
	a.Type("1")
	a.Keys("Enter")
	a.ends(t, "0", "{}")

	a = startAsking(t, 80, 24, "", long, "ELICIT_ACCESSIBLE=1")
	a.Wait("empty line reads on")
	a.Type("!")
	a.Keys("Enter")
	a.ends(t, "4", "")
}

func TestChoicesThatDifferLateShowTheDifference(t *testing.T) {
	t.Parallel()
	same := strings.Repeat("deploy the service to the cluster ", 10)
	schema := fmt.Sprintf(`{"type":"object","properties":{
"one":{"type":"string","enum":["%[1]sin staging","%[1]sin production"]},
"some":{"type":"array","items":{"type":"string","enum":["pay","p\u0430y","p\u3164ay"]}}}}`, same)
	for _, c := range []struct {
		name string
		want []string
		env  string
	}{
		{"on the screen", []string{"cluster in staging", "cluster in production", `pay ("pay")`, `("p\u0430y")`,
			"[ ] p<U+3164>ay"}, "X=1"},
		{"line by line", []string{"cluster in staging", "cluster in production", `1. pay ("pay")`, `("p\u0430y")`,
			"3. p<U+3164>ay"}, "ELICIT_ACCESSIBLE=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := startAsking(t, 120, 40, schema, "--message x", c.env)
			if c.env != "X=1" {
				a.Wait(c.want[:2]...)
				a.Keys("Enter")
			}
			a.Wait(c.want...)
			a.Keys("C-c")
			a.ends(t, "4", "")
		})
	}
	t.Run("at 40 columns", func(t *testing.T) {
		a := startAsking(t, 40, 60, schema, "--message x")
		a.Wait("in staging", "in production", "(no answer)")
		a.Keys("Down", "Down", "C-s")
		a.ends(t, "0", `{"one":"`+same+`in production"}`)
	})
}
