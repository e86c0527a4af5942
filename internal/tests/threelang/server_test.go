package threelang

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
)

// serves is the variable of the environment that makes the server of this program.
const serves = "ELICIT_THREELANG"

func TestMain(m *testing.M) {
	if os.Getenv(serves) == "" {
		os.Exit(m.Run())
	}
	if err := serve(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// serve is the server in Go. It has the same tools, prompt and resource as those in bindings/js/test/ask/threelang.mjs
// and bindings/python/tests/threelang.py.
func serve(ctx context.Context) error {
	asker, err := ask.New(ask.Options{Server: "deploy-bot"})
	if err != nil {
		return err
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "deploy-bot", Version: "1"}, nil)
	gosdk.Install(server, asker, gosdk.Principal(func(mcp.Request) string { return "ann" }))
	var flow atomic.Value // the id of the page that waits
	deployments := 0
	add := func(name string, run func(context.Context) (string, error)) {
		mcp.AddTool(server, &mcp.Tool{Name: name}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (
			*mcp.CallToolResult, any, error,
		) {
			said, err := run(ctx)
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: said}}}, nil, err
		})
	}
	add("deploy", func(ctx context.Context) (string, error) {
		where, err := ask.Choose(ctx, "Where should it run?", []ask.Choice{{Value: "staging", Title: "Staging"},
			{Value: "production", Title: "Production"}})
		if err != nil {
			return "", err
		}
		if sure, err := confirm(ctx, "Deploy to "+where+"?"); !sure {
			return "nothing was deployed", err
		}
		deployments++
		return fmt.Sprintf("deployment %d runs in %s", deployments, where), nil
	})
	add("connect", func(ctx context.Context) (string, error) {
		wait := ask.Wait(func(id string) { flow.Store(id) })
		return "connected", ask.URL(ctx, "Connect your account", "https://id.example/start", wait)
	})
	add("finish", func(ctx context.Context) (string, error) {
		id, _ := flow.Load().(string)
		return "finished", asker.Completed(ctx, id)
	})
	add("pay", func(ctx context.Context) (string, error) {
		key, err := ask.Key(ctx)
		if err != nil {
			return "", err
		}
		plan, err := ask.Once(ctx, func(context.Context) (int, error) { return 42, nil })
		if err != nil {
			return "", err
		}
		done := "paid"
		sure, err := confirm(ctx, fmt.Sprintf("Pay %d euros?", plan))
		if !sure {
			done = "did not pay"
		}
		return fmt.Sprintf("%s %d with the key %s", done, plan, key), err
	})
	server.AddPrompt(&mcp.Prompt{Name: "review"}, func(ctx context.Context, _ *mcp.GetPromptRequest) (
		*mcp.GetPromptResult, error,
	) {
		how, err := ask.Choose(ctx, "How?", []ask.Choice{{Value: "fast"}, {Value: "slow"}})
		if err != nil {
			return nil, err
		}
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user",
			Content: &mcp.TextContent{Text: "Review it " + how}}}}, nil
	})
	server.AddResource(&mcp.Resource{Name: "report", URI: "report://now", MIMEType: "text/plain"}, report)
	return server.Run(ctx, &mcp.StdioTransport{})
}

func report(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	which, err := ask.Choose(ctx, "Which?", []ask.Choice{{Value: "short"}, {Value: "long"}})
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: "text/plain",
		Text: "The " + which + " report"}}}, nil
}

// confirm asks for a yes or a no.
func confirm(ctx context.Context, message string) (bool, error) {
	err := ask.Confirm(ctx, message)
	if errors.Is(err, ask.ErrDeclined) {
		return false, nil
	}
	return err == nil, err
}
