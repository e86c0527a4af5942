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
	// the client is told with notifications/cancelled, and Request returns: the ask waits for that.
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

// session is one client with its machine. One goroutine at a time steps the machine. With a store, the machine is the
// state of the last commit that this process knows, and nil when it must be loaded.
type session struct {
	asker  *Asker
	name   string
	once   bool // it lasts as long as its only call
	client savedClient
	users  int // guarded by asker.mu

	mu        sync.Mutex
	machine   *asking.Machine
	fresh     bool // it has no machine yet, here or in the store
	version   uint64
	commits   []string        // the last, by name
	carried   []asking.Effect // of loading, for the next commit
	runs      map[string]*run
	sends     map[string]context.CancelFunc
	watches   int
	unwatch   func()
	reloading bool
	timer     *time.Timer
	failed    error // the journal failed: nothing is decided any more
	closed    bool
}

func (a *Asker) use(s *session) {
	a.mu.Lock()
	s.users++
	a.mu.Unlock()
}

func (a *Asker) newSession(name string, once bool, c savedClient) *session {
	return &session{asker: a, name: name, once: once, client: c, fresh: true, runs: map[string]*run{},
		sends: map[string]context.CancelFunc{}}
}

// told is what an event brought for whoever reported it.
type told struct {
	problems []elicit.Problem
	about    effect.About
	resume   *asking.Resume
	open     bool // the question that the problems are about is still open
	err      error
}

func (s *session) step(ctx context.Context, ev asking.Event) told {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.locked(ctx, nil, ev)
}

// locked gives the machine an event and performs the effects. An event of a run opens the session if need be; r is nil
// for all others. ev is nil to begin the run alone.
func (s *session) locked(ctx context.Context, r *run, ev asking.Event) (t told) {
	switch {
	case s.failed != nil:
		return told{err: s.failed}
	case s.closed:
		return told{err: ErrClosed}
	case s.asker.options.Store != nil:
		t = s.transact(ctx, r, ev)
	default:
		t = s.stepHere(r, ev)
	}
	if r != nil {
		r.stepped(t.err)
	}
	return t
}

// stepHere is a step of a session that this process alone has.
func (s *session) stepHere(r *run, ev asking.Event) told {
	if s.fresh {
		if r == nil {
			return told{err: ErrClosed}
		}
		if err := s.open(); err != nil {
			return told{err: err}
		}
	}
	effects, err := s.advance(r, ev)
	t := s.perform(effects)
	if t.err == nil {
		t.err = err
	}
	return t
}

// open makes the machine of a session in which nothing was asked so far.
func (s *session) open() error {
	machine, effects, problems := asking.New(s.asker.configOf(s.name, s.client), s.asker.input(nil))
	if len(problems) > 0 {
		return problemsError(problems)
	}
	s.machine, s.carried, s.fresh = machine, effects, false
	return nil
}

// advance steps the machine through an event of a run and what must come before it. An error says that the machine does
// not take the run; its effects count nevertheless.
func (s *session) advance(r *run, ev asking.Event) ([]asking.Effect, error) {
	effects := s.carried
	s.carried = nil
	for _, one := range r.events(s.machine, ev) {
		begin := len(effects)
		effects = append(effects, s.machine.Step(s.asker.input(one))...)
		if _, called := one.(asking.Called); called && !s.machine.Runs(r.id) {
			return effects, refusal(effects[begin:])
		}
	}
	return effects, nil
}

// refusal is the error for a call that the machine did not take.
func refusal(effects []asking.Effect) error {
	for _, next := range effects {
		if ef, is := next.(effect.Problem); is && ef.About == effect.AboutHost {
			return problemsError(ef.Problems)
		}
	}
	return ErrClosed
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
					s.fail(fmt.Errorf("%w: %w", ErrJournal, err))
					return told{err: s.failed}
				}
			}
		case asking.Send:
			s.send(ef)
		case asking.CancelSent:
			s.cancelSend(ef.Ref)
		case asking.Interrupt:
			s.interrupted(ef)
		case asking.Settle:
			if r := s.runs[ef.Call]; r != nil {
				r.tell(ef.Position, outcome{settle: &ef})
			}
		case asking.Resume:
			t.resume = &ef
		case effect.Problem:
			t.problems, t.about, t.open = ef.Problems, ef.About, s.machine.IsOpen(ef.ID)
		case effect.Wake:
			s.wake(ef.At)
		}
	}
	return t
}

// fail ends all asks of a session without the machine.
func (s *session) fail(err error) {
	s.failed = err
	s.tellAll(err)
}

// tellAll ends all asks that wait here, and takes back their requests.
func (s *session) tellAll(err error) {
	for _, r := range s.runs {
		for position := range r.waiting {
			r.tell(position, outcome{err: err})
		}
	}
	s.cancelSends()
}

