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

// Terminal asks a person on the controlling terminal, never on stdin or stdout: those carry somebody else's bytes.
// It shows one request at a time; others wait in the order they came.
type Terminal struct {
	in, out *os.File
	lasting bool   // questions come in sessions: what is said of later ones can be offered
	aloud   *aloud // the line-by-line way of asking, when that is wanted
	beside  []*beside

	mu      sync.Mutex
	changed *sync.Cond
	queue   []*question
	current *question
	given   map[elicit.ID]*question // answered, and not yet known to be settled
	closed  bool
	done    chan struct{}
}

// question is one request on its way through the terminal.
type question struct {
	show   engine.Show
	answer Answer
	screen *screen // kept when an answer is rejected, so that nothing has to be typed again
	send   func(tea.Msg)
	gone   elicit.Cause
	wrong  []elicit.Problem
	lock   *sync.Mutex // the terminal's, guards gone
}

// goneBy is why the request was taken away, or "".
func (q *question) goneBy() elicit.Cause {
	q.lock.Lock()
	defer q.lock.Unlock()
	return q.gone
}

// Lasting offers, beside the answer, what holds for later questions of the session: to remember a yes, and to mute the
// server. It must be called before the first Show.
func (t *Terminal) Lasting() *Terminal {
	t.lasting = true
	return t
}

// NewTerminal opens the controlling terminal, or the one that ELICIT_TTY names. Without one it stands for nobody:
// Modes is empty. ELICIT_ACCESSIBLE=1 and TERM=dumb ask line by line, for screen readers and simple terminals.
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
		t.aloud = newAloud(t.in, t.out)
	}
	go t.loop()
	return t
}

// Modes is everything when there is a terminal and nothing when there is none.
func (t *Terminal) Modes() engine.Modes {
	open := t.out != nil
	return engine.Modes{Form: open, URL: open}
}

// Show puts a request in the queue.
func (t *Terminal) Show(s engine.Show, answer Answer) {
	if t.out == nil {
		go answer(nobody)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, &question{show: s, answer: answer, lock: &t.mu})
	t.changed.Broadcast()
}

// Withdraw takes a request away; if it is on the screen, the person is told why.
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
			go q.send(withdrawn(w.Cause))
		}
	}
}

// Problem tells the person that an answer was not accepted: the request comes back with its problems, or, when it had
// ended before, a notice says how.
func (t *Terminal) Problem(p engine.Problem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q, known := t.given[p.ID]
	if !known || p.About != engine.AboutAnswer {
		return
	}
	delete(t.given, p.ID)
	if p.Outcome != "" {
		t.leave("your answer to %s came too late: %s", oneLine(q.show.Server), english.Cause(p.Cause))
		return
	}
	q.wrong = p.Problems
	t.queue = append([]*question{q}, t.queue...)
	t.changed.Broadcast()
}

// Close takes the current request off the screen, forgets the others and gives the terminal back.
func (t *Terminal) Close() error {
	t.mu.Lock()
	t.closed = true
	t.queue = nil
	if q := t.current; q != nil && q.send != nil {
		go q.send(tea.QuitMsg{})
	}
	t.changed.Broadcast()
	t.mu.Unlock()
	if t.aloud != nil {
		t.aloud.stop()
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
			// A terminal that cannot be drawn on is nobody to ask.
			fmt.Fprintf(os.Stderr, "elicit: the terminal failed: %v\n", err)
			q.answer(nobody)
		case gone != "":
			t.leave("the question of %s is gone: %s", oneLine(q.show.Server), english.Cause(gone))
		case closed:
			// The host is leaving; there is nobody to answer.
		default:
			q.answer(given)
		}
	}
}

// leave writes a line that outlives the screens: they vanish with the host.
func (t *Terminal) leave(format string, args ...any) {
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

// remember keeps an answered question for a while, in case its answer is rejected.
func (t *Terminal) remember(q *question) {
	const enough = 64
	if len(t.given) >= enough {
		clear(t.given)
	}
	t.given[q.show.ID] = q
}

// waiting is how many requests wait behind the current one.
func (t *Terminal) waiting(s *engine.Show) func() int {
	return func() int {
		t.mu.Lock()
		defer t.mu.Unlock()
		return max(s.Waiting, len(t.queue))
	}
}

func (t *Terminal) ask(q *question) (Given, error) {
	if t.aloud != nil {
		return t.aloud.ask(q, t.waiting(&q.show), t.lasting)
	}
	if q.screen == nil {
		q.screen = newScreen(&q.show, t.waiting(&q.show), t.lasting)
	}
	q.screen.given = Given{}
	input := &lease{File: t.in}
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
		go p.Send(rejected(wrong))
	}
	_, err := p.Run()
	return q.screen.given, err
}
