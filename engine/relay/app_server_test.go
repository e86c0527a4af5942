package relay

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
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

// TestLargePatchOfCodex checks that a person is asked about a patch of 5 MB, as text and as bytes, although policy
// accepts patches, and that little of it is kept.
func TestLargePatchOfCodex(t *testing.T) {
	for name, diff := range map[string]string{"text": strings.Repeat(`+0123456789 0123456789\n`, 5<<20/24),
		"bytes": strings.Repeat(`\u0000\u0001\u001b[2J\ufffd`, 5<<20/28)} {
		t.Run(name+" announced", func(t *testing.T) {
			asksAboutPatch(t, `{"method":"item/started","params":{"threadId":"t","turnId":"u","item":{"type":"fileChange",`+
				`"id":"i","changes":[{"path":"/w/big","kind":{"type":"add"},"diff":"`+diff+`"}]}}}`,
				`{"id":1,"method":"item/fileChange/requestApproval","params":{"threadId":"t","turnId":"u","itemId":"i"}}`)
		})
		changes := `{"/w/big":{"type":"add","content":"` + diff + `"}}`
		v1 := `{"id":1,"method":"applyPatchApproval","params":{"conversationId":"c","callId":"k","fileChanges":`
		server := `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"codex_elicitation":"patch-approval",` +
			`"codex_changes":`
		t.Run(name+" of version 1", func(t *testing.T) { asksAboutPatch(t, v1+changes+`}}`) })
		t.Run(name+" of the server", func(t *testing.T) { asksAboutPatch(t, server+changes+`}}`) })
		huge := strings.Repeat(" ", 12<<20) // of more than 16 MiB with the rest
		t.Run(name+" of version 1, too long to be read", func(t *testing.T) {
			refusesPatch(t, v1+changes+huge+`}}`, `{"id":1,"result":{"decision":{"denied":{"rejection":"`)
		})
		t.Run(name+" of the server, too long to be read", func(t *testing.T) {
			refusesPatch(t, server+changes+huge+`}}`,
				`{"jsonrpc":"2.0","id":1,"result":{"action":"decline","decision":"denied"}}`)
		})
	}
}

// newPatchMachine makes a machine whose policy accepts patches.
func newPatchMachine(t *testing.T) *Machine {
	t.Helper()
	config := Config{Server: "codex", Protocol: Codex, Ask: AskHost, Modes: elicit.Modes{Form: true}, Engine: []byte(
		`{"policy":{"user":{"version":1,"rules":[{"when":{"does":"patch"},"then":"accept"}]}}}`)}
	m, _, problems := New(config, Input{At: 1})
	if problems != nil {
		t.Fatal(problems)
	}
	return m
}

// refusesPatch sends a question that is too long to be read. The answer is one that the server takes for a refusal.
func refusesPatch(t *testing.T, message, want string) {
	t.Helper()
	for _, e := range newPatchMachine(t).Step(Input{At: 2, Event: Received{From: Server}, Message: []byte(message)}) {
		if e, ok := e.(Send); ok {
			if e.To != Server || !strings.HasPrefix(string(e.Message), want) {
				t.Errorf("the answer is %s, want %s", e.Message, want)
			}
			return
		}
	}
	t.Error("no answer")
}

// asksAboutPatch sends the messages of an app-server, the last of which asks about a patch.
func asksAboutPatch(t *testing.T, messages ...string) {
	t.Helper()
	m, shown := newPatchMachine(t), 0
	for i, message := range messages {
		for _, e := range m.Step(Input{At: int64(2 + i), Event: Received{From: Server}, Message: []byte(message)}) {
			switch e := e.(type) {
			case effect.Show:
				if shown++; len(e.Message) > 64<<10 || !strings.Contains(e.Message, "more bytes, SHA-256") {
					t.Errorf("the message has %d bytes", len(e.Message))
				}
			case Send:
				t.Errorf("an answer without a person: %s", e.Message)
			}
		}
	}
	if shown != 1 {
		t.Errorf("a person was asked %d times", shown)
	}
}
