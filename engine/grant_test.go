package engine_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
)

// granting is a run in which a yes is remembered and stands, and then the server is muted.
func granting() *town {
	w := &town{e: engine.New(), at: 1785000000000}
	w.do(event.Configured{Config: []byte(`{}`)})
	w.do(event.Opened{Session: "s", Server: "build", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
		Shown: elicit.Modes{Form: true}})
	ask := func(ref, message string) {
		w.do(event.Asked{Request: elicit.Request{Session: "s", Ref: ref, Mode: elicit.Form, Message: message,
			Schema: []byte(townSchemas[1])}})
	}
	ask("1", "Go on?")
	w.do(event.Answered{Session: "s", ID: w.shown, Action: elicit.Accept,
		Remember: elicit.Wish{Scope: elicit.ForTheSession}})
	ask("2", "Go on?")
	ask("3", "Stop?")
	w.do(event.Answered{Session: "s", ID: w.shown, Action: elicit.Cancel, Mute: true})
	ask("4", "Stop?")
	return w
}

// TestSimulateWithGrants: what a grant accepted and what a muted server was refused is not another policy's doing.
func TestSimulateWithGrants(t *testing.T) {
	w := granting()
	tests := []struct {
		name, policy string
		changed      []string // refs
	}{
		{"another mode that asks", `{"version":1,"approval_policy":"untrusted"}`, nil},
		{"no grants", `{"version":1,"grants":"none"}`, []string{"2"}},
		{"a rule that asks", `{"version":1,"rules":[{"when":{"message":"Go*"},"then":"ask"}]}`, []string{"2"}},
		{"never", `{"version":1,"approval_policy":"never"}`, []string{"1", "2", "3"}},
	}
	for _, tt := range tests {
		p, problems := policy.Parse(policy.User, []byte(tt.policy))
		if problems != nil {
			t.Fatal(problems)
		}
		var changed []string
		out := engine.Simulate(w.journal.Bytes(), policy.NewStack(p), func(d *engine.Decided) {
			if d.Changed() {
				changed = append(changed, d.Request.Ref)
			}
		})
		if out.Problem != nil || out.Decided != 3 || strings.Join(changed, " ") != strings.Join(tt.changed, " ") {
			t.Errorf("%s: %d decided, changed %q, problem %v; want 3, %q", tt.name, out.Decided, changed, out.Problem,
				tt.changed)
		}
	}
	if r := engine.Replay(w.journal.Bytes(), nil); r.Problem != nil {
		t.Errorf("does not replay: %s", r.Problem.AppendJSON(nil))
	}
}

// TestGrantMessageIsCut keeps lists of grants readable and saved sessions small, and never cuts a character.
func TestGrantMessageIsCut(t *testing.T) {
	for _, pad := range []string{"", "a", "ab"} {
		w := &town{e: engine.New()}
		w.do(event.Opened{Session: "s", Server: "build", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
			Shown: elicit.Modes{Form: true}})
		w.do(event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Mode: elicit.Form, Message: pad +
			strings.Repeat("€", 300), Schema: []byte(townSchemas[1])}})
		w.do(event.Answered{Session: "s", ID: w.shown, Action: elicit.Accept,
			Remember: elicit.Wish{Scope: elicit.ForTheSession}})
		got := w.e.Grants()
		if len(got) != 1 || len(got[0].Message) > 256 || !utf8.ValidString(got[0].Message) ||
			!strings.HasSuffix(got[0].Message, "€…") {
			t.Errorf("got %+v", got)
		}
	}
}

// TestSessionGrantsAreBounded: a session that is granted everything can still be saved and loaded.
func TestSessionGrantsAreBounded(t *testing.T) {
	w := &town{e: engine.New()}
	config := []byte(`{"limits":{"per_minute":60000,"burst":60000}}`)
	w.do(event.Configured{Config: config})
	w.do(event.Opened{Session: "s", Server: "build", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
		Shown: elicit.Modes{Form: true}})
	for i := range 120 {
		tool := strings.Repeat("\x01", 1000) + strings.Repeat("x", i%24) + strings.Repeat("y", i/24)
		w.do(event.Asked{Request: elicit.Request{Session: "s", Ref: "1", Tool: tool, Mode: elicit.Form, Message: "Go on?",
			Schema: []byte(townSchemas[1])}})
		w.do(event.Answered{Session: "s", ID: w.shown, Action: elicit.Accept,
			Remember: elicit.Wish{Scope: elicit.ForTheSession}})
	}
	if n := len(w.e.Grants()); n != 100 {
		t.Errorf("%d grants, want 100", n)
	}
	state, _ := w.e.Save("s")
	twin := engine.New()
	twin.Step(engine.Input{Event: event.Configured{Config: config}})
	for _, effect := range twin.Step(engine.Input{At: w.at, Event: event.Resumed{State: state}})[1:] {
		t.Errorf("loading %d bytes: %s", len(state), effect.AppendJSON(nil))
	}
	if n := len(twin.Grants()); n != 100 {
		t.Errorf("%d grants after loading, want 100", n)
	}
}
