package gosdk

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
)

// getPrompt lets the handler of a prompt ask. No model reads the result and acts on it, so the fallback tool is no way
// to answer: with a client that can carry no question, asking returns ask.ErrUnsupported.
func (a *adapter) getPrompt(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.GetPromptRequest) (
	mcp.Result, error,
) {
	arguments, err := json.Marshal(req.Params.Arguments)
	if err != nil {
		return nil, err
	}
	client := a.client(req, req.ProtocolVersion(), req.ClientCapabilities(), req.Session)
	call := ask.Call{Client: client, Method: method, Target: req.Params.Name, Arguments: arguments,
		State: req.Params.RequestState}
	return a.doOther(ctx, next, call, req, req.Params.InputResponses, &mcp.GetPromptResult{})
}

// readResource lets the handler of a resource ask, as getPrompt does.
func (a *adapter) readResource(ctx context.Context, next mcp.MethodHandler, method string,
	req *mcp.ReadResourceRequest) (mcp.Result, error) {
	client := a.client(req, req.ProtocolVersion(), req.ClientCapabilities(), req.Session)
	call := ask.Call{Client: client, Method: method, Target: req.Params.URI, State: req.Params.RequestState}
	return a.doOther(ctx, next, call, req, req.Params.InputResponses, &mcp.ReadResourceResult{})
}

// doOther runs a call that is not of a tool. interrupted is an empty result of its kind.
func (a *adapter) doOther(ctx context.Context, next mcp.MethodHandler, call ask.Call, req mcp.Request,
	responses mcp.InputResponseMap, interrupted mcp.Result) (mcp.Result, error) {
	if responses != nil {
		var err error
		if call.Responses, err = json.Marshal(responses); err != nil {
			return nil, err
		}
	}
	return a.do(ctx, req, call, interrupted, func(ctx context.Context) (mcp.Result, error) {
		return next(ctx, call.Method, req)
	})
}
