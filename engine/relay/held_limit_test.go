package relay

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// TestAFanOutOfHeldCallsWaits: with the default limits, 64 calls at once of a tool with a large schema and a long
// description all wait, up to the limit of held calls. Each is sent after its yes, and the journal replays.
func TestAFanOutOfHeldCallsWaits(t *testing.T) {
	most, first := 0, elicit.ID("")
	for _, l := range engine.Limits() {
		if l.Name == "held_calls" {
			most = l.Default
		}
	}
	r := open(t, Config{HoldCalls: true})
	schema := `{"type":"object","properties":{"n":{"type":"integer"},"text":{"type":"string","description":"` +
		strings.Repeat("long ", 1600) + `"}}}`
	r.client(`{"jsonrpc":"2.0","id":"list","method":"tools/list"}`)
	r.server(`{"jsonrpc":"2.0","id":"list","result":{"tools":[{"name":"write","description":"` +
		strings.Repeat("Writes. ", 400) + `","inputSchema":` + schema + `}]}}`)
	text := strings.Repeat("0123456789", 200)
	for n := range most {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"write",`+
			`"arguments":{"n":%d,"text":"%s"}}}`, n, n, text))
		if r.want(`"effect":"question"`, `!"effect":"send"`); t.Failed() {
			t.Fatalf("call %d does not wait", n)
		}
		if n == 0 {
			first = r.shown()
		}
	}
	r.client(`{"jsonrpc":"2.0","id":"one more","method":"tools/call","params":{"name":"write","arguments":{}}}`)
	r.want("too_many_held_calls", `"to":"client"`)

	shown := first
	for n := range most {
		r.step(event.Answered{Session: "form", ID: shown, Action: elicit.Accept}, "")
		if r.want(fmt.Sprintf(`\"n\":%d,`, n), `"to":"server"`); n < most-1 {
			shown = r.shown()
		}
	}
	r.replays()
}
