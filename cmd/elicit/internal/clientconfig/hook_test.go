package clientconfig

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/wire/hooks"
	"github.com/elicit-engine/elicit/internal/must"
)

var someEntries = []HookEntry{
	{"PermissionRequest", map[string]any{"hooks": []any{map[string]any{"type": "command",
		"command": "'/usr/bin/elicit' hook claude-code", "onFailure": "block"}}}},
	{"Elicitation", map[string]any{"hooks": []any{map[string]any{"type": "command",
		"command": "'/usr/bin/elicit' hook claude-code", "onFailure": "block"}}}},
}

// TestHooksGoInAndOut: entries are added to every layout, a second time changes nothing, and what the file said before
// comes back. A file that nobody has changed since gets back its bytes.
func TestHooksGoInAndOut(t *testing.T) {
	for name, old := range map[string]string{
		"missing":        "-",
		"empty":          "",
		"blank":          "\n",
		"empty table":    "{}\n",
		"one line":       `{"model":"opus"}`,
		"one line hooks": `{"hooks":{"PermissionRequest":[{"hooks":[]}]},"model":"opus"}`,
		"comments":       "{\n\t// mine\n\t\"hooks\": {\n\t\t// none yet\n\t},\n\t\"a\": 1, // last\n}\n",
		"commas":         "{\n  \"hooks\": {\n    \"PermissionRequest\": [\n      {\"hooks\": []},\n    ],\n  },\n}\n",
		"empty list":     "{\n  \"hooks\": {\n    \"PermissionRequest\": []\n  }\n}\n",
		"windows":        "{\r\n  \"model\": \"opus\",\r\n  \"hooks\": {}\r\n}\r\n",
		"other hooks": `{"hooks": {"PermissionRequest": [{"hooks": [{"command": "x hook claude-code"}]}],` +
			` "Elicitation": [{"hooks": [{"type":"command","command":"'/a' hook codex"}]}]}}`,
	} {
		path := filepath.Join(t.TempDir(), "hooks", "settings.json")
		if old != "-" {
			must.OK(t, os.Mkdir(filepath.Dir(path), 0o700))
			must.Write(t, old, path)
		}
		f := HookFile{"claude-code", "Claude Code", path, false}
		records := HookRecords{Records{filepath.Join(t.TempDir(), "records")}}
		d := readHooks(t, f)
		next, err := d.With(someEntries, 0)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := records.Install(d, next); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		d = readHooks(t, f)
		if again, err := d.With(someEntries, 0); err != nil || !again.Same(d) || len(d.Hooks) != 2 {
			t.Errorf("%s: a second time: %v\n%s", name, err, d.text)
		}
		if name == "windows" && strings.Count(string(d.text), "\n") != strings.Count(string(d.text), "\r\n") {
			t.Errorf("line ends of two kinds: %q", d.text)
		}
		moved := []HookEntry{{"PermissionRequest", map[string]any{"hooks": []any{map[string]any{
			"command": `'/o'\''s/elicit' hook claude-code --on-failure deny`}}}}}
		if next, err = d.With(moved, 0); err != nil || len(next.Hooks) != 1 {
			t.Fatalf("%s: another program: %v\n%s", name, err, next.text)
		}
		plain, err := d.Without()
		if err != nil || len(plain.Hooks) != 0 {
			t.Fatalf("%s: without: %v\n%s", name, err, plain.text)
		}
		if len(records.Files()) != 1 {
			t.Errorf("%s: the records list %v", name, records.Files())
		}
		if next, err = records.Restored(d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := records.Uninstall(d, next); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text, err := os.ReadFile(path)
		if old == "-" {
			if !os.IsNotExist(err) {
				t.Errorf("%s: the new file is left: %v", name, err)
			}
		} else if err != nil || string(text) != old {
			t.Errorf("%s: %v, left\n%s", name, err, text)
		}
		if len(records.Files()) != 0 {
			t.Errorf("%s: the records list %v", name, records.Files())
		}
	}
}

func readHooks(t *testing.T, f HookFile) *HookDoc {
	t.Helper()
	d, err := ReadHooks(f)
	must.OK(t, err)
	return d
}

// TestHooksOfAChangedFile: what somebody wrote after the installation stays.
func TestHooksOfAChangedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	f := HookFile{"claude-code", "Claude Code", path, false}
	records := HookRecords{Records{filepath.Join(t.TempDir(), "records")}}
	d := readHooks(t, f)
	next, err := d.With(someEntries, 0)
	must.OK(t, err)
	must.OK(t, records.Install(d, next))
	later := strings.Replace(string(next.text), "{", "{\n  \"later\": true,", 1)
	must.Write(t, later, path)
	if err := records.Install(d, next); err == nil || !strings.Contains(err.Error(), "changed in the meantime") {
		t.Errorf("it writes over a later file: %v", err)
	}
	d = readHooks(t, f)
	next, err = records.Restored(d)
	if err != nil || strings.Join(strings.Fields(string(next.text)), "") != `{"later":true}` {
		t.Errorf("%v: %s", err, next.text)
	}
}

