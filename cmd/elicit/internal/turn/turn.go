// Package turn lets the processes of one user take turns on a terminal, so that only one question is on its screen and
// only one process reads its keys.
//
//	turns := turn.On(tty)
//	if turns.Wait(stopped, waiting) == nil {
//		… draw, and read keys …
//		turns.Give()
//	}
package turn

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// ErrStopped is the error of a Wait that was told to stop.
var ErrStopped = errors.New("no longer waiting for the terminal")

// Turns is the order of the processes on one terminal. Its methods are safe from any goroutine.
//
// The lock of the system on a file is the turn, so the turn of a process ends with the process. A process that waits
// locks another file, one of the places, and writes into it how many questions it has.
type Turns struct {
	path string // of the file whose lock is the turn; the places have the same name and a number
	err  error  // why there is no such file

	mu   sync.Mutex
	file *os.File // open and locked while this process has the turn
}

// On returns the turns on a terminal. It does not fail; without a private directory for the files Wait and Try do.
func On(terminal *os.File) *Turns {
	dir, err := directory()
	if err != nil {
		return &Turns{err: err}
	}
	return &Turns{path: filepath.Join(dir, "terminal-"+device(terminal))}
}

// lookEvery is how often a process that waits tries to get the turn.
const lookEvery = 50 * time.Millisecond

// mostSkipped is how often a process lets one that came before go first although the turn is free. The other one may
// be stopped, and a stopped process must not keep the rest waiting.
const mostSkipped = 20

// Wait waits for the turn; who came first gets it first. It returns ErrStopped after stop has returned true, and
// another error when the files cannot be used. waiting is the number of questions of this process, which the others can
// read meanwhile.
func (t *Turns) Wait(stop func() bool, waiting func() int) error {
	came := time.Now().UnixNano()
	if t.err == nil && len(t.others(nil)) == 0 {
		if got, err := t.Try(); got || err != nil {
			return err
		}
	}
	var mine *os.File
	defer func() {
		if mine != nil {
			mine.Close()
		}
	}()
	written, skipped := 0, 0
	poll := time.NewTicker(lookEvery)
	defer poll.Stop()
	for {
		if stop() {
			return ErrStopped
		}
		if mine == nil && t.err == nil {
			mine = t.takePlace()
		}
		if n := waiting(); mine != nil && n != written {
			written = n
			// The text is only for the order and for the eyes of the person, so a failed write is no reason to stop.
			_, _ = mine.WriteAt(fmt.Appendf(nil, "%d %d\n", came, n), 0)
		}
		got, err := t.Try()
		switch {
		case err != nil:
			return err
		case !got:
			skipped = 0
		case skipped < mostSkipped && t.isAfter(came, mine):
			t.Give()
			skipped++
		default:
			return nil
		}
		<-poll.C
	}
}

// isAfter reports whether a process that waits came before.
func (t *Turns) isAfter(came int64, mine *os.File) bool {
	return slices.ContainsFunc(t.others(mine), func(w waiter) bool { return w.came < came })
}

// Try takes the turn if no other process has it. It must not be called by a process that has the turn.
func (t *Turns) Try() (bool, error) {
	if t.err != nil {
		return false, t.err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		return false, nil
	}
	f, err := openLocked(t.path)
	t.file = f
	return f != nil, err
}

// Give ends the turn.
func (t *Turns) Give() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.file != nil {
		t.file.Close()
		t.file = nil
	}
}

// places bounds the processes that are counted while they wait.
const places = 64

// takePlace returns the first place that no other process has, or nil.
func (t *Turns) takePlace() *os.File {
	for n := range places {
		if f, err := openLocked(t.place(n)); f != nil || err != nil {
			return f
		}
	}
	return nil
}

func (t *Turns) place(n int) string { return t.path + "." + strconv.Itoa(n) }

// Waiting returns the number of questions of the other processes that wait for the turn.
func (t *Turns) Waiting() (questions int) {
	for _, w := range t.others(nil) {
		questions += w.questions
	}
	return questions
}

// waiter is what a process that waits says of itself.
type waiter struct {
	came      int64 // nanoseconds since 1970
	questions int
}

// others lists the processes that wait, without the one that has the file mine.
func (t *Turns) others(mine *os.File) (list []waiter) {
	if t.err != nil {
		return nil
	}
	for n := range places {
		if _, err := os.Lstat(t.place(n)); err != nil {
			break // places are taken in order, and their files stay
		}
		if mine != nil && mine.Name() == t.place(n) {
			continue
		}
		f, err := openLocked(t.place(n))
		switch {
		case f != nil:
			f.Close() // nobody waits there
		case err == nil:
			list = append(list, t.read(n))
		}
	}
	return list
}

// read reads what the process at a place says. A process that says nothing yet is the last, and has one question.
func (t *Turns) read(n int) waiter {
	w := waiter{math.MaxInt64, 1}
	text, err := os.ReadFile(t.place(n))
	if err != nil {
		return w
	}
	var came int64
	var questions int
	if _, err := fmt.Sscanf(string(text), "%d %d\n", &came, &questions); err == nil && questions > 0 && questions < 1e6 {
		w = waiter{came, questions}
	}
	return w
}
