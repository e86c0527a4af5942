package relay

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/relay/internal/mcp"
	wiremcp "github.com/elicit-engine/elicit/engine/wire/mcp"
)

// tables returns the sizes of everything that a machine remembers, by name.
func (m *Machine) tables() map[string]int {
	return map[string]int{
		"calls":            len(m.calls.ByClient),
		"at the server":    len(m.calls.ByServer),
		"tokens":           sizeOf(m.speaks, "link", "signs", "tokens"),
		"free calls":       m.calls.Free(),
		"kept bytes":       m.calls.Kept,
		"answered calls":   sizeOf(m.speaks, "past", "answeredTools"),
		"unanswered calls": sizeOf(m.speaks, "past", "unanswered"),
		"asks":             len(m.client.asks),
		"asked":            len(m.client.asked),
		"tools":            sizeOf(m.speaks, "link", "tools", "annotations"),
		"names":            sizeOf(m.speaks, "names"),
		"questions":        m.decider.Open(),
		"visiting":         sizeOf(m.decider, "questions", "visiting"),
		"settled":          m.settled.Len(),
		"links":            sizeOf(m.speaks, "asking", "links", "order"),
		"with the client":  len(m.client.withUser),
		"timers":           len(m.time.Timers()),
		"handed":           sizeOf(m.speaks, "handed", "list"),
		"sessions":         m.decider.Sessions(),
		"revoked":          sizeOf(m.decider, "revoked"),
		"last":             len(m.out.last),
	}
}

// sizeOf returns the size of a table of a part, by the names of fields that lead to it.
func sizeOf(part any, path ...string) int {
	v := reflect.ValueOf(part).Elem()
	for _, name := range path {
		v = reflect.Indirect(v.FieldByName(name))
	}
	return v.Len()
}

// bounded checks that no table is larger than its bound. A table without a bound must be empty.
func (r *rig) bounded(bounds map[string]int) {
	r.t.Helper()
	for name, size := range r.m.tables() {
		if size > bounds[name] {
			r.t.Errorf("%s: %d, want at most %d", name, size, bounds[name])
		}
	}
}

// TestHostileServerFillsNoTable sends everything that a server can send without being asked, each with a new name.
func TestHostileServerFillsNoTable(t *testing.T) {
	r := open(t, Config{})
	for i := range 5000 {
		r.server(asking(i, fmt.Sprintf("Question %d?", i)))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never-%d"}}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete",`+
			`"params":{"elicitationId":"l-%d"}}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t-%d",`+
			`"progress":1}}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":"no-%d","result":{"resultType":"input_required","requestState":"x"}}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":"bad-%d","method":"elicitation/create","Method":1}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":"url-%d","method":"elicitation/create","params":{"mode":"url",`+
			`"message":"m","url":"https://example.com/%d","elicitationId":"e-%d"}}`, i, i, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"url-%d"}}`, i))
		r.server(asking(1, "Again?"))
	}
	r.bounded(map[string]int{"sessions": 1, "settled": link.MaxRecent, "links": link.MaxRecent,
		"questions": 64, "last": 64})
}

// TestCallsLeaveNothing makes many calls that ask, fail, are cancelled, or wait for pages.
func TestCallsLeaveNothing(t *testing.T) {
	r := open(t, Config{KeepAlive: 1000})
	for i := range 3000 {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"tool-%d",`+
			`"_meta":{"progressToken":%d}}}`, i, i, i))
		switch i % 5 {
		case 0:
			r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, i))
		case 1:
			r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"Content":1}}`, i))
		case 2:
			r.client(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
		case 3:
			r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","requestState":"x"}}`, i))
			r.client(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
		case 4:
			r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{"code":-32042,"message":"m","data":{"elicitations":[]}}}`,
				i))
		}
		r.now += 100
	}
	r.now += 100_000
	r.server(`{"jsonrpc":"2.0","method":"notifications/x"}`)
	r.bounded(map[string]int{"sessions": 1, "free calls": link.MaxFree, "answered calls": elicit.MaxCandidates + 1,
		"unanswered calls": elicit.MaxCandidates + 1, "names": wiremcp.MaxTools})
}

func TestOpenRequestsAreBounded(t *testing.T) {
	r := open(t, Config{})
	for i := range link.MaxCalls {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`, i))
	}
	r.want(`{"effect":"forward","to":"client"}`)
	r.client(`{"jsonrpc":"2.0","id":"more","method":"ping"}`)
	r.want(`\"id\":\"more\",\"error\":`, "too_many_calls", "!forward")
	r.server(`{"jsonrpc":"2.0","id":"more","method":"ping"}`)
	r.want(`\"id\":\"more\",\"error\":`, "too_many_calls", "!forward")
	r.server(`{"jsonrpc":"2.0","id":7,"result":{}}`)
	r.want(`{"effect":"forward","to":"client"}`)
	r.client(`{"jsonrpc":"2.0","id":"more","method":"ping"}`)
	r.want(`{"effect":"forward","to":"server"}`)
}

