package house

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/abi"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
)

// rowsUnder returns the first column of every table row in a section of a page.
func rowsUnder(t *testing.T, page, title string) (cells []string) {
	t.Helper()
	_, section, found := strings.Cut("\n"+must.Text(t, page), "\n"+title+"\n")
	if !found {
		t.Fatalf("%s has no section %q", page, title)
	}
	section, _, _ = strings.Cut(section, "\n## ")
	for row := range strings.SplitSeq(section, "\n") {
		if cell, ok := strings.CutPrefix(row, "| "); ok {
			cell, _, _ = strings.Cut(cell, " |")
			cells = append(cells, cell)
		}
	}
	if len(cells) < 3 {
		t.Fatalf("%s has no table under %q", page, title)
	}
	return cells[1:]
}

var spelled = regexp.MustCompile("`([^`]+)`")

// codesIn returns the names in code spans of the cells, sorted.
func codesIn(cells []string) (names []string) {
	for _, cell := range cells {
		for _, name := range spelled.FindAllStringSubmatch(cell, -1) {
			names = append(names, name[1])
		}
	}
	slices.Sort(names)
	return names
}

// TestDocsListTheFamilies checks that the page about vectors names every family and every stateless operation.
func TestDocsListTheFamilies(t *testing.T) {
	const page = "testdata/vectors/README.md"
	var families []string
	entries, err := os.ReadDir("testdata/vectors")
	must.OK(t, err)
	for _, e := range entries {
		if e.IsDir() {
			families = append(families, e.Name())
		}
	}
	if told := codesIn(rowsUnder(t, page, "## Families")); !slices.Equal(told, families) {
		t.Errorf("%s has the families %v, the directory %v", page, told, families)
	}
	ops := describedLists(t)["ops"]
	slices.Sort(ops)
	if told := codesIn(rowsUnder(t, page, "## Operations")); !slices.Equal(told, ops) {
		t.Errorf("%s has the operations %v, describe %v", page, told, ops)
	}
}

// TestDocsDefineTheWords checks that the words are defined once, in order, and that the page of the interfaces has
// the names that describe lists.
func TestDocsDefineTheWords(t *testing.T) {
	const glossary, page = "docs/architecture.md", "docs/reference/abi.md"
	words := rowsUnder(t, glossary, "## Words")
	byLetters := func(a, b string) int { return strings.Compare(strings.ToLower(a), strings.ToLower(b)) }
	if !slices.IsSortedFunc(words, byLetters) {
		t.Errorf("%s is not in the order of the alphabet: %v", glossary, words)
	}
	if once := slices.Compact(slices.Clone(words)); len(once) != len(words) {
		t.Errorf("%s defines a word twice", glossary)
	}
	text := must.Read(t, page)
	for list, names := range describedLists(t) {
		row := regexp.MustCompile("(?m)^\\| `" + list + "` \\| (.*?) \\| .*$")
		want := row.ReplaceAllString(string(text), "| `"+list+"` | $1 | `"+strings.Join(names, "` `")+"` |")
		if *update {
			must.Write(t, want, page)
			text = []byte(want)
		} else if !row.Match(text) || want != string(text) {
			t.Errorf("%s does not have the names of %s: %v; run: go test ./internal/house -run %s -update", page, list,
				names, t.Name())
		}
	}
}

// TestFindingsOfFormsAreFresh checks that the form element has the sentence of every finding, in English the one of the
// engine. Without a sentence, a form shows the bare code to a person.
func TestFindingsOfFormsAreFresh(t *testing.T) {
	const dir = "bindings/js/src/form/strings/"
	var table abi.Table
	_, out, _ := table.Call(abi.OpDescribe, 0, nil, nil)
	var described struct{ Findings []struct{ Code, Text string } }
	if err := json.Unmarshal(out, &described); err != nil || len(described.Findings) < 30 {
		t.Fatal(len(described.Findings), err)
	}
	made := "// Code generated from `describe` by go test ./internal/house -run " + t.Name() + " -update; DO NOT EDIT.\n" +
		"export const findings = {\n"
	for _, finding := range described.Findings {
		made += fmt.Sprintf("  %s: %q,\n", finding.Code, finding.Text)
	}
	pages.File(t, dir+"findings.ts", "go test ./internal/house -run "+t.Name()+" -update", made+"};\n", *update)
	for _, language := range []string{"de", "zh", "ar"} {
		text := must.Text(t, dir+language+".ts")
		for _, finding := range described.Findings {
			if !strings.Contains(text, "\n    "+finding.Code+": ") {
				t.Errorf("%s%s.ts has no sentence for %s: write one, as in findings.ts", dir, language, finding.Code)
			}
		}
	}
}

