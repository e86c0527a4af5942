package main

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// tool is one row of the server's table.
type tool struct {
	name, about string
	properties  string // JSON members of the arguments' "properties"
	handle      mcp.ToolHandler
}

func (t tool) arguments() json.RawMessage {
	return json.RawMessage(`{"type":"object","properties":{` + t.properties + `}}`)
}

func tools() []tool {
	return []tool{
		{"echo", "Say the text back; ask nothing.", `"text":{"type":"string"}`, echo},
		{"deploy", "Deploy a service after the person confirmed it.",
			`"service":{"type":"string"},"environment":{"type":"string"},"choices":{"type":"boolean"}`, deploy},
		{"profile", "Ask for a profile: a form with every kind of field.", ``, profile},
		{"plan", "Plan a backup in two rounds of questions.", ``, plan},
		{"connect", "Link an account by an honest web page.", `"elicitationId":{"type":"string"}`, connect},
		{"phish", "Link an account by a deceptive address.",
			`"trick":{"type":"string","enum":["userinfo","punycode","control"]}`, phish},
		{"url_required", "Refuse with -32042 until a web page was visited.", ``, urlRequired},
		{"leak", "Ask for an API key and a password in a form, which the protocol forbids.", ``, leak},
		{"nested", "Ask with a nested object, which the protocol forbids.", ``, nested},
		{"two", "Ask two questions at the same time.", ``, two},
		{"slow", "Ask, and take the question back after a moment.", `"ms":{"type":"integer"}`, slow},
		{"crash", "Ask, and die before the answer.", ``, crash},
		{"erase", "Erase a directory, and ask nothing. It only says so.", `"path":{"type":"string"}`, erase},
		{"state_only", "Ask the client to come back later, twice; ask the person nothing.", ``, stateOnly},
	}
}

func echo(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct{ Text string }
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	if token := req.Params.GetProgressToken(); token != nil {
		err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1, Total: 1})
		if err != nil {
			return nil, err
		}
	}
	return say(in.Text), nil
}

func erase(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	var in struct{ Path string }
	if err := arguments(req, &in); err != nil {
		return nil, err
	}
	return say("Erased " + in.Path + "."), nil
}

// arguments reads the call's arguments into a struct; missing ones stay zero.
func arguments(req *mcp.CallToolRequest, into any) error {
	if len(req.Params.Arguments) == 0 {
		return nil
	}
	if err := json.Unmarshal(req.Params.Arguments, into); err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "arguments: " + err.Error()}
	}
	return nil
}

// say returns the result of a successful call.
func say(text string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

// fail returns the result of a failed call, whose text the model reads.
func fail(text string) *mcp.CallToolResult {
	r := say(text)
	r.IsError = true
	return r
}
