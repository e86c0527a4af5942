package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/engine/asking"
)

// others are requests that a round carries beside a question to the person: to the client's model, and for its roots.
// The server makes them itself, and their responses need no protection, so they have no part in the state.
var others = map[string]map[string]request{
	"test_input_required_result_sampling":        {"capital_question": sample("What is the capital of France?")},
	"test_input_required_result_list_roots":      {"client_roots": roots},
	"test_input_required_result_multiple_inputs": {"greeting": sample("Generate a greeting"), "client_roots": roots},
	needy: {"greeting": sample("Generate a greeting")},
	"test_input_required_result_capabilities": {"greeting": sample("Generate a greeting"), "client_roots": roots},
}

// needy is a tool that cannot do without the client's model.
const needy = "test_missing_capability"

// request is a request that a client may have declared.
type request struct {
	params   mcp.InputRequest
	declared func(*mcp.ClientCapabilities) bool
}

func sample(text string) request {
	return request{&mcp.CreateMessageParams{MaxTokens: 100, Messages: []*mcp.SamplingMessage{
		{Role: "user", Content: &mcp.TextContent{Text: text}}}},
		func(c *mcp.ClientCapabilities) bool { return c != nil && c.Sampling != nil }}
}

var roots = request{&mcp.ListRootsParams{},
	func(c *mcp.ClientCapabilities) bool { return c != nil && c.RootsV2 != nil }}

type responsesKey struct{}

// requestOthers adds the other requests of a tool to what its call is answered with, as far as the client declared
// them, and gives their responses to the handler of the repeated call.
func requestOthers(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, isCall := req.(*mcp.CallToolRequest)
		if !isCall || others[call.Params.Name] == nil {
			return next(ctx, method, req)
		}
		given, wanted := mcp.InputResponseMap{}, mcp.InputRequestMap{}
		for name, one := range others[call.Params.Name] {
			if response, has := call.Params.InputResponses[name]; has {
				given[name] = response
				delete(call.Params.InputResponses, name)
			} else if one.declared(call.ClientCapabilities()) {
				wanted[name] = one.params
			}
		}
		if call.Params.Name == needy && len(wanted) == 0 && len(given) == 0 {
			return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "sampling is missing",
				Data: json.RawMessage(`{"requiredCapabilities":{"sampling":{}}}`)}
		}
		result, err := next(context.WithValue(ctx, responsesKey{}, given), method, req)
		if r, isResult := result.(*mcp.CallToolResult); isResult && r != nil && len(wanted) > 0 {
			if len(r.InputRequests) == 0 { // the handler has not asked a person, so it can run again
				return round(wanted)
			}
			maps.Copy(r.InputRequests, wanted)
		}
		return result, err
	}
}

// round is a result that asks the client for nothing but these requests.
func round(wanted mcp.InputRequestMap) (mcp.Result, error) {
	requests, err := json.Marshal(wanted)
	if err != nil {
		return nil, err
	}
	r := new(mcp.CallToolResult) // whose type of result only its JSON can set
	return r, json.Unmarshal(asking.InputRequired(requests, ""), r)
}

// addOtherTools adds the tools that want something of the client beside the person.
func addOtherTools(add func(tool string, handler func(ctx context.Context, message string) (string, error))) {
	for tool := range others {
		asks := tool != "test_input_required_result_sampling" && tool != "test_input_required_result_list_roots"
		add(tool, func(ctx context.Context, _ string) (string, error) {
			said := ""
			if c, _ := ask.Caller(ctx); asks && c.Declared.Form {
				answer, err := form(ctx, "What is your name?", name)
				if err != nil {
					return "", err
				}
				said = string(answer)
			}
			given, _ := ctx.Value(responsesKey{}).(mcp.InputResponseMap)
			for _, response := range given {
				switch r := response.(type) {
				case *mcp.CreateMessageWithToolsResult:
					for _, content := range r.Content {
						if text, is := content.(*mcp.TextContent); is {
							said += " " + text.Text
						}
					}
				case *mcp.ListRootsResult:
					for _, root := range r.Roots {
						said += " " + root.URI
					}
				default:
					return "", fmt.Errorf("a response of the type %T", r)
				}
			}
			if said == "" {
				return "", errors.New("the client has answered nothing")
			}
			return said, nil
		})
	}
}
