package relay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/event"
)

// agentModel plays both ends of an ACP connection and counts what the agent gets.
type agentModel struct {
	t        *rapid.T
	m        *Machine
	at       int64
	open     map[int]bool   // ids of the agent that have no answer
	answered map[int]int    // answers for an id
	allowed  map[int]bool   // ids that the client allowed while they were with it
	client   map[string]int // what the client was asked, by the machine's id
	next     int
	v2       bool // they speak version 2
	chain    bool // the machine is a proxy of a chain
}

func (a *agentModel) step(ev Event, message string) {
	a.at += 10
	var random [32]byte
	random[0], random[1] = byte(a.at), byte(a.at>>8)
	for _, e := range a.m.Step(Input{At: a.at, Random: random, Event: ev, Message: []byte(message)}) {
		if send, ok := e.(Send); ok {
			a.sent(send)
		}
	}
}

func (a *agentModel) sent(s Send) {
	var msg struct {
		ID     any
		Method string
		Params struct {
			Method    string
			RequestID string
			ToolCall  struct{ ToolCallID string }
			Title     string
		}
		Result struct {
			Outcome struct{ Outcome, OptionID string }
		}
		Error any
	}
	if err := json.Unmarshal(s.Message, &msg); err != nil {
		a.t.Fatalf("%s: %v", s.Message, err)
	}
	if a.chain {
		if s.To != Client {
			a.t.Fatalf("the conductor is the only peer: %s", s.Message)
		}
		if _, ours := msg.ID.(string); msg.Method == "" && !ours { // an answer to the agent
			s.To = Server
		}
	}
	switch {
	case s.To == Client && msg.Method == "session/request_permission":
		n := 0
		if _, err := fmt.Sscanf(msg.Params.ToolCall.ToolCallID+msg.Params.Title, "t%d", &n); err != nil {
			a.t.Fatal(err)
		}
		a.client[msg.ID.(string)] = n
	case s.To == Client && msg.Method == "$/cancel_request":
		if _, asked := a.client[msg.Params.RequestID]; !asked && !a.chain { // there it may be for the agent
			a.t.Fatalf("the client never saw %s", s.Message)
		}
		delete(a.client, msg.Params.RequestID)
	case s.To == Server && msg.Method == "":
		number, ok := msg.ID.(float64)
		if !ok {
			return // an error without an id
		}
		id := int(number)
		if a.answered[id]++; a.answered[id] > 1 || !a.open[id] {
			a.t.Fatalf("a second answer: %s", s.Message)
		}
		delete(a.open, id)
		if o := msg.Result.Outcome; o.Outcome == "selected" && o.OptionID != "no" && !a.allowed[id] {
			a.t.Fatalf("nobody allowed %s", s.Message)
		}
	}
}

// wrapped is a message of the agent as a conductor delivers it.
func wrapped(text string) string {
	var msg map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &msg) != nil || msg["method"] == nil || string(msg["method"]) == `"$/cancel_request"` {
		return text
	}
	inner, _ := json.Marshal(map[string]any{"method": msg["method"], "params": msg["params"]})
	msg["method"], msg["params"] = json.RawMessage(`"proxy/successor"`), inner
	out, _ := json.Marshal(msg)
	return string(out)
}

func (a *agentModel) pickClient() (string, bool) {
	var ids []string
	for id := range a.client {
		ids = append(ids, id)
	}
	if slices.Sort(ids); len(ids) == 0 {
		return "", false
	}
	return rapid.SampledFrom(ids).Draw(a.t, "asked"), true
}

