package abi_test

import (
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

var (
	benchQuestion = []byte(`{"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{"mode":"form",` +
		`"message":"Plan the backup","requestedSchema":{"type":"object","properties":{` +
		`"label":{"type":"string","minLength":1,"maxLength":40,"default":"nightly"},"notify":{"type":"string",` +
		`"format":"email"},` +
		`"since":{"type":"string","format":"date"},"keep":{"type":"integer","minimum":1,"maximum":30,"default":7},` +
		`"ratio":{"type":"number","minimum":0,"maximum":1,"default":0.5},"encrypt":{"type":"boolean","default":true},` +
		`"tier":{"type":"string","oneOf":[{"const":"h","title":"Hot"},{"const":"c","title":"Cold"}],"default":"c"},` +
		`"days":{"type":"array","minItems":1,"maxItems":7,"items":{"type":"string","enum":["mon","tue"]},` +
		`"default":["mon"]},` +
		`"note":{"type":"string","maxLength":400}},"required":["label","days"]}}}`)
	benchAnswer = []byte(`{"label":"nightly","notify":"ops@example.com","since":"2026-01-31","keep":7,"ratio":0.25,` +
		`"encrypt":false,"tier":"h","days":["mon","tue"],"note":"before the release"}`)
	benchConfig = []byte(`{"limits":{"per_minute":60000,"burst":60000},"policy":{"user":{"version":1,` +
		`"approval_policy":"on-request","rules":[{"name":"no-secrets","when":{"sensitive":true},"then":"decline"}]}}}`)
)

// BenchmarkElicitation is one whole elicitation: a peer's bytes are read, decoded, compiled, decided, inspected,
// journaled to memory and shown. The answer is checked, settled and journaled, and the reply's bytes are written.
func BenchmarkElicitation(b *testing.B) {
	d, _ := mcp.Lookup("2025-11-25")
	both := elicit.Modes{Form: true, URL: true}
	e := engine.New()
	at := int64(1_700_000_000_000)
	var journal, reply []byte
	step := func(ev event.Event) []effect.Effect {
		at += 10
		effects := e.Step(engine.Input{At: at, Event: ev})
		journal = append(journal[:0], effects[0].(effect.Append).Record...)
		return effects
	}
	step(event.Configured{Config: benchConfig})
	step(event.Opened{Session: "s", Server: "bench", Side: elicit.Answering, Declared: both, Shown: both})
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		envelope, fault := wire.ReadEnvelope(benchQuestion, jsontext.Limits{})
		if fault != nil {
			b.Fatal(fault.Code)
		}
		request, extra, refusal := d.DecodeCreate(envelope.Params, d.AllModes())
		if refusal != nil {
			b.Fatal(refusal)
		}
		request.Session, request.Ref = "s", string(envelope.ID)
		effects := step(event.Asked{Request: request})
		show, ok := effects[1].(effect.Show)
		if !ok {
			b.Fatalf("not shown: %s", effects[1].AppendJSON(nil))
		}
		effects = step(event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept, Content: benchAnswer})
		r, ok := effects[1].(effect.Reply)
		if !ok || r.Outcome != elicit.Accepted {
			b.Fatalf("not accepted: %s", effects[1].AppendJSON(nil))
		}
		reply, _ = d.AppendAnswer(reply[:0], envelope.ID, mcp.Answer{Action: elicit.Accept, Mode: request.Mode,
			Content: r.Content, Echo: extra.Echo})
	}
	b.SetBytes(int64(len(benchQuestion) + len(reply)))
}
