package relay

import (
	"strings"
	"testing"
)

// codexTraffic is what passes between an app-server and its front end: a call with its result, a part of the agent's
// text, and the end of a command.
func codexTraffic(size int) (call, result, delta, done []byte) {
	text := strings.Repeat(`12:00 copied \"/var/lib\" `, 1+size/25)
	return []byte(`{"id":7,"method":"turn/steer","params":{"threadId":"t","expectedTurnId":"u"}}`),
		[]byte(`{"id":7,"result":{"text":"` + text + `"}}`),
		[]byte(`{"method":"item/agentMessage/delta","params":{"threadId":"t","delta":"` + text + `"},"emittedAtMs":5}`),
		[]byte(`{"method":"item/completed","params":{"threadId":"t","turnId":"u","item":{"type":"commandExecution",` +
			`"id":"i","aggregatedOutput":"` + text + `"}},"emittedAtMs":5}`)
}

func newCodexPasser(tb testing.TB) *passer {
	p := &passer{fromClient: Received{From: Client}, fromServer: Received{From: Server}}
	m, _, problems := New(Config{Server: "codex", Protocol: Codex, Ask: AskClient}, Input{At: 1})
	if problems != nil {
		tb.Fatal(problems)
	}
	p.m = m
	return p
}

// TestPassingCodexAllocatesNothing checks that a message of an app-server that only passes causes no allocation.
func TestPassingCodexAllocatesNothing(t *testing.T) {
	p := newCodexPasser(t)
	call, result, delta, done := codexTraffic(1000)
	for what, pass := range map[string]func(){
		"a call and its result":   func() { p.step(p.fromClient, call); p.step(p.fromServer, result) },
		"a part of a text":        func() { p.step(p.fromServer, delta) },
		"the end of another item": func() { p.step(p.fromServer, done) },
	} {
		pass()
		if n := testing.AllocsPerRun(200, pass); n != 0 {
			t.Errorf("%s costs %v allocations", what, n)
		}
		if p.wrong > 0 {
			t.Fatalf("%s is not forwarded", what)
		}
	}
}

func BenchmarkForwardCodex(b *testing.B) {
	call, result, delta, done := codexTraffic(1000)
	for name, messages := range map[string][]struct {
		from    End
		message []byte
	}{
		"delta": {{Server, delta}}, "call+result": {{Client, call}, {Server, result}}, "item": {{Server, done}},
	} {
		b.Run(name+"/1KB", func(b *testing.B) {
			p := newCodexPasser(b)
			b.ReportAllocs()
			for b.Loop() {
				for _, one := range messages {
					if one.from == Client {
						p.step(p.fromClient, one.message)
					} else {
						p.step(p.fromServer, one.message)
					}
				}
			}
			p.check(b)
		})
	}
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
