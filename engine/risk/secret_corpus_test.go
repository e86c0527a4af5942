package risk

import (
	"bufio"
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

// corpusForm is a line of testdata/secrets: a form of one field. The tables were tuned on every form of train.jsonl,
// and on none of test.jsonl. One author wrote both files and the tables, so forms of other authors are found less
// often. Another wrote later.jsonl before reading any table or form.
type corpusForm struct {
	Kind, Lang, Trick, Message, Name, Title, Description string
}

func readCorpus(t *testing.T, file string) (forms []corpusForm) {
	t.Helper()
	f, err := os.Open("testdata/secrets/" + file)
	must.OK(t, err)
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var form corpusForm
		if err := json.Unmarshal(lines.Bytes(), &form); err != nil {
			t.Fatalf("%s: %v", lines.Text(), err)
		}
		forms = append(forms, form)
	}
	return forms
}

func (f *corpusForm) found() bool {
	return slices.ContainsFunc(Inspect(&Subject{Mode: elicit.Form, Message: f.Message,
		Fields: []Field{{Name: f.Name, Title: f.Title, Description: f.Description}}}),
		func(g elicit.Finding) bool { return g.Code == "secret_in_form" })
}

type rate struct{ found, of int }

// TestCorpusSplit checks that no trick of the forms that describe or evade is in both files.
func TestCorpusSplit(t *testing.T) {
	tuned := map[string]bool{}
	for _, form := range readCorpus(t, "train.jsonl") {
		tuned[form.Kind+" "+form.Trick] = true
	}
	languages := map[string]bool{}
	for _, form := range readCorpus(t, "test.jsonl") {
		languages[form.Lang] = true
		if (form.Kind == "describes" || form.Kind == "evades") && tuned[form.Kind+" "+form.Trick] {
			t.Errorf("%s %s is in both files", form.Kind, form.Trick)
		}
	}
	if len(languages) != 14 {
		t.Errorf("%d languages; want 14", len(languages))
	}
}

// TestSecretCorpus reports how many forms are found, by kind, language and trick, and checks that the measured rates
// still hold.
func TestSecretCorpus(t *testing.T) {
	for file, floor := range map[string]map[string]rate{
		"train.jsonl": {"names": {66, 66}, "describes": {76, 76}, "evades": {31, 32}, "harmless": {14, 449}},
		"test.jsonl":  {"names": {37, 38}, "describes": {76, 104}, "evades": {35, 37}, "harmless": {4, 47}},
		"build.jsonl": {"describes": {20, 62}, "evades": {12, 32}, "harmless": {2, 88}},
		"held.jsonl":  {"describes": {20, 49}, "evades": {19, 37}, "harmless": {0, 81}},
		"later.jsonl": {"describes": {28, 48}, "evades": {24, 30}, "harmless": {1, 98}},
	} {
		kinds, parts := map[string]rate{}, map[string]rate{}
		for _, form := range readCorpus(t, file) {
			found := form.found()
			for table, key := range map[*map[string]rate]string{&kinds: form.Kind, &parts: form.Kind + " " + form.Lang} {
				add(*table, key, found)
			}
			if form.Kind == "describes" || form.Kind == "evades" {
				add(parts, form.Kind+" "+form.Trick, found)
			}
		}
		for _, key := range slices.Sorted(maps.Keys(parts)) {
			t.Logf("%s: %s %d of %d", file, key, parts[key].found, parts[key].of)
		}
		for kind, held := range floor {
			got := kinds[kind]
			t.Logf("%s: %s %d of %d", file, kind, got.found, got.of)
			if got.of != held.of {
				t.Errorf("%s: %s has %d forms; the rates were measured on %d", file, kind, got.of, held.of)
			}
			if kind == "harmless" && got.found > held.found || kind != "harmless" && got.found < held.found {
				t.Errorf("%s: %s %d of %d; held are %d", file, kind, got.found, got.of, held.found)
			}
		}
	}
}

func add(table map[string]rate, key string, found bool) {
	r := table[key]
	if r.of++; found {
		r.found++
	}
	table[key] = r
}
