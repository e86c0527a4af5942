package guests_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// unseen is a form that the model was never taught.
type unseen struct {
	kind, lang string
	form
}

// heldOut reads intent/train/heldout.txt, whose lines are KIND LANGUAGE: MESSAGE|TITLE, the test forms of the
// inspection, and those of the ordinary forms that were not taught.
func heldOut(t *testing.T) (forms []unseen) {
	t.Helper()
	for line := range strings.Lines(must.Text(t, "intent/train/heldout.txt")) {
		head, texts, _ := strings.Cut(strings.TrimSpace(line), ": ")
		kind, lang, _ := strings.Cut(head, " ")
		message, title, ok := strings.Cut(texts, "|")
		if !ok {
			t.Fatalf("%q is no form", line)
		}
		forms = append(forms, unseen{kind, lang,
			form{message: message, fields: []field{{Name: "value", Label: title, Kind: "text"}}}})
	}
	for file, kind := range map[string]string{"test": "inspection-", "held": "fresh-", "later": "later-"} {
		for _, l := range secretForms(t, file) {
			one := field{l.Get("name").String(), l.Get("title").String(), l.Get("description").String(), "text"}
			forms = append(forms, unseen{kind + l.Get("kind").String(), l.Get("lang").String(),
				form{message: l.Get("message").String(), fields: []field{one}}})
		}
	}
	for _, file := range []string{"ordinary", "real"} {
		for i, f := range ordinary(t, file) {
			if i%2 == 1 && len(f.fields) > 0 {
				forms = append(forms, unseen{file + "-harmless", "all", f})
			}
		}
	}
	return forms
}

// rates are what was found of forms of each kind when this was last measured, by the rules of the inspection and by the
// model together with them.
type rates struct{ rules, both, of int }

var measured = map[string]rates{
	"describes":            {5, 30, 48},
	"evades":               {12, 18, 24},
	"harmless":             {0, 0, 83},
	"ordinary-harmless":    {0, 1, 83},
	"inspection-names":     {37, 38, 38},
	"inspection-describes": {76, 97, 104},
	"inspection-evades":    {35, 36, 37},
	"inspection-harmless":  {4, 6, 47},
	"fresh-describes":      {20, 38, 49},
	"fresh-evades":         {19, 36, 37},
	"fresh-harmless":       {0, 3, 81},
	"later-describes":      {28, 40, 48},
	"later-evades":         {24, 27, 30},
	"later-harmless":       {1, 1, 98},
	"real-harmless":        {0, 0, 37},
}

// TestIntent measures the model beside the rules on forms it was not taught, and holds the rates.
func TestIntent(t *testing.T) {
	t.Parallel()
	g := load(t, "intent")
	got, parts := map[string]rates{}, map[string]rates{}
	for _, u := range heldOut(t) {
		question := u.question(t)
		rules := bytes.Contains(question, []byte(`"secret_in_form"`))
		verdict, _, err := g.call(g.host.Evaluate, g.asked(question))
		must.OK(t, err)
		both := rules || strings.Contains(verdict, `"seems_to_ask_secret"`)
		if both != !strings.HasSuffix(u.kind, "harmless") {
			t.Logf("%s %s: %q %+v: rules %v, %s", u.kind, u.lang, u.message, u.fields, rules, verdict)
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
	for kind, held := range measured {
		r := got[kind]
		t.Logf("%s: rules %d, with the model %d, of %d; at most %d fuel", kind, r.rules, r.both, r.of, g.most)
		harmless := strings.HasSuffix(kind, "harmless")
		if r.of != held.of || harmless && r.both > held.both || !harmless && r.both < held.both {
			t.Errorf("%s: %+v; held are %+v", kind, r, held)
		}
	}
	if len(got) != len(measured) {
		t.Errorf("%d kinds; want %d", len(got), len(measured))
	}
}

// TestIntentFresh holds that the weights were made from the corpus and the code that are here. Making them takes
// minutes and scikit-learn, so this compares a digest; `python train/train.py --check` makes them again and compares
// every byte.
func TestIntentFresh(t *testing.T) {
	files, err := filepath.Glob("intent/train/corpus/*.txt")
	if err != nil || len(files) != 14 {
		t.Fatalf("%d languages, %v", len(files), err)
	}
	digest := sha256.New()
	for _, file := range append(files, "intent/train/evade.txt", "intent/train/compose.py", "intent/train/train.py",
		"intent/src/features.rs", "intent/src/letters.rs", "intent/src/stretches.rs",
		"../../engine/risk/testdata/secrets/train.jsonl", "../../engine/risk/testdata/secrets/build.jsonl",
		"../../engine/risk/testdata/corpus/ordinary-forms.json", "../../engine/risk/testdata/corpus/real-forms.json") {
		digest.Write(must.Read(t, file))
	}
	made := must.Text(t, "intent/src/bias.rs")
	if want := hex.EncodeToString(digest.Sum(nil)); !strings.Contains(made, want) {
		t.Error("the weights are old: run intent/train/train.py as its README says, then ./build.sh guests")
	}
}
