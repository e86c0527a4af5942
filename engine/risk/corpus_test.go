package risk

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestOrdinaryForms inspects questions that honest servers of many trades and languages ask, and those of public MCP
// servers. None may have a finding above low.
func TestOrdinaryForms(t *testing.T) {
	ordinaryForms(t, "ordinary", 200)
	ordinaryForms(t, "real", 74)
}

func ordinaryForms(t *testing.T, file string, least int) {
	t.Helper()
	var forms []struct {
		Message, URL string
		Fields       []struct{ Name, Title, Description, Default string }
	}
	must.Unmarshal(t, must.Read(t, "testdata/corpus/"+file+"-forms.json"), &forms)
	if len(forms) < least {
		t.Fatalf("%d forms; want %d or more", len(forms), least)
	}
	found := 0
	for _, form := range forms {
		s := Subject{Server: file, Mode: elicit.Form, Message: form.Message, URL: form.URL,
			KnownServers: []string{"github", "calendar"},
			KnownHosts:   []string{"github.com", "example.com", "wikipedia.org"}}
		if s.URL != "" {
			s.Mode = elicit.URL
		}
		for _, f := range form.Fields {
			s.Fields = append(s.Fields, Field{Name: f.Name, Title: f.Title, Description: f.Description, Default: f.Default})
		}
		noneAboveLow(t, form.Message, &s)
		found += len(Inspect(&s))
	}
	t.Logf("%d forms, %d findings of low or info", len(forms), found)
}
