//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestPauseIsConfirmedElsewhere: `elicit pause` takes no yes where it is called, not from standard input and not from
// the terminal of an agent. A person confirms it at `elicit answer`, and then hooks are silent.
func TestPauseIsConfirmedElsewhere(t *testing.T) {
	dir := useDesks(t, `{"version":1,"rules":[{"when":{"publishes":"git"},"then":"decline"}]}`)
	note := filepath.Join(dir, "elicit", "pause.json")
	push := strings.Replace(pushHook, "PermissionRequest", "PreToolUse", 1)
	denied := func(want bool) {
		t.Helper()
		word := "{}\n"
		if want {
			word = `"permissionDecision":"deny"`
		}
		startHook(t, push, "claude-code").says(t, word)
	}
	end := func(c *exec.Cmd, code int) {
		t.Helper()
		if err := c.Wait(); c.ProcessState.ExitCode() != code {
			t.Errorf("exit code %d, want %d: %v %s", c.ProcessState.ExitCode(), code, err, c.Stdout)
		}
		if _, err := os.Stat(note); (err == nil) != (code == 0) {
			t.Errorf("exit code %d: the note: %v", code, err)
		}
	}
	start := func() *exec.Cmd {
		t.Helper()
		c := exec.Command("elicit", "pause", "10m")
		out := &bytes.Buffer{}
		c.Stdin, c.Stdout, c.Stderr = strings.NewReader("y\nyes\n"), out, out
		must.OK(t, c.Start())
		return c
	}
	denied(true)
	end(start(), 5)
	own := terminaltest.Open(t, 90, 40, `sh -c 'elicit pause 10m; echo code $?; sleep 60'`)
	own.Wait("code 5")
	p := terminaltest.Open(t, 90, 40, "elicit answer")
	p.Wait("Questions of hooks appear here")
	c := start()
	p.Wait("Let your policy rest for 10m")
	p.Keys("C-x")
	end(c, 3)
	denied(true)
	c = start()
	p.Wait("Let your policy rest for 10m")
	p.Keys("y", "Enter")
	end(c, 0)
	denied(false)
	out, _ := exec.Command("elicit", "doctor").CombinedOutput()
	if !strings.Contains(string(out), "your policy rests for hooks until") {
		t.Errorf("doctor does not tell of the pause:\n%s", out)
	}
	must.Run(t, exec.Command("elicit", "pause", "--end"))
	denied(true)
	// An agent that calls it is asked about it before, and a page or terminal confirms nothing by itself.
	call := strings.Replace(push, "git push", "elicit pause 10m", 1)
	hook := startHook(t, call, "claude-code")
	p.Wait("claude-code asks, running Bash", "elicit pause 10m")
	p.Keys("C-x")
	hook.says(t, `"permissionDecision":"deny"`)
}
