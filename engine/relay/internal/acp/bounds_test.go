package acp

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// connection is a Link that opens sessions, and does nothing else.
type connection struct{ link.Link }

func (connection) Session(_, _ elicit.Modes, _ string) (session, server string) {
	return "form", "agent"
}

// TestAgentFillsNoTable tells of sessions, of tool calls and of prompts without end.
func TestAgentFillsNoTable(t *testing.T) {
	d := New(&link.Connection{Link: connection{}}, false, false)
	d.Agreed("2", elicit.Modes{Form: true})
	g := gate.New(d.Vocabulary())
	read := func(text string) *gate.Message {
		msg := &gate.Message{}
		if problem := g.Read(msg, []byte(text)); problem != nil {
			t.Fatal(problem)
		}
		return msg
	}
	for i := range 3000 {
		update := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s%d","update":%s}}`
		d.ServerTold(read(fmt.Sprintf(update, i, `{"sessionUpdate":"state_update","state":"running"}`)))
		d.ServerTold(read(fmt.Sprintf(update, i, `{"sessionUpdate":"tool_call_update","toolCallId":"c","title":"x"}`)))
		id := fmt.Sprint(i)
		prompt := read(`{"jsonrpc":"2.0","id":` + id + `,"method":"session/prompt","params":{"sessionId":"s` + id + `"}}`)
		k := &link.Call{Key: gate.KeyOf(prompt.ID)}
		d.Called(k, prompt)
		if len(d.prompts) != 1 || d.prompts[gate.KeyOf(prompt.ID)].session != "s"+id {
			t.Fatalf("%d prompts are open", len(d.prompts))
		}
		d.Ended(k, true)
	}
	if len(d.working) != 1024 || len(d.announced.calls) != 1024 || len(d.prompts) != 0 {
		t.Errorf("%d sessions work, %d tool calls are described, %d prompts are open", len(d.working),
			len(d.announced.calls), len(d.prompts))
	}
}
