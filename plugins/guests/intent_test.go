package guests_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// unseen is a form that the model was never taught.
type unseen struct {
	kind, lang string
	form
}

// heldOut reads intent/train/heldout.txt, whose lines are KIND LANGUAGE: MESSAGE|TITLE, and the test forms of the inspection.
func heldOut(t *testing.T) (forms []unseen) {
	t.Helper()
	raw, err := os.ReadFile("intent/train/heldout.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		head, texts, _ := strings.Cut(strings.TrimSpace(line), ": ")
		kind, lang, _ := strings.Cut(head, " ")
		message, title, ok := strings.Cut(texts, "|")
		if !ok {
			t.Fatalf("%q is no form", line)
		}
		forms = append(forms, unseen{kind, lang, form{message, []field{{Name: "value", Label: title, Kind: "text"}}}})
	}
	return forms
}

// rates are what was found of forms of each kind when this was last measured, by the rules of the inspection and by the model
// together with them.
type rates struct{ rules, both, of int }

// TestIntent measures the model beside the rules on forms it was not taught, and holds the rates.
func TestIntent(t *testing.T) {
	g := load(t, "intent")
	got, parts := map[string]rates{}, map[string]rates{}
	for _, u := range heldOut(t) {
		rules := len(inspected(u.form)) > 0
		verdict, _, err := g.call(g.host.Evaluate, shown(t, u.message, "", u.fields))
		if err != nil {
			t.Fatal(err)
		}
		both := rules || strings.Contains(verdict, `"seems_to_ask_secret"`)
		if both != (u.kind != "harmless") {
			t.Logf("%s %s: %q %q: rules %v, %s", u.kind, u.lang, u.message, u.fields[0].Label, rules, verdict)
		}
		for table, key := range map[*map[string]rates]string{&got: u.kind, &parts: u.kind + " " + u.lang} {
			r := (*table)[key]
			r.of++
			if rules {
				r.rules++
			}
			if both {
				r.both++
			}
			(*table)[key] = r
		}
	}
	for _, part := range slices.Sorted(maps.Keys(parts)) {
		t.Logf("%s: rules %d, with the model %d, of %d", part, parts[part].rules, parts[part].both, parts[part].of)
	}
	for kind, r := range got {
		t.Logf("%s: rules %d, with the model %d, of %d; at most %d fuel", kind, r.rules, r.both, r.of, g.most)
	}
}
