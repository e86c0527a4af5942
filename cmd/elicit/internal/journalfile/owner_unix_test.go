//go:build unix

package journalfile

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestJournalIsOursAlone puts what another user could have prepared in the place of a journal. None of it may be used or changed.
func TestJournalIsOursAlone(t *testing.T) {
	empty := func(t *testing.T, path string, mode os.FileMode) {
		t.Helper()
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	cases := map[string]struct {
		prepare func(t *testing.T, path string)
		want    string
	}{
		"link to an empty file": {func(t *testing.T, path string) {
			empty(t, path+".target", 0o600)
			must(t, os.Symlink(path+".target", path))
		}, "is a symbolic link"},
		"link to nothing":  {func(t *testing.T, path string) { must(t, os.Symlink(path+".target", path)) }, "is a symbolic link"},
		"others may read":  {func(t *testing.T, path string) { empty(t, path, 0o644) }, "has the mode 0644"},
		"others may write": {func(t *testing.T, path string) { empty(t, path, 0o666) }, "has the mode 0666"},
		"another name":     {func(t *testing.T, path string) { empty(t, path, 0o600); must(t, os.Link(path, path+".target")) }, "has 2 names"},
		"a pipe":           {func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) }, "is not a file"},
		"of another user":  {func(t *testing.T, path string) { empty(t, path, 0o600); foreignOwner(t, path) }, "belongs to user"},
		"second is a link": {func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("{}\n"), 0o600))
			must(t, os.Symlink("x", path+".2"))
		}, ".2 is a symbolic link"},
		"second is another": {func(t *testing.T, path string) {
			must(t, os.WriteFile(path, []byte("{}\n"), 0o600))
			empty(t, path+".2", 0o640)
		}, "has the mode 0640"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "j")
			c.prepare(t, path)
			j, err := Create(path, nil)
			if err == nil {
				j.Close()
				t.Fatalf("%s was used", j.Name())
			}
			if !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "give --journal") {
				t.Errorf("%v does not say %q and what to do", err, c.want)
			}
			if at, err := os.Stat(path + ".target"); err == nil && at.Size() != 0 {
				t.Error("the file behind was written")
			} else if err != nil && strings.Contains(name, "empty") {
				t.Error(err)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// foreignOwner gives a file away, which only the superuser can.
func foreignOwner(t *testing.T, path string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only the superuser can give a file away")
	}
	must(t, os.Chown(path, 65534, 65534))
}
