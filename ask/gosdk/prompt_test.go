package gosdk_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/ask/gosdk"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/store"
	"github.com/elicit-engine/elicit/store/memory"
)

// TestPrompt lets a prompt ask.
func TestPrompt(t *testing.T) {
	askedBy(t, "Plan for eu", 1, func(s *mcp.ClientSession) (string, error) {
		got, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "plan"})
		if err != nil {
			return "", err
		}
		return got.Messages[0].Content.(*mcp.TextContent).Text, nil
	})
}

// TestResource lets a resource ask, twice.
func TestResource(t *testing.T) {
	askedBy(t, "Log of eu", 2, func(s *mcp.ClientSession) (string, error) {
		got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "bot://log"})
		if err != nil {
			return "", err
		}
		return got.Contents[0].Text, nil
	})
}

// askedBy gets something that asks, of a client with elicitation and of one without, at each date.
func askedBy(t *testing.T, want string, questions int, get func(*mcp.ClientSession) (string, error)) {
	t.Helper()
	for _, date := range dates {
		for _, modes := range []*mcp.ElicitationCapabilities{{}, nil} {
			p := &person{}
			s, _ := connect(t, ask.Options{}, date, modes, p)
			got, err := get(s)
			if modes == nil {
				if err == nil || !strings.Contains(err.Error(), "no question of this kind") {
					t.Errorf("%s without elicitation: %v, %v", date, got, err)
				}
			} else if err != nil || got != want || len(p.asked) != questions {
				t.Errorf("%s: %q, %v, asked %q", date, got, err, p.asked)
			}
		}
	}
}

// TestCodes gives each end of a prompt's question its own code.
func TestCodes(t *testing.T) {
	for _, c := range []struct {
		action string
		modes  *mcp.ElicitationCapabilities
		store  store.Store
		code   int64
	}{
		{"decline", &mcp.ElicitationCapabilities{}, nil, 4001},
		{"cancel", &mcp.ElicitationCapabilities{}, memory.New(), 4002},
		{"", nil, nil, 4003},
		{"", &mcp.ElicitationCapabilities{}, away{}, -32603},
	} {
		for _, date := range dates {
			p := &person{say: func(int, *mcp.ElicitParams) *mcp.ElicitResult { return &mcp.ElicitResult{Action: c.action} }}
			s, _ := connect(t, ask.Options{Store: c.store}, date, c.modes, p)
			_, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "plan"})
			wire := &jsonrpc.Error{}
			if !errors.As(err, &wire) || wire.Code != c.code {
				t.Errorf("%s, %q, %v: %v", date, c.action, c.store, err)
			}
		}
	}
}

// TestBroken gives an error of a handler the code of other languages.
func TestBroken(t *testing.T) {
	for _, date := range dates {
		s, _ := connect(t, ask.Options{}, date, nil, &person{})
		_, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "broken"})
		wire := &jsonrpc.Error{}
		if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInternalError || wire.Message != "no draft" {
			t.Errorf("%s: %v", date, err)
		}
	}
}

// away is a store that cannot be reached.
type away struct{ store.Store }

func (away) Load(context.Context, string) (store.Saved, error) {
	return store.Saved{}, store.ErrUnavailable
}

func (away) Commit(context.Context, store.Change) (uint64, error) { return 0, store.ErrUnavailable }

func (away) Redeem(context.Context, string, int64, int64) error { return store.ErrUnavailable }

func (away) Due(context.Context, int64, int, int) ([]string, error) { return nil, store.ErrUnavailable }

func (away) Watch(context.Context, string) (<-chan uint64, func(), error) {
	return nil, nil, store.ErrUnavailable
}

// TestPromiseOfStructuredContent asks for a tool with an output schema through a model. A text is no structured
// content, so it is an error, which alone may be without. The tool is on the last page of the list.
func TestPromiseOfStructuredContent(t *testing.T) {
	each(t, dates, func(t *testing.T, date string, o ask.Options) {
		o.Server = "bot"
		asker, err := ask.New(o)
		must.OK(t, err)
		server := mcp.NewServer(&mcp.Implementation{Name: "bot"}, &mcp.ServerOptions{PageSize: 1})
		gosdk.Install(server, asker)
		tools(server)
		mcp.AddTool(server, &mcp.Tool{Name: "zone"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ struct{}) (
			*mcp.CallToolResult, deploy, error,
		) {
			where, err := ask.Form[deploy](ctx, "Where?")
			return nil, where, err
		})
		here, there := mcp.NewInMemoryTransports()
		_, err = server.Connect(t.Context(), there, nil)
		must.OK(t, err)
		client := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil)
		s, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: date})
		must.OK(t, err)
		defer s.Close()
		for tool, promised := range map[string]bool{"zone": true, "wizard": false} {
			result, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: tool})
			must.OK(t, err)
			if text := result.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, "elicitation_result") ||
				result.IsError != promised {
				t.Errorf("%s: an error is %v: %q", tool, result.IsError, text)
			}
		}
	})
}
