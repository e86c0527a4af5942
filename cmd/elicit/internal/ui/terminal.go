package ui

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/turn"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
)

// Terminal asks a person on the controlling terminal, or in popups of tmux. It never uses stdin or stdout, because
// those carry the bytes of other programs. It shows one request at a time; the others wait in the order of their
// arrival. Other processes of the same user that draw on the same terminal take turns with it.
type Terminal struct {
	place     place // nil when there is no terminal
	lasting   bool  // offer the actions that concern later questions
	elsewhere func(s effect.Show, answer Answer, why string)
	beside    []*heldWriter
	clock     func() time.Time

	mu      sync.Mutex
	changed *sync.Cond
	queue   []*question
	current *question
	given   map[elicit.ID]*question // answered, and not yet known to be settled
	open    map[reference]bool      // arrived and not ended, also while the engine keeps it back
	do      func(event.Event)       // gives an event to the engine; nil when nobody listens
	closed  bool
	done    chan struct{}
}

// question is one request in the queue of the terminal, or on the screen.
type question struct {
	show   effect.Show
	answer Answer
	screen *screen // kept for a rejected answer, so that the person does not have to type it again
	send   func(tea.Msg)
	hangUp func() // ends the input of the line-by-line way
	gone   elicit.Cause
	wrong  []elicit.Problem
	came   time.Time       // when the terminal got the question
	noted  []event.Receipt // that the engine has got
	lock   *sync.Mutex     // the terminal's lock; it guards gone
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
	at, err := openTTY()
	if err != nil {
		return newTerminal(nil)
	}
	return newTerminal(at)
}

// NewPopups asks in popups of tmux, one for each question. The error says why there are none. notes gets lines that
// belong to no question.
func NewPopups(notes io.Writer) (*Terminal, error) {
	at, err := openPopups(notes)
	if err != nil {
		return nil, err
	}
	return newTerminal(at), nil
}

func newTerminal(at place) *Terminal {
	t := &Terminal{place: at, given: map[elicit.ID]*question{}, done: make(chan struct{}), clock: time.Now}
	t.changed = sync.NewCond(&t.mu)
	if at == nil {
		close(t.done)
		return t
	}
	go t.loop()
	return t
}

// OrElse makes the terminal polite: it gives a question to elsewhere when another program uses the terminal, and says
// why. Call it before the first Show. It returns t.
func (t *Terminal) OrElse(elsewhere func(s effect.Show, answer Answer, why string)) *Terminal {
	t.elsewhere = elsewhere
	if at, ok := t.place.(*tty); ok {
		at.polite = true
	}
	return t
}

// Taken says which other program uses the terminal now, or "" for none.
func (t *Terminal) Taken() string {
	at, ok := t.place.(*tty)
	if !ok {
		return ""
	}
	if got, err := at.order.Try(); !got || err != nil {
		return "" // another proxy draws a question, and leaves the terminal as it was
	}
	defer at.order.Give()
	return turn.Taken(at.in)
}

// Modes returns both modes when there is a terminal, and none without one.
func (t *Terminal) Modes() elicit.Modes {
	open := t.place != nil
	return elicit.Modes{Form: open, URL: open}
}

