package ui

import (
	"fmt"
	"os"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// Terminal asks a person on the controlling terminal. It never uses stdin or stdout, because those carry the bytes of
// other programs. It shows one request at a time; the others wait in the order of their arrival.
type Terminal struct {
	in, out  *os.File
	lasting  bool      // offer the actions that concern later questions
	lineMode *lineMode // the line-by-line way of asking, when that is wanted
	beside   []*heldWriter

	mu      sync.Mutex
	changed *sync.Cond
	queue   []*question
	current *question
	given   map[elicit.ID]*question // answered, and not yet known to be settled
	closed  bool
	done    chan struct{}
}

// question is one request in the queue of the terminal, or on the screen.
type question struct {
	show   engine.Show
	answer Answer
	screen *screen // kept for a rejected answer, so that the person does not have to type it again
	send   func(tea.Msg)
	gone   elicit.Cause
	wrong  []elicit.Problem
	lock   *sync.Mutex // the terminal's lock; it guards gone
}

// goneBy returns why the request was withdrawn, or "".
func (q *question) goneBy() elicit.Cause {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.gone
}

// Lasting makes the terminal offer the actions that concern later questions of the session: a yes that holds longer,
// and "Decline and mute". Call it before the first Show. It returns t.
func (t *Terminal) Lasting() *Terminal {
	t.lasting = true
	return t
}

// NewTerminal opens the controlling terminal, or the one that ELICIT_TTY names. Without a terminal its Modes are empty.
// With ELICIT_ACCESSIBLE=1 or TERM=dumb it asks line by line, for screen readers and simple terminals.
func NewTerminal() *Terminal {
	t := &Terminal{given: map[elicit.ID]*question{}, done: make(chan struct{})}
	t.changed = sync.NewCond(&t.mu)
	var err error
	if name := os.Getenv("ELICIT_TTY"); name != "" {
		t.in, err = os.OpenFile(name, os.O_RDWR, 0)
		t.out = t.in
	} else {
		t.in, t.out, err = tea.OpenTTY()
	}
	if err != nil {
		t.in, t.out = nil, nil
		close(t.done)
		return t
	}
	if env := os.Getenv("ELICIT_ACCESSIBLE"); env != "" && env != "0" || os.Getenv("TERM") == "dumb" {
		t.lineMode = newLineMode(t.in, t.out)
	}
	go t.loop()
	return t
}

// Modes returns both modes when there is a terminal, and none without one.
func (t *Terminal) Modes() engine.Modes {
	open := t.out != nil
	return engine.Modes{Form: open, URL: open}
}

// Show puts a request in the queue.
func (t *Terminal) Show(s engine.Show, answer Answer) {
	if t.out == nil {
		go answer(noAnswer)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, &question{show: s, answer: answer, lock: &t.mu})
	t.changed.Broadcast()
}

// Withdraw removes a request. If it is on the screen, a notice says why.
func (t *Terminal) Withdraw(w engine.Withdraw) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.given, w.ID)
	for i, q := range t.queue {
		if q.show.ID == w.ID {
			t.queue = append(t.queue[:i], t.queue[i+1:]...)
			return
		}
	}
	if q := t.current; q != nil && q.show.ID == w.ID {
		q.gone = w.Cause
		if q.send != nil {
			go q.send(withdrawnMsg(w.Cause))
		}
	}
}

// Problem reports that the engine did not accept an answer. The request appears again with its problems, or, when it
// had ended before, a notice says how it ended.
func (t *Terminal) Problem(p engine.Problem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q, known := t.given[p.ID]
	if !known || p.About != engine.AboutAnswer {
		return
	}
	delete(t.given, p.ID)
	if p.Outcome != "" {
		t.printLine("your answer to %s came too late: %s", oneLine(q.show.Server), english.Cause(p.Cause))
		return
	}
	q.wrong = p.Problems
	t.queue = append([]*question{q}, t.queue...)
	t.changed.Broadcast()
}

// Close removes the current request from the screen, forgets the others and closes the terminal.
func (t *Terminal) Close() error {
	t.mu.Lock()
	t.closed = true
	t.queue = nil
	if q := t.current; q != nil && q.send != nil {
		go q.send(tea.QuitMsg{})
	}
	t.changed.Broadcast()
	t.mu.Unlock()
	if t.lineMode != nil {
		t.lineMode.stop()
	}
	<-t.done
	for _, b := range t.beside {
		b.close()
	}
	if t.out == nil {
		return nil
	}
	if t.in != t.out {
		t.in.Close()
	}
	return t.out.Close()
}

// loop asks one question after the other.
func (t *Terminal) loop() {
	defer close(t.done)
	for {
		q := t.next()
		if q == nil {
			return
		}
		t.hold(true)
		given, err := t.ask(q)
		t.hold(false)
		t.mu.Lock()
		t.current = nil
		gone, closed := q.gone, t.closed
		if gone == "" && !closed {
			t.remember(q)
		}
		t.mu.Unlock()
		switch {
		case err != nil:
			// Nobody sees a terminal that cannot be drawn on.
			fmt.Fprintf(os.Stderr, "elicit: cannot draw on the terminal, so the question is cancelled: %v\n", err)
			q.answer(noAnswer)
		case gone != "":
			t.printLine("the question of %s is gone: %s", oneLine(q.show.Server), english.Cause(gone))
		case closed:
			// The host is shutting down and takes no answer.
		default:
			q.answer(given)
		}
	}
}

// printLine writes a line that stays on the terminal after the screens are gone.
func (t *Terminal) printLine(format string, args ...any) {
	fmt.Fprintf(t.out, "\r\nelicit: "+format+"\r\n", args...)
}

func (t *Terminal) next() *question {
	t.mu.Lock()
	defer t.mu.Unlock()
	for len(t.queue) == 0 && !t.closed {
		t.changed.Wait()
	}
	if t.closed {
		return nil
	}
	t.current, t.queue = t.queue[0], t.queue[1:]
	return t.current
}

// remember keeps an answered question for some time, in case the engine rejects the answer.
func (t *Terminal) remember(q *question) {
	const enough = 64
	if len(t.given) >= enough {
		clear(t.given)
	}
	t.given[q.show.ID] = q
}

// waiting returns a function that counts the requests that wait behind the current one.
func (t *Terminal) waiting(s *engine.Show) func() int {
	return func() int {
		t.mu.Lock()
		defer t.mu.Unlock()
		return max(s.Waiting, len(t.queue))
	}
}

func (t *Terminal) ask(q *question) (Given, error) {
	if t.lineMode != nil {
		return t.lineMode.ask(q, t.waiting(&q.show), t.lasting)
	}
	if q.screen == nil {
		q.screen = newScreen(&q.show, t.waiting(&q.show), t.lasting)
	}
	q.screen.given = Given{}
	input := &inputLease{File: t.in}
	defer input.end()
	p := tea.NewProgram(q.screen, tea.WithInput(input), tea.WithOutput(t.out), tea.WithoutSignalHandler())
	t.mu.Lock()
	q.send = p.Send
	gone, closed, wrong := q.gone, t.closed, q.wrong
	q.wrong = nil
	t.mu.Unlock()
	if gone != "" || closed {
		return Given{}, nil
	}
	if wrong != nil {
		go p.Send(rejectedMsg(wrong))
	}
	_, err := p.Run()
	return q.screen.given, err
}
