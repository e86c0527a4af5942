// Package programtest builds the programs that tests start, each once for all tests of a package.
package programtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var programs = struct {
	sync.Mutex
	dir string
	at  map[string]string // by package
}{at: map[string]string{}}

// Built returns the path of the program of a package, such as ./cmd/elicit from the root of the module. Tests share it,
// so none may change it. The directory is open to all users, because one test starts a program as nobody.
func Built(t *testing.T, pkg string) string {
	t.Helper()
	programs.Lock()
	defer programs.Unlock()
	if at, done := programs.at[pkg]; done {
		return at
	}
	if programs.dir == "" {
		dir, err := os.MkdirTemp("", "elicit-programs")
		if err == nil {
			err = os.Chmod(dir, 0o755)
		}
		if err != nil {
			t.Fatal(err)
		}
		programs.dir = dir
	}
	at := filepath.Join(programs.dir, filepath.Base(pkg))
	build := exec.Command("go", "build", "-o", at, pkg)
	build.Dir = filepath.Join("..", "..") // tests run in cmd/elicit
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building %s: %v\n%s", pkg, err, out)
	}
	programs.at[pkg] = at
	return at
}

// DemoServer is the demonstration server.
func DemoServer(t *testing.T) string {
	t.Helper()
	return Built(t, "./testdata/demoserver")
}

// Remove removes the programs. The caller runs no test any more.
func Remove() { os.RemoveAll(programs.dir) }
