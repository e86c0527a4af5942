// Command hostileclient is a client on the official Go SDK, for a hostile server. See ../realparts/hostile/play.mjs for
// its command line and output.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var patience, _ = time.ParseDuration(os.Getenv("PATIENCE") + "ms")

func main() {
	date, names, command := os.Args[1], os.Args[2], os.Args[3:]
	client := mcp.NewClient(&mcp.Implementation{Name: "hostileclient", Version: "1"}, &mcp.ClientOptions{
		Capabilities: &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{
			Form: &mcp.FormElicitationCapabilities{}, URL: &mcp.URLElicitationCapabilities{}}},
		ElicitationHandler: func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			say(map[string]string{"asked": r.Params.Message})
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
	})
	session, leave := connect(client, date, command)
	text, err := os.ReadFile(names)
	if err != nil {
		panic(err)
	}
	for _, name := range strings.Fields(string(text)) {
		outcome, _ := call(session, name)
		say(map[string]string{"done": name, "outcome": outcome})
		if _, err := call(session, "alive"); err != nil { // a new connection costs less than a new process
			leave()
			say(map[string]string{"broke": name})
			session, leave = connect(client, date, command)
			continue
		}
		say(map[string]string{"alive": name})
	}
	os.Exit(0)
}

// connect returns a session with a new server, and the function that ends the server.
func connect(client *mcp.Client, date string, command []string) (*mcp.ClientSession, func()) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: cmd},
		&mcp.ClientSessionOptions{ProtocolVersion: date})
	if err != nil {
		say(map[string]string{"connect": err.Error()})
		os.Exit(3)
	}
	return session, func() {
		_ = cmd.Process.Kill()
		_ = session.Close()
	}
}

func call(session *mcp.ClientSession, name string) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), patience)
	defer stop()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: map[string]any{}})
	var wire *jsonrpc.Error
	if errors.As(err, &wire) {
		return fmt.Sprintf("%d %s %s", wire.Code, wire.Message, wire.Data), err
	}
	if err != nil {
		return err.Error(), err
	}
	b, err := json.Marshal(result)
	return string(b), err
}

func say(event map[string]string) {
	b, err := json.Marshal(event)
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.Write(append(b, '\n')) // one write, so that the lines of two goroutines do not mix
}
