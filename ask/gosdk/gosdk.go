// Package gosdk lets package ask work in servers that use the official Go SDK for the Model Context Protocol.
//
//	asker, err := ask.New(ask.Options{Server: "deploy-bot"})
//	server := mcp.NewServer(&mcp.Implementation{Name: "deploy-bot"}, nil)
//	gosdk.Install(server, asker)
//
// From then on, every handler of the server can ask with its context. Prompts and resources ask through clients that
// have forms or URLs. It works with every transport and protocol date of the SDK; see Handler for HTTP.
package gosdk

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
)

// Option changes how Install works.
type Option func(*adapter)

// Principal says who is behind a request. Without it, a request's principal is the user id of its bearer token, or ""
// for one without.
func Principal(of func(req mcp.Request) string) Option {
	return func(a *adapter) { a.principal = of }
}

// Stateless says that the server runs over stateless HTTP, so that it cannot send requests to its clients.
func Stateless() Option { return func(a *adapter) { a.stateless = true } }

// Install lets the tool handlers of a server ask. The fallback tool of the asker is listed to clients that need it.
// Call it once, after the server is made and before it runs.
func Install(server *mcp.Server, asker *ask.Asker, options ...Option) {
	a := &adapter{asker: asker, principal: tokenUser, sessions: map[*mcp.ServerSession]string{}}
	for _, change := range options {
		change(a)
	}
	server.AddReceivingMiddleware(a.receive)
	server.AddSendingMiddleware(unchanged)
}

type adapter struct {
	asker     *ask.Asker
	principal func(mcp.Request) string
	stateless bool

	mu       sync.Mutex
	sessions map[*mcp.ServerSession]string
}

func tokenUser(req mcp.Request) string {
	if extra := req.GetExtra(); extra != nil && extra.TokenInfo != nil {
		return extra.TokenInfo.UserID
	}
	return ""
}

type request interface {
	mcp.Request
	ProtocolVersion() string
	ClientCapabilities() *mcp.ClientCapabilities
}

func sessionOf(req mcp.Request) *mcp.ServerSession { return req.GetSession().(*mcp.ServerSession) }

func (a *adapter) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.CallToolRequest:
			return a.call(ctx, next, method, r, &mcp.CallToolResult{})
		case *mcp.GetPromptRequest:
			return a.call(ctx, next, method, r, &mcp.GetPromptResult{})
		case *mcp.ReadResourceRequest:
			return a.call(ctx, next, method, r, &mcp.ReadResourceResult{})
		case *mcp.ListToolsRequest:
			result, err := next(ctx, method, req)
			if list, ok := result.(*mcp.ListToolsResult); ok && err == nil && list.NextCursor == "" {
				return a.listed(r, *list)
			}
			return result, err
		}
		return next(ctx, method, req)
	}
}

// listed adds the fallback tool to the list, for clients that need it.
func (a *adapter) listed(req request, list mcp.ListToolsResult) (mcp.Result, error) {
	definition := a.asker.Fallback(a.client(req))
	if definition == nil {
		return &list, nil
	}
	tool := &mcp.Tool{}
	list.Tools = append(slices.Clip(list.Tools), tool)
	return &list, json.Unmarshal(definition, tool)
}

// call runs a call, and replaces its result if the call has to end while the person thinks. ended is an empty result of
// the call's kind.
func (a *adapter) call(
	ctx context.Context, next mcp.MethodHandler, method string, req request, ended mcp.Result,
) (mcp.Result, error) {
	var params struct {
		Name, URI, RequestState   string
		Arguments, InputResponses json.RawMessage
		Meta                      struct{ ProgressToken json.RawMessage } `json:"_meta"`
	}
	doc, err := json.Marshal(req.GetParams())
	if err == nil {
		err = json.Unmarshal(doc, &params)
	}
	if err != nil {
		return nil, err
	}
	var result mcp.Result
	run, client := mcp.Request(req), a.client(req)
	i, err := a.asker.Do(ctx, ask.Call{Client: client, Method: method, Target: params.Name + params.URI,
		Arguments: params.Arguments, State: params.RequestState, Responses: params.InputResponses,
		Structured: a.asker.Fallback(client) != nil && promises(ctx, next, req), Token: params.Meta.ProgressToken,
		Notify: conn{sessionOf(req)}.Notify,
		Result: func() json.RawMessage {
			written, _ := json.Marshal(result) // what cannot be written cannot be sent either
			return written
		},
		Again: func(target string, arguments json.RawMessage) { // of a tool
			again := *req.(*mcp.CallToolRequest)
			params := *again.Params
			params.Name, params.Arguments, again.Params = target, arguments, &params
			run = &again
		},
	}, func(ctx context.Context) (err error) {
		result, err = next(ctx, method, run)
		return err
	})
	switch {
	case err != nil:
		return nil, coded(err)
	case i == nil:
		return result, nil
	case i.Error != nil:
		wire := &jsonrpc.Error{}
		return nil, cmp.Or(json.Unmarshal(i.Error, wire), error(wire))
	}
	return ended, json.Unmarshal(i.Result, ended)
}

