// Package gosdk lets package ask work in servers that use the official Go SDK for the Model Context Protocol.
//
//	asker, err := ask.New(ask.Options{Server: "deploy-bot"})
//	server := mcp.NewServer(&mcp.Implementation{Name: "deploy-bot"}, nil)
//	gosdk.Install(server, asker)
//
// From then on, every tool handler of the server can ask:
//
//	mcp.AddTool(server, &mcp.Tool{Name: "deploy"}, func(ctx context.Context, req *mcp.CallToolRequest, in struct{}) (
//		*mcp.CallToolResult, any, error,
//	) {
//		if err := ask.Confirm(ctx, "Deploy to production?"); err != nil {
//			return nil, nil, err
//		}
//		…
//	})
//
// Prompts and resources can ask in the same way, through clients that have forms or URLs. It works with every transport
// and protocol date of the SDK; see Handler for HTTP. A server that is stateless over HTTP cannot send requests: its
// clients are reached by multi-round results, by URLs, or through the model.
package gosdk

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/elicit"
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

// Install lets the tool handlers of a server ask. It adds the fallback tool of the asker, which is listed only to
// clients that need it. Call it once, after the server is made and before it runs.
func Install(server *mcp.Server, asker *ask.Asker, options ...Option) {
	a := &adapter{asker: asker, principal: tokenUser, sessions: map[*mcp.ServerSession]string{}}
	for _, change := range options {
		change(a)
	}
	if name, definition := asker.Fallback(); name != "" {
		tool := &mcp.Tool{}
		if err := json.Unmarshal(definition, tool); err != nil {
			panic("gosdk: the definition of the fallback tool: " + err.Error())
		}
		// The middleware takes its calls before they come here.
		server.AddTool(tool, func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, errors.New("no middleware")
		})
		a.fallback = name
	}
	server.AddReceivingMiddleware(a.receive)
	server.AddSendingMiddleware(keepContent)
}

type adapter struct {
	asker     *ask.Asker
	fallback  string
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

func (a *adapter) receive(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch r := req.(type) {
		case *mcp.CallToolRequest:
			return a.callTool(ctx, next, method, r)
		case *mcp.GetPromptRequest:
			return a.getPrompt(ctx, next, method, r)
		case *mcp.ReadResourceRequest:
			return a.readResource(ctx, next, method, r)
		case *mcp.ListToolsRequest:
			result, err := next(ctx, method, req)
			return a.withoutFallback(r, result), err
		}
		return next(ctx, method, req)
	}
}

// withoutFallback takes the fallback tool out of the list for clients that do not need it.
func (a *adapter) withoutFallback(req *mcp.ListToolsRequest, result mcp.Result) mcp.Result {
	list, ok := result.(*mcp.ListToolsResult)
	client := a.reach(req.ProtocolVersion(), req.ClientCapabilities(), req.Session)
	client.Principal = a.principal(req)
	if !ok || a.fallback == "" || a.asker.NeedsFallback(client) {
		return result
	}
	copied := *list
	copied.Tools = nil
	for _, tool := range list.Tools {
		if tool.Name != a.fallback {
			copied.Tools = append(copied.Tools, tool)
		}
	}
	return &copied
}

func (a *adapter) callTool(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.CallToolRequest) (
	mcp.Result, error,
) {
	call := ask.Call{Client: a.client(req, req.ProtocolVersion(), req.ClientCapabilities(), req.Session), Method: method,
		Target: req.Params.Name, Arguments: req.Params.Arguments, State: req.Params.RequestState}
	return a.do(ctx, next, req, call, req.Params.InputResponses, &mcp.CallToolResult{})
}

// getPrompt lets the handler of a prompt ask. No model reads the result and acts on it, so the fallback tool is no way
// to answer: with a client that can carry no question, asking returns ask.ErrUnsupported.
func (a *adapter) getPrompt(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.GetPromptRequest) (
	mcp.Result, error,
) {
	arguments, err := json.Marshal(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	call := ask.Call{Client: a.client(req, req.ProtocolVersion(), req.ClientCapabilities(), req.Session), Method: method,
		Target: req.Params.Name, Arguments: arguments, State: req.Params.RequestState}
	return a.do(ctx, next, req, call, req.Params.InputResponses, &mcp.GetPromptResult{})
}

// readResource lets the handler of a resource ask, as getPrompt does.
func (a *adapter) readResource(ctx context.Context, next mcp.MethodHandler, method string,
	req *mcp.ReadResourceRequest) (mcp.Result, error) {
	call := ask.Call{Client: a.client(req, req.ProtocolVersion(), req.ClientCapabilities(), req.Session), Method: method,
		Target: req.Params.URI, State: req.Params.RequestState}
	return a.do(ctx, next, req, call, req.Params.InputResponses, &mcp.ReadResourceResult{})
}

// do runs a call, and replaces its result if the call has to end while the person thinks. interrupted is an empty
// result of the call's kind.
func (a *adapter) do(ctx context.Context, next mcp.MethodHandler, req mcp.Request, call ask.Call,
	responses mcp.InputResponseMap, interrupted mcp.Result) (mcp.Result, error) {
	if responses != nil {
		var err error
		if call.Responses, err = json.Marshal(responses); err != nil {
			return nil, err
		}
	}
	call.Token, call.Notify = progress(req)
	call.Again = func(target string, arguments json.RawMessage) { // of a tool
		again := *req.(*mcp.CallToolRequest)
		params := *again.Params
		params.Name, params.Arguments, again.Params = target, arguments, &params
		req = &again
	}
	var result mcp.Result
	call.Result = func() json.RawMessage {
		written, err := json.Marshal(result)
		if err != nil {
			return nil // it cannot be sent either
		}
		return written
	}
	i, err := a.asker.Do(ctx, call, func(ctx context.Context) (err error) {
		result, err = next(ctx, call.Method, req)
		return err
	})
	switch {
	case err != nil:
		return nil, coded(err)
	case i == nil:
		return result, nil
	case i.Error != nil:
		wire := &jsonrpc.Error{}
		if err := json.Unmarshal(i.Error, wire); err != nil {
			return nil, err
		}
		return nil, wire
	}
	if err := json.Unmarshal(i.Result, interrupted); err != nil {
		return nil, fmt.Errorf("gosdk: the result of an interrupted call: %w", err)
	}
	return interrupted, nil
}

// coded gives an error of package ask its code, so that a client can tell a no from a store that is away.
func coded(err error) error {
	if errors.Is(err, ask.ErrState) { // in the words of the other official SDKs
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "invalid or expired requestState",
			Data: json.RawMessage(`{"reason":"invalid_request_state"}`)}
	}
	own := &jsonrpc.Error{}
	if code := ask.Code(err); code != 0 && !errors.As(err, &own) {
		return &jsonrpc.Error{Code: int64(code), Message: err.Error()}
	}
	return err
}

