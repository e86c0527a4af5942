package main

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

func TestMain(m *testing.M) {
	testscript.Main(apart{m}, map[string]func(){"elicit": main, "calltool": callTool, "painter": painter,
		"greeter": greeter, "crowd": crowd, "declares": declares, "asksiftold": asksIfTold})
}

// leastParallel is how many parallel tests run at once at least. Many of them only wait: for keys that begin to count,
// or for the next look at a file.
const leastParallel = 6

// apart runs the tests apart from the files of the person who runs them: no policy, grants or journals of theirs.
type apart struct{ *testing.M }

func (m apart) Run() int {
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

// TestScripts runs the scripts with the built program. The test program itself, which testscript puts into the path,
// starts more slowly, because it has all packages of the tests.
func TestScripts(t *testing.T) {
	path := filepath.Dir(programtest.Built(t, "./cmd/elicit")) + string(filepath.ListSeparator)
	scripts, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(scripts) == 0 {
		t.Fatal("there are no scripts", err)
	}
	testscript.Run(t, testscript.Params{
		Files: append(scripts, "../../testdata/kept/command.txtar"),
		Setup: func(env *testscript.Env) error {
			examples, err := filepath.Abs("testdata/codex")
			env.Setenv("CODEX_EXAMPLES", examples)
			guests, worse := filepath.Abs("../../testdata/guests")
			env.Setenv("GUESTS", guests)
			// Nothing of the person who runs the test counts: no files of theirs, no terminal and no display.
			home := filepath.Join(env.WorkDir, "home")
			for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"),
				"XDG_STATE_HOME": filepath.Join(home, ".local", "state"), "XDG_RUNTIME_DIR": home,
				"ELICIT_TTY": filepath.Join(home, "no-terminal"),
				"DISPLAY":    "", "WAYLAND_DISPLAY": ""} {
				env.Setenv(name, value)
			}
			env.Setenv("PATH", path+env.Getenv("PATH"))
			return errors.Join(err, worse, os.Mkdir(home, 0o700))
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "journal": writeStory,
			"callthrough": callThrough},
	})
}

// status runs a command and wants an exact exit code: status CODE COMMAND ARG…
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status CODE COMMAND ARG…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