// promises reports whether a tool promises structured content, which a text for a model cannot give.
func promises(ctx context.Context, next mcp.MethodHandler, req request) bool {
	call, more := req.(*mcp.CallToolRequest)
	for params := new(mcp.ListToolsParams); more; more = params.Cursor != "" {
		result, _ := next(ctx, "tools/list", &mcp.ListToolsRequest{Session: call.Session, Params: params, Extra: call.Extra})
		list, ok := result.(*mcp.ListToolsResult)
		if !ok || list == nil {
			return false
		}
		named := func(tool *mcp.Tool) bool { return tool.Name == call.Params.Name }
		if i := slices.IndexFunc(list.Tools, named); i >= 0 {
			return list.Tools[i].OutputSchema != nil
		}
		params = &mcp.ListToolsParams{Cursor: list.NextCursor}
	}
	return false
}

// coded gives an error of package ask its code, so that a client can tell a no from a store that is away.
func coded(err error) error {
	if errors.Is(err, ask.ErrState) { // in the words of the other official SDKs
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: ask.ErrState.Error(),
			Data: json.RawMessage(`{"reason":"invalid_request_state"}`)}
	}
	if own := (&jsonrpc.Error{}); errors.As(err, &own) {
		return err
	}
	return &jsonrpc.Error{Code: int64(ask.Code(err)), Message: err.Error()}
}

func (a *adapter) client(req request) ask.Client {
	declares, _ := json.Marshal(req.ClientCapabilities()) // of texts and flags
	c, session := ask.Client{Version: req.ProtocolVersion(), Principal: a.principal(req)}, sessionOf(req)
	if !a.stateless {
		c.Conn = conn{session}
	}
	if c = c.Capable(declares); c.Conn != nil {
		c.Session = a.sessionName(session)
	}
	return c
}

// sessionName names a session of the SDK, and closes it in the asker when it is over.
func (a *adapter) sessionName(session *mcp.ServerSession) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if name, known := a.sessions[session]; known {
		return name
	}
	// Another process may share the store, and sessions over stdio have no id.
	name := rand.Text()
	a.sessions[session] = name
	go func() {
		session.Wait()
		a.asker.CloseSession(name)
		a.mu.Lock()
		delete(a.sessions, session)
		a.mu.Unlock()
	}()
	return name
}

// conn sends to the client of a session, past the SDK's types.
type conn struct{ session *mcp.ServerSession }

// message is what goes out in place of what the SDK was given.
type message struct {
	mcp.Params
	method string
	params json.RawMessage
}

// MarshalJSON returns the params as the machine wrote them.
func (m message) MarshalJSON() ([]byte, error) { return m.params, nil }

type messageKey struct{}

// unchanged sends the message of a context.
func unchanged(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if m, ok := ctx.Value(messageKey{}).(message); ok {
			m.Params, method = req.GetParams(), m.method
			req = &mcp.ServerRequest[message]{Session: sessionOf(req), Params: m}
		}
		return next(ctx, method, req)
	}
}

// Request sends elicitation/create. The SDK is not told the schema: it would turn a wrong answer into an error, and the
// machine asks again instead.
func (c conn) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	var p mcp.ElicitParams
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	p.RequestedSchema = nil
	result, err := c.session.Elicit(context.WithValue(ctx, messageKey{}, message{nil, method, params}), &p)
	if wire := (&jsonrpc.Error{}); errors.As(err, &wire) {
		return nil, &ask.ClientError{Code: int(wire.Code), Message: wire.Message}
	} else if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// Notify tells the client that a page is finished, or that a person thinks.
func (c conn) Notify(ctx context.Context, method string, params json.RawMessage) error {
	return c.session.NotifyProgress(context.WithValue(ctx, messageKey{}, message{nil, method, params}),
		&mcp.ProgressNotificationParams{})
}
