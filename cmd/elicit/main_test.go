package main

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"elicit": main, "calltool": callTool, "painter": painter})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(env *testscript.Env) error {
			examples, err := filepath.Abs("testdata/codex")
			env.Setenv("CODEX_EXAMPLES", examples)
			guests, worse := filepath.Abs("../../testdata/guests")
			env.Setenv("GUESTS", guests)
			return errors.Join(err, worse)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"status": status, "journal": writeStory},
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
