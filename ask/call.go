package ask

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// Client says who calls, as an adapter knows it.
type Client struct {
	// Session names the client's session, "" when the protocol or the transport has none. Then every call stands alone.
	Session string
	// Principal is who is behind the client, from the server's own authorization. Never from what the client says.
	Principal string
	// Version is the protocol date, and Declared what the client declared for elicitation.
	Version  string
	Declared elicit.Modes
	// Conn sends requests to the client; nil when the transport cannot carry them.
	Conn Conn
}

// Call is one call of a tool, a prompt or a resource.
type Call struct {
	Client
	Method     string // "" for tools/call
	Target     string
	Arguments  json.RawMessage
	Structured bool            // the tool has an output schema
	State      string          // of a repeated call (2026-07-28), as the client gave it
	Responses  json.RawMessage // of a repeated call
}

// Interruption is what the adapter answers the call with when it has to end while the person thinks. One member is set.
type Interruption struct {
	Result json.RawMessage // the result: input_required, or a text for the model
	Error  json.RawMessage // a JSON-RPC error object
}

// ErrState says that a repeated call brought a state that this server did not seal for it. The adapter answers with
// invalid params and this text alone: the reason would help who forges states.
var ErrState = fmt.Errorf("ask: invalid or expired requestState")

// ErrPrincipal says that a call names a session of somebody else.
var ErrPrincipal = fmt.Errorf("ask: the session belongs to another principal")

// Do runs a handler for a call. If the call has to end while the person thinks, Do returns an Interruption, and the
// handler's result counts for nothing. The handler gets a context in which it can ask.
func (a *Asker) Do(ctx context.Context, c Call, handler func(ctx context.Context) error) (*Interruption, error) {
	if c.Method == "" {
		c.Method = "tools/call"
	}
	body, err := a.openState(c)
	if err != nil {
		return nil, err
	}
	s, err := a.session(c, body)
	if err != nil {
		return nil, err
	}
	defer a.sweep(s)
	r := &run{session: s, id: a.newID(), client: c.Client, waiting: map[int]chan outcome{}}
	runCtx, cancel := context.WithCancel(context.WithValue(ctx, runKey{}, r))
	defer cancel()
	r.ctx = runCtx
	s.mu.Lock()
	s.runs[r.id] = r
	t := s.locked(asking.Called{Call: r.id, Method: c.Method, Target: c.Target, Arguments: c.Arguments,
		Structured: c.Structured, Answers: body.Machine, Responses: c.Responses})
	s.mu.Unlock()
	if t.err == nil && len(t.problems) > 0 {
		t.err = problemsError(t.problems)
	}
	if t.err != nil {
		s.mu.Lock()
		delete(s.runs, r.id)
		s.mu.Unlock()
		return nil, t.err
	}
	err = handler(runCtx)
	s.mu.Lock()
	defer s.mu.Unlock()
	r.over = true
	if ctx.Err() != nil && r.interrupt == nil {
		s.locked(asking.Cancelled{Call: r.id})
	} else {
		s.locked(asking.Returned{Call: r.id})
	}
	delete(s.runs, r.id)
	if r.interrupt == nil {
		return nil, err
	}
	return a.interruption(c, s, r.interrupt)
}

// interruption makes what the call is answered with.
func (a *Asker) interruption(c Call, s *session, i *asking.Interrupt) (*Interruption, error) {
	if i.Offer != asking.ByRounds {
		return &Interruption{Result: i.Result, Error: i.Error}, nil
	}
	state := roundState{Machine: i.Body}
	if i.Keep {
		state.Session = s.name
	}
	sealed, err := a.options.Seal.Seal(a.binding(c), encoded(state), time.UnixMilli(i.Expires))
	if err != nil {
		return nil, fmt.Errorf("ask: sealing the state of the call: %w", err)
	}
	return &Interruption{Result: asking.InputRequired(i.Requests, sealed)}, nil
}

// roundState is what a client carries from one round of a call to the next.
type roundState struct {
	Session string          `json:"session,omitempty"` // of a machine that knows more
	Machine json.RawMessage `json:"machine,omitempty"`
}

func (a *Asker) binding(c Call) Binding {
	return Binding{Principal: c.Principal, Method: c.Method, Target: c.Target, Server: a.options.Server,
		Arguments: c.Arguments}
}

