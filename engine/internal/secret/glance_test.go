package secret

import (
	"strings"
	"testing"
)

// bothSearches fails if the glance skips a text in which a search finds something.
func bothSearches(t *testing.T, text string) {
	t.Helper()
	may := looks().look(text)
	for _, prose := range []bool{false, true} {
		if m, ok := search(text, prose); ok && may&seenNames == 0 {
			t.Errorf("%q, prose %v: passed over %+v", text, prose, m)
		}
		if m, ok := unmasked(text, prose); ok && may&seenSigns == 0 {
			t.Errorf("%q, prose %v: passed over the disguised %+v", text, prose, m)
		}
	}
	if c := reading(text); c.Clue&^(helping|clueDozen) != 0 && may&seenClues == 0 { // figures alone decide nothing
		t.Errorf("%q: passed over %+v", text, c)
	}
}

// TestGlance checks that the glance skips no phrase of the tables, in any spelling.
func TestGlance(t *testing.T) {
	seen := 0
	for _, list := range [][]laid{layWords(harmless, anywhere, ending), layWords(glued), leading(layClues())} {
		for i := range list {
			phrase := list[i].phrase
			if looks().look(phrase)&(seenNames|seenClues) != 0 {
				seen++
			} else {
				t.Errorf("%q is not suspicious", phrase)
			}
			for _, text := range []string{phrase, strings.ToUpper(phrase), "my" + phrase, "my_" + strings.ReplaceAll(phrase, " ",
				"_"), "2" + phrase,
				strings.ToUpper(phrase[:1]) + phrase[1:], strings.ReplaceAll(phrase, " ", ""), "x " +
					strings.Join(strings.Split(phrase, ""), "'"),
				strings.Join(strings.Split(phrase, ""), "."), phrase + "s", "Enter your " + phrase + "."} {
				bothSearches(t, text)
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d phrases were tried", seen)
	}
}

// TestGlanceIsWorthwhile checks that the glance spares most ordinary texts the search.
func TestGlanceIsWorthwhile(t *testing.T) {
	hits := 0
	texts := []string{"ticket", "Ticket", "summary", "What happened, in a few sentences", "email", "Your e-mail", "due",
		"Machines affected",
		"hours", "Hours lost", "first_name", "Delivery address", "quantity", "Size", "colour"}
	for _, text := range texts {
		if looks().look(text)&(seenNames|seenClues) != 0 {
			hits++
		}
		bothSearches(t, text)
	}
	if hits > len(texts)/3 {
		t.Errorf("%d of %d ordinary texts are searched", hits, len(texts))
	}
}
