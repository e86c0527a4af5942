package ask

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/store"
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

	session string // of a call that Submit lets run again
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
	if string(c.Arguments) == "null" { // as clients spell a call without arguments
		c.Arguments = nil
	}
	body, err := a.openState(ctx, c)
	if err != nil {
		return nil, err
	}
	r, end, err := a.begin(ctx, c, body)
	for again := 0; errors.Is(err, ErrClosed) && again < 3 && !a.over(); again++ { // closed just now; this call opens it
		r, end, err = a.begin(ctx, c, body)
	}
	if err != nil {
		return nil, err
	}
	defer end()
	err = handler(r.ctx)
	s := r.session
	s.mu.Lock()
	defer s.mu.Unlock()
	r.over = true
	delete(s.runs, r.id)
	if ctx.Err() != nil && r.interrupt == nil {
		s.finish(ctx, asking.Cancelled{Call: r.id})
	} else {
		s.finish(ctx, asking.Returned{Call: r.id})
	}
	if r.interrupt == nil {
		return nil, err
	}
	return a.interruption(c, s, r.interrupt)
}

// begin begins a run in the session of a call. The caller calls end when it is over.
func (a *Asker) begin(ctx context.Context, c Call, body roundState) (r *run, end func(), err error) {
	s, err := a.sessionOf(c, body)
	if err != nil {
		return nil, nil, err
	}
	ends := []func(){func() { a.release(s) }}
	end = func() {
		for _, one := range ends {
			defer one()
		}
	}
	r = &run{session: s, id: a.newID(), client: c.Client, waiting: map[int]chan outcome{}}
	if a.options.Store != nil {
		ends = append(ends, s.watch())
	}
	runCtx, cancel := context.WithCancel(context.WithValue(ctx, runKey{}, r))
	ends = append(ends, cancel)
	r.ctx = runCtx
	s.mu.Lock()
	s.runs[r.id] = r
	t := s.locked(ctx, asking.Called{Call: r.id, Method: c.Method, Target: c.Target, Arguments: c.Arguments,
		Structured: c.Structured, Answers: body.Machine, Responses: c.Responses})
	if t.err == nil && len(t.problems) > 0 {
		t.err = problemsError(t.problems)
	}
	if t.err != nil {
		delete(s.runs, r.id)
		if errors.Is(t.err, ErrStore) { // the call may be in the store
			s.finish(ctx, asking.Cancelled{Call: r.id})
		}
	}
	s.mu.Unlock()
	if t.err != nil {
		end()
		return nil, nil, t.err
	}
	return r, end, nil
}

func (a *Asker) over() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.closed
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

// openState reads the state of a repeated call, once: a state that came back before could let a handler act twice.
func (a *Asker) openState(ctx context.Context, c Call) (body roundState, err error) {
	if c.State == "" {
		return body, nil
	}
	opened, err := a.options.Seal.Open(a.binding(c), c.State)
	if err != nil || json.Unmarshal(opened.Body, &body) != nil {
		return body, ErrState
	}
	switch err := a.redeem(ctx, opened.ID, opened.Expires); {
	case errors.Is(err, store.ErrRedeemed):
		return body, ErrState
	case err != nil:
		return body, fmt.Errorf("%w: %w", ErrStore, err)
	}
	return body, nil
}

// redeem remembers that a state came back.
func (a *Asker) redeem(ctx context.Context, id string, expires time.Time) error {
	now := a.options.Now().UnixMilli()
	if a.options.Store != nil {
		return a.options.Store.Redeem(ctx, id, now, expires.UnixMilli())
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	for old, until := range a.redeemed {
		if until < now {
			delete(a.redeemed, old)
		}
	}
	if _, known := a.redeemed[id]; known {
		return store.ErrRedeemed
	}
	a.redeemed[id] = expires.UnixMilli() + clockSkew
	return nil
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
	t := s.locked(ctx, asking.Posed{Call: r.id, Position: position, Question: q.posed()})
	switch {
	case t.err != nil:
		r.tell(position, outcome{err: t.err})
	case !s.machine.Runs(r.id) && r.interrupt == nil: // somebody else ended the call
		r.tell(position, outcome{err: &Error{Outcome: elicit.Cancelled, Cause: elicit.ByCallEnded}})
	}
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
	if s.machine != nil {
		if id, open := s.machine.Open(r.id, position); open {
			s.locked(ctx, asking.Cancelled{ID: id})
		}
	}
	delete(r.waiting, position)
	select {
	case o := <-waiter:
		if o.err == nil && o.settle.Outcome == elicit.Accepted { // the store knows it, so the person was told that it counts
			return o.answer()
		}
	default:
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

// Caller says who called the tool of a context. The declaration in it tells a handler what the client can show before
// it asks. ok is false for a context without a call.
func Caller(ctx context.Context) (c Client, ok bool) {
	r, ok := ctx.Value(runKey{}).(*run)
	if !ok {
		return c, false
	}
	return r.client, true
}
