package pdk

import (
	"io/fs"
	"os/exec"
	"slices"
	"strings"
	"testing"
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
		template, err := Template(language)
		if err != nil {
			t.Fatal(err)
		}
		text, err := fs.ReadFile(template, "guardian.json")
		if err != nil || !strings.Contains(string(text), `"name": "hosts"`) {
			t.Errorf("%s/guardian.json: %v %s", language, err, text)
		}
		page := string(Page(language))
		if !strings.HasPrefix(page, "# ") || strings.Contains(page, "](../") || strings.Contains(page, "](template/") {
			t.Errorf("the page of %s leads nowhere:\n%s", language, page)
		}
		if Build(language) == "" {
			t.Errorf("nobody says how %s is built", language)
		}
	}
	if list, err := fs.ReadDir(Cases(), "."); err != nil || len(list) < 10 {
		t.Errorf("%d cases: %v", len(list), err)
	}
}
