package guests_test

import (
	"bytes"
	"cmp"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/redteam"
)

// under are the changes that hide more than 5 % from the rules and the model together.
var under = map[string]float64{}

// TestRedteam holds how much of the forms that rules and model find together they still find under each change.
func TestRedteam(t *testing.T) {
	t.Parallel()
	g := load(t, "intent")
	var forms []redteam.Form
	for _, file := range []string{"test", "held"} {
		for _, l := range secretForms(t, file) {
			if l.Get("kind").Str == "describes" || l.Get("kind").Str == "evades" {
				forms = append(forms, redteam.Form{Message: l.Get("message").Str, Fields: []redteam.Field{
					{Name: l.Get("name").Str, Title: l.Get("title").Str, Description: l.Get("description").Str}}})
			}
		}
	}
	list := redteam.Forms(forms, func(f redteam.Form) bool {
		one := form{message: f.Message}
		for _, x := range f.Fields {
			one.fields = append(one.fields, field{x.Name, x.Title, x.Description, "text"})
		}
		q := one.question(t)
		if bytes.Contains(q, []byte(`"secret_in_form"`)) {
			return true
		}
		verdict, _, err := g.call(g.host.Evaluate, g.asked(q))
		must.OK(t, err)
		return strings.Contains(verdict, `"seems_to_ask_secret"`)
	})
	for _, k := range list {
		t.Logf("intent: %v", k)
		if least := cmp.Or(under[k.Change], 95); k.Percent() < least {
			t.Errorf("intent keeps %.1f %% under %q; want %.0f %%", k.Percent(), k.Change, least)
		}
	}
	t.Logf("intent: the worst change is %v; at most %d fuel", redteam.Worst(list), g.most)
}
