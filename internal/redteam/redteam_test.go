package redteam_test

import (
	"bufio"
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/risk"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/redteam"
)

func found(code string, s *risk.Subject) bool {
	return slices.ContainsFunc(risk.Inspect(s), func(f elicit.Finding) bool { return f.Code == code })
}

func secretAsked(f redteam.Form) bool {
	s := &risk.Subject{Mode: elicit.Form, Message: f.Message}
	for _, field := range f.Fields {
		s.Fields = append(s.Fields, risk.Field{Name: field.Name, Title: field.Title, Description: field.Description})
	}
	return found("secret_in_form", s)
}

// corpus reads the forms that name, describe or disguise a secret.
func corpus(t *testing.T) (forms []redteam.Form) {
	t.Helper()
	files, _ := filepath.Glob("../../engine/risk/testdata/secrets/*.jsonl")
	for _, name := range files {
		file, err := os.Open(name)
		must.OK(t, err)
		defer file.Close()
		for lines := bufio.NewScanner(file); lines.Scan(); {
			var f struct{ Kind, Message, Name, Title, Description string }
			must.Unmarshal(t, lines.Bytes(), &f)
			if f.Kind != "harmless" {
				forms = append(forms, redteam.Form{Message: f.Message,
					Fields: []redteam.Field{{Name: f.Name, Title: f.Title, Description: f.Description}}})
			}
		}
	}
	if len(forms) < 400 {
		t.Fatalf("%d forms; want 400 or more", len(forms))
	}
	return forms
}

// below are the changes that hide more than 5 %.
var below = map[string]float64{"calm clause": 94}

// TestForms holds how much of the secrets that the inspection finds it still finds under each change.
func TestForms(t *testing.T) {
	t.Parallel()
	list := redteam.Forms(corpus(t), secretAsked)
	for _, k := range list {
		t.Logf("secret_in_form: %v", k)
		if least := cmp.Or(below[k.Change], 95); k.Percent() < least {
			t.Errorf("secret_in_form keeps %.1f %% under %q; want %.0f %%", k.Percent(), k.Change, least)
		}
	}
	t.Logf("secret_in_form: the worst change is %v", redteam.Worst(list))
}

// TestCommands prints what the rules for commands keep of the commands of the vectors.
func TestCommands(t *testing.T) {
	t.Parallel()
	commands := map[string][]string{}
	files, _ := filepath.Glob("../../testdata/vectors/risk/command-*.json")
	for _, name := range files {
		var vectors []struct {
			In   struct{ Command string }
			Want struct{ Findings []struct{ Code string } }
		}
		must.Unmarshal(t, must.Read(t, name), &vectors)
		for _, v := range vectors {
			for _, f := range v.Want.Findings {
				if strings.HasPrefix(f.Code, "command_") {
					commands[f.Code] = append(commands[f.Code], v.In.Command)
				}
			}
		}
	}
	if len(commands) < 4 {
		t.Fatalf("%d rules; want 4 or more", len(commands))
	}
	for _, code := range slices.Sorted(maps.Keys(commands)) {
		list := redteam.Commands(slices.Compact(commands[code]), func(c string) bool {
			return found(code, &risk.Subject{Mode: elicit.Form, Command: c})
		})
		for _, k := range list {
			t.Logf("%s: %v", code, k)
		}
		t.Logf("%s: the worst change is %v", code, redteam.Worst(list))
	}
}
