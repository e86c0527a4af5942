package gosdk_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
)

// A server with one tool that asks before it acts, and a client of the same process whose person agrees.
func Example() {
	asker, err := ask.New(ask.Options{Server: "deploy-bot"})
	if err != nil {
		panic(err)
	}
	defer asker.Close()
	server := mcp.NewServer(&mcp.Implementation{Name: "deploy-bot", Version: "1"}, nil)
	gosdk.Install(server, asker)
	mcp.AddTool(server, &mcp.Tool{Name: "deploy"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (
		*mcp.CallToolResult, any, error,
	) {
		if err := ask.Confirm(ctx, "Deploy to production?"); err != nil {
			return nil, nil, err
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "deployed"}}}, nil, nil
	})

	client := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			fmt.Println("client:", req.Params.Message)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"answer": "yes"}}, nil
		}})
	ctx := context.Background()
	atServer, atClient := mcp.NewInMemoryTransports()
	if _, err := server.Connect(ctx, atServer, nil); err != nil {
		panic(err)
	}
	session, err := client.Connect(ctx, atClient, nil)
	if err != nil {
		panic(err)
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "deploy"})
	if err != nil {
		panic(err)
	}
	fmt.Println("server:", result.Content[0].(*mcp.TextContent).Text)
	// Output:
	// client: Deploy to production?
	// server: deployed
}
