package house

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
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

// TestScriptsAreFresh checks that the packages for JavaScript and Python carry the scripts of store/redis and the
// statements of store/sqlite and store/postgres. With -update it writes them.
func TestScriptsAreFresh(t *testing.T) {
	files, err := filepath.Glob("store/redis/scripts/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	slices.Sort(files)
	read := func(file string) string {
		text, err := os.ReadFile(file)
		if err != nil || strings.ContainsAny(string(text), "`\\\"") || strings.Contains(string(text), "${") {
			t.Fatalf("%s cannot be read, or has a character that a literal does not take: %v", file, err)
		}
		return string(text)
	}
	const head = "Code generated from %s by go test ./internal/house -run TestScriptsAreFresh -update; DO NOT EDIT.\n"
	want := map[string]string{}
	write := func(name, js, python string) {
		want["bindings/js/src/store/"+name+".ts"] += js
		want["bindings/python/src/elicit_engine/store/"+name+".py"] += python
	}
	first := fmt.Sprintf(head, "store/redis/scripts")
	write("scripts", "// "+first, "# "+first)
	for _, file := range files {
		name, text := strings.TrimSuffix(filepath.Base(file), ".lua"), read(file)
		write("scripts", fmt.Sprintf("export const %s = `%s`;\n", name, text),
			fmt.Sprintf("%s = \"\"\"%s\"\"\"\n", strings.ToUpper(name), text))
	}
	first = fmt.Sprintf(head, "store/*/statements.sql")
	write("statements", "// "+first, "# "+first)
	for _, store := range []string{"postgres", "sqlite"} {
		var js, python strings.Builder
		for _, block := range strings.Split("\n"+read("store/"+store+"/statements.sql"), "\n-- ")[1:] {
			line, body, _ := strings.Cut(block, "\n")
			name, _, _ := strings.Cut(line, ":")
			fmt.Fprintf(&js, "  %s: `%s`,\n", name, strings.TrimSuffix(body, "\n"))
			fmt.Fprintf(&python, "    \"%s\": \"\"\"%s\"\"\",\n", name, strings.TrimSuffix(body, "\n"))
		}
		write("statements", "export const "+store+": Record<string, string> = {\n"+js.String()+"};\n",
			strings.ToUpper(store)+" = {\n"+python.String()+"}\n")
	}
	for file, want := range want {
		pages.File(t, file, "go test ./internal/house -run TestScriptsAreFresh -update", want, *update)
	}
}

// TestSuitesCountEverything runs suites that pass, fail and break off as build.sh runs its own. One that breaks off
// counts as a failure, wherever it stopped.
func TestSuitesCountEverything(t *testing.T) {
	out, problems, err := bash(t, `
good_suite() { passed=3 skipped=1; }
bad_suite() { passed=5 failed=2; }
fails_suite() { fail "there is no compiler"; }
breaks_suite() { false; passed=9; }
suites good bad fails breaks
echo "$passed $failed $skipped"
suites breaks good
`)
	if err != nil || out != "8 4 1\n" {
		t.Errorf("%v: %q, want 8 passed, 4 failed, 1 skipped\n%s", err, out, problems)
	}
	for _, told := range []string{"bad: 2", "fails: 1", "breaks: 1", "fails: build.sh: there is no compiler"} {
		if !strings.Contains(problems, told) {
			t.Errorf("%q is not told:\n%s", told, problems)
		}
	}
}

// TestBuildsStopAtAFailure: nothing is tested when one of the builds fails, also if it was built before.
func TestBuildsStopAtAFailure(t *testing.T) {
	out, problems, err := bash(t, `
good_build() { echo made >made; }
bad_build() { [ ! -e made ]; }
builds bad
echo once
builds good
builds good bad
echo twice
`)
	if err == nil || out != "once\n" || !strings.Contains(problems, "bad is not built") {
		t.Errorf("%v: %q\n%s", err, out, problems)
	}
}

// TestNeedTriesWhatIsThere: a program, a module or a compiler counts as there only if it does what the tests need. The
// compiler of the second call has no headers of its sanitizer.
func TestNeedTriesWhatIsThere(t *testing.T) {
	out, problems, err := bash(t, `
install_packages() { echo "install $*"; }
clang() { cat >/dev/null; }
python3() { [ "$*" = "-c import there" ]; }
need bash=bash clang:-fsanitize=fuzzer,address=libclang python:there=venv
clang() { echo "asan_interface.h: No such file" >&2; return 1; }
need bash=bash nosuch=package clang:-fsanitize=fuzzer,address=libclang python:missing=venv
`)
	if err != nil || out != "install package libclang venv\n" {
		t.Errorf("%v: %q\n%s", err, out, problems)
	}
}

// bash runs a script with the functions of build.sh that it needs, in a directory of its own.
func bash(t *testing.T, script string) (out, problems string, err error) {
	whole := "set -euo pipefail\n"
	for _, name := range []string{"setup.sh", "suites.sh"} {
		whole += must.Text(t, "scripts", name)
	}
	run := exec.Command("bash", "-c", whole+script)
	run.Dir = t.TempDir()
	var told strings.Builder
	run.Stderr = &told
	said, err := run.Output()
	return string(said), told.String(), err
}
