package relay

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

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
