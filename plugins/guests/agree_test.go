package guests_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/internal/vectors"
)

// field is a field of a form as guests see it.
type field struct {
	Name        string `json:"name"`
	Label       string `json:"label,omitempty"`
	Description string `json:"help,omitempty"`
	Kind        string `json:"kind"`
}

func shown(t *testing.T, message, url string, fields []field) []byte {
	t.Helper()
	request := map[string]any{"message": message}
	if url != "" {
		request["url"] = url
	}
	if len(fields) > 0 {
		request["form"] = map[string]any{"fields": fields}
	}
	q, err := json.Marshal(map[string]any{"v": 1, "phase": "before_show", "at": 1, "request": request,
		"settings": map[string]any{}, "seed": ""})
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// TestOrdinary shows every guest what honest servers of many trades and languages ask. None stops it, and no finding is
// above low, but for numbers that a form does ask for.
func TestOrdinary(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("../../engine/risk/testdata/corpus/ordinary-forms.json")
	if err != nil {
		t.Fatal(err)
	}
	var forms []struct {
		Message, URL string
		Fields       []struct{ Name, Title, Description string }
	}
	if err := json.Unmarshal(raw, &forms); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"secrets", "links", "destructive", "pii"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := load(t, name)
			for _, form := range forms {
				var fields []field
				for _, f := range form.Fields {
					fields = append(fields, field{f.Name, f.Title, f.Description, "text"})
				}
				verdict, _, err := g.call(g.host.Evaluate, shown(t, form.Message, form.URL, fields))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(verdict, `"decision":"pass"`) || name != "pii" &&
					strings.Contains(verdict, `"severity":"medium"`) {
					t.Errorf("%q: %s", form.Message, verdict)
				}
			}
		})
	}
}

// TestAgree gives the guests what the vectors of the built-in inspection hold of secrets in forms and of destruction:
// they see the same.
func TestAgree(t *testing.T) {
	t.Parallel()
	for guest, family := range map[string]string{"secrets": "secret-in-form", "destructive": "text-destructive"} {
		t.Run(guest, func(t *testing.T) {
			t.Parallel()
			g := load(t, guest)
			tried := 0
			for _, v := range vectors.Read(t, "risk") {
				if !strings.HasPrefix(v.Name(), family+"-") {
					continue
				}
				tried++
				in := gjson.ParseBytes(v.In)
				var fields []field
				in.Get("schema.properties").ForEach(func(name, s gjson.Result) bool {
					kind := "text"
					if s.Get("type").String() == "boolean" || s.Get("enum").Exists() {
						kind = "choice"
					}
					fields = append(fields, field{name.String(), s.Get("title").String(), s.Get("description").String(), kind})
					return true
				})
				verdict, _, err := g.call(g.host.Evaluate, shown(t, in.Get("message").String(), in.Get("url").String(), fields))
				if err != nil {
					t.Fatal(err)
				}
				code := strings.ReplaceAll(family, "-", "_")
				want := strings.Contains(string(v.Want), `"`+code+`"`)
				if strings.Contains(verdict, `"findings"`) != want {
					t.Errorf("%s: the inspection finds something: %v, the guest: %s", v, want, verdict)
				}
			}
			if tried < 8 {
				t.Fatalf("%d vectors", tried)
			}
		})
	}
}
