//go:build unix

package main

import (
	"bytes"
	"errors"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestClosedTerminal closes the terminal of a question whose process is of another session, as that of a client is. No
// signal tells such a process. The question ends, and with it the process.
func TestClosedTerminal(t *testing.T) {
	for name, accessible := range map[string]string{"drawn": "0", "line by line": "1"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			elicit, dir := programtest.Built(t, "./cmd/elicit"), t.TempDir()
			at := terminaltest.Open(t, 80, 24, "tty >"+dir+"/tty; echo ready; sleep 600")
			at.Wait("ready")
			ask := exec.Command(elicit, "ask", "--message", "Go on?")
			ask.Env = append(ask.Environ(), "ELICIT_TTY="+strings.TrimSpace(must.Text(t, dir, "tty")),
				"ELICIT_ACCESSIBLE="+accessible)
			ask.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			var notes bytes.Buffer
			ask.Stderr = &notes
			must.OK(t, ask.Start())
			t.Cleanup(func() { _ = ask.Process.Kill() })
			at.Wait("Go on?")
			at.Close()
			err := ask.Wait()
			if code := (*exec.ExitError)(nil); !errors.As(err, &code) || code.ExitCode() != 4 ||
				!strings.Contains(notes.String(), "its window was closed") {
				t.Errorf("%v\n%s", err, notes.Bytes())
			}
		})
	}
}
