package guests_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/internal/must"
)

// field is a field of a form as guests see it.
type field struct {
	Name        string `json:"name"`
	Label       string `json:"label,omitempty"`
	Description string `json:"help,omitempty"`
	Kind        string `json:"kind"`
}

// form is what a server asks.
type form struct {
	message, url string
	fields       []field
}

// secretForms reads one of the files of forms by which the inspection is measured.
func secretForms(t *testing.T, file string) (list []gjson.Result) {
	t.Helper()
	text := must.Text(t, "../../engine/risk/testdata/secrets/"+file+".jsonl")
	gjson.ForEachLine(text, func(l gjson.Result) bool {
		list = append(list, l)
		return true
	})
	return list
}

// question is the question about a form, with what the inspection finds in it.
func (f form) question(t *testing.T) []byte {
	t.Helper()
	request := map[string]any{"message": f.message}
	if f.url != "" {
		request["url"] = f.url
	}
	if len(f.fields) > 0 {
		request["form"] = map[string]any{"fields": f.fields}
	}
	q, err := json.Marshal(map[string]any{"v": 1, "phase": "before_show", "at": 1, "request": request,
		"settings": map[string]any{}, "seed": ""})
	must.OK(t, err)
	return guestcase.Inspected(q)
}

// ordinary reads what honest servers of many trades and languages ask, and with "real", what public MCP servers do.
func ordinary(t *testing.T, file string) (forms []form) {
	t.Helper()
	var all []struct {
		Message, URL string
		Fields       []struct{ Name, Title, Description string }
	}
	must.Unmarshal(t, must.Read(t, "../../engine/risk/testdata/corpus/"+file+"-forms.json"), &all)
	for _, o := range all {
		f := form{message: o.Message, url: o.URL}
		for _, one := range o.Fields {
			f.fields = append(f.fields, field{one.Name, one.Title, one.Description, "text"})
		}
		forms = append(forms, f)
	}
	return forms
}

// TestOrdinary shows guests the ordinary forms. None stops one, and no finding is above low, but for numbers that a
// form does ask for.
func TestOrdinary(t *testing.T) {
	t.Parallel()
	forms := ordinary(t, "ordinary")
	if len(forms) < 200 {
		t.Fatalf("%d forms; want 200 or more", len(forms))
	}
	for _, name := range []string{"secrets", "links", "destructive", "pii"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := load(t, name)
			for _, form := range forms {
				verdict, _, err := g.call(g.host.Evaluate, g.asked(form.question(t)))
				must.OK(t, err)
				if !strings.Contains(verdict, `"decision":"pass"`) || name != "pii" &&
					strings.Contains(verdict, `"severity":"medium"`) {
					t.Errorf("%q: %s", form.message, verdict)
				}
			}
		})
	}
}
