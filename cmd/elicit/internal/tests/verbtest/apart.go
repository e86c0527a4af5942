package verbtest

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// leastParallel is how many parallel tests run at once at least. Many of them only wait: for keys that begin to count,
// or for the next look at a file.
const leastParallel = 6

// Apart runs the tests apart from the files of the person who runs them: no policy, grants or journals of theirs.
type Apart struct{ *testing.M }

// Run runs the tests and returns the exit code.
func (m Apart) Run() int {
	goenv, err := exec.Command("go", "env", "GOENV").Output() // stays where it is; it may name a proxy of modules
	dir, err2 := os.MkdirTemp("", "elicit-test")
	if err := errors.Join(err, err2); err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	os.Setenv("GOENV", strings.TrimSpace(string(goenv)))
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "AppData", "LocalAppData"} {
		os.Setenv(name, dir)
	}
	if runtime.GOOS == "darwin" {
		os.Setenv("HOME", dir)
	}
	defer programtest.Remove()
	flag.Parse()
	chosen := false
	flag.Visit(func(f *flag.Flag) { chosen = chosen || f.Name == "test.parallel" })
	if !chosen && runtime.GOMAXPROCS(0) < leastParallel {
		_ = flag.Set("test.parallel", strconv.Itoa(leastParallel))
	}
	return m.M.Run()
}
