package gosdk_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
)

// TestProgress lets a person think until the client has heard of it three times, with a number that grows. A tool, a
// prompt and a resource ask.
func TestProgress(t *testing.T) {
	each(t, dates[:2], func(t *testing.T, date string, o ask.Options) {
		o.Progress = 100 * time.Millisecond
		heard := make(chan *mcp.ProgressNotificationParams, 1000)
		token := ""
		p := &person{heard: func(_ context.Context, req *mcp.ProgressNotificationClientRequest) { heard <- req.Params }}
		p.say = func(int, *mcp.ElicitParams) *mcp.ElicitResult {
			var got []float64
			for len(got) < 3 {
				said := <-heard
				if said.ProgressToken != token {
					continue // of the call before, which had one more on its way
				}
				if got = append(got, said.Progress); said.Message != "Waiting for the person to answer." {
					t.Errorf("progress: %+v", said)
				}
			}
			if want := []float64{1, 2, 3}; !slices.Equal(got, want) {
				t.Errorf("progress %v, want %v", got, want)
			}
			return &mcp.ElicitResult{Action: "decline"}
		}
		s, _ := connect(t, o, date, &mcp.ElicitationCapabilities{}, p)
		with := func(name string) mcp.Meta {
			token = name
			return mcp.Meta{"progressToken": name}
		}
		if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "wizard", Meta: with("tool")}); err != nil {
			t.Fatal(err)
		}
		if _, err := s.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "plan", Meta: with("prompt")}); err == nil {
			t.Error("the prompt was answered")
		}
		_, err := s.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "bot://log", Meta: with("resource")})
		if err == nil {
			t.Error("the resource was answered")
		}
		if len(p.asked) != 3 {
			t.Errorf("%d questions", len(p.asked))
		}
	})
}
