package relay

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/relay/internal/mcp"
	wiremcp "github.com/elicit-engine/elicit/engine/wire/mcp"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/testdata/hostile"
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
		"tasks":            sizeOf(m.speaks, "tasks", "list"),
		"task bytes":       sizeOf(m.speaks, "tasks", "kept"),
		"task updates":     sizeOf(m.speaks, "tasks", "updates"),
		"sessions":         m.decider.Sessions(),
		"revoked":          sizeOf(m.decider, "revoked"),
		"last":             len(m.out.last),
	}
}

// sizeOf returns the size of a table of a part, or a number of it, by the names of fields that lead to it.
func sizeOf(part any, path ...string) int {
	v := reflect.ValueOf(part).Elem()
	for _, name := range path {
		v = reflect.Indirect(v.FieldByName(name))
	}
	if v.CanInt() {
		return int(v.Int())
	}
	return v.Len()
}

// bounded checks that no table is larger than its bound. A table without a bound must be empty.
func (r *rig) bounded(bounds map[string]int) {
	r.t.Helper()
	for name, size := range r.m.tables() {
		if size > bounds[name] || size < 0 {
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
	for i := range wiremcp.MaxTools + 100 {
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

// TestHandedRoundsWait: the first of as many rounds as wait is continued, and with one more round it is over.
func TestHandedRoundsWait(t *testing.T) {
	for more := range 2 {
		r := open(t, Config{Ask: AskClient})
		for i := range mcp.MaxHanded + more {
			r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save",`+tasksMeta+`}}`, i))
			r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required",`+
				`"inputRequests":{"r":{"method":"roots/list"}}}}`, i))
		}
		r.client(`{"jsonrpc":"2.0","id":"again","method":"tools/call","params":{"name":"save",` + tasksMeta +
			`,"inputResponses":{"r":{"roots":[]}},"requestState":"` + r.m.Prefix() + `1"}}`)
		r.want([]string{`\"inputResponses\":{\"r\":{\"roots\":[]}}`, "unknown_request_state"}[more])
	}
}

// TestHeldCallsLeaveNothing declines, edits and fails held calls.
func TestHeldCallsLeaveNothing(t *testing.T) {
	r := open(t, Config{HoldCalls: true, KeepAlive: 1000})
	call := func(id int) elicit.ID {
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"save","arguments":{"n":1},`+
			`"_meta":{"progressToken":%d}}}`, id, id))
		return r.shown()
	}
	r.step(event.Answered{Session: "form", ID: call(1), Action: elicit.Decline}, "")
	r.bounded(map[string]int{"sessions": 2, "names": 2, "timers": 1, "last": 64})
	text := strings.Repeat("x", 1000)
	r.step(event.Answered{Session: "form", ID: call(2), Action: elicit.Accept,
		Arguments: []byte(`{"n":"` + text + `"}`)}, "")
	if r.m.calls.Kept < len(text) {
		t.Errorf("%d bytes count for a call with arguments of the person, want more than %d", r.m.calls.Kept, len(text))
	}
	r.server(`{"jsonrpc":"2.0","id":2,"result":{}}`)
	r.bounded(map[string]int{"sessions": 2, "names": 2, "timers": 1, "last": 64, "answered calls": 1})
}

// tasksMeta is _meta of a client that knows tasks of 2026-07-28.
const tasksMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}}`

// task gives the machine what the server says of a task that a client has asked for.
func (r *rig) task(id int, name, status, entries string) {
	r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tasks/get","params":{"taskId":%q,`+tasksMeta+`}}`, id, name))
	r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"complete","taskId":%q,"status":%q,`+
		`"createdAt":"2026-08-01T10:00:00Z","lastUpdatedAt":"2026-08-01T10:00:05Z","ttlMs":600000%s}}`,
		id, name, status, entries))
}

const (
	listsRoots = `"roots":{"method":"roots/list"}`
	listsDay   = `"day":{"method":"elicitation/create","params":{"message":"Which day?","requestedSchema":` +
		`{"type":"object","properties":{"day":{"type":"string"}}}}}`
)

// TestTasksLeaveNothing ends tasks in each way. What they asked is forgotten with them.
func TestTasksLeaveNothing(t *testing.T) {
	r := open(t, Config{})
	lists := func(entries string) string { return `,"inputRequests":{` + entries + `}` }
	nothing := map[string]int{"sessions": 2, "names": 1, "last": 64, "settled": 8, "free calls": link.MaxFree}
	for i := range 300 { // of tasks that ask nothing, nothing is remembered
		r.task(i, fmt.Sprint("t", i), "working", "")
	}
	r.bounded(nothing)
	r.task(1, "t", "input_required", lists(listsRoots+","+listsDay))
	r.task(2, "t", "completed", `,"result":{}`)
	r.bounded(nothing)
	r.task(3, "t", "input_required", lists(listsDay))
	r.step(accept(r.shown()), "")
	r.server(`{"jsonrpc":"2.0","id":"` + r.m.Prefix() + `1","result":{}}`)
	r.task(4, "t", "input_required", lists(listsRoots)) // the key of the answer stays in use
	r.task(5, "t", "completed", `,"result":{}`)
	r.bounded(nothing)
	r.task(6, "t", "input_required", lists(listsDay))
	r.task(7, "t", "input_required", lists(strings.Replace(listsDay, "Which", "What", 1)))
	r.want("task_input_altered")
	r.task(8, "t", "completed", `,"result":{}`)
	r.bounded(nothing)

	r.task(9, "first", "input_required", lists(listsDay))
	id := r.shown()
	for i := range 255 {
		r.task(10+i, fmt.Sprint("t", i), "input_required", lists(listsRoots))
		r.want(`!"effect":"withdraw"`)
	}
	r.task(300, "one more", "input_required", lists(listsRoots))
	r.want(`"effect":"withdraw","session":"form+url","id":"` + string(id) + `"`)
	r.task(301, "t0", "input_required", lists(listsRoots))
	tables := r.m.tables()
	if n := tables["tasks"]; n != 256 {
		t.Errorf("%d tasks are remembered, want 256", n)
	}
	if each := len(lists(listsRoots)); tables["task bytes"] < 256*each {
		t.Errorf("%d bytes count for 256 tasks, want at least %d", tables["task bytes"], 256*each)
	}
	r.step(Ended{Server}, "")
	r.bounded(map[string]int{"names": 1, "last": 64, "settled": 8, "free calls": link.MaxFree})
}

// TestTaskBytesAreBounded lists 32 entries in a result of 2 MiB, for each of which the whole result counts. That is
// allowed, and one byte more is not.
func TestTaskBytesAreBounded(t *testing.T) {
	var entries []string
	for i := range 32 {
		entries = append(entries, fmt.Sprintf(`"r%d":{"method":"roots/list"}`, i))
	}
	for more := range 2 {
		r := open(t, Config{Ask: AskClient})
		list := `,"inputRequests":{` + strings.Join(entries, ",") + `},"pad":"`
		least := len(`{"resultType":"complete","taskId":"t","status":"input_required","createdAt":"2026-08-01T10:00:00Z",` +
			`"lastUpdatedAt":"2026-08-01T10:00:05Z","ttlMs":600000` + list + `"}`)
		r.task(1, "t", "input_required", list+strings.Repeat("x", 2<<20-least+more)+`"`)
		r.want([]string{"!too_many_calls", "too_many_calls"}[more])
	}
}

