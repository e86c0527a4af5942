//go:build unix

package processgroup

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

const opensTerminal = "if (: </dev/tty) 2>/dev/null; then echo $0: it has a terminal; else echo $0: no terminal; fi"

// TestMain is also the program that runs in the terminal of TestOwnTakesTheTerminalAway.
func TestMain(m *testing.M) {
	if os.Getenv("GROUP_IN_A_PANE") == "" {
		os.Exit(m.Run())
	}
	for _, own := range []bool{false, true} {
		cmd := exec.Command("sh", "-c", opensTerminal, map[bool]string{false: "as it is", true: "with Own"}[own])
		if own {
			Own(cmd)
		}
		out, err := cmd.CombinedOutput()
		fmt.Printf("%s%v\n", out, err)
	}
}

// TestOwnTakesTheTerminalAway runs in a real terminal. A program without Own shows that there is a terminal.
func TestOwnTakesTheTerminalAway(t *testing.T) {
	p := terminaltest.Open(t, 80, 10, "GROUP_IN_A_PANE=1 "+os.Args[0])
	p.Wait("as it is: it has a terminal", "with Own: no terminal")
}

// TestTheWholeGroupEnds: a signal and Kill reach the process that a wrapper started, although the wrapper does not
// forward signals.
func TestTheWholeGroupEnds(t *testing.T) {
	// Under nohup the test itself ignores the signal, and a program would inherit that. It does not inherit the handler
	// of a caught signal.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	for name, end := range map[string]func(*exec.Cmd) error{
		"killed":     Kill,
		"signalled":  func(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) },
		"hung up on": func(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGHUP) },
	} {
		cmd := exec.Command("sh", "-c", "sleep 600 & echo started; wait")
		Own(cmd)
		out, err := cmd.StdoutPipe()
		must.OK(t, err)
		must.OK(t, cmd.Start())
		lines := bufio.NewReader(out)
		if line, err := lines.ReadString('\n'); err != nil || strings.TrimSpace(line) != "started" {
			t.Fatalf("%s: got %q, %v", name, line, err)
		}
		if session, err := syscall.Getpgid(cmd.Process.Pid); err != nil || session != cmd.Process.Pid {
			t.Errorf("%s: its group is %d, %v; want %d", name, session, err, cmd.Process.Pid)
		}
		if err := end(cmd); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		// sleep holds the other end of the pipe, so the end of the stream shows that it is gone too.
		if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
			t.Errorf("%s: then came %q, %v", name, rest, err)
		}
		if err := cmd.Wait(); err == nil {
			t.Errorf("%s: it ended by itself", name)
		}
	}
}
