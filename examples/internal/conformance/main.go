// Command conformance is the server that the protocol's conformance suite examines, as far as its scenarios ask a
// person. Every question goes through package ask.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
	"github.com/elicit-engine/elicit/engine/elicit"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve writes the endpoint to standard output.
func serve() error {
	asker, err := ask.New(ask.Options{Server: "conformance"})
	if err != nil {
		return err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "conformance", Version: "1"}, nil)
	gosdk.Install(server, asker)
	server.AddReceivingMiddleware(nameRequests, requestOthers)
	addTools(server)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println("http://" + listener.Addr().String() + "/mcp")
	return http.Serve(listener, gosdk.Handler(func(*http.Request) *mcp.Server { return server }, nil))
}

const (
	name = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`
	ok   = `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`
)

func addTools(server *mcp.Server) {
	add := func(tool string, handler func(ctx context.Context, message string) (string, error)) {
		type input struct {
			Message string `json:"message,omitempty"`
		}
		mcp.AddTool(server, &mcp.Tool{Name: tool, Description: "A tool of the conformance suite."}, func(
			ctx context.Context, _ *mcp.CallToolRequest, in input,
		) (*mcp.CallToolResult, any, error) {
			text, err := handler(ctx, in.Message)
			if err != nil {
				return nil, nil, err
			}
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}, nil, nil
		})
	}
	addOtherTools(add)
	server.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt"}, func(
		ctx context.Context, _ *mcp.GetPromptRequest,
	) (*mcp.GetPromptResult, error) {
		answer, err := form(ctx, "Please provide context for the prompt",
			`{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`)
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
			{Role: "user", Content: &mcp.TextContent{Text: string(answer)}}}}, err
	})
	for tool, schema := range map[string]string{
		"test_streaming_elicitation": ok,
		"test_elicitation": `{"type":"object","properties":{
			"username":{"type":"string","description":"Your preferred username"}},"required":["username"]}`,
		"test_elicitation_sep1034_defaults": `{"type":"object","properties":{
			"name":{"type":"string","default":"John Doe"},
			"age":{"type":"integer","default":30},
			"score":{"type":"number","default":95.5},
			"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},
			"verified":{"type":"boolean","default":true}}}`,
		"test_elicitation_sep1330_enums": `{"type":"object","properties":{
			"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},
			"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},
				{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},
			"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],
				"enumNames":["Option One","Option Two","Option Three"]},
			"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},
			"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},
				{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}}`,
	} {
		add(tool, func(ctx context.Context, message string) (string, error) {
			if message == "" {
				message = "Please answer"
			}
			answer, err := form(ctx, message, schema)
			return fmt.Sprintf("Elicitation result: action=accept, content=%s", answer), err
		})
	}
	add("test_input_required_result_elicitation", func(ctx context.Context, _ string) (string, error) {
		var said struct{ Name string }
		answer, err := form(ctx, "What is your name?", name)
		if err == nil {
			err = json.Unmarshal(answer, &said)
		}
		return "Hello, " + said.Name + "!", err
	})
	for _, tool := range []string{
		"test_input_required_result_request_state", "test_input_required_result_tampered_state",
	} {
		add(tool, func(ctx context.Context, _ string) (string, error) {
			_, err := form(ctx, "Please confirm", ok)
			return "state-ok", err
		})
	}
	add("test_input_required_result_multi_round", func(ctx context.Context, _ string) (string, error) {
		first, err := form(ctx, "Step 1: What is your name?", name)
		if err != nil {
			return "", err
		}
		second, err := form(ctx, "Step 2: What is your favorite color?",
			`{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`)
		return fmt.Sprintf("%s %s", first, second), err
	})
}

func form(ctx context.Context, message, schema string) (json.RawMessage, error) {
	answer, err := ask.Raw(ctx, ask.Question{Mode: elicit.Form, Message: message, Schema: json.RawMessage(schema)})
	return answer.Content, err
}

// ours and theirs name the first question of a call: the suite wants the name user_name, which a server may choose.
const ours, theirs = "q0.0", "user_name"

func nameRequests(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		call, isCall := req.(*mcp.CallToolRequest)
		if !isCall {
			return next(ctx, method, req)
		}
		if response, has := call.Params.InputResponses[theirs]; has {
			call.Params.InputResponses[ours] = response
			delete(call.Params.InputResponses, theirs)
		}
		result, err := next(ctx, method, req)
		if r, isResult := result.(*mcp.CallToolResult); isResult && r != nil {
			if request, has := r.InputRequests[ours]; has {
				delete(r.InputRequests, ours)
				r.InputRequests[theirs] = request
			}
		}
		return result, err
	}
}
