// Command mcpgo is a client on mark3labs/mcp-go, for a hostile server. See ../hostile/play.mjs for its command line and
// output. With the argument "serve" it is a server; its tool asks a question and returns the answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

var patience, _ = time.ParseDuration(os.Getenv("PATIENCE") + "ms")

type person struct{}

func (person) Elicit(_ context.Context, request mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	say(map[string]string{"asked": request.Params.Message})
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{}}}, nil
}

func say(event map[string]string) {
	b, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(append(b, '\n')) // one write, so that lines of two goroutines do not mix
}

func main() {
	if os.Args[1] == "serve" {
		serve()
		return
	}
	date, names, command := os.Args[1], os.Args[2], os.Args[3:]
	stdio := transport.NewStdio(command[0], os.Environ(), command[1:]...)
	c := client.NewClient(stdio, client.WithElicitationHandler(person{}), client.WithProtocolVersion(date))
	if err := connect(c); err != nil {
		say(map[string]string{"connect": err.Error()})
		os.Exit(3)
	}
	text, err := os.ReadFile(names)
	if err != nil {
		panic(err)
	}
	for _, name := range strings.Fields(string(text)) {
		outcome, _ := call(c, name)
		say(map[string]string{"done": name, "outcome": outcome})
		if _, err := call(c, "alive"); err != nil {
			os.Exit(9)
		}
		say(map[string]string{"alive": name})
	}
	os.Exit(0)
}

func connect(c *client.Client) error {
	ctx := context.Background()
	if err := c.Start(ctx); err != nil {
		return err
	}
	request := mcp.InitializeRequest{}
	request.Params.ClientInfo = mcp.Implementation{Name: "mcpgo", Version: "1"}
	_, err := c.Initialize(ctx, request)
	return err
}

func call(c *client.Client, name string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = name, map[string]any{}
	result, err := c.CallTool(ctx, request)
	if err != nil {
		return fmt.Sprintf("%v %+v", err, err), err
	}
	b, err := json.Marshal(result)
	return string(b), err
}

func serve() {
	s := server.NewMCPServer("mcpgo", "1", server.WithElicitation())
	ask := func(ctx context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		result, err := s.RequestElicitation(ctx, mcp.ElicitationRequest{Params: mcp.ElicitationParams{
			Message:         request.GetString("message", ""),
			RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}},
		}})
		if err != nil {
			return nil, err
		}
		return mcp.NewToolResultText(string(result.Action)), nil
	}
	s.AddTool(mcp.NewTool("ask", mcp.WithString("message")), ask)
	if err := server.ServeStdio(s); err != nil {
		os.Exit(1)
	}
}
