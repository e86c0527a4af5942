package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// asking calls a server that asks with one line of code for each question, through clients that differ. No proxy is
// between them.
func (d *demo) asking() error {
	heading("The other side: a server that asks", "go -C examples run ./gate")
	answers := func(_ context.Context, req *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
		line("asked", req.Params.Message)
		content := map[string]any{}
		switch {
		case strings.HasPrefix(req.Params.Message, "Where"):
			content["choice"] = "staging"
		case strings.HasPrefix(req.Params.Message, "How"):
			content["passed"], content["failed"] = 12, 0
		default: // the last yes
			content["answer"] = "yes"
		}
		return &mcp.ElicitResult{Action: "accept", Content: content}, nil
	}
	for _, c := range []struct {
		about, protocol string
		options         mcp.ClientOptions
		says            string
	}{
		{"A client of 2025-11-25 has forms: it gets three requests.", "2025-11-25",
			mcp.ClientOptions{ElicitationHandler: answers}, "Released 1.4.0 to staging."},
		{"A client of 2026-07-28 gets the same questions in the results of its call.", "2026-07-28",
			mcp.ClientOptions{ElicitationHandler: answers}, "Released 1.4.0 to staging."},
		{"A client that can ask nobody gets a text for the model, with a page for the person.", "2025-11-25",
			mcp.ClientOptions{}, "needs an answer from the person"},
	} {
		d.acts++
		fmt.Printf("\n%2d  release: %s\n", d.acts, c.about)
		text, err := d.release(c.protocol, &c.options)
		if err != nil {
			return err
		}
		line("tool says", text)
		d.must(strings.Contains(text, c.says), fmt.Sprintf("%s: the tool must say %q", c.protocol, c.says))
	}
	return nil
}

// release calls the tool of the example once.
func (d *demo) release(protocol string, options *mcp.ClientOptions) (string, error) {
	ctx, stop := context.WithTimeout(context.Background(), 5*time.Minute)
	defer stop()
	command := exec.Command(d.program("gate"))
	command.Stderr = os.Stderr
	client := mcp.NewClient(&mcp.Implementation{Name: "demo-client", Version: "1"}, options)
	session, err := client.Connect(ctx, &mcp.CommandTransport{Command: command, TerminateDuration: 5 * time.Second},
		&mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err != nil {
		return "", err
	}
	defer session.Close()
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "release",
		Arguments: map[string]any{"version": "1.4.0"}})
	return resultText(result, err)
}