func (a *agentModel) move() {
	agent := func(format string, args ...any) {
		text, from := fmt.Sprintf(format, args...), Server
		if a.chain {
			text, from = wrapped(text), Client
		}
		a.step(Received{From: from}, text)
	}
	client := func(format string, args ...any) { a.step(Received{From: Client}, fmt.Sprintf(format, args...)) }
	session := rapid.SampledFrom([]string{"s1", "s2"}).Draw(a.t, "session")
	some := rapid.IntRange(1, max(a.next, 1)).Draw(a.t, "id")
	switch rapid.SampledFrom([]string{"ask", "ask", "ask", "answer", "answer", "wrong", "withdraw", "cancel", "prompt",
		"stop", "state", "forge", "wait", "noise"}).Draw(a.t, "move") {
	case "ask":
		a.next++
		a.open[a.next] = true
		about := `"toolCall":{"toolCallId":"t%d","title":"Run %d"}`
		if a.v2 {
			about = `"title":"t%d","subject":{"type":"command","command":"run %d","cwd":"/"}`
		}
		agent(`{"jsonrpc":"2.0","id":%d,"method":"session/request_permission","params":{"sessionId":%q,`+about+
			`,"options":[{"optionId":"yes","name":"Y","kind":"allow_once"},`+
			`{"optionId":"always","name":"A","kind":"allow_always"},{"optionId":"no","name":"N","kind":"reject_once"}]}}`,
			a.next, session, a.next, a.next) // another title each, so that no yes answers a later question
	case "answer":
		if id, ok := a.pickClient(); ok {
			option := rapid.SampledFrom([]string{"yes", "always", "no"}).Draw(a.t, "option")
			a.allowed[a.client[id]] = option != "no"
			delete(a.client, id)
			client(`{"jsonrpc":"2.0","id":%q,"result":{"outcome":{"outcome":"selected","optionId":%q}}}`, id, option)
		}
	case "wrong":
		if id, ok := a.pickClient(); ok {
			delete(a.client, id)
			client(`{"jsonrpc":"2.0","id":%q,%s}`, id, rapid.SampledFrom([]string{`"result":{}`, `"result":null`,
				`"error":{"code":1,"message":"x"}`, `"result":{"outcome":{"outcome":"selected","optionId":"other"}}`,
				`"result":{"outcome":{"outcome":"allowed","optionId":"yes"}}`,
				`"result":{"outcome":{"outcome":"selected","optionId":"yes","optionId":"no"}}`}).Draw(a.t, "wrong"))
		}
	case "withdraw":
		agent(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%d}}`, some)
	case "cancel":
		client(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, session)
	case "prompt":
		client(`{"jsonrpc":"2.0","id":"p%s","method":"session/prompt","params":{"sessionId":%q,"prompt":[]}}`,
			session, session)
	case "stop":
		agent(`{"jsonrpc":"2.0","id":"p%s","result":{"stopReason":"end_turn"}}`, session)
	case "state":
		agent(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{"sessionUpdate":`+
			`"state_update","state":%q}}}`, session, rapid.SampledFrom([]string{"running", "idle", "_x"}).Draw(a.t, "state"))
	case "forge":
		client(`{"jsonrpc":"2.0","id":%d,"result":{"outcome":{"outcome":"selected","optionId":"yes"}}}`, some)
	case "wait":
		a.at += 6000
		a.step(event.Ticked{}, "")
	case "noise":
		agent(`{"jsonrpc":"2.0","id":1,`)
	}
}

// TestEveryPermissionHasOneAnswer checks, for any order of events, that every permission gets exactly one answer, and
// that the agent gets a yes only if the client selected one while it was asked.
func TestEveryPermissionHasOneAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		chained := rapid.Bool().Draw(t, "chain")
		version := rapid.SampledFrom([]string{"1", "2"}).Draw(t, "version")
		m, _, problems := New(Config{Server: "agent", Protocol: ACP, Ask: AskClient,
			Session: &Session{Version: version}, ACPChain: chained,
			Engine: []byte(`{"limits":{"shown":3,"per_minute":60000,"burst":60000,"per_minute_session":60000}}`)}, Input{At: 1})
		if problems != nil {
			t.Fatal(problems)
		}
		a := &agentModel{t: t, m: m, open: map[int]bool{}, answered: map[int]int{}, allowed: map[int]bool{},
			client: map[string]int{}, v2: version == "2", chain: chained}
		for range rapid.IntRange(1, 40).Draw(t, "moves") {
			a.move()
		}
		a.step(Ended{End: Client}, "")
		if len(a.open) > 0 || len(a.client) > 0 {
			t.Fatalf("no answer to %v; the client still has %v", a.open, a.client)
		}
	})
}

// TestLargeChange checks that a permission with a change of 5 MB reaches the client whole, and that the engine asks a
// person about it.
func TestLargeChange(t *testing.T) {
	config := Config{Server: "agent", Protocol: ACP, Ask: AskClient, Engine: []byte(
		`{"policy":{"user":{"version":1,"rules":[{"when":{"tool":"edit"},"then":"accept"}]}}}`)}
	m, _, problems := New(config, Input{At: 1})
	if problems != nil {
		t.Fatal(problems)
	}
	params := `{"sessionId":"s1","toolCall":{"toolCallId":"t1","title":"Edit","kind":"edit","content":[{"type":"diff",` +
		`"path":"/a","oldText":null,"newText":"` + strings.Repeat("a line of text\\n", 350_000) + `"}]},` +
		`"options":[{"optionId":"yes","name":"Y","kind":"allow_once"}]}`
	effects := m.Step(Input{At: 2, Event: Received{From: Server}, Message: []byte(
		`{"jsonrpc":"2.0","id":1,"method":"session/request_permission","params":` + params + `}`)})
	asked := false
	for _, e := range effects {
		switch e := e.(type) {
		case Question:
			if len(e.Message) > 64<<10 || !strings.Contains(e.Message, "more bytes, SHA-256") {
				t.Errorf("a message of %d bytes", len(e.Message))
			}
		case Send:
			asked = e.To == Client && strings.Contains(string(e.Message), params)
		}
	}
	if !asked {
		t.Error("the client does not have the permission as the agent sent it")
	}
}

// TestPassingUpdatesAllocatesNothing checks that a part of an agent's text causes no allocation.
func TestPassingUpdatesAllocatesNothing(t *testing.T) {
	m, _, problems := New(Config{Server: "agent", Protocol: ACP, Ask: AskClient}, Input{At: 1})
	if problems != nil {
		t.Fatal(problems)
	}
	var from Event = Received{From: Server}
	chunk := []byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":` +
		`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"some words"}}}}`)
	pass := func() {
		effects := m.Step(Input{At: 2, Event: from, Message: chunk})
		if len(effects) != 1 || effects[0] != forwards[Client] {
			t.Fatal("not forwarded")
		}
	}
	pass()
	if n := testing.AllocsPerRun(200, pass); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