// describedLists returns the lists of names in describe, without those that have a page or a table of their own: codes,
// protocols and the keys of policies.
func describedLists(t *testing.T) map[string][]string {
	t.Helper()
	var table abi.Table
	_, out, _ := table.Call(abi.OpDescribe, 0, nil, nil)
	lists := map[string][]string{}
	var add func(prefix string, of map[string]json.RawMessage)
	add = func(prefix string, of map[string]json.RawMessage) {
		for name, raw := range of {
			var names []string
			var inner map[string]json.RawMessage
			if json.Unmarshal(raw, &names) == nil {
				lists[prefix+name] = names
			} else if (name == "relay" || name == "asking") && json.Unmarshal(raw, &inner) == nil {
				add(name+".", inner)
			}
		}
	}
	var all map[string]json.RawMessage
	must.Unmarshal(t, out, &all)
	add("", all)
	for _, name := range []string{"problems", "reasons", "remarks", "protocols", "policy_keys"} {
		if len(lists[name]) == 0 {
			t.Errorf("describe has no list %s", name)
		}
		delete(lists, name)
	}
	if len(lists) < 15 {
		t.Fatalf("describe has only the lists %v", slices.Sorted(maps.Keys(lists)))
	}
	return lists
}

// TestDocsListTheDependencies checks that every library that a file of this repository asks for directly has a line in
// docs/rationale.md with the reason. The files of pip are left out, because they also name the dependencies of those
// libraries.
func TestDocsListTheDependencies(t *testing.T) {
	told := strings.ToLower(strings.Join(rowsUnder(t, "docs/rationale.md", "## Which libraries, and why not ours?"), "\n"))
	asked := map[string]string{} // the name of a library, and the file that asks for it
	for _, file := range listedByGit(t, "*go.mod", "*package.json", "*Cargo.toml") {
		text, err := os.ReadFile(file)
		if err != nil {
			continue // removed and not yet committed, or the empty name at the end
		}
		for _, name := range requirements(t, file, string(text)) {
			asked[name] = file
		}
	}
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if !strings.Contains(told, strings.ToLower(name)) {
			t.Errorf("%s asks for %s, which docs/rationale.md does not list", asked[name], name)
		}
	}
	if len(asked) < 40 {
		t.Errorf("only %d dependencies: the test has lost its subject", len(asked))
	}
}

var (
	goModule = regexp.MustCompile(`(?m)^(?:require )?\s*([\w./-]+\.[\w./-]+) v\S+$`)
	crate    = regexp.MustCompile(`(?ms)^\[(?:workspace\.)?(?:dev-|build-)?dependencies\]\n(.*?)(?:\n\[|\z)`)
	crateKey = regexp.MustCompile(`(?m)^([\w-]+)(?: = |\.\w+ = )(.*)$`)
)

// requirements returns the libraries that a file asks for itself, without our own packages.
func requirements(t *testing.T, file, text string) (names []string) {
	t.Helper()
	switch filepath.Base(file) {
	case "go.mod":
		for _, m := range goModule.FindAllStringSubmatch(text, -1) {
			name := regexp.MustCompile(`/v\d+$`).ReplaceAllString(m[1], "")
			if !strings.HasPrefix(name, modulePath) {
				names = append(names, path.Base(name))
			}
		}
	case "package.json":
		var p struct{ Dependencies, DevDependencies map[string]string }
		if err := json.Unmarshal([]byte(text), &p); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		names = slices.AppendSeq(slices.Collect(maps.Keys(p.Dependencies)), maps.Keys(p.DevDependencies))
	case "Cargo.toml":
		for _, section := range crate.FindAllStringSubmatch(text, -1) {
			for _, m := range crateKey.FindAllStringSubmatch(section[1], -1) {
				if !strings.Contains(m[2], "path = ") && !strings.Contains(m[2], "workspace = true") {
					names = append(names, m[1])
				}
			}
		}
	}
	return names
}
