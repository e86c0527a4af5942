package ui

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/turn"
)

// place is where a Terminal draws its questions. A Terminal enters it for each question and leaves it afterwards.
type place interface {
	// enter waits until this process may draw. It returns turn.ErrStopped after stop has returned true, and another error
	// when the place cannot be used. waiting is the number of questions of this process, for the others to read.
	enter(stop func() bool, waiting func() int) (*seat, error)
	// note writes a line where the person sees it, and not over a question.
	note(text string)
	// turns are the turns of the processes that write to the terminal of the error stream; nil if that is another one.
	turns() *turn.Turns
	close() error
}

// seat is a place while a question is on its screen.
type seat struct {
	in, out *os.File
	lines   *lineMode  // for asking line by line, nil for drawing
	others  func() int // the questions of other processes that wait
	leave   func()
}

var errWindowClosed = errors.New("its window was closed")

// isLost reports whether the window is gone, so that nobody can have answered.
func (s *seat) isLost() bool { return turn.Gone(s.in) }

// lookEvery is how often a process looks whether the window of its question is still there.
const lookEvery = 200 * time.Millisecond

// untilLost calls quit when the window is gone, unless over is closed before.
func (s *seat) untilLost(quit func(), over <-chan struct{}) {
	poll := time.NewTicker(lookEvery)
	defer poll.Stop()
	for {
		select {
		case <-over:
			return
		case <-poll.C:
		}
		if s.isLost() {
			quit()
			return
		}
	}
}

// tty is the place of the controlling terminal, or of the terminal that ELICIT_TTY names.
type tty struct {
	in, out *os.File
	order   *turn.Turns
	lines   *lineMode
	polite  bool // leave the terminal to another program that uses it

	mu    sync.Mutex
	notes []string // to write when this process has the turn
}

// openTTY opens the terminal.
func openTTY() (*tty, error) {
	t := &tty{}
	var err error
	if name := os.Getenv("ELICIT_TTY"); name != "" {
		t.in, err = os.OpenFile(name, os.O_RDWR|noControl, 0)
		t.out = t.in
	} else {
		t.in, t.out, err = tea.OpenTTY()
	}
	if err != nil {
		return nil, err
	}
	t.order = turn.On(t.in)
	if lineByLine() {
		t.lines = newLineMode(t.in, t.out)
	}
	return t, nil
}

// lineByLine reports whether the person wants questions line by line.
func lineByLine() bool {
	env := os.Getenv("ELICIT_ACCESSIBLE")
	return env != "" && env != "0" || os.Getenv("TERM") == "dumb"
}

func (t *tty) enter(stop func() bool, waiting func() int) (*seat, error) {
	if err := t.order.Wait(stop, waiting); err != nil {
		return nil, err
	}
	if t.polite {
		if why := turn.Taken(t.in); why != "" {
			t.order.Give()
			return nil, errors.New(why)
		}
	}
	if turn.Gone(t.in) {
		t.order.Give()
		return nil, errWindowClosed
	}
	t.write()
	turn.Flush(t.in)
	return &seat{in: t.in, out: t.out, lines: t.lines, others: t.order.Waiting, leave: func() {
		t.write()
		t.order.Give()
	}}, nil
}

// note writes the line at once if this process can have the turn now, and else when it next has one.
func (t *tty) note(text string) {
	t.mu.Lock()
	t.notes = append(t.notes, text)
	t.mu.Unlock()
	if got, err := t.order.Try(); got && err == nil {
		if !t.polite || turn.Taken(t.in) == "" {
			t.write()
		}
		t.order.Give()
	}
}

// write writes the waiting lines. The caller has the turn.
func (t *tty) write() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, text := range t.notes {
		fmt.Fprintf(t.out, "\r\nelicit: %s\r\n", text)
	}
	t.notes = nil
}

func (t *tty) turns() *turn.Turns { return t.order }

func (t *tty) close() error {
	if t.lines != nil {
		t.lines.stop()
	}
	if t.in != t.out {
		t.in.Close()
	}
	return t.out.Close()
}