// TestEndedToolCallsOfAnAgentMakeRoom describes tool calls of an agent, of ten megabytes together, and ends them. The
// next one is still known when the agent asks for a permission, and so is the latest of as many that do not end.
func TestEndedToolCallsOfAnAgentMakeRoom(t *testing.T) {
	r := open(t, Config{Protocol: ACP, Session: &Session{Version: "1"}})
	update := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"%s",` +
		`"toolCallId":"c%d","title":"Write notes"%s}}}`
	long := strings.Repeat("x", 20_000)
	for i := range 500 {
		r.server(fmt.Sprintf(update, "tool_call", i, `,"rawInput":{"text":"`+long+`"}`))
		r.server(fmt.Sprintf(update, "tool_call_update", i, `,"status":"completed"`))
	}
	r.server(fmt.Sprintf(update, "tool_call", 500, ""))
	r.server(`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":{"sessionId":"s",` +
		`"toolCall":{"toolCallId":"c500"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`)
	r.want("Write notes")
	for i := range 500 {
		r.server(fmt.Sprintf(update, "tool_call", 1000+i, `,"rawInput":{"text":"`+long+`"}`))
	}
	for id, known := range map[int]bool{500: false, 1000: false, 1499: true} {
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":"s",`+
			`"toolCall":{"toolCallId":"c%d"},"options":[{"optionId":"y","name":"Yes","kind":"allow_once"}]}}`, id, id))
		if strings.Contains(r.said(), "Write notes") != known {
			t.Errorf("whether tool call %d is known is not %v:\n%s", id, known, r.said())
		}
	}
}