func (a *Asker) openState(c Call) (body roundState, err error) {
	if c.State == "" {
		return body, nil
	}
	sealed, err := a.options.Seal.Open(a.binding(c), c.State)
	if err != nil || json.Unmarshal(sealed, &body) != nil {
		return body, ErrState
	}
	return body, nil
}

// session finds the session of a call, or opens one.
func (a *Asker) session(c Call, body roundState) (*session, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, &Error{Outcome: elicit.Cancelled, Cause: elicit.ByShutdown}
	}
	name, once := c.Session, false
	if body.Session != "" && a.sessions[body.Session] != nil {
		return a.sessions[body.Session], nil
	}
	if name == "" {
		name, once = a.newID(), true
	}
	if s := a.sessions[name]; s != nil {
		if s.principal != c.Principal { // a session id is no proof of who calls
			return nil, ErrPrincipal
		}
		return s, nil
	}
	machine, effects, problems := asking.New(a.config(c.Client), a.input(nil))
	if len(problems) > 0 {
		return nil, problemsError(problems)
	}
	s := &session{asker: a, name: name, once: once, principal: c.Principal, machine: machine, runs: map[string]*run{},
		sends: map[string]context.CancelFunc{}, pages: map[string]asking.Page{}}
	a.sessions[name] = s
	a.mu.Unlock()
	defer a.mu.Lock()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s, s.perform(effects).err
}

func (a *Asker) newID() string {
	var random [32]byte
	a.options.Random(&random)
	return hex.EncodeToString(random[:16])
}

type runKey struct{}

// run is one run of a handler.
type run struct {
	session   *session
	id        string
	client    Client
	ctx       context.Context
	next      int // the position of the next question
	over      bool
	interrupt *asking.Interrupt
	waiting   map[int]chan outcome
}

// outcome is what an ask waits for.
type outcome struct {
	settle *asking.Settle
	err    error
}

// tell ends the wait for a position. The session is locked.
func (r *run) tell(position int, o outcome) {
	if waiter := r.waiting[position]; waiter != nil {
		delete(r.waiting, position)
		waiter <- o
	}
}

// pose asks the machine, and waits.
func (r *run) pose(ctx context.Context, q Question) (Answer, error) {
	s := r.session
	s.mu.Lock()
	switch {
	case r.over:
		s.mu.Unlock()
		return Answer{}, ErrNoCall
	case r.interrupt != nil:
		s.mu.Unlock()
		return Answer{}, ErrInterrupted
	case s.failed != nil:
		s.mu.Unlock()
		return Answer{}, s.failed
	}
	position := r.next
	r.next++
	waiter := make(chan outcome, 1)
	r.waiting[position] = waiter
	s.locked(asking.Posed{Call: r.id, Position: position, Question: q.posed()})
	s.mu.Unlock()
	select {
	case o := <-waiter:
		return o.answer()
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case o := <-waiter: // it was settled meanwhile
		return o.answer()
	default:
	}
	delete(r.waiting, position)
	if id, open := s.machine.Open(r.id, position); open {
		s.locked(asking.Cancelled{ID: id})
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

// Submission is what a model passes on with the fallback tool.
type Submission struct {
	ID      elicit.ID       `json:"id"`
	Action  elicit.Action   `json:"action"`
	Content json.RawMessage `json:"content,omitempty"`
}

// Submit takes what a model passes on. It returns the call to run again, whose result is the result of the fallback
// tool. Otherwise the text says why there is none, for the model to read.
func (a *Asker) Submit(c Client, said Submission) (again *Call, text string) {
	a.mu.Lock()
	s := a.byID[said.ID]
	a.mu.Unlock()
	if s == nil || c.Session != "" && s.name != c.Session {
		return nil, "There is no open question with this id. Its time may be up: call the tool that asked again."
	}
	if said.Action == elicit.Accept && said.Content == nil {
		said.Content = json.RawMessage("{}")
	}
	t := s.step(asking.Submitted{ID: said.ID, Principal: c.Principal, Action: said.Action, Content: said.Content,
		Via: event.ViaModel})
	if t.resume != nil {
		c.Session = s.name
		return &Call{Client: c, Method: t.resume.Method, Target: t.resume.Target, Arguments: t.resume.Arguments}, ""
	}
	if t.err != nil {
		return nil, t.err.Error()
	}
	return nil, "The answer was not taken: " + problemsError(t.problems).Error()
}
