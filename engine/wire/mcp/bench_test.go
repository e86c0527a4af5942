package mcp

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/wire"
)

var benchCreate = []byte(`{"jsonrpc":"2.0","id":8,"method":"elicitation/create","params":{"mode":"form",` +
	`"message":"Plan the backup","requestedSchema":{"type":"object","properties":{"label":{"type":"string",` +
	`"minLength":1,"maxLength":40,"default":"nightly"},"notify":{"type":"string","format":"email"},` +
	`"keep":{"type":"integer","minimum":1,"maximum":30,"default":7},"ratio":{"type":"number","minimum":0,` +
	`"maximum":1,"default":0.5},"encrypt":{"type":"boolean","default":true},"tier":{"type":"string",` +
	`"oneOf":[{"const":"h","title":"Hot"},{"const":"c","title":"Cold"}],"default":"c"},"days":{"type":"array",` +
	`"minItems":1,"maxItems":7,"items":{"type":"string","enum":["mon","tue"]},"default":["mon"]},` +
	`"sites":{"type":"array","items":{"anyOf":[{"const":"a","title":"Site A"},{"const":"b","title":"Site B"}]}}},` +
	`"required":["label","days"]}}}`)

// BenchmarkWire measures the work of this package for one elicitation: peer bytes in, request out, reply bytes out.
func BenchmarkWire(b *testing.B) {
	d, _ := Lookup("2025-11-25")
	content := []byte(`{"label":"nightly","keep":7,"days":["mon","tue"]}`)
	var reply []byte
	b.ReportAllocs()
	b.SetBytes(int64(len(benchCreate)))
	for b.Loop() {
		e, fault := wire.ReadEnvelope(benchCreate, jsontext.Limits{})
		if fault != nil {
			b.Fatal(fault)
		}
		q, x, no := d.DecodeCreate(e.Params, d.AllModes())
		if no != nil {
			b.Fatal(no)
		}
		reply, _ = d.AppendAnswer(reply[:0], e.ID, Answer{Action: elicit.Accept, Mode: q.Mode, Content: content,
			Echo: x.Echo})
	}
}
