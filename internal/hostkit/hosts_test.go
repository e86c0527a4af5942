package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/pages"
)

// hosts have a row each: the program that the kit runs, and the words with which a test records what passed.
var hosts = []struct{ name, program, test, words string }{
	{"Go", "engine/drive/loops_test.go", "engine/drive/loops_test.go", `loops.KeepScripts("Go", `},
	{"C", "cabi/test/loop.c", "cabi/library_test.go", `loops.KeepScripts("C", `},
	{"Python", "bindings/python/tests/hostkit.py", "bindings/python/tests/test_loops.py", `"-host", "Python"`},
	{"JavaScript", "bindings/js/test/hostkit.mjs", "bindings/js/test/loops.test.ts", `"-host", "JavaScript"`},
	{"Neovim", "bindings/lua/tests/hostkit.lua", "bindings/lua/tests/loops_test.lua", "-host Neovim "},
	{"Rust", "bindings/rust/tests/hostkit/host.rs", "scripts/test.sh", "-host Rust "},
	{"Java", "bindings/java/src/test/java/dev/elicit/Scripts.java", "cabi/languages_test.go", `loops.Keep("Java", `},
	{"Emacs", "bindings/emacs/tests/elicit-hostkit.el", "scripts/nightly.sh", "/Emacs scenarios "},
}

// recordFile keeps what the last run of each host passed: numbers, or N/M if not everything ran or passed. Emacs has
// the scenarios only, because it starts a program for each connection.
const recordFile = "../../testdata/hosts.json"

type record struct{ Vectors, Connections, Scenarios, Day string }

// TestHostsPage: the page says what the record says, of each host whose test records what it passed. -update first
// takes over what ./build.sh test and nightly left in dist/hosts.txt.
func TestHostsPage(t *testing.T) {
	kept := map[string]record{}
	must.OK(t, json.Unmarshal([]byte(must.Text(t, recordFile)), &kept))
	if *update {
		takeOver(t, kept)
	}
	rows, lines := "| host | vectors | connections in the loop | scenarios |\n|---|---|---|---|\n", []string{}
	for _, h := range hosts {
		k := kept[h.name]
		if k.Scenarios == "" || k.Day == "" || h.name != "Emacs" && (k.Vectors == "" || k.Connections == "") {
			t.Errorf("the record of %s is not whole: %+v", h.name, k)
		}
		if strings.Contains(k.Scenarios, "/") {
			t.Errorf("%s passed %s scenarios only", h.name, k.Scenarios)
		}
		if must.Text(t, "../../"+h.program); !strings.Contains(must.Text(t, "../../"+h.test), h.words) {
			t.Errorf("%s: %s does not record what it passes", h.name, h.test)
		}
		rows += fmt.Sprintf("| [%s](../%s) | %s | %s | %s |\n", h.name, h.program, k.Vectors, k.Connections, k.Scenarios)
		text, err := json.Marshal(k)
		must.OK(t, err)
		lines = append(lines, fmt.Sprintf("  %q: %s", h.name, text))
	}
	const command = "go test ./internal/hostkit -run TestHostsPage -update"
	pages.File(t, recordFile, command, "{\n"+strings.Join(lines, ",\n")+"\n}\n", *update)
	pages.Section(t, "../../docs/hosts.md", "hosts", command, rows, *update)
}

// takeOver reads what loops.Keep wrote. A host that ran twice counts as it did the last time. Nothing of an earlier
// day stays with a host that ran.
func takeOver(t *testing.T, kept map[string]record) {
	const name = "../../dist/hosts.txt"
	info, err := os.Stat(name)
	if err != nil {
		return // nothing ran here
	}
	ran := map[string]record{}
	for line := range strings.Lines(must.Text(t, name)) {
		var host, what string
		var passed, all int
		_, err := fmt.Sscan(line, &host, &what, &passed, &all)
		must.OK(t, err)
		k, says := ran[host], fmt.Sprint(passed)
		if passed != all {
			says += "/" + fmt.Sprint(all)
		}
		*map[string]*string{"vectors": &k.Vectors, "connections": &k.Connections, "scenarios": &k.Scenarios}[what] = says
		k.Day = info.ModTime().UTC().Format("2006-01-02")
		ran[host] = k
	}
	maps.Copy(kept, ran)
}
