package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

// insideTmux runs a command in a pane of tmux, on a terminal that shows its popups too: the test's own tmux shows one
// pane, in which another tmux runs.
func insideTmux(t *testing.T, command string) (p *terminaltest.Terminal, socket string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "inner") // not t.TempDir: a socket's path must be short
	must.OK(t, err)
	socket = filepath.Join(dir, "s")
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", socket, "kill-server").Run() // gone already when the command ended by itself
		os.RemoveAll(dir)
	})
	return terminaltest.Open(t, 100, 30,
		"unset TMUX TMUX_PANE DISPLAY WAYLAND_DISPLAY; export XDG_CONFIG_HOME="+t.TempDir()+
			"; tmux -S "+socket+" -f /dev/null new-session \""+command+"; read end\"; echo tmux ended"), socket
}

func TestPopupFloatsOverThePane(t *testing.T) {
	t.Parallel()
	p, _ := insideTmux(t, "echo the pane itself; calltool two elicit proxy --ui popup --name demo -- "+
		programtest.DemoServer(t))
	screen := p.Wait("demo asks, running two", "First question", "elicit ─")
	if !strings.Contains(screen, "│") {
		t.Errorf("the popup has no border:\n%s", screen)
	}
	p.Keys("C-x")
	p.Wait("demo asks, running two", "Second question")
	p.Keys("Escape")
	p.Wait("the pane itself", "said:")
	p.Gone("│")
}

// TestAutoFloatsOverAFullScreenClient: the program in the pane keeps its screen and gets the keys that are typed after
// the popup.
func TestAutoFloatsOverAFullScreenClient(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p, _ := insideTmux(t, "crowd 1 "+dir+" screen --ui auto -- "+programtest.DemoServer(t))
	p.Wait("full-screen client")
	p.KeysNow("a")
	p.Wait("s0 asks, running deploy", "Deploy s0-q1 to production?")
	p.Keys("y")
	p.Wait("[Accept]")
	p.Keys("Enter")
	p.Gone("Deploy s0-q1")
	p.Wait("full-screen client")
	p.KeysNow("b")
	p.Wait("s0 asks", "Deploy s0-q2")
	p.Keys("C-x")
	p.Gone("Deploy")
	p.Until("after which both answers are in the journal", func(string) bool { return len(readEnds(t, dir, 1)) == 2 })
	all := readEnds(t, dir, 1)
	if all[0] != (endOf{"s0-q1", "accept"}) || all[1] != (endOf{"s0-q2", "decline"}) {
		t.Errorf("got %v", all)
	}
}

// TestAClosedPopupIsNoAnswer: when the popup is closed from outside, nobody has answered.
func TestAClosedPopupIsNoAnswer(t *testing.T) {
	t.Parallel()
	p, socket := insideTmux(t, "calltool deploy elicit proxy --ui popup --name demo -- "+programtest.DemoServer(t))
	p.Wait("demo asks, running deploy")
	client := strings.TrimSpace(tmux(t, socket, "list-clients", "-F", "#{client_name}"))
	tmux(t, socket, "display-popup", "-C", "-c", client)
	p.Wait("said:")
	screen := p.Gone("demo asks")
	if strings.Contains(screen, "Deployed") {
		t.Errorf("the closed popup agreed:\n%s", screen)
	}
}

// TestAPopupWaitsForAnother: tmux shows one popup at a time, so the question comes after the popup of another program.
func TestAPopupWaitsForAnother(t *testing.T) {
	t.Parallel()
	p, socket := insideTmux(t, "read go; calltool deploy elicit proxy --ui popup --name demo -- "+
		programtest.DemoServer(t))
	p.Until("shows tmux", func(screen string) bool { return strings.Contains(screen, "[0]") })
	client := strings.TrimSpace(tmux(t, socket, "list-clients", "-F", "#{client_name}"))
	other := exec.Command("tmux", "-S", socket, "display-popup", "-E", "-c", client, "echo another popup; read end")
	must.OK(t, other.Start())
	p.Wait("another popup")
	tmux(t, socket, "send-keys", "Enter") // to the pane below the popup
	p.KeysNow("Enter")                    // to the popup, which ends
	if err := other.Wait(); err != nil {
		t.Error(err)
	}
	p.Wait("demo asks, running deploy")
	p.Keys("C-x")
	p.Wait("said: Declined")
}

func tmux(t *testing.T, socket string, args ...string) string {
	t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", socket}, args...)...).CombinedOutput()
	if err != nil {
		t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

func TestPopupNeedsTmux(t *testing.T) {
	t.Parallel()
	p := terminaltest.Open(t, 100, 20, "unset TMUX TMUX_PANE; elicit proxy --ui popup -- true; echo exit $?")
	p.Wait("--ui popup: this is no pane of tmux 3.2 or newer", "exit 1")
}
