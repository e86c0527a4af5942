package acp

import (
	"fmt"
	"strings"
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

// TestFullChain lets notifications pass when no further request of the conductor may be open. Only a request is
// answered with an error.
func TestFullChain(t *testing.T) {
	var handled, sent []string
	c := NewChain(&link.Connection{Link: outbox{sent: &sent}}, link.Ends{
		Handle: func(_ link.End, raw []byte) { handled = append(handled, string(raw)) }})
	for i := range maxOpen {
		c.from[gate.KeyOf(fmt.Append(nil, i))] = link.Client
	}
	g := gate.New(New(c.to, false, false).Vocabulary())
	for _, text := range []string{`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}`,
		`{"jsonrpc":"2.0","id":"x","method":"session/new","params":{}}`} {
		var msg gate.Message
		c.Received(&msg, g.Read(&msg, []byte(text)))
	}
	if len(handled) != 1 || !strings.Contains(handled[0], "session/cancel") {
		t.Errorf("passed: %q", handled)
	}
	if len(sent) != 1 || !strings.Contains(sent[0], `"id":"x"`) {
		t.Errorf("answered: %q", sent)
	}
}

// outbox keeps what is sent, and does nothing else.
type outbox struct {
	link.Link
	sent *[]string
}

func (o outbox) Send(_ link.End, text []byte, _ func()) { *o.sent = append(*o.sent, string(text)) }