// TestSchemasOfToolsAreBounded lists tools with large schemas, of eight megabytes together. Arguments that a person
// edits are checked with each of them, and not with the schema of one more tool. A list that readers read in two ways
// makes room.
func TestSchemasOfToolsAreBounded(t *testing.T) {
	r := open(t, Config{HoldCalls: true})
	id := 0
	list := func(name string, size int) {
		id++
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id))
		schema := `{"type":"object","properties":{"n":{"type":"integer"}},"$comment":"`
		r.server(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":%q,"inputSchema":%s"}}]}}`, id, name,
			schema+strings.Repeat("x", size-len(schema)-len(`"}`))))
	}
	checked := func(name string) bool {
		id++
		r.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{}}}`, id, name))
		shown := r.shown()
		r.step(event.Answered{Session: "form", ID: shown, Action: elicit.Accept, Arguments: []byte(`{"n":"x"}`)}, "")
		if checks := strings.Contains(r.said(), "wrong_type"); checks {
			r.step(event.Answered{Session: "form", ID: shown, Action: elicit.Decline}, "")
			return true
		}
		return false
	}
	for i := range 128 {
		list(fmt.Sprint("tool-", i), 64<<10)
	}
	for range 2 { // listed once more, it takes the place of itself
		list("tool-127", 64<<10)
		list("more", 100)
		if !checked("tool-0") || !checked("tool-127") || checked("more") {
			t.Error("the schemas that arguments are checked with are not those of eight megabytes")
		}
	}
	r.client(`{"jsonrpc":"2.0","id":"again","method":"tools/list"}`)
	r.server(`{"jsonrpc":"2.0","id":"again","result":{"tools":[],"tools":[]}}`)
	list("more", 100)
	if !checked("more") {
		t.Error("the arguments of a tool are not checked, though there is room for its schema")
	}
}

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

// TestLongQuestions checks questions that are longer than anything a person is asked. The server gets an error that
// names the length, and the journal has the question with its size and its digest, and replays. Only a message of more
// than 16 MiB is refused before that.
func TestLongQuestions(t *testing.T) {
	const mcpAsks = `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"form","message":"TEXT",` +
		`"requestedSchema":{"type":"object","properties":{}}}}`
	for _, test := range []struct {
		name, message, want string
		protocol            Protocol
		version             string
		size                int
		journaled           string // in the record; "" if there is none
	}{
		{"message", mcpAsks, `"code":"text_too_large","pointer":"/message","args":{"limit":65536,"length":2097152}`, MCP,
			"2025-11-25", 2 << 20, `"cut_message":2097152,"cut_sum":"`},
		{"schema", strings.Replace(mcpAsks, `"properties":{}`, `"title":"TEXT"`, 1), `"code":"text_too_large"`, MCP,
			"2025-11-25", 2 << 20, `"cut_sum":"`},
		{"of an agent", strings.Replace(mcpAsks, `"mode"`, `"sessionId":"s1","mode"`, 1), `"code":"text_too_large"`, ACP,
			"1", 2 << 20, `"cut_message":2097152,"cut_sum":"`},
		{"too long to be read", mcpAsks, `"code":"json_size"`, MCP, "2025-11-25", 16 << 20, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			both := elicit.Modes{Form: true, URL: true}
			m, effects, problems := New(Config{Server: "s", Protocol: test.protocol, Modes: both,
				Session: &Session{Version: test.version, Declared: both}}, Input{At: 1})
			if problems != nil {
				t.Fatal(problems)
			}
			var journal []byte
			sent := ""
			take := func(list []Effect) {
				for _, e := range list {
					switch e := e.(type) {
					case effect.Append:
						journal = append(append(journal, e.Record...), '\n')
					case Send:
						sent += string(e.Message)
					}
				}
			}
			take(effects)
			take(m.Step(Input{At: 2, Event: Received{From: Server}, Message: []byte(
				strings.Replace(test.message, "TEXT", strings.Repeat("x", test.size), 1))}))
			if !strings.Contains(sent, test.want) || !strings.Contains(sent, `"id":1,`) {
				t.Errorf("the server got %s", sent)
			}
			asked := strings.Contains(string(journal), `"event":"asked"`)
			if asked != (test.journaled != "") || !strings.Contains(string(journal), test.journaled) {
				t.Errorf("the journal has %.2000s", journal)
			}
			if len(journal) > 8<<10 {
				t.Errorf("the journal has %d bytes", len(journal))
			}
			if r := engine.Replay(journal, nil); r.Problem != nil {
				t.Errorf("the replay differs: want %.2000s, got %.2000s", r.Want, r.Got)
			}
		})
	}
}