// TestKeptCallsAreBounded keeps calls open whose text must be remembered, each of one megabyte.
func TestKeptCallsAreBounded(t *testing.T) {
	r := open(t, Config{})
	big := strings.Repeat("x", 1<<20)
	for i := 0; r.m.calls.Kept <= link.MaxKeptBytes; i++ {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save","arguments":{"x":"`,
			i) + big + `"}}}`)
		if strings.Contains(r.said(), "too_many_calls") {
			return
		}
	}
	t.Errorf("%d bytes are kept, want at most %d", r.m.calls.Kept, link.MaxKeptBytes)
}

// TestKeptRoundsAreBounded answers call after call with a large state, which is kept until the call is repeated.
func TestKeptRoundsAreBounded(t *testing.T) {
	r := open(t, Config{})
	big, i := strings.Repeat("x", 250_000), 0
	for ; i < 1200 && !strings.Contains(r.said(), "too_many_calls"); i++ {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":"c%d","method":"tools/call","params":{"name":"save",`+roundsMeta+`}}`, i))
		r.now -= 2 // otherwise the calls are repeated in between
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":"c%d","result":{"resultType":"input_required","requestState":"`,
			i) + big + `"}}`)
	}
	r.want("too_many_calls")
	if r.m.calls.Kept > link.MaxKeptBytes || r.m.calls.Kept < link.MaxKeptBytes-len(big)*2 {
		t.Errorf("%d bytes are kept for %d calls, want at most %d", r.m.calls.Kept, i, link.MaxKeptBytes)
	}
	r.step(Ended{Server}, "")
	r.bounded(map[string]int{"sessions": 0, "free calls": link.MaxFree, "unanswered calls": 1, "names": 2, "last": 5000})
}

// TestTimersEndWithTheirCalls checks that calls that are repeated again and again leave no timers behind.
func TestTimersEndWithTheirCalls(t *testing.T) {
	r := open(t, Config{})
	for i := range 100 {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save"}}`, i))
		r.server(asking(1000+i, "Which day?"))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","requestState":"x"}}`, i))
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, i))
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":"a%d","method":"tools/call","params":{"name":"save"}}`, i))
		r.server(asking(2000+i, "Which day?"))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":"a%d","result":{}}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, 2000+i))
		if n := len(r.m.time.Timers()); n != 0 {
			t.Fatalf("%d timers for nothing that is open", n)
		}
	}
}

// TestHandedRoundsAreBounded hands rounds to a client that continues none of them.
func TestHandedRoundsAreBounded(t *testing.T) {
	r := open(t, Config{Ask: AskClient})
	for i := range 1000 {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save","_meta":{`+
			`"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}}}`, i))
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required",`+
			`"inputRequests":{"r":{"method":"roots/list"}}}}`, i))
	}
	r.want(`\"requestState\":`)
	r.bounded(map[string]int{"sessions": 2, "handed": mcp.MaxHanded, "timers": mcp.MaxHanded,
		"kept bytes": mcp.MaxHanded << 10, "free calls": link.MaxFree, "unanswered calls": 1, "names": 2})
	r.now += mcp.HandedFor
	r.server(`{"jsonrpc":"2.0","method":"notifications/x"}`)
	r.bounded(map[string]int{"sessions": 2, "free calls": link.MaxFree, "unanswered calls": 1, "names": 2, "last": 64})
}
