package ui

import (
	"slices"
	"time"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// reference names a request before and after the engine has given it an id.
type reference struct{ session, ref string }

// Attend sets the function that gives events about a question to the engine. Without it nobody can ask for more time.
// Call it before the first Show. Any goroutine may call do.
func (t *Terminal) Attend(do func(event.Event)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.do = do
}

// Asked counts a question that has arrived, so that the person learns how many wait.
func (t *Terminal) Asked(r elicit.Request) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.open == nil {
		t.open = map[reference]bool{}
	}
	t.open[reference{r.Session, r.Ref}] = true
}

// Over forgets a question that has ended.
func (t *Terminal) Over(r elicit.Request, _ *effect.Reply) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.open, reference{r.Session, r.Ref})
}

// Extend changes the deadline of a question on the screen or in the queue.
func (t *Terminal) Extend(e effect.Extend) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, q := range t.queue {
		if q.show.ID == e.ID {
			q.show.Deadline = e.Deadline
		}
	}
	if q := t.current; q != nil && q.show.ID == e.ID && q.send != nil {
		go q.send(extendedMsg(e.Deadline))
	}
}

// Resolve does nothing: a terminal does not tell how the visit of a page ended.
func (t *Terminal) Resolve(effect.Resolve) {}

// extendedMsg tells the screen its new deadline.
type extendedMsg int64

// extraTime is the time that one request for more time adds to the deadline.
const extraTime = 5 * time.Minute

// moreTime returns what asks the engine for more time, nil when nobody listens.
func (t *Terminal) moreTime() func(s *effect.Show) {
	t.mu.Lock()
	defer t.mu.Unlock()
	do := t.do
	if do == nil {
		return nil
	}
	return func(s *effect.Show) {
		until := max(s.Deadline, t.clock().UnixMilli()) + extraTime.Milliseconds()
		go do(event.Extended{Session: s.Session, ID: s.ID, Until: until})
	}
}

// receipts returns what tells the engine, once each, that a question was drawn and that the person began to answer. A
// question that other questions have kept from the screen gets that time added to its deadline, because the person
// could not see it.
func (t *Terminal) receipts(q *question) func(event.Receipt) {
	t.mu.Lock()
	do := t.do
	t.mu.Unlock()
	return func(r event.Receipt) {
		if do == nil || slices.Contains(q.noted, r) {
			return
		}
		q.noted = append(q.noted, r)
		do(event.Noted{Session: q.show.Session, ID: q.show.ID, Receipt: r})
		late := t.clock().Sub(q.came)
		if r == event.ReceiptShown && q.show.Deadline > 0 && late >= noticeable {
			do(event.Extended{Session: q.show.Session, ID: q.show.ID, Until: q.show.Deadline + late.Milliseconds()})
		}
	}
}

// noticeable is the shortest wait for the screen that is added to a deadline.
const noticeable = time.Second
