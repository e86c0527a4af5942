package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"elicit": main, "calltool": callTool, "painter": painter,
		"greeter": greeter})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			examples, err := filepath.Abs("testdata/codex")
			env.Setenv("CODEX_EXAMPLES", examples)
			guests, worse := filepath.Abs("../../testdata/guests")
			env.Setenv("GUESTS", guests)
			// Nothing of the person who runs the test counts: no files of theirs, no terminal and no display.
			home := filepath.Join(env.WorkDir, "home")
			for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, ".config"),
				"XDG_STATE_HOME": filepath.Join(home, ".local", "state"), "ELICIT_TTY": filepath.Join(home, "no-terminal"),
				"DISPLAY": "", "WAYLAND_DISPLAY": ""} {
				env.Setenv(name, value)
			}
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
