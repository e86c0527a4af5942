package guests_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/tidwall/gjson"
)

type form struct {
	message string
	fields  []field
}

// corpus reads the forms that the inspection is measured on, and the ordinary ones.
func corpus(t *testing.T) (forms []form) {
	t.Helper()
	for _, file := range []string{"train", "test"} {
		f, err := os.Open("../../engine/risk/testdata/secrets/" + file + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for lines := bufio.NewScanner(f); lines.Scan(); {
			l := gjson.ParseBytes(lines.Bytes())
			forms = append(forms, form{l.Get("message").String(),
				[]field{{l.Get("name").String(), l.Get("title").String(), l.Get("description").String(), "text"}}})
		}
	}
	forms = append(forms, ordinary(t)...)
	if len(forms) < 1000 {
		t.Fatalf("%d forms; want 1,000 or more", len(forms))
	}
	return forms
}

// ordinary reads what honest servers of many trades and languages ask.
func ordinary(t *testing.T) (forms []form) {
	t.Helper()
	raw, err := os.ReadFile("../../engine/risk/testdata/corpus/ordinary-forms.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Message string
		Fields  []struct{ Name, Title, Description string }
	}
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for _, o := range all {
		f := form{message: o.Message}
		for _, one := range o.Fields {
			f.fields = append(f.fields, field{one.Name, one.Title, one.Description, "text"})
		}
		forms = append(forms, f)
	}
	return forms
}

// TestAgreeSecrets gives the guardian and the inspection the same forms, as they are and twisted: both find a secret in
// the same texts and by the same words.
func TestAgreeSecrets(t *testing.T) {
	t.Parallel()
	g := load(t, "secrets")
	random := rand.New(rand.NewPCG(3, 4))
	forms := corpus(t)
	others := slices.Clone(forms)
	compared, found := 0, 0
	for _, f := range forms {
		for turn := range 5 {
			if turn > 0 {
				f = twistForm(f, others, random)
			}
			want := inspected(f)
			got := guarded(t, g, f)
			if compared++; len(want) > 0 {
				found++
			}
			if !maps.Equal(got, want) {
				t.Errorf("%q: the inspection finds %q, the guardian %q", f, want, got)
			}
		}
	}
	t.Logf("%d forms, %d that ask; at most %d fuel", compared, found, g.most)
}

// twistForm puts pieces into the texts of a form, or takes a text from another form.
func twistForm(f form, others []form, random *rand.Rand) form {
	other := others[random.IntN(len(others))]
	if random.IntN(4) == 0 {
		f.message = other.message
	}
	f.message = twist(f.message, "", random).(string)
	f.fields = slices.Clone(f.fields)
	for i := range f.fields {
		one := &f.fields[i]
		if len(other.fields) > 0 && random.IntN(4) == 0 {
			one.Description = other.fields[0].Description
		}
		for _, text := range []*string{&one.Name, &one.Label, &one.Description} {
			if *text != "" && random.IntN(3) == 0 {
				*text = twist(*text, "", random).(string)
			}
		}
	}
	return f
}

// inspected holds the texts that ask, by pointer, and the words that do, as the guardian quotes them.
func inspected(f form) map[string]string {
	s := risk.Subject{Mode: elicit.Form, Message: f.message}
	for i, one := range f.fields {
		s.Fields = append(s.Fields, risk.Field{Pointer: fmt.Sprint("/request/form/fields/", i), Name: one.Name,
			Title: one.Label, Description: one.Description})
	}
	found := map[string]string{}
	for _, finding := range risk.Inspect(&s) {
		if finding.Code != "secret_in_form" {
			continue
		}
		text, at := f.message, "/request/message"
		for i, one := range f.fields {
			switch field := fmt.Sprint("/request/form/fields/", i); finding.Pointer {
			case field:
				text, at = one.Name, field+"/name"
			case field + "/title":
				text, at = one.Label, field+"/label"
			case field + "/description":
				text, at = one.Description, field+"/help"
			}
		}
		found[at] = cut(text[finding.Start:finding.End], 60)
	}
	return found
}

func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

func guarded(t *testing.T, g *guest, f form) map[string]string {
	t.Helper()
	verdict, _, err := g.call(g.host.Evaluate, shown(t, f.message, "", f.fields))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, finding := range gjson.Get(verdict, "findings").Array() {
		found[finding.Get("pointer").String()] = strings.TrimPrefix(finding.Get("message").String(),
			"asks for a credential: ")
	}
	return found
}