// hostileLine is one line of testdata/hostile. The README.md there describes the format.
type hostileLine struct {
	name, text string
	from       End
}

// hostileLines reads the lines. Those of a server are for call 5, those of a client for question 77, as in ready.
func hostileLines(t testing.TB) (lines []hostileLine) {
	t.Helper()
	for file, from := range map[string]End{"questions": Server, "answers": Server, "harmless": Server, "forged": Client} {
		list, err := hostile.Read("../../testdata/hostile", file)
		must.OK(t, err)
		given := map[string]string{"$q": "9", "$id": "5", "$t": "5", "$members": `"action":"accept","content":{}`}
		if from == Client {
			given["$q"], given["$t"] = "77", "77"
		}
		for _, l := range list {
			lines = append(lines, hostileLine{file + "/" + l.Name, hostile.Put(l.Text, given), from})
		}
	}
	if len(lines) < 200 {
		t.Fatalf("%d lines", len(lines))
	}
	slices.SortFunc(lines, func(a, b hostileLine) int { return strings.Compare(a.name, b.name) })
	return lines
}

// session returns a machine whose server was told of forms and pages.
func session(t *testing.T) *Machine {
	t.Helper()
	m, _, problems := New(Config{Server: "backup", Modes: elicit.Modes{Form: true, URL: true},
		Session: &Session{Version: "2025-11-25", Declared: elicit.Modes{Form: true, URL: true}}}, Input{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return m
}

// said returns the JSON of the effects of one step, one a line.
func said(m *Machine, ev Event, message string) string {
	var out strings.Builder
	for _, effect := range m.Step(Input{Event: ev, Message: []byte(message)}) {
		out.Write(append(effect.AppendJSON(nil), '\n'))
	}
	return out.String()
}

// TestQuestionHasWhatAFormIsReadBy checks for the exact text of the schema, for hosts that have no other source for
// it.
func TestQuestionHasWhatAFormIsReadBy(t *testing.T) {
	got := said(session(t), Received{From: Server}, `{"jsonrpc":"2.0","id":1,"method":"elicitation/create",`+
		`"params":{"message":"How many?",`+
		`"requestedSchema":{"type":"object","properties":{"n":{"type":"number","default": 1.50}}}}}`)
	want := `{"effect":"question","session":"form+url","ref":"1","server":"backup","mode":"form","message":"How many?",` +
		`"schema_text":"{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"number\",\"default\": 1.50}}}"}`
	if !strings.Contains(got, want) {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

// TestPersonSaysThatAPageIsFinished lets the host report what the server has not reported.
func TestPersonSaysThatAPageIsFinished(t *testing.T) {
	m := session(t)
	asked := said(m, Received{From: Server}, `{"jsonrpc":"2.0","id":1,"method":"elicitation/create",`+
		`"params":{"mode":"url","message":"Sign in",`+
		`"url":"https://example.com/in","elicitationId":"l1"}}`)
	if !strings.Contains(asked, `"link":"l1"`) {
		t.Errorf("no link in %s", asked)
	}
	_, id, _ := strings.Cut(asked, `"effect":"show","session":"form+url","id":"`)
	id, _, _ = strings.Cut(id, `"`)
	said(m, event.Answered{Session: "form+url", ID: elicit.ID(id), Action: "accept"}, "")
	got := said(m, event.Completed{Session: "form+url", Link: "l1"}, "")
	want := `"effect":"resolve","session":"form+url","id":"` + id + `","ref":"1","resolution":"completed"`
	if !strings.Contains(got, want) {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
