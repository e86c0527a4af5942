package gosdk_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
)

// TestPrompt lets a prompt ask.
func TestPrompt(t *testing.T) {
	for _, date := range dates {
		for _, modes := range []*mcp.ElicitationCapabilities{{}, nil} {
			p := &person{}
			s, _ := connect(t, ask.Options{}, date, modes, p)
			got, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "plan"})
			if modes == nil {
				if err == nil || !strings.Contains(err.Error(), "no question of this kind") {
					t.Errorf("%s without elicitation: %v, %v", date, got, err)
				}
				continue
			}
			if err != nil || got.Messages[0].Content.(*mcp.TextContent).Text != "Plan for eu" || len(p.asked) != 1 {
				t.Errorf("%s: %+v, %v, asked %q", date, got, err, p.asked)
			}
		}
	}
}

// TestResource lets a resource ask, twice.
func TestResource(t *testing.T) {
	for _, date := range dates {
		for _, modes := range []*mcp.ElicitationCapabilities{{}, nil} {
			p := &person{}
			s, _ := connect(t, ask.Options{}, date, modes, p)
			got, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "bot://log"})
			if modes == nil {
				if err == nil || !strings.Contains(err.Error(), "no question of this kind") {
					t.Errorf("%s without elicitation: %v, %v", date, got, err)
				}
				continue
			}
			if err != nil || got.Contents[0].Text != "Log of eu" || len(p.asked) != 2 {
				t.Errorf("%s: %+v, %v, asked %q", date, got, err, p.asked)
			}
		}
	}
}
