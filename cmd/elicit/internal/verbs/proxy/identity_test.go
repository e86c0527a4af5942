package proxy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestIdentityTellsServersApart: a wrapper with other arguments, a program at another path, and a script of the same
// name in another directory are different servers.
func TestIdentityTellsServersApart(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must.OK(t, err)
	for _, name := range []string{"good/backup", "evil/backup", "good/server.js", "evil/server.js"} {
		must.OK(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		must.OK(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o700))
	}
	good, evil := filepath.Join(dir, "good"), filepath.Join(dir, "evil")
	if err := os.Symlink(filepath.Join(good, "backup"), filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here")
	}
	t.Setenv("PATH", good)
	at := func(where string, command ...string) string {
		t.Chdir(where)
		return identity(command)
	}
	tests := []struct{ name, got, want string }{
		{"by name", at(dir, "backup", "-y", "x"), good + `/backup ["-y","x"]`},
		{"by path", at(dir, good+"/backup", "-y", "x"), good + `/backup ["-y","x"]`},
		{"by a path from here", at(good, "./backup", "-y", "x"), good + `/backup ["-y","x"]`},
		{"another argument", at(dir, "backup", "-y", "y"), good + `/backup ["-y","y"]`},
		{"no argument", at(dir, "backup"), good + `/backup []`},
		{"an empty argument", at(dir, "backup", ""), good + `/backup [""]`},
		{"one argument with a space", at(dir, "backup", "a b"), good + `/backup ["a b"]`},
		{"two arguments", at(dir, "backup", "a", "b"), good + `/backup ["a","b"]`},
		{"elsewhere", at(dir, evil+"/backup", "-y", "x"), evil + `/backup ["-y","x"]`},
		{"a script", at(good, "backup", "server.js"), good + `/backup ["` + good + `/server.js"]`},
		{"the same script from elsewhere", at(dir, "backup", "good/server.js"), good + `/backup ["` + good + `/server.js"]`},
		{"another directory's script", at(evil, "backup", "server.js"), good + `/backup ["` + evil + `/server.js"]`},
		{"a link", at(dir, "./link", "x"), dir + `/link ["x"] -> "` + good + `/backup"`},
		{"no program", at(dir, "nowhere", "x"), ""},
	}
	for _, tt := range tests {
		if tt.got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, tt.got, tt.want)
		}
	}
}

// TestIdentityKeepsNoSecrets: arguments that may hold a secret become a digest, which depends on every argument.
func TestIdentityKeepsNoSecrets(t *testing.T) {
	program, err := os.Executable()
	must.OK(t, err)
	seen := map[string]string{}
	for _, argument := range []string{"--token=tiger", "--api-key=tiger", "API_KEY=tiger",
		"postgres://u:tiger@h/db", "--x=tiger,ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a",
		strings.Repeat("tiger", 300), strings.Repeat("tiger", 301), "tiger\xff", "tiger\xfe"} {
		got := identity([]string{program, argument})
		if strings.Contains(got, "tiger") || !strings.Contains(got, " sha256:") || len(got) > maxIdentity {
			t.Errorf("%q: got %s", argument, got)
		}
		if other, again := seen[got]; again {
			t.Errorf("%q and %q are one server", other, argument)
		}
		seen[got] = argument
	}
	one, two := identity([]string{program, "--token", "a b"}), identity([]string{program, "--token", "a", "b"})
	if one == two {
		t.Error("one argument and two are one server")
	}
}
