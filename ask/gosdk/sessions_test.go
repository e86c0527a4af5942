package gosdk_test

import (
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/ask"
	"github.com/elicit-engine/elicit/store/memory"
)

// TestSessionsOfTwoProcesses asks in two processes that share a store, and whose sessions have no ids. The question of
// one does not wait for the other's.
func TestSessionsOfTwoProcesses(t *testing.T) {
	m := memory.New()
	open, release := make(chan struct{}), make(chan struct{})
	slow, _ := connect(t, ask.Options{Store: m.Handle()}, "2025-11-25", &mcp.ElicitationCapabilities{},
		&person{say: func(int, *mcp.ElicitParams) *mcp.ElicitResult {
			close(open)
			<-release
			return &mcp.ElicitResult{Action: "decline"}
		}})
	other, _ := connect(t, ask.Options{Store: m.Handle()}, "2025-11-25", &mcp.ElicitationCapabilities{}, &person{})
	ended := make(chan string)
	go func() {
		result, err := slow.CallTool(t.Context(), &mcp.CallToolParams{Name: "wizard"})
		if err != nil {
			ended <- err.Error()
			return
		}
		ended <- result.Content[0].(*mcp.TextContent).Text
	}()
	<-open
	if got := call(t, other, "wizard", nil); got != "eu 3 b" {
		t.Errorf("the other process says %q", got)
	}
	close(release)
	if got := <-ended; got != "the person declined" {
		t.Errorf("the first process says %q", got)
	}
}
