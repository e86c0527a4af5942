package relay

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

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
