//go:build unix

package clientconfig

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

const (
	plainText = "{\n  // mine\n  \"mcpServers\": {\"a\": {\"command\": \"run\"}, " +
		"\"b\": {\"command\": \"go\", \"args\": [ ]}}\n}\n"
	otherText = plainText + "// x\n"
)

// cursorHome is a home directory with one file of Cursor.
func cursorHome(t *testing.T, text string) (r Records, path string) {
	t.Helper()
	home := t.TempDir()
	path = filepath.Join(home, ".cursor", "mcp.json")
	must.OK(t, os.Mkdir(filepath.Dir(path), 0o700))
	put(t, path, text)
	return Records{filepath.Join(home, "state", "elicit", "installed")}, path
}

func put(t *testing.T, path, text string) {
	t.Helper()
	must.OK(t, os.WriteFile(path, []byte(text), 0o640))
}

func wants(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s: %v\ngot  %s\nwant %s", path, err, got, want)
	}
}

func load(t *testing.T, path string) *Doc {
	t.Helper()
	home := filepath.Dir(filepath.Dir(path))
	for _, f := range Find(Env{System: "linux", Home: home, Get: func(string) string { return "" }}) {
		if f.Path == path {
			d, err := Read(f)
			must.OK(t, err)
			return d
		}
	}
	t.Fatalf("%s was not found", path)
	return nil
}

func wrap(t *testing.T, r Records, path string, servers ...int) {
	t.Helper()
	d, chosen := choose(t, path, servers)
	next, err := d.Wrap(chosen, program)
	must.OK(t, err)
	must.OK(t, r.Install(d, next))
}

// unwrap takes the proxies of some servers away, or all.
func unwrap(t *testing.T, r Records, path string, servers ...int) {
	t.Helper()
	d, chosen := choose(t, path, servers)
	next, err := r.Restored(d, chosen)
	must.OK(t, err)
	must.OK(t, r.Uninstall(d, next))
}

func choose(t *testing.T, path string, servers []int) (d *Doc, chosen []*Server) {
	t.Helper()
	d = load(t, path)
	for _, i := range servers {
		chosen = append(chosen, d.Servers[i])
	}
	return d, chosen
}

func TestUninstallRestoresTheBytes(t *testing.T) {
	tests := []struct {
		name string
		do   func(t *testing.T, r Records, path string)
		want string
	}{
		{"at once", func(t *testing.T, r Records, path string) {
			wrap(t, r, path, 0, 1)
		}, plainText},
		{"one after the other", func(t *testing.T, r Records, path string) {
			wrap(t, r, path, 0)
			wrap(t, r, path, 1)
		}, plainText},
		{"with one taken away before", func(t *testing.T, r Records, path string) {
			wrap(t, r, path, 0, 1)
			unwrap(t, r, path, 1)
		}, plainText},
		{"after somebody else's change", func(t *testing.T, r Records, path string) {
			wrap(t, r, path, 0, 1)
			text, _ := os.ReadFile(path)
			put(t, path, string(text)+"// x\n")
		}, otherText},
		{"with a change between two runs", func(t *testing.T, r Records, path string) {
			wrap(t, r, path, 0)
			text, _ := os.ReadFile(path)
			put(t, path, string(text)+"// x\n")
			wrap(t, r, path, 1)
		}, otherText},
		{"without the records", func(t *testing.T, r Records, path string) {
			wrap(t, r, path, 1)
			must.OK(t, os.RemoveAll(r.Dir))
		}, plainText},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r, path := cursorHome(t, plainText)
			tt.do(t, r, path)
			unwrap(t, r, path)
			wants(t, path, tt.want)
			if left, _ := os.ReadDir(r.Dir); len(left) != 0 {
				t.Errorf("%d files of records are left", len(left))
			}
			if at, err := os.Stat(path); err != nil || at.Mode().Perm() != 0o640 {
				t.Errorf("the file has the mode %v, %v", at.Mode(), err)
			}
			if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) != 0 {
				t.Errorf("left beside it: %v", left)
			}
		})
	}
}

