package rivals

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/testdata/hostile"
)

// found is what a reader takes a line for.
type found struct {
	kind   string // request, notification, result or error
	method string
	id     any  // nil for none
	asks   bool // the error that asks for pages
}

const asksForPages = -32042

// sdkReader is the message reader of the official Go SDK. It returns nil for a line that it refuses.
func sdkReader(line []byte) *found {
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return nil
	}
	switch m := m.(type) {
	case *jsonrpc.Request:
		if !m.ID.IsValid() {
			return &found{kind: "notification", method: m.Method}
		}
		return &found{kind: "request", method: m.Method, id: idOf(m.ID)}
	case *jsonrpc.Response:
		if m.Error == nil {
			return &found{kind: "result", id: idOf(m.ID)}
		}
		e, _ := m.Error.(*jsonrpc.Error)
		return &found{kind: "error", id: idOf(m.ID), asks: e != nil && e.Code == asksForPages}
	}
	return nil
}

// idOf is the id as encoding/json reads it.
func idOf(id jsonrpc.ID) (value any) {
	if text, err := json.Marshal(id.Raw()); err == nil {
		_ = json.Unmarshal(text, &value)
	}
	return value
}

// exactReader takes names as they are spelled, as FuzzDisagreement of engine/relay shows that the gate does.
func exactReader(line []byte) *found {
	var m map[string]json.RawMessage
	if json.Unmarshal(line, &m) != nil {
		return nil
	}
	there := func(name string) bool { return len(m[name]) > 0 && string(m[name]) != "null" }
	var f found
	_ = json.Unmarshal(m["id"], &f.id) // without one it stays nil
	switch {
	case there("method"):
		f.kind = "notification"
		if f.id != nil {
			f.kind = "request"
		}
		_ = json.Unmarshal(m["method"], &f.method)
	case there("result"):
		f.kind = "result"
	case there("error"):
		var e map[string]json.RawMessage
		_ = json.Unmarshal(m["error"], &e)
		var code float64
		_ = json.Unmarshal(e["code"], &code)
		f.kind, f.asks = "error", code == asksForPages
	default:
		return nil
	}
	return &f
}

// connection is in full use: call 5 is open, the client has the server's request 88, and a person has question 77.
func connection(t testing.TB) *relay.Machine {
	t.Helper()
	m, _, problems := relay.New(relay.Config{Server: "s", Modes: elicit.Modes{Form: true, URL: true}}, relay.Input{At: 1})
	if problems != nil {
		t.Fatal(problems)
	}
	shown := false
	for _, said := range []struct {
		from relay.End
		text string
	}{
		{relay.Client, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25",` +
			`"capabilities":{"sampling":{}},"clientInfo":{"name":"c","version":"1"}}}`},
		{relay.Server, `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{},` +
			`"serverInfo":{"name":"s","version":"1"}}}`},
		{relay.Client, `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"a","arguments":{}}}`},
		{relay.Server, `{"jsonrpc":"2.0","id":88,"method":"sampling/createMessage","params":{}}`},
		{relay.Server, `{"jsonrpc":"2.0","id":77,"method":"elicitation/create","params":{"message":"Sure?",` +
			`"requestedSchema":{"type":"object","properties":{}}}}`},
	} {
		for _, e := range m.Step(relay.Input{At: 1, Event: relay.Received{From: said.from}, Message: []byte(said.text)}) {
			shown = shown || strings.Contains(string(e.AppendJSON(nil)), `"effect":"show"`)
		}
	}
	if !shown {
		t.Fatal("question 77 is not open")
	}
	return m
}

// FuzzSDKReadsAlike checks that the official Go SDK takes every message that goes on to a peer for what it says. It
// must find no question in what the client gets, and no answer to the open question in what the server gets.
func FuzzSDKReadsAlike(f *testing.F) {
	for _, line := range hostileLines(f) {
		f.Add([]byte(line.text), line.from == relay.Server)
	}
	f.Fuzz(func(t *testing.T, line []byte, fromServer bool) {
		from := relay.Client
		if fromServer {
			from = relay.Server
		}
		for _, effect := range connection(t).Step(relay.Input{At: 2, Event: relay.Received{From: from}, Message: line}) {
			switch effect := effect.(type) {
			case relay.Forward:
				readsAlike(t, effect.To, line)
			case relay.Send:
				readsAlike(t, effect.To, effect.Message)
			}
		}
	})
}

// takenBack is the machine's own answer to question 77 when its call has ended.
const takenBack = `{"jsonrpc":"2.0","id":77,"result":{"action":"cancel"}}`

func readsAlike(t *testing.T, to relay.End, message []byte) {
	t.Helper()
	got, want := sdkReader(message), exactReader(message)
	switch {
	case got == nil || string(message) == takenBack:
	case want == nil || *got != *want:
		t.Fatalf("in %q the SDK finds %+v, and an exact reader %+v", message, got, want)
	case to == relay.Client && (got.asks || got.method == "elicitation/create"):
		t.Fatalf("the client gets the question %q", message)
	case to == relay.Server && got.method == "" && got.id == 77.0:
		t.Fatalf("the server gets %q as the answer to the open question", message)
	}
}

// TestSDKReadsOtherwise checks that FuzzSDKReadsAlike has a subject: the SDK reads some hostile lines otherwise than
// they are spelled.
func TestSDKReadsOtherwise(t *testing.T) {
	for _, line := range hostileLines(t) {
		got, want := sdkReader([]byte(line.text)), exactReader([]byte(line.text))
		if got != nil && (want == nil || *got != *want) {
			return
		}
	}
	t.Error("the SDK takes every line for what it says")
}

type hostileLine struct {
	text string
	from relay.End
}

// hostileLines reads the lines of testdata/hostile, for the ids of connection.
func hostileLines(t testing.TB) (lines []hostileLine) {
	t.Helper()
	for _, file := range []string{"answers", "forged", "harmless", "questions"} {
		list, err := hostile.Read("../../../testdata/hostile", file)
		must.OK(t, err)
		from := relay.Server
		given := map[string]string{"$q": "9", "$id": "5", "$t": "5", "$members": `"action":"accept","content":{}`}
		if file == "forged" {
			from, given["$q"], given["$t"] = relay.Client, "77", "77"
		}
		for _, line := range list {
			lines = append(lines, hostileLine{hostile.Put(line.Text, given), from})
		}
	}
	if len(lines) < 200 {
		t.Fatalf("%d lines", len(lines))
	}
	return lines
}
