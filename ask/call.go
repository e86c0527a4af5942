package ask

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/elicit"
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

// Capable returns the client with what it declared in its capabilities, which are JSON as in initialize. Version may be
// any date, "" for an unknown one. A client of rounds (2026-07-28) gets no requests: its Conn is nil.
func (c Client) Capable(capabilities json.RawMessage) Client {
	known := c.known().Capable(capabilities)
	if c.Version, c.Declared, c.Session = known.Version, known.Declared, known.Session; !known.Requests {
		c.Conn = nil
	}
	return c
}

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

// Call is one call of a tool, a prompt or a resource.
type Call struct {
	Client
	Method     string // "" for tools/call
	Target     string
	Arguments  json.RawMessage
	Structured bool            // the tool has an output schema
	State      string          // of a repeated call (2026-07-28), as the client gave it
	Responses  json.RawMessage // of a repeated call

	// Result returns what the handler has made of the call, as JSON, or nil: see Options.Results.
	Result func() json.RawMessage
	// Again is called before the handler runs, if another call runs in its place: that for whose question a model passes
	// on the answer.
	Again func(target string, arguments json.RawMessage)
	// Token is the raw progressToken of the request, and Notify sends on the stream of the call: see Options.Progress.
	Token  json.RawMessage
	Notify func(ctx context.Context, method string, params json.RawMessage) error

	session string // of a call that Submit lets run again
}

// Interruption is what the adapter answers the call with in place of its handler: a result, or a JSON-RPC error.
type Interruption struct{ Result, Error json.RawMessage }

// Do runs a handler for a call, with a context in which it can ask. It returns an Interruption if the call has to end
// while the person thinks, or another run has its answer.
func (a *Asker) Do(ctx context.Context, c Call, handler func(ctx context.Context) error) (*Interruption, error) {
	var random [32]byte
	a.options.Random(&random)
	r := &run{asker: a, id: hex.EncodeToString(random[:16]), client: c.Client}
	if c.Notify == nil {
		c.Token = nil
	} else if c.Token != nil { // without one, the machine asks for no notice
		a.notices.Store(r.id, func(p asker.Progress) { notify(ctx, c.Notify, p.Method, p.Params) })
		defer a.notices.Delete(r.id)
	}
	begun := a.tell(r.id, asker.Called{Call: r.id, Client: c.known(), Method: c.Method, Target: c.Target,
		Arguments: c.Arguments, Structured: c.Structured, State: c.State, Responses: c.Responses, Session: c.session,
		Token: c.Token})
	i, err := over(begun)
	if i != nil || err != nil {
		return i, err
	}
	if begun.Resume != nil && c.Again != nil {
		c.Again(begun.Resume.Target, begun.Resume.Arguments)
	}
	ctx, cancel := context.WithCancel(context.WithValue(ctx, runKey{}, r))
	defer cancel()
	returns := false
	defer func() {
		if !returns { // it panics
			a.tell(r.id, asker.Returned{Call: r.id, Cancelled: true})
		}
	}()
	err = handler(ctx)
	returns = true
	returned := asker.Returned{Call: r.id, Cancelled: ctx.Err() != nil}
	switch {
	case !begun.Keep:
	case err == nil && c.Result != nil:
		returned.Result = c.Result()
	case err != nil && !returned.Cancelled:
		returned.Error = encoded(&ClientError{Code: Code(err), Message: err.Error()})
	}
	if i, failed := over(a.tell(r.id, returned)); i != nil || failed != nil {
		return i, failed
	}
	return nil, err
}

// over is what the machine ends a call with in place of its handler, if it does.
func over(r asker.Reply) (*Interruption, error) {
	if r.Result == nil && r.Error == nil {
		return nil, failed(r)
	}
	return &Interruption{Result: r.Result, Error: r.Error}, nil
}

// Key returns the key of the call, which is the same in every run of its handler and in every process. Give it to what
// must not happen twice, such as a payment, and ask for it before the first question. Otherwise no other process runs
// the handler again when this one ended, and the client is told that the result is unknown.
func Key(ctx context.Context) (key string, err error) {
	r, err := running(ctx)
	if err != nil {
		return "", err
	}
	ref := r.asker.ref()
	reply := r.asker.tell(ref, asker.Keyed{Ref: ref, Call: r.id})
	if err = failed(reply); err == nil {
		err = json.Unmarshal(reply.Value, &key)
	}
	return key, err
}

func (c Client) known() asker.Client {
	return asker.Client{Session: c.Session, Principal: c.Principal, Version: c.Version, Declared: c.Declared,
		Requests: c.Conn != nil}
}

// Caller says who called the tool of a context. The declaration in it tells a handler what the client can show before
// it asks. ok is false for a context without a call.
func Caller(ctx context.Context) (c Client, ok bool) {
	r, err := running(ctx)
	if err != nil {
		return c, false
	}
	return r.client, true
}

func encoded(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and numbers can always be encoded
	}
	return b
}