func (s *session) cancelSends() {
	for ref := range s.sends {
		s.cancelSend(ref)
	}
}

func (s *session) cancelSend(ref string) {
	if cancel := s.sends[ref]; cancel != nil {
		cancel()
		delete(s.sends, ref)
	}
}

// request is a request on its way to the client.
type request struct {
	asking.Send
	ctx    context.Context // ends when the answer is no longer wanted
	cancel func()
}

// send gives a request to the ask that waits for its answer.
func (s *session) send(ef asking.Send) {
	r := s.runs[ef.Call]
	if r == nil || r.waiting[ef.Position] == nil || s.sends[ef.Ref] != nil || !s.machine.WaitsFor(ef.Ref) {
		return // nobody waits for it, it is sent already, or another process has its answer
	}
	w := r.waiting[ef.Position]
	ctx, cancel := context.WithCancel(w.ctx)
	s.sends[ef.Ref] = cancel
	w.sends = append(w.sends, request{ef, ctx, cancel})
	w.tell()
}

// carry carries a request to the client, and brings its answer back as an event. While the store is away the answer
// waits here: nobody else has it.
func (s *session) carry(r *run, one request) {
	defer one.cancel()
	result, err := r.client.request(one.ctx, one.Send)
	ev := asking.Responded{Ref: one.Ref, Result: result}
	if err != nil {
		if one.ctx.Err() != nil {
			return // we took it back, or the call is over; the machine knows
		}
		failed := &ClientError{}
		if !errors.As(err, &failed) {
			failed = &ClientError{Code: -32603, Message: err.Error()}
		}
		ev.Result, ev.Error = nil, encoded(failed)
	}
	report := func() (done bool) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if done = !errors.Is(s.locked(one.ctx, nil, ev).err, ErrStore); done {
			delete(s.sends, one.Ref)
		}
		return done
	}
	if !report() {
		s.asker.retry(one.ctx, report)
	}
}

// request sends a request. A call of a session may lack the connection that earlier ones had.
func (c *Client) request(ctx context.Context, ef asking.Send) (json.RawMessage, error) {
	if c.Conn == nil {
		return nil, &ClientError{Code: -32603, Message: "this call cannot carry requests to the client"}
	}
	return c.Conn.Request(ctx, ef.Method, ef.Params)
}

// interrupted ends the run of a call: its waiting asks return ErrInterrupted.
func (s *session) interrupted(ef asking.Interrupt) {
	r := s.runs[ef.Call]
	if r == nil {
		return
	}
	r.interrupt = &ef
	for position := range r.waiting {
		r.tell(position, outcome{err: ErrInterrupted})
	}
}

// wake asks for a tick at a time, in place of an earlier one.
func (s *session) wake(at int64) {
	if s.timer != nil {
		s.timer.Stop()
		s.timer = nil
	}
	if at != 0 && !s.closed {
		in := time.UnixMilli(at).Sub(s.asker.options.Now())
		s.timer = time.AfterFunc(max(in, 0), func() {
			s.asker.use(s)
			defer s.asker.release(s)
			s.step(context.Background(), event.Ticked{})
		})
	}
}

// release ends a use of a session that find or sessionOf began. A session of a single call is forgotten once nobody
// uses it and nothing of it is open here. A store keeps it for the others.
func (a *Asker) release(s *session) {
	a.mu.Lock()
	s.users--
	idle := s.users == 0 && s.once
	a.mu.Unlock()
	if !idle {
		return
	}
	s.mu.Lock()
	over := a.options.Store != nil || s.failed != nil || s.machine == nil || s.machine.Next() == 0
	s.mu.Unlock()
	if !over {
		return
	}
	a.mu.Lock()
	over = s.users == 0
	if over && a.sessions[s.name] == s {
		delete(a.sessions, s.name)
	}
	a.mu.Unlock()
	if over {
		s.leave()
	}
}

// close ends a session for everybody.
func (s *session) close(cause elicit.Cause) {
	s.step(context.Background(), asking.Closed{Cause: cause})
	s.leave()
}

// depart ends the runs of this process, which ends. The session stays in the store, for other processes.
func (s *session) depart() {
	s.mu.Lock()
	s.tellAll(&Error{Outcome: elicit.Cancelled, Cause: elicit.ByShutdown})
	for _, r := range s.runs {
		if r.interrupt == nil && (r.begun || r.uncertain) {
			s.locked(context.Background(), nil, asking.Cancelled{Call: r.id})
		}
	}
	s.mu.Unlock()
	s.leave()
}

// leave lets go of a session in this process.
func (s *session) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.wake(0)
	s.cancelSends()
}