// TestRecordsAreThePersonsAlone: a file of a client holds keys of servers.
func TestRecordsAreThePersonsAlone(t *testing.T) {
	r, path := cursorHome(t, plainText)
	wrap(t, r, path, 0)
	if at, err := os.Stat(r.Dir); err != nil || at.Mode().Perm() != 0o700 {
		t.Errorf("the directory: %v, %v", at, err)
	}
	entries, _ := os.ReadDir(r.Dir)
	if len(entries) != 2 {
		t.Errorf("%d files, want a record and a copy", len(entries))
	}
	for _, entry := range entries {
		if at, err := entry.Info(); err != nil || at.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", entry.Name(), at, err)
		}
	}
	files := r.Files()
	if len(files) != 1 || files[0].Path != path || files[0].Client.ID != "cursor" {
		t.Errorf("the records list %+v", files)
	}
	// A copy that somebody changed is not written back.
	before := r.name(path, ".before")
	must.Write(t, `{"mcpServers":{"a":{"command":"evil"}}}`, before)
	if _, err := r.Restored(load(t, path), nil); err == nil || !strings.Contains(err.Error(), "has changed since") {
		t.Errorf("got %v", err)
	}
}

func TestALinkIsFollowed(t *testing.T) {
	r, path := cursorHome(t, plainText)
	real := filepath.Join(t.TempDir(), "dotfiles.json")
	must.OK(t, errors.Join(os.Rename(path, real), os.Symlink(real, path)))
	wrap(t, r, path, 0)
	if at, err := os.Lstat(path); err != nil || at.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", at, err)
	}
	if text, _ := os.ReadFile(real); !strings.Contains(string(text), program) {
		t.Errorf("the file was not changed: %s", text)
	}
	unwrap(t, r, path)
	wants(t, real, plainText)
}

func TestFilesThatAreLeftAlone(t *testing.T) {
	tests := []struct {
		name, want string
		root       bool
		make       func(path string) error
	}{
		{"two names", "2 names", false, func(path string) error { return os.Link(path, path+".2") }},
		{"of another user", "belongs to user 65534", true, func(path string) error { return os.Chown(path, 65534, 65534) }},
	}
	for _, tt := range tests {
		if tt.root && os.Geteuid() != 0 {
			t.Logf("%s: not tried, because only root can make it", tt.name)
			continue
		}
		r, path := cursorHome(t, plainText)
		must.OK(t, tt.make(path))
		d := load(t, path)
		next, err := d.Wrap(d.Servers, program)
		must.OK(t, err)
		if err := r.Install(d, next); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v", tt.name, err)
		}
		wants(t, path, plainText)
	}
}

// TestAClientThatWritesAtTheSameTimeWins: what it wrote is not lost.
func TestAClientThatWritesAtTheSameTimeWins(t *testing.T) {
	r, path := cursorHome(t, plainText)
	d := load(t, path)
	next, err := d.Wrap(d.Servers, program)
	must.OK(t, err)
	put(t, path, otherText)
	if err := r.Install(d, next); !errors.Is(err, ErrChanged) {
		t.Errorf("got %v", err)
	}
	wants(t, path, otherText)
	unwrap(t, r, path) // the record of the failed try is no harm
	wants(t, path, otherText)
}

func TestFindKnowsThePlaces(t *testing.T) {
	home := t.TempDir()
	project := filepath.Join(home, "src", "shop")
	names := []string{".claude.json", ".config/Claude/claude_desktop_config.json", "codex/config.toml", ".cursor/mcp.json",
		".config/Code/User/mcp.json", ".config/Code/User/profiles/1a/mcp.json", ".gemini/settings.json",
		".config/zed/settings.json", ".config/goose/config.yaml", ".junie/mcp/mcp.json",
		".config/github-copilot/intellij/mcp.json", ".codeium/windsurf/mcp_config.json",
		"src/shop/.mcp.json", "src/shop/.vscode/mcp.json", "src/shop/deep/.codex/config.toml"}
	for _, name := range append(names, "src/.mcp.json", "src/shop/.git/HEAD", ".mcp.json") { // and three that are no files
		path := filepath.Join(home, name)
		must.OK(t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)))
	}
	env := map[string]string{"CODEX_HOME": filepath.Join(home, "codex")}
	found := map[string]bool{}
	for _, f := range Find(Env{"linux", home, filepath.Join(project, "deep"), func(k string) string { return env[k] }}) {
		name, _ := filepath.Rel(home, f.Path)
		found[name] = true
		if f.Project != strings.HasPrefix(name, "src/") {
			t.Errorf("%s: project %t", name, f.Project)
		}
	}
	for _, name := range names {
		if !found[name] {
			t.Errorf("%s was not found", name)
		}
	}
	if len(found) != len(names) {
		t.Errorf("found %d files, want %d: %v", len(found), len(names), found)
	}
}
