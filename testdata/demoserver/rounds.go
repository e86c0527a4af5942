package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// planState is the state that plan sends through the client from round to round. Its note needs escapes in JSON, so
// that the server notices a client that writes the state in another spelling.
type planState struct {
	Round  int    `json:"round"`
	Region string `json:"region,omitempty"`
	Note   string `json:"note"`
}

const planNote = `keep "quotes", back\slashes, <tags> & ünïcode`

func (s planState) seal() string {
	s.Note = planNote
	b, _ := json.Marshal(s)
	return string(b)
}

// plan asks two questions, of which the second contains the first answer. With rounds it keeps nothing in memory: the
// retry brings the state back, and a changed byte in it is an error.
func plan(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	a := ask(req)
	var state planState
	if req.Params.RequestState != "" {
		err := json.Unmarshal([]byte(req.Params.RequestState), &state)
		if err != nil || state.seal() != req.Params.RequestState {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid or expired requestState"}
		}
	}
	if state.Round < 2 {
		answer, err := a.question(ctx, "region", &mcp.ElicitParams{
			Message: "Where should the backup live?",
			RequestedSchema: json.RawMessage(`{"type":"object",` +
				`"properties":{"region":{"type":"string","enum":["eu","us"]}},"required":["region"]}`),
		})
		if err != nil {
			return a.finish(err, planState{Round: 1}.seal())
		}
		if answer.Action != "accept" {
			return say(outcome("", answer)), nil
		}
		state = planState{Round: 2, Region: fmt.Sprint(answer.Content["region"])}
	}
	answer, err := a.question(ctx, "keep", &mcp.ElicitParams{
		Message: fmt.Sprintf("How many days should backups in %s be kept?", state.Region),
		RequestedSchema: json.RawMessage(`{"type":"object",` +
			`"properties":{"days":{"type":"integer","minimum":1,"maximum":365,"default":30}},"required":["days"]}`),
	})
	if err != nil {
		return a.finish(err, state.seal())
	}
	return say(outcome(fmt.Sprintf("Planned backups in %s:", state.Region), answer)), nil
}

// stateOnly answers twice with only a state, as an overloaded server does. The Go SDK writes an empty inputRequests
// with it.
func stateOnly(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.ProtocolVersion() < dateRounds {
		return fail("Only " + dateRounds + " has this; this session is " + req.ProtocolVersion() + "."), nil
	}
	next := map[string]string{"": "wait/1", "wait/1": "wait/2"}
	if state, ok := next[req.Params.RequestState]; ok {
		return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{}, RequestState: state}, nil
	}
	if req.Params.RequestState != "wait/2" {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "Invalid or expired requestState"}
	}
	return say("Done after two waits."), nil
}