// rounds is the protocol date from which a server sends no requests to its clients.
const rounds = "2026-07-28"

// client says who calls.
func (a *adapter) client(
	req mcp.Request, date string, declares *mcp.ClientCapabilities, session *mcp.ServerSession,
) ask.Client {
	c := a.reach(date, declares, session)
	c.Principal = a.principal(req)
	if c.Conn != nil {
		c.Session = a.sessionName(session)
	}
	return c
}

// reach says how a client can be reached.
func (a *adapter) reach(date string, declares *mcp.ClientCapabilities, session *mcp.ServerSession) ask.Client {
	c := ask.Client{Version: date, Declared: declared(declares)}
	switch {
	case c.Version >= rounds:
		c.Version = rounds
	case c.Version < "2025-11-25":
		c.Version = "2025-06-18"
	default:
		c.Version = "2025-11-25"
	}
	if c.Version < rounds && !a.stateless {
		c.Conn = conn{session}
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

func declared(c *mcp.ClientCapabilities) (m elicit.Modes) {
	if c == nil || c.Elicitation == nil {
		return m
	}
	m.URL = c.Elicitation.URL != nil
	m.Form = c.Elicitation.Form != nil || !m.URL // {} means form
	return m
}

// conn sends to the client of a session.
type conn struct{ session *mcp.ServerSession }

// kept is where keepContent puts the answer to a request of conn.
type kept struct{ result *mcp.ElicitResult }

type keptKey struct{}

// Request sends elicitation/create. The SDK would check the content against the schema and turn a wrong answer into an
// error. The machine asks again instead, so the content goes past that check.
func (c conn) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	if method != "elicitation/create" {
		return nil, fmt.Errorf("gosdk: cannot send %s", method)
	}
	var p mcp.ElicitParams
	schema := json.RawMessage{} // goes on as it is
	p.RequestedSchema = &schema
	if err := json.Unmarshal(params, &p); err != nil {
		return nil, err
	}
	if len(schema) == 0 {
		p.RequestedSchema = nil
	}
	answer := &kept{}
	result, err := c.session.Elicit(context.WithValue(ctx, keptKey{}, answer), &p)
	if err != nil {
		var wire *jsonrpc.Error
		if errors.As(err, &wire) {
			return nil, &ask.ClientError{Code: int(wire.Code), Message: wire.Message}
		}
		return nil, err
	}
	if answer.result != nil {
		result = answer.result
	}
	return json.Marshal(result)
}

// keepContent hides the content of an answer from the SDK's check.
func keepContent(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		answer, asked := ctx.Value(keptKey{}).(*kept)
		if given, ok := result.(*mcp.ElicitResult); asked && ok && err == nil {
			answer.result = given
			return &mcp.ElicitResult{Action: given.Action}, nil
		}
		return result, err
	}
}

// progress is what a client hears of progress with: its token, and the way of a notification.
func progress(req mcp.Request) (json.RawMessage, func(context.Context, string, json.RawMessage) error) {
	params, ok := req.GetParams().(mcp.RequestParams)
	session, is := req.GetSession().(*mcp.ServerSession)
	if !ok || !is || params.GetProgressToken() == nil {
		return nil, nil
	}
	token, err := json.Marshal(params.GetProgressToken())
	if err != nil {
		return nil, nil
	}
	return token, conn{session}.Notify
}

// Notify tells the client that a page is finished, or that a person thinks.
func (c conn) Notify(ctx context.Context, method string, params json.RawMessage) error {
	if method == "notifications/progress" {
		var p mcp.ProgressNotificationParams
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		return c.session.NotifyProgress(ctx, &p)
	}
	var p mcp.ElicitationCompleteParams
	if err := json.Unmarshal(params, &p); err != nil {
		return err
	}
	return c.session.NotifyElicitationComplete(ctx, &p)
}
