package grantfile

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/internal/must"
)

func grant(n string) elicit.Grant {
	id := strings.Repeat("0", 32-len(n)) + n
	return elicit.Grant{ID: elicit.ID(id), Digest: id + id, Server: "build", Message: "Go on?", Scope: elicit.Always}
}

func open(t *testing.T, path string) (*File, []elicit.Grant) {
	t.Helper()
	f, list, err := Open(path)
	must.OK(t, err)
	return f, list
}

func TestGrantsAreKeptAndRevoked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "er", "grants.json")
	f, list := open(t, path)
	if len(list) != 0 {
		t.Fatalf("a file that is not there holds %v", list)
	}
	for _, g := range []elicit.Grant{grant("1"), grant("2"), grant("2")} { // the same again takes the place of the first
		must.OK(t, f.Add(g))
	}
	if at, err := os.Stat(path); err != nil || at.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", at.Mode(), err)
	}
	if got := f.Revoked(); got != nil {
		t.Errorf("revoked %v before anybody did", got)
	}
	other, list := open(t, path)
	if len(list) != 2 || list[0] != grant("1") || list[1] != grant("2") {
		t.Fatalf("read back %+v", list)
	}
	removed, err := other.Remove(func(g elicit.Grant) bool { return g.ID == grant("1").ID })
	if err != nil || len(removed) != 1 || removed[0] != grant("1") {
		t.Fatalf("removed %v, %v", removed, err)
	}
	if got := f.Revoked(); len(got) != 1 || got[0] != grant("1").ID {
		t.Errorf("revoked %v, want the first", got)
	}
	if got := f.Revoked(); got != nil {
		t.Errorf("revoked %v twice", got)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".grants*.*")); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

func TestAFileThatCannotBeTrustedGivesAndTakesNothing(t *testing.T) {
	whole := string(engine.AppendGrants(nil, []elicit.Grant{grant("1")}))
	tests := []struct {
		name, text string
		mode       os.FileMode
	}{
		{"not JSON", `{"version":1,"grants":[`, 0o600},
		{"another version", strings.Replace(whole, `"version":1`, `"version":2`, 1), 0o600},
		{"an unknown member", strings.Replace(whole, `"version":1`, `"version":1,"x":1`, 1), 0o600},
		{"a session's grant", strings.Replace(whole, `"always"`, `"session"`, 1), 0o600},
		{"a digest that is none", strings.Replace(whole, `"digest":"0`, `"digest":"`, 1), 0o600},
		{"the same id twice", strings.Replace(whole, `]`,
			`,`+whole[strings.Index(whole, `[`)+1:strings.Index(whole, `]`)]+`]`, 1), 0o600},
		{"a duplicate key", strings.Replace(whole, `"version":1`, `"version":1,"version":1`, 1), 0o600},
		{"the group may write", whole, 0o620},
		{"others may write", whole, 0o602},
		{"others may read", whole, 0o604},
		{"too large", whole + strings.Repeat(" ", maxBytes), 0o600},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := must.Write(t, tt.text, t.TempDir(), "grants.json")
			must.OK(t, os.Chmod(path, tt.mode))
			f, list, err := Open(path)
			if err == nil || list != nil {
				t.Errorf("got %v, %v; want an error", list, err)
			}
			if err := f.Add(grant("2")); err == nil {
				t.Error("a grant was added")
			}
			if got, _ := os.ReadFile(path); string(got) != tt.text {
				t.Errorf("the file was changed to %.200s", got)
			}
		})
	}
}

// TestALinkGivesAndTakesNothing: the owner of a link could choose the file, so a link is refused.
func TestALinkGivesAndTakesNothing(t *testing.T) {
	dir := t.TempDir()
	real, path := filepath.Join(dir, "real.json"), filepath.Join(dir, "grants.json")
	whole := string(engine.AppendGrants(nil, []elicit.Grant{grant("1")}))
	must.Write(t, whole, real)
	if err := os.Symlink(real, path); err != nil {
		t.Skip("no links here")
	}
	f, list, err := Open(path)
	if err == nil || list != nil {
		t.Errorf("got %v, %v; want an error", list, err)
	}
	if err := f.Add(grant("2")); err == nil {
		t.Error("a grant was added")
	}
	if got, _ := os.ReadFile(real); string(got) != whole {
		t.Errorf("the file was changed to %.200s", got)
	}
}

func TestAFileThatIsSpoiltRevokesAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grants.json")
	f, _ := open(t, path)
	must.OK(t, f.Add(grant("1")))
	must.Write(t, "{}", path)
	if got := f.Revoked(); len(got) != 1 {
		t.Errorf("revoked %v, want the one", got)
	}
}

func TestProgramsAddAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "grants.json")
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			f, _, err := Open(path)
			for j := range 5 {
				if err == nil {
					err = f.Add(grant(string(rune('a'+j%6)) + string(rune('0'+i))))
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, list := open(t, path); len(list) != 40 {
		t.Errorf("%d of 40 grants were kept", len(list))
	}
}
