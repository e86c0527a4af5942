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

// ErrClaimed says that another browser has a page.
var ErrClaimed = fmt.Errorf("ask: another browser has the page")

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
	r.end(ctx)
	if r.interrupt == nil {
		return nil, err
	}
	return a.interruption(c, s, r.interrupt)
}

// begin begins a run in the session of a call. The caller calls end when it is over. The session hears of the run with
// its first question: a handler that never asks costs no commit. A call that was interrupted before is known to it, and
// must end there whatever the handler does.
func (a *Asker) begin(ctx context.Context, c Call, body roundState) (r *run, end func(), err error) {
	s, err := a.sessionOf(c, body)
	if err != nil {
		return nil, nil, err
	}
	r = &run{session: s, id: a.newID(), client: c.Client, waiting: map[int]*waiter{}}
	r.called = asking.Called{Call: r.id, Method: c.Method, Target: c.Target, Arguments: c.Arguments,
		Structured: c.Structured, Answers: body.Machine, Responses: c.Responses}
	runCtx, cancel := context.WithCancel(context.WithValue(ctx, runKey{}, r))
	r.ctx = runCtx
	end = func() {
		cancel()
		a.release(s)
	}
	s.mu.Lock()
	s.runs[r.id] = r
	if c.session != "" || body.Session != "" || s.machine != nil && s.machine.Awaits(r.called) {
		if err = s.locked(ctx, r, nil).err; err != nil {
			r.end(ctx)
		}
	}
	s.mu.Unlock()
	if err != nil {
		end()
		return nil, nil, err
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

// Caller says who called the tool of a context. The declaration in it tells a handler what the client can show before
// it asks. ok is false for a context without a call.
func Caller(ctx context.Context) (c Client, ok bool) {
	r, ok := ctx.Value(runKey{}).(*run)
	if !ok {
		return c, false
	}
	return r.client, true
}
