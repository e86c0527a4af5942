// Package programtest makes what tests share once for all tests of a package: the programs that they start, and more.
package programtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

var shared = struct {
	sync.Mutex
	dir   string
	ready map[string]func() error // makes the thing of a name once
}{ready: map[string]func() error{}}

// Shared returns the path of a file or directory that make makes for all tests that ask for this name. None may change
// it. It is below a directory that is open to all users, because one test starts a program as nobody.
func Shared(t testing.TB, name string, make func(path string) error) string {
	t.Helper()
	shared.Lock()
	if shared.dir == "" {
		dir, err := os.MkdirTemp("", "elicit-programs")
		if err == nil {
			err = os.Chmod(dir, 0o755)
		}
		if err != nil {
			shared.Unlock()
			t.Fatal(err)
		}
		shared.dir = dir
	}
	path := filepath.Join(shared.dir, name)
	if shared.ready[name] == nil {
		shared.ready[name] = sync.OnceValue(func() error { return make(path) })
	}
	ready := shared.ready[name]
	shared.Unlock() // so that others need not wait while this one is made
	if err := ready(); err != nil {
		t.Fatalf("making %s: %v", name, err)
	}
	return path
}

// Built returns the path of the program of a package, such as ./cmd/elicit from the top of the repository. It has no
// debug information, which takes the linker most of its time.
func Built(t testing.TB, pkg string) string {
	t.Helper()
	return Shared(t, filepath.Base(pkg), func(path string) error {
		build := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, pkg)
		build.Dir = filepath.Join("..", "..") // tests run in cmd/elicit
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	})
}

// DemoServer is the demonstration server.
func DemoServer(t testing.TB) string {
	t.Helper()
	return Built(t, "./testdata/demoserver")
}

// Remove removes what is shared. The caller runs no test any more.
func Remove() { os.RemoveAll(shared.dir) }
