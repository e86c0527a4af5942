package engine

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
)

// A schema that nothing has read is a peer's bytes. In URL mode nothing reads it, so the record must not take it for
// JSON.
func TestUnreadSchemaStaysText(t *testing.T) {
	for _, mode := range []elicit.Mode{elicit.Form, elicit.URL, "other"} {
		t.Run(string(mode), func(t *testing.T) {
			e := New()
			both := elicit.Modes{Form: true, URL: true}
			var lines []string
			for _, ev := range []event.Event{
				event.Opened{Session: "s", Server: "x", Side: elicit.Answering, Declared: both, Shown: both},
				event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Mode: mode, Message: "m", URL: "https://example.com/",
					Schema: []byte(`{}},"effects":[],"x":{"y":"`)}},
			} {
				lines = append(lines, string(e.Step(Input{At: 1, Event: ev})[0].(effect.Append).Record))
			}
			r := journal.NewReader([]byte(strings.Join(lines, "\n") + "\n"))
			for range lines {
				r.Next()
			}
			if p := r.Problem(); p != nil {
				t.Fatalf("the journal cannot be read: %v", p)
			}
			if got := lines[1]; !strings.Contains(got, `"schema_text":`) {
				t.Errorf("got %s, want the schema as text", got)
			}
		})
	}
}
