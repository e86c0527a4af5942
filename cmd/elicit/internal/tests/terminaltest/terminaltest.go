// Package terminaltest runs a program in a real terminal for tests. It starts its own tmux server with one pane.
//
//	p := terminaltest.Open(t, 80, 24, "elicit ask --message 'Go on?'")
//	p.Wait("Go on?")
//	p.Keys("Enter")
package terminaltest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Terminal is one terminal that runs a shell command. The terminal and the command end with the test.
type Terminal struct {
	t       *testing.T
	socket  string
	written string // a file to which tmux copies what the command writes, once it has drawn it
}

// patience is the longest wait. It is long, because a test must not fail on a slow machine.
const patience = 4 * time.Minute

// Open runs a shell command in a terminal of this size, in columns and lines. The command has the test's environment.
func Open(t *testing.T, width, height int, command string) *Terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Fatal("these tests need a real terminal: install tmux (apt-get install tmux)")
	}
	dir, err := os.MkdirTemp("", "pane") // not t.TempDir: a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	p := &Terminal{t, filepath.Join(dir, "s"), filepath.Join(dir, "written")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", p.socket, "kill-server").Run() // gone already when the command ended by itself
		os.RemoveAll(dir)
	})
	args := []string{"-S", p.socket, "-f", "/dev/null", "new-session", "-d",
		"-x", fmt.Sprint(width), "-y", fmt.Sprint(height)}
	args = append(args, command+"; cat", // cat keeps the terminal open with the last screen
		";", "pipe-pane", "cat >'"+p.written+"'")
	if out, err := exec.Command("tmux", args...).CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	return p
}

// Close closes the terminal, as a person closes a window: the programs in it get SIGHUP.
func (p *Terminal) Close() {
	p.t.Helper()
	p.tmux("kill-server")
}

// Kill ends the programs of the terminal at once, and waits until the command is gone.
func (p *Terminal) Kill() {
	p.t.Helper()
	group := "-" + strings.TrimSpace(p.tmux("display-message", "-p", "#{pane_pid}"))
	for exec.Command("kill", "-KILL", "--", group).Run() == nil {
		time.Sleep(look)
	}
}

// Resize gives the terminal another size, in columns and lines.
func (p *Terminal) Resize(width, height int) {
	p.t.Helper()
	p.tmux("resize-window", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height))
}

// NotReady is in the footer of a question while keys do not count, because the question has just appeared.
const NotReady = "keys count in a moment"

// Keys presses keys when the screen does not say NotReady. Their names are those of tmux: Enter, Tab, BTab, Escape,
// C-c, Left.
func (p *Terminal) Keys(names ...string) {
	p.t.Helper()
	p.Gone(NotReady)
	p.KeysNow(names...)
}

// KeysNow presses keys, whatever the screen says.
func (p *Terminal) KeysNow(names ...string) {
	p.t.Helper()
	p.tmux(append([]string{"send-keys"}, names...)...)
}

// Type types text when the screen does not say NotReady.
func (p *Terminal) Type(text string) {
	p.t.Helper()
	p.Gone(NotReady)
	p.tmux("send-keys", "-l", text)
}

// Screen returns the text on the screen.
func (p *Terminal) Screen() string {
	p.t.Helper()
	return p.tmux("capture-pane", "-p")
}

// Wait waits until the screen shows every text, and returns it.
func (p *Terminal) Wait(texts ...string) string {
	p.t.Helper()
	return p.Until("shows "+strings.Join(texts, " and "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// Gone waits until the screen no longer shows text.
func (p *Terminal) Gone(text string) string {
	p.t.Helper()
	return p.Until("no longer shows "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

// A wait asks at intervals of look whether the command has written something. That costs little. Each reading of the
// screen is a process, so lookPause is between two of them: many commands draw in pieces, and some a clock. It also
// reads the screen of a command that writes nothing, because its size may have changed: after lookAgain, then after
// twice as long, up to lookSeldom.
const (
	look       = 5 * time.Millisecond
	lookPause  = 30 * time.Millisecond
	lookAgain  = 200 * time.Millisecond
	lookSeldom = 2 * time.Second
)

// Until waits until holds returns true for the screen. what completes the sentence "a screen that …" of a failure.
func (p *Terminal) Until(what string, holds func(string) bool) string {
	p.t.Helper()
	poll := time.NewTicker(look)
	defer poll.Stop()
	for deadline, again := time.Now().Add(patience), lookAgain; ; again = min(2*again, lookSeldom) {
		written, read := p.size(), time.Now()
		screen := p.Screen()
		if holds(screen) {
			return screen
		}
		if read.After(deadline) {
			p.t.Fatalf("waited %v for a screen that %s; it is\n%s", patience, what, screen)
		}
		for since := time.Duration(0); since < lookPause || since < again && p.size() == written; since = time.Since(read) {
			<-poll.C
		}
		if p.size() != written {
			again = lookAgain / 2
		}
	}
}

// size tells how much the command has written.
func (p *Terminal) size() int64 {
	info, err := os.Stat(p.written)
	if err != nil {
		return 0 // nothing yet
	}
	return info.Size()
}

func (p *Terminal) tmux(args ...string) string {
	p.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}
