package secret

import (
	"strings"
	"testing"
)

// bothSearches fails where the glance passes over a text in which something is to be found.
func bothSearches(t *testing.T, text string) {
	t.Helper()
	for _, prose := range []bool{false, true} {
		got, _ := find(text, prose)
		if want, _ := search(text, prose); got != want {
			t.Errorf("%q, prose %v: got %+v, want %+v", text, prose, got, want)
		}
	}
}

// TestGlance holds that no phrase of the tables is passed over, however it is written.
func TestGlance(t *testing.T) {
	seen := 0
	for _, x := range []*index{phrases, endings} {
		for i := range x.entries {
			phrase := x.entries[i].phrase
			if first.look(phrase)&seenNames != 0 {
				seen++
			} else {
				t.Errorf("%q is not suspicious", phrase)
			}
			for _, text := range []string{phrase, strings.ToUpper(phrase), "my" + phrase, "my_" + strings.ReplaceAll(phrase, " ", "_"), "2" + phrase,
				strings.ToUpper(phrase[:1]) + phrase[1:], strings.ReplaceAll(phrase, " ", ""), "x " + strings.Join(strings.Split(phrase, ""), "'"),
				strings.Join(strings.Split(phrase, ""), "."), phrase + "s", "Enter your " + phrase + "."} {
				bothSearches(t, text)
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d phrases were tried", seen)
	}
}

// TestGlanceIsWorthwhile holds that ordinary texts are mostly spared the search.
func TestGlanceIsWorthwhile(t *testing.T) {
	hits := 0
	texts := []string{"ticket", "Ticket", "summary", "What happened, in a few sentences", "email", "Your e-mail", "due", "Machines affected",
		"hours", "Hours lost", "first_name", "Delivery address", "quantity", "Size", "colour"}
	for _, text := range texts {
		if first.look(text)&(seenNames|seenClues) != 0 {
			hits++
		}
		bothSearches(t, text)
	}
	if hits > len(texts)/3 {
		t.Errorf("%d of %d ordinary texts are searched", hits, len(texts))
	}
}