// TestHooksLeftAlone: a file that cannot be understood in full is not changed.
func TestHooksLeftAlone(t *testing.T) {
	for text, want := range map[string]string{
		`{`:                                      "not JSON",
		`[]`:                                     "not a table",
		`{"hooks": []}`:                          "hooks is not a table",
		`{"hooks": {}, "hooks": {}}`:             "twice",
		`{"hooks": {"Stop": [], "Stop": []}}`:    "twice",
		`{"hooks": {"PermissionRequest": {}}}`:   "PermissionRequest is not a list",
		strings.Repeat(`{"hooks":`, maxDepth+1):  "nested",
		`{"a":"` + strings.Repeat("x", maxOther): "larger",
	} {
		path := must.Write(t, text, t.TempDir(), "settings.json")
		d, err := ReadHooks(HookFile{"claude-code", "Claude Code", path, false})
		if err == nil {
			_, err = d.With(someEntries, 0)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40s: %v", text, err)
		}
	}
}

// TestHookOfEachHostIsFoundAgain tests that each host has a file, and that the entry which is written there is found
// again. Another is never updated, and stays when Elicit is uninstalled.
func TestHookOfEachHostIsFoundAgain(t *testing.T) {
	for _, host := range hooks.Hosts() {
		i := slices.IndexFunc(hookPlaces, func(p hookPlace) bool { return p.host == string(host) })
		if i < 0 {
			if host != hooks.Opencode { // its plugin is written by hand
				t.Errorf("%s has no file: add one to hookPlaces in hook_file.go", host)
			}
			continue
		}
		empty := &HookDoc{File: HookFile{Host: string(host)}}
		entry := HookEntry{hooks.Events(host)[0], HookSetting(host, "/usr/bin/elicit", nil, HookWait)}
		next, err := empty.With([]HookEntry{entry}, HookVersions[host])
		if err != nil {
			t.Fatal(host, err)
		}
		if d, err := parseHooks(empty.File, next.text); err != nil || len(d.Hooks) != 1 {
			t.Errorf("%s: %d hooks of ours are found in this file, %v: ownCommand in hook_edit.go has to know the member "+
				"with the command\n%s", host, len(d.Hooks), err, next.text)
		}
	}
}

// FuzzHooks looks for files that a change spoils, and that do not come back without it.
func FuzzHooks(f *testing.F) {
	for _, seed := range []string{`{}`, "{\n  \"hooks\": {\"Elicitation\": [1]}\n}",
		`{"hooks":{"PermissionRequest":[],},}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, err := parseHooks(HookFile{Host: "claude-code"}, text)
		if err != nil || len(d.Hooks) > 0 {
			return
		}
		next, err := d.With(someEntries, 0)
		if err != nil {
			return
		}
		if _, err := parseHooks(d.File, next.text); err != nil || len(next.Hooks) != 2 {
			t.Fatalf("%v: %s becomes %s", err, text, next.text)
		}
		if plain, err := next.Without(); err != nil || len(plain.Hooks) > 0 {
			t.Fatalf("%v: %s", err, next.text)
		}
	})
}
