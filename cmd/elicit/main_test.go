package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/verbtest"
)

func TestMain(m *testing.M) {
	testscript.Main(verbtest.Apart{M: m}, map[string]func(){"elicit": main, "calltool": callTool, "painter": painter,
		"greeter": greeter, "crowd": crowd, "declares": declares, "asksiftold": asksIfTold})
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