// Show puts a request in the queue.
func (t *Terminal) Show(s effect.Show, answer Answer) {
	if t.place == nil {
		go answer(noAnswer)
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue = append(t.queue, &question{show: s, answer: answer, came: t.clock(), lock: &t.mu})
	t.changed.Broadcast()
}

// Withdraw removes a request. If it is on the screen, a notice says why.
func (t *Terminal) Withdraw(w effect.Withdraw) {
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
func (t *Terminal) Problem(p effect.Problem) {
	t.mu.Lock()
	defer t.mu.Unlock()
	q, known := t.given[p.ID]
	if !known || p.About != effect.AboutAnswer {
		return
	}
	delete(t.given, p.ID)
	if p.Outcome != "" {
		t.note("your answer to %s came too late: %s", oneLine(q.show.Server), english.Cause(p.Cause))
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
	var hangUp func()
	if q := t.current; q != nil {
		hangUp = q.hangUp
		if q.send != nil {
			go q.send(tea.QuitMsg{})
		}
	}
	t.changed.Broadcast()
	t.mu.Unlock()
	if hangUp != nil {
		hangUp()
	}
	<-t.done
	for _, b := range t.beside {
		b.close()
	}
	if t.place == nil {
		return nil
	}
	return t.place.close()
}

// loop asks one question after the other.
func (t *Terminal) loop() {
	defer close(t.done)
	for {
		q := t.next()
		if q == nil {
			return
		}
		over := func() bool { gone, closed := t.over(q); return gone != "" || closed }
		at, err := t.place.enter(over, func() int { return 1 + t.waiting(&q.show) })
		if err != nil {
			t.unasked(q, err)
			continue
		}
		t.hold(true)
		given, err := t.ask(q, at)
		t.hold(false)
		gone, closed := t.end(q)
		switch {
		case gone != "":
			t.note("the question of %s is gone: %s", oneLine(q.show.Server), english.Cause(gone))
		case closed:
			// The host is shutting down and takes no answer.
		case err != nil:
			t.unasked(q, err)
		default:
			q.answer(given)
		}
		at.leave()
	}
}

// over reports why a question needs no answer any more.
func (t *Terminal) over(q *question) (gone elicit.Cause, closed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return q.gone, t.closed
}

// end takes a question off the screen. It keeps an answered one, in case the engine rejects the answer.
func (t *Terminal) end(q *question) (gone elicit.Cause, closed bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.current = nil
	q.send, q.hangUp = nil, nil
	if q.gone == "" && !t.closed {
		t.remember(q)
	}
	return q.gone, t.closed
}

// unasked ends a question that could not be drawn, or whose terminal was closed.
func (t *Terminal) unasked(q *question, err error) {
	t.mu.Lock()
	t.current = nil
	delete(t.given, q.show.ID)
	t.mu.Unlock()
	switch {
	case errors.Is(err, turn.ErrStopped): // nobody has seen the question, so nobody misses it
	case t.elsewhere != nil:
		t.elsewhere(q.show, q.answer, err.Error())
	default:
		fmt.Fprintf(os.Stderr, "elicit: cannot ask on the terminal, so the question is cancelled: %v\n", err)
		q.answer(noAnswer)
	}
}

// note writes a line that stays on the terminal, outside of a question.
func (t *Terminal) note(format string, args ...any) { t.place.note(fmt.Sprintf(format, args...)) }

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

// waiting counts the requests of this process that wait behind the current one.
func (t *Terminal) waiting(s *effect.Show) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	waiting := s.Waiting
	if t.open != nil {
		waiting = len(t.open)
		if t.open[reference{s.Session, s.Ref}] {
			waiting--
		}
	}
	return max(waiting, len(t.queue))
}

func (t *Terminal) ask(q *question, at *seat) (Given, error) {
	waiting := func() int { return t.waiting(&q.show) + at.others() }
	if at.lines != nil {
		t.mu.Lock()
		q.hangUp = at.lines.stop
		closed := t.closed
		t.mu.Unlock()
		if closed {
			return Given{}, nil
		}
		t.receipts(q)(event.ReceiptShown)
		given, err := at.lines.ask(q, waiting, t.lasting)
		if at.isLost() {
			err = errWindowClosed
		}
		return given, err
	}
	if q.screen == nil {
		q.screen = newScreen(&q.show, t.lasting)
	}
	q.screen.begin(waiting, t.moreTime(), t.receipts(q), t.clock)
	input := &inputLease{File: at.in}
	defer input.end()
	p := tea.NewProgram(q.screen, tea.WithInput(input), tea.WithOutput(at.out), tea.WithoutSignalHandler())
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
	answered := make(chan struct{})
	go at.untilLost(p.Quit, answered)
	_, err := p.Run()
	close(answered)
	if at.isLost() {
		err = errWindowClosed
	}
	return q.screen.given, err
}
