package pdk

import (
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/guestcase"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestTemplatesAreWhole holds what `elicit guardian new` writes against the files of the kits.
func TestTemplatesAreWhole(t *testing.T) {
	out, err := exec.Command("git", "ls-files", "*/template/*").Output()
	if err != nil {
		t.Skipf("not a repository: %v", err)
	}
	want := strings.Fields(string(out))
	var got []string
	if err := fs.WalkDir(templates, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			got = append(got, path)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) || len(got) == 0 {
		t.Errorf("embedded %v\nkept %v", got, want)
	}
	for _, language := range Languages() {
		files, err := Template(language)
		must.OK(t, err)
		if text := string(files["guardian.json"]); !strings.Contains(text, `"name": "hosts"`) || !strings.Contains(text,
			"/request/form/") {
			t.Errorf("%s/guardian.json: %s", language, text)
		}
		if rule := string(files[Rule(language)]); !strings.Contains(rule, "Begin here: ") || !strings.Contains(rule,
			"/fields") && !strings.Contains(rule, `"fields"`) {
			t.Errorf("%s: %q does not say where to begin, or reads no form", language, Rule(language))
		}
		page := string(Page(language))
		if !strings.HasPrefix(page, "# ") || strings.Contains(page, "](../") || strings.Contains(page, "](template/") {
			t.Errorf("the page of %s leads nowhere:\n%s", language, page)
		}
		if Build(language) == "" || Needs(language) == "" {
			t.Errorf("nobody says how %s is built", language)
		}
	}
	text, err := fs.ReadFile(Cases(), "hosts.json")
	if cases := guestcase.Split("hosts.json", text); err != nil || len(cases) < 10 {
		t.Errorf("%d cases: %v", len(cases), err)
	}
}
