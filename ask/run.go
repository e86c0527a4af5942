package ask

import (
	"context"
	"errors"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
)

type runKey struct{}

// run is one run of a handler.
type run struct {
	session   *session
	id        string
	client    Client
	ctx       context.Context
	called    asking.Called
	begun     bool // the session knows the run
	uncertain bool // it may know it: the store failed
	next      int  // the position of the next question or value
	over      bool
	ended     error // the session was closed elsewhere
	interrupt *asking.Interrupt
	waiting   map[int]*waiter
	values    []asking.Once // of which the session has not heard
	size      int           // of all values of the run
	unwatch   func()
}

// events is what the session hears of with an event of a run: first that the run has begun, and the values that its
// handler has computed. The event may be nil.
func (r *run) events(m *asking.Machine, ev asking.Event) (all []asking.Event) {
	if r != nil && !r.begun && !m.Runs(r.id) {
		all = append(all, r.called)
	}
	if r != nil {
		for _, value := range r.values {
			all = append(all, value)
		}
	}
	if ev != nil {
		all = append(all, ev)
	}
	return all
}

// stepped says that the session has heard of the run, or may have.
func (r *run) stepped(err error) {
	switch {
	case err == nil:
		r.begun, r.values = true, nil
	case errors.Is(err, ErrStore):
		r.uncertain = true
	}
}

// end ends a run. The session is locked.
func (r *run) end(ctx context.Context) {
	s := r.session
	r.over = true
	delete(s.runs, r.id)
	switch {
	case !r.begun && !r.uncertain:
	case r.interrupt == nil && (ctx.Err() != nil || !r.begun):
		s.finish(ctx, asking.Cancelled{Call: r.id})
	default:
		s.finish(ctx, asking.Returned{Call: r.id})
	}
	if r.unwatch != nil {
		r.unwatch()
	}
}

// unfit says why a run can ask nothing. The session is locked.
func (r *run) unfit() error {
	switch {
	case r.over:
		return ErrNoCall
	case r.interrupt != nil:
		return ErrInterrupted
	case r.ended != nil:
		return r.ended
	}
	return r.session.failed
}

// outcome is what an ask waits for.
type outcome struct {
	settle *asking.Settle
	err    error
}

// waiter is an ask that waits. Its own goroutine carries the requests to the client, so that an open question costs one
// goroutine. The session guards all but the channel and the context.
type waiter struct {
	ctx     context.Context
	wake    chan struct{} // holds one value when there is something new
	sends   []request
	outcome *outcome
}

func (w *waiter) tell() {
	select {
	case w.wake <- struct{}{}:
	default: // a wake is already there
	}
}

// tell ends the wait for a position. The session is locked.
func (r *run) tell(position int, o outcome) {
	if w := r.waiting[position]; w != nil {
		delete(r.waiting, position)
		w.outcome = &o
		w.tell()
	}
}

// pose asks the machine, and waits.
func (r *run) pose(ctx context.Context, q Question) (Answer, error) {
	position, w, err := r.put(ctx, q)
	if err != nil {
		return Answer{}, err
	}
	s := r.session
	for {
		select {
		case <-w.wake:
		case <-ctx.Done():
			return r.giveUp(ctx, position, w)
		}
		s.mu.Lock()
		sends, o := w.sends, w.outcome
		w.sends = nil
		s.mu.Unlock()
		if o != nil {
			r.notify(ctx, o)
			return o.answer()
		}
		for _, one := range sends {
			s.carry(r, one)
		}
	}
}

// put gives a question to the machine.
func (r *run) put(ctx context.Context, q Question) (position int, w *waiter, err error) {
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := r.unfit(); err != nil {
		return 0, nil, err
	}
	position = r.next
	r.next++
	w = &waiter{ctx: ctx, wake: make(chan struct{}, 1)}
	r.waiting[position] = w
	var t told
	aside(func() { t = s.locked(ctx, r, asking.Posed{Call: r.id, Position: position, Question: q.posed()}) })
	switch {
	case t.err != nil:
		r.tell(position, outcome{err: t.err})
	case !s.machine.Runs(r.id) && r.interrupt == nil: // somebody else ended the call
		r.tell(position, outcome{err: &Error{Outcome: elicit.Cancelled, Cause: elicit.ByCallEnded}})
	case w.outcome == nil:
		s.machine.Trim()
	}
	return position, w, nil
}

// aside runs a function on a stack of its own. A step needs a deep stack, which the goroutine of the handler would keep
// for as long as the person thinks.
func aside(do func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	<-done
}

// giveUp takes a question back whose handler waits no more.
func (r *run) giveUp(ctx context.Context, position int, w *waiter) (Answer, error) {
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if w.outcome != nil { // it was settled meanwhile
		return w.outcome.answer()
	}
	if s.machine != nil {
		if id, open := s.machine.Open(r.id, position); open {
			s.locked(ctx, nil, asking.Cancelled{ID: id})
		}
	}
	delete(r.waiting, position)
	if o := w.outcome; o != nil && o.err == nil && o.settle.Outcome == elicit.Accepted {
		return o.answer() // the store knows it, so the person was told that it counts
	}
	return Answer{}, context.Cause(ctx)
}

func (o outcome) answer() (Answer, error) {
	if o.err != nil {
		return Answer{}, o.err
	}
	if o.settle.Outcome != elicit.Accepted {
		return Answer{}, &Error{Outcome: o.settle.Outcome, Cause: o.settle.Cause, Problems: o.settle.Problems,
			Reasons: o.settle.Reasons}
	}
	a := Answer{ID: o.settle.ID, Content: o.settle.Content, checked: o.settle.Content, Page: o.settle.Page}
	for _, reason := range o.settle.Reasons {
		a.Model = a.Model || reason.Code == "model_answer"
	}
	return a, nil
}

// noticeWait bounds the sending of a notification.
const noticeWait = 5 * time.Second

// notify tells the client that a page is finished. The run does it that waits for the page, whichever process took the
// answer: its call is the connection to the client. It comes before the result of the call.
func (r *run) notify(ctx context.Context, o *outcome) {
	if o.settle == nil || o.settle.Completed == "" || r.client.Conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, noticeWait)
	defer cancel()
	notice := asking.CompleteNotice(r.id, o.settle.Completed)
	r.client.Conn.Notify(ctx, notice.Method, notice.Params) // a client that is gone needs no notice
}
