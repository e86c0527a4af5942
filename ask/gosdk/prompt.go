package gosdk

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
)

// getPrompt lets the handler of a prompt ask. A prompt is no text that a model reads and acts on, so that the fallback
// tool is no way to answer: a client that can carry no question gets an error.
func (a *adapter) getPrompt(ctx context.Context, next mcp.MethodHandler, method string, req *mcp.GetPromptRequest) (
	mcp.Result, error,
) {
	client := a.client(req, req.ProtocolVersion(), req.ClientCapabilities(), req.Session)
	call := ask.Call{Client: client, Method: method, Target: req.Params.Name, State: req.Params.RequestState}
	var err error
	if call.Arguments, err = json.Marshal(req.Params.Arguments); err != nil {
		return nil, err
	}
	if req.Params.InputResponses != nil {
		if call.Responses, err = json.Marshal(req.Params.InputResponses); err != nil {
			return nil, err
		}
	}
	interrupted := &mcp.GetPromptResult{}
	result, err := a.do(ctx, call, interrupted, func(ctx context.Context) (mcp.Result, error) {
		return next(ctx, method, req)
	})
	if err == nil && result == mcp.Result(interrupted) && len(interrupted.InputRequests) == 0 {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest,
			Message: "This prompt has a question, and the client declares no way to ask it."}
	}
	return result, err
}
