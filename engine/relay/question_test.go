package relay

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

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
