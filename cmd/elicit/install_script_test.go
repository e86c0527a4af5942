package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/testscript"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"
)

// greeter is an MCP server whose tool says the first argument of the program.
func greeter() {
	said := "nothing"
	if len(os.Args) > 1 {
		said = os.Args[1]
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "greeter", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "greet"}, func(ctx context.Context, call *mcp.CallToolRequest, _ struct{}) (
		*mcp.CallToolResult, any, error) {
		if said == "ask" {
			answer, err := call.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Greet?",
				RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}})
			if err != nil {
				return nil, nil, err
			}
			said = answer.Action
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil, nil
	})
	_ = server.Run(context.Background(), &mcp.StdioTransport{}) // ends with its client
}

// callThrough starts a server as a client would, from the command in a file, and wants its tool to say a text:
// callthrough FILE KEY.KEY… TEXT. It reads the file with a library for its format, not as elicit install does.
func callThrough(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: callthrough FILE KEY.KEY… TEXT")
	}
	text, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	var value any
	switch filepath.Ext(args[0]) {
	case ".toml":
		err = toml.Unmarshal(text, &value)
	case ".yaml":
		err = yaml.Unmarshal(text, &value)
	default:
		text, err = hujson.Standardize(text)
		ts.Check(err)
		err = json.Unmarshal(text, &value)
	}
	ts.Check(err)
	for key := range strings.SplitSeq(args[1], ".") {
		value = value.(map[string]any)[key]
	}
	server := value.(map[string]any)
	var command []string
	for _, key := range []string{"command", "cmd", "path"} {
		if word, ok := server[key].(string); ok {
			command = append(command, word)
		}
	}
	if list, ok := server["args"].([]any); ok {
		for _, word := range list {
			command = append(command, word.(string))
		}
	}
	if !strings.HasSuffix(command[0], "elicit") || !filepath.IsAbs(command[0]) {
		ts.Fatalf("%s starts %q and not this program", args[1], command)
	}
	cmd := exec.Command(command[0], command[1:]...)
	for _, name := range []string{"HOME", "PATH", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "ELICIT_TTY"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	cmd.Dir, cmd.Stderr = ts.MkAbs("."), ts.Stderr()
	ctx := context.Background()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "client", Version: "1"}, nil).Connect(ctx,
		&mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	ts.Check(err)
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "greet"})
	ts.Check(err)
	if said := result.Content[0].(*mcp.TextContent).Text; said != args[2] {
		ts.Fatalf("%q said %q, want %q", command, said, args[2])
	}
}
