package ask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Conn sends to the client. An adapter supplies it when its transport can carry requests of the server.
type Conn interface {
	// Request sends a request and returns its raw result. A JSON-RPC error of the client is a *ClientError. When ctx ends,
	// the client is told with notifications/cancelled.
	Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
	Notify(ctx context.Context, method string, params json.RawMessage) error
}

// ClientError is a JSON-RPC error that the client answered with.
type ClientError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *ClientError) Error() string { return fmt.Sprintf("client error %d: %s", e.Code, e.Message) }

// session is one client with its machine. The machine is stepped by one goroutine at a time.
type session struct {
	asker *Asker
	name  string
	once  bool // it lasts as long as its only call

	principal string

	mu      sync.Mutex
	machine *asking.Machine
	runs    map[string]*run
	sends   map[string]context.CancelFunc
	pages   map[string]asking.Page
	timer   *time.Timer
	failed  error // the journal failed: nothing is decided any more
}

// errJournal says that a record could not be kept.
var errJournal = errors.New("the journal failed")

// step gives the machine an event and performs the effects. It returns what follows for the caller alone: problems, and
// the call to run again.
func (s *session) step(ev asking.Event) (told told) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.locked(ev)
}

// told is what an event brought for whoever reported it.
type told struct {
	problems []elicit.Problem
	about    effect.About
	settled  *asking.Settle
	resume   *asking.Resume
	err      error
}

func (s *session) locked(ev asking.Event) (t told) {
	if s.failed != nil {
		return told{err: s.failed}
	}
	return s.perform(s.machine.Step(s.asker.input(ev)))
}

func (a *Asker) input(ev asking.Event) asking.Input {
	in := asking.Input{At: a.options.Now().UnixMilli(), Event: ev}
	a.options.Random(&in.Random)
	return in
}

// perform performs the effects in order. When a record cannot be kept, nothing that follows from it happens: every
// waiting ask fails, and so does every later one.
func (s *session) perform(effects []asking.Effect) (t told) {
	for _, next := range effects {
		switch ef := next.(type) {
		case effect.Append:
			if keep := s.asker.options.Journal; keep != nil {
				if err := keep(s.name, ef.Record); err != nil {
					s.fail(fmt.Errorf("%w: %w", errJournal, err))
					return told{err: s.failed}
				}
			}
		case asking.Send:
			s.send(ef)
		case asking.CancelSent:
			if cancel := s.sends[ef.Ref]; cancel != nil {
				cancel()
				delete(s.sends, ef.Ref)
			}
		case asking.Notify:
			if r := s.anyRun(); r != nil {
				go r.client.Conn.Notify(context.WithoutCancel(r.ctx), ef.Method, ef.Params)
			}
		case asking.Page:
			s.pages[ef.Link] = ef
			s.asker.index(func(a *Asker) { a.byLink[ef.Link] = s })
		case asking.Interrupt:
			s.interrupted(ef)
		case asking.Settle:
			t.settled = &ef
			s.settled(ef)
		case asking.Resume:
			t.resume = &ef
		case effect.Problem:
			t.problems, t.about = ef.Problems, ef.About
		case effect.Wake:
			s.wake(ef.At)
		}
	}
	return t
}

func (a *Asker) index(change func(*Asker)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	change(a)
}

// fail ends all asks of a session without the machine.
func (s *session) fail(err error) {
	s.failed = err
	for _, r := range s.runs {
		for position := range r.waiting {
			r.tell(position, outcome{err: err})
		}
	}
	for _, cancel := range s.sends {
		cancel()
	}
}

// send carries a request to the client, and brings its answer back as an event.
func (s *session) send(ef asking.Send) {
	r := s.runs[ef.Call]
	if r == nil {
		return
	}
	ctx, cancel := context.WithCancel(r.ctx)
	s.sends[ef.Ref] = cancel
	go func() {
		defer cancel()
		result, err := r.client.Conn.Request(ctx, ef.Method, ef.Params)
		ev := asking.Responded{Ref: ef.Ref, Result: result}
		if err != nil {
			if ctx.Err() != nil {
				return // we took it back, or the call is over; the machine knows
			}
			failed := &ClientError{}
			if !errors.As(err, &failed) {
				failed = &ClientError{Code: -32603, Message: err.Error()}
			}
			ev.Result, ev.Error = nil, encoded(failed)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.sends, ef.Ref)
		s.locked(ev)
	}()
}

func (s *session) anyRun() *run {
	for _, r := range s.runs {
		if r.client.Conn != nil {
			return r
		}
	}
	return nil
}

// interrupted ends the run of a call: its waiting asks return ErrInterrupted.
func (s *session) interrupted(ef asking.Interrupt) {
	r := s.runs[ef.Call]
	if r == nil {
		return
	}
	r.interrupt = &ef
	if ef.Offer == asking.ByText {
		if id := fallbackID(ef.Result); id != "" {
			s.asker.index(func(a *Asker) { a.byID[id] = s })
		}
	}
	for position := range r.waiting {
		r.tell(position, outcome{err: ErrInterrupted})
	}
}

// fallbackID is the id of the question in a text for the model.
func fallbackID(result []byte) elicit.ID {
	var read struct {
		Meta struct {
			Question struct {
				ID elicit.ID `json:"id"`
			} `json:"elicit/question"`
		} `json:"_meta"`
	}
	if json.Unmarshal(result, &read) != nil {
		return ""
	}
	return read.Meta.Question.ID
}

func (s *session) settled(ef asking.Settle) {
	if r := s.runs[ef.Call]; r != nil {
		r.tell(ef.Position, outcome{settle: &ef})
	}
}

// wake asks for a tick at a time, in place of an earlier one.
func (s *session) wake(at int64) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if at != 0 {
		in := time.UnixMilli(at).Sub(s.asker.options.Now())
		s.timer = time.AfterFunc(max(in, 0), func() { s.tick() })
	}
}

func (s *session) tick() {
	s.step(event.Ticked{})
	s.asker.sweep(s)
}

// sweep forgets a session of a single call once nothing of it is open.
func (a *Asker) sweep(s *session) {
	s.mu.Lock()
	over := s.once && len(s.runs) == 0 && (s.machine.Next() == 0 || s.failed != nil)
	s.mu.Unlock()
	if over {
		a.mu.Lock()
		delete(a.sessions, s.name)
		a.mu.Unlock()
		s.close(elicit.BySessionClosed)
	}
}

func (s *session) close(cause elicit.Cause) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.locked(asking.Closed{Cause: cause})
	if s.timer != nil {
		s.timer.Stop()
	}
	for _, cancel := range s.sends {
		cancel()
	}
	s.asker.index(func(a *Asker) {
		for link := range s.pages {
			delete(a.byLink, link)
		}
		for id, of := range a.byID {
			if of == s {
				delete(a.byID, id)
			}
		}
	})
}
