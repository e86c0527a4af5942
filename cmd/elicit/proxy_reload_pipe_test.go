//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
)

// irregular makes each kind of file that a guardian must not be read from, in the place of a file.
var irregular = map[string]func(t *testing.T, path string){
	"a pipe": func(t *testing.T, path string) { must(t, syscall.Mkfifo(path, 0o600)) },
	"a link to a pipe": func(t *testing.T, path string) {
		pipe := filepath.Join(t.TempDir(), "pipe")
		must(t, syscall.Mkfifo(pipe, 0o600))
		must(t, os.Symlink(pipe, path))
	},
	"a link to a device": func(t *testing.T, path string) { must(t, os.Symlink("/dev/zero", path)) },
	"a directory":        func(t *testing.T, path string) { must(t, os.Mkdir(path, 0o700)) },
	"a socket": func(t *testing.T, path string) {
		dir, err := os.MkdirTemp("", "") // the path of a socket is short
		must(t, err)
		t.Cleanup(func() { os.RemoveAll(dir) })
		l, err := net.Listen("unix", filepath.Join(dir, "s"))
		must(t, err)
		t.Cleanup(func() { l.Close() })
		must(t, os.Symlink(filepath.Join(dir, "s"), path))
	},
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestOnlyRegularFilesAreGuardians gives each kind of file in each place where a guardian is read from. Nothing waits,
// and the file is named.
func TestOnlyRegularFilesAreGuardians(t *testing.T) {
	t.Parallel()
	for kind, make := range irregular {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			module, permits := filepath.Join(dir, "x.wasm"), filepath.Join(dir, "p.json")
			make(t, module)
			if err := os.WriteFile(permits, []byte(`{"name":"x","module":"x.wasm"}`), 0o600); err != nil {
				t.Fatal(err)
			}
			data := filepath.Join(dir, "data.json")
			keeper, err := filepath.Abs("../../testdata/guests/keeper.wasm")
			must(t, err)
			must(t, os.WriteFile(data, []byte(`{"name":"k","module":`+cli.Quoted(keeper)+`,"data":"x.wasm"}`), 0o600))
			asked := func(path string) []string {
				return []string{"ask", "--url", "https://example.com/", "--message", "Go on?", "--guardian", path}
			}
			for _, words := range [][]string{asked(dir), asked(module), asked(permits), asked(data),
				{"guardian", "inspect", module}, {"guardian", "check", dir}, {"guardian", "pin", module},
				{"guardian", "run", module, "{}"}} {
				var out, stderr strings.Builder
				code := run(words, strings.NewReader(""), &out, &stderr)
				want := "x.wasm is not a regular file"
				if kind == "a directory" && words[0] == "ask" && words[len(words)-1] == module {
					want = "--guardian names no guardian" // it may hold some
				}
				if code == cli.Fine || !strings.Contains(stderr.String(), want) {
					t.Errorf("%s: exit %d: %s", words, code, stderr.String())
				}
			}
		})
	}
}

// TestReloadPastAPipe puts a pipe among the guardians of a proxy. The proxy names it and keeps its rules. A tighter
// policy is in force as soon as the pipe is gone.
func TestReloadPastAPipe(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	must(t, os.Mkdir(r.path("guards"), 0o700))
	r.guest("wary", "guards/wary.wasm")
	r.write("policy.json", accepts)
	r = reloads(t, dir, "--guardian", r.path("guards"), "--policy", r.path("policy.json"))
	r.call("deploy", deployed)
	must(t, syscall.Mkfifo(r.path("guards/x.wasm"), 0o600))
	r.wait("guards/x.wasm is not a regular file")
	r.write("policy.json", declines)
	r.hangUp()
	r.wait("guards/x.wasm is not a regular file")
	r.call("deploy", deployed)
	must(t, os.Remove(r.path("guards/x.wasm")))
	r.wait("new rules are in force")
	r.call("deploy", declined)
	r.end()
}
