package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/turn"
)

// popup is the place of a window that tmux draws over its panes, one for each question. The window has a terminal of
// its own, so a full-screen program in the pane keeps its screen and its keys.
type popup struct {
	pane  string    // the pane of this process, for tmux
	notes io.Writer // for lines outside of questions
}

// errNoTmux is why there are no popups.
var errNoTmux = errors.New("this is no pane of tmux 3.2 or newer, so there are no popups")

// openPopups returns the place if this process runs in a pane of tmux.
func openPopups(notes io.Writer) (*popup, error) {
	p := &popup{pane: os.Getenv("TMUX_PANE"), notes: notes}
	if os.Getenv("TMUX") == "" || p.pane == "" {
		return nil, errNoTmux
	}
	commands, err := exec.Command("tmux", "list-commands", "display-popup").Output()
	if err != nil || !strings.HasPrefix(string(commands), "display-popup") {
		return nil, errNoTmux
	}
	return p, nil
}

// InTmux reports whether this process runs in a pane of a tmux that has popups.
func InTmux() bool {
	_, err := openPopups(io.Discard)
	return err == nil
}

// client returns the client of tmux that shows the pane, and its terminal.
func (p *popup) client() (name, terminal string, err error) {
	out, err := exec.Command("tmux", "display-message", "-p", "-t", p.pane, "#{client_name}\n#{client_tty}").Output()
	if err != nil {
		return "", "", fmt.Errorf("tmux does not say who looks at the pane: %w", err)
	}
	name, terminal, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	if name == "" || terminal == "" {
		return "", "", errors.New("nobody looks at the tmux session, so there is no place for a popup")
	}
	return name, terminal, nil
}

// enter takes the turn of the terminal in which tmux runs, because tmux shows one popup at a time there.
func (p *popup) enter(stop func() bool, waiting func() int) (*seat, error) {
	name, terminal, err := p.client()
	if err != nil {
		return nil, err
	}
	outer, err := os.OpenFile(terminal, os.O_RDWR|noControl, 0)
	if err != nil {
		return nil, err
	}
	order := turn.On(outer)
	outer.Close()
	if err := order.Wait(stop, waiting); err != nil {
		return nil, err
	}
	s, err := p.show(name, stop)
	if err != nil {
		order.Give()
		return nil, err
	}
	hide := s.leave
	s.others, s.leave = order.Waiting, func() { hide(); order.Give() }
	return s, nil
}

// holds is the program in the popup. It tells the name of its terminal and keeps it open until the pipe ends, which
// happens also when this process dies. It does not read the terminal.
const holds = `tty >"$1/new" && mv "$1/new" "$1/tty" && exec cat "$1/hold" >/dev/null`

// retryPopup is how long this process waits while tmux shows a popup of another program.
const retryPopup = 200 * time.Millisecond

// show opens the popup.
func (p *popup) show(client string, stop func() bool) (*seat, error) {
	dir, err := os.MkdirTemp("", "elicit-popup")
	if err != nil {
		return nil, err
	}
	done := func() { os.RemoveAll(dir) }
	fail := func(err error) (*seat, error) { done(); return nil, err }
	if err := makePipe(filepath.Join(dir, "hold")); err != nil {
		return fail(err)
	}
	hold, err := os.OpenFile(filepath.Join(dir, "hold"), os.O_RDWR, 0)
	if err != nil {
		return fail(err)
	}
	done = func() { os.RemoveAll(dir); hold.Close() } // in this order, or cat could wait for ever for a writer
	for !stop() {
		tmux := exec.Command("tmux", "display-popup", "-E", "-c", client, "-t", p.pane, "-w", "90%", "-h", "90%",
			"-T", " elicit ", "sh", "-c", holds, "sh", dir)
		if err := tmux.Start(); err != nil {
			return fail(err)
		}
		ended := make(chan struct{})
		var failed error
		go func() { failed = tmux.Wait(); close(ended) }()
		name := nameOf(filepath.Join(dir, "tty"), ended)
		if name == "" && failed == nil { // another popup is open
			time.Sleep(retryPopup)
			continue
		}
		if name == "" {
			return fail(fmt.Errorf("tmux shows no popup: %w", failed))
		}
		window, err := os.OpenFile(name, os.O_RDWR|noControl, 0)
		if err != nil {
			return fail(err)
		}
		s := &seat{in: window, out: window}
		if lineByLine() {
			s.lines = newLineMode(window, window)
		}
		s.leave = func() {
			if s.lines != nil {
				s.lines.stop()
			}
			window.Close()
			done()
			<-ended // the window is gone, so the next one can open
		}
		return s, nil
	}
	return fail(turn.ErrStopped)
}

// nameOf waits for the name of the popup's terminal. It returns "" when tmux has ended without a popup.
func nameOf(path string, ended chan struct{}) string {
	poll := time.NewTicker(20 * time.Millisecond)
	defer poll.Stop()
	for {
		if text, err := os.ReadFile(path); err == nil {
			return strings.TrimSpace(string(text))
		}
		select {
		case <-ended:
			return ""
		case <-poll.C:
		}
	}
}

func (p *popup) note(text string)   { fmt.Fprintf(p.notes, "elicit: %s\n", text) }
func (p *popup) turns() *turn.Turns { return nil }
func (p *popup) close() error       { return nil }
