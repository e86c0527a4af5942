package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	dateURL    = "2025-11-25" // first with URL mode
	dateRounds = "2026-07-28" // questions are in results, and there are no requests to the client
)

// errAsked says that the question is inside the result. The handler returns, and the SDK calls it again from the
// beginning when the client sends the answers.
var errAsked = errors.New("asked")

// asking is one call of a tool handler. In 2026-07-28 it finds answers in the retry and collects the questions without
// an answer. In earlier protocols it asks at once.
type asking struct {
	req    *mcp.CallToolRequest
	rounds bool
	result mcp.CallToolResult
}

func ask(req *mcp.CallToolRequest) *asking {
	return &asking{req: req, rounds: req.ProtocolVersion() >= dateRounds}
}

// question asks under a key, which is the same in every retry. It returns errAsked when the answer needs another round.
func (a *asking) question(ctx context.Context, key string, p *mcp.ElicitParams) (*mcp.ElicitResult, error) {
	if err := a.allowed(p); err != nil {
		return nil, err
	}
	if !a.rounds {
		return a.req.Session.Elicit(ctx, p)
	}
	if answer, ok := a.req.Params.InputResponses[key].(*mcp.ElicitResult); ok {
		return answer, nil
	}
	if a.result.InputRequests == nil {
		a.result.InputRequests = mcp.InputRequestMap{}
	}
	a.result.InputRequests[key] = p
	return nil, errAsked
}

// allowed refuses a question of a mode that the client did not declare in this request.
func (a *asking) allowed(p *mcp.ElicitParams) error {
	if !a.rounds {
		return nil // ServerSession.Elicit checks that itself
	}
	url := p.URL != ""
	if c := a.req.ClientCapabilities(); c != nil && c.Elicitation != nil {
		hasURL := c.Elicitation.URL != nil
		hasForm := c.Elicitation.Form != nil || !hasURL // {} means form
		if url && hasURL || !url && hasForm {
			return nil
		}
	}
	need := &mcp.ElicitationCapabilities{}
	if url {
		need.URL = &mcp.URLElicitationCapabilities{}
	} else {
		need.Form = &mcp.FormElicitationCapabilities{}
	}
	detail, _ := json.Marshal(map[string]any{"requiredCapabilities": map[string]any{"elicitation": need}})
	return &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "this tool asks the person, and the client did not declare that it can",
		Data:    detail,
	}
}

// finish makes the tool's result: the questions to ask, or the error.
func (a *asking) finish(err error, state string) (*mcp.CallToolResult, error) {
	var wire *jsonrpc.Error
	switch {
	case errors.Is(err, errAsked):
		a.result.RequestState = state
		return &a.result, nil
	case errors.As(err, &wire):
		if a.rounds {
			return nil, wire
		}
		return fail(fmt.Sprintf("The question was refused: %d %s", wire.Code, wire.Message)), nil
	default:
		return fail("The question failed: " + err.Error()), nil
	}
}

// outcome describes an answer for the reader of the tool's result: decline and cancel in words, accept with its content
// as JSON.
func outcome(done string, answer *mcp.ElicitResult) string {
	switch answer.Action {
	case "accept":
		if len(answer.Content) == 0 {
			return done
		}
		content, err := json.Marshal(answer.Content)
		if err != nil {
			return done + " (unreadable content)"
		}
		return done + " " + string(content)
	case "decline":
		return "Declined: nothing was done."
	case "cancel":
		return "Cancelled: nothing was done."
	}
	return fmt.Sprintf("Unknown action %q: nothing was done.", answer.Action)
}

func unsupportedVersion(protocol, requested string) error {
	supported := []string{protocol}
	if protocol == "" {
		supported = []string{dateRounds}
	}
	detail, _ := json.Marshal(mcp.UnsupportedProtocolVersionData{Supported: supported, Requested: requested})
	return &jsonrpc.Error{Code: mcp.CodeUnsupportedProtocolVersion, Message: "unsupported protocol version", Data: detail}
}
