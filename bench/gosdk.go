package main

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// goSDK is the official Go SDK: a tool call that asks for the form, over its in-memory transport. Client and server
// both compile the schema and check the answer.
func goSDK(form []byte) (*line, func()) {
	server := mcp.NewServer(&mcp.Implementation{Name: "bench", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.CallToolRequest,
		_ struct{}) (*mcp.CallToolResult, any, error) {
		var schema any
		must(json.Unmarshal(form, &schema)) // as a server does that builds its schema for every question
		answer, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: question, RequestedSchema: schema})
		if err != nil || answer.Action != "accept" {
			return &mcp.CallToolResult{IsError: true}, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, nil, nil
	})
	return sdkCalls("official Go SDK 1.8.0, tool call that elicits, in memory", server, nil)
}

// sdkCalls calls the tool ask of a server over the SDK's in-memory transport, from a client that answers every question
// right. ended runs when the server is over; nil for nothing.
func sdkCalls(name string, server *mcp.Server, ended func()) (*line, func()) {
	ctx := context.Background()
	var content map[string]any
	must(json.Unmarshal(rightAnswer, &content))
	client := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: content}, nil
		}})
	near, far := mcp.NewInMemoryTransports()
	serving, err := server.Connect(ctx, near, nil)
	must(err)
	calling, err := client.Connect(ctx, far, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	must(err)
	return &line{name: name, unit: "ns", run: func(n int) {
			for range n {
				result, err := calling.CallTool(ctx, &mcp.CallToolParams{Name: "ask"})
				must(err)
				if result.IsError {
					said, err := json.Marshal(result.Content)
					must(err)
					mustHold(false, name+" refuses the answer: "+string(said))
				}
			}
		}}, func() {
			calling.Close()
			serving.Wait()
			if ended != nil {
				ended()
			}
		}
}
