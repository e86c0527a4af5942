package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// savedState has every member that Save may write.
const savedState = `{"state":1,"opened":{"event":"opened","session":"s","server":"build","side":"answering",` +
	`"declared":["form","url"],"shown":["form","url"],"principal":"me"},"open":[` +
	`{"id":"00000000000000000000000000000001","state":"shown","deadline":9000,"rounds":2,"receipts":["shown","focused"],` +
	`"joined":[{"id":"00000000000000000000000000000002","ref":"2","parent":"call"}],"told":["/a"],` +
	`"draft":{"a":"Ada"},` +
	`"asked":{"event":"asked","session":"s","ref":"1","mode":"form","message":"Who?","schema":{"type":"object",` +
	`"properties":{"a":{"type":"string"}}}}},` +
	`{"id":"00000000000000000000000000000003","state":"awaiting","finished":false,"by":"policy",` +
	`"asked":{"event":"asked","session":"s","ref":"3","mode":"url","message":"Go","url":"https://example.org/",` +
	`"link":"L"}}` +
	`],"ended":[{"id":"00000000000000000000000000000004","outcome":"decline","cause":"user"}],` +
	`"visited":["example.org","127.0.0.1","[::1]"],"servers":["tools"],"muted":true,` +
	`"typed":[{"field":"a","value":"Ada","at":1,"id":"00000000000000000000000000000005","kind":"text"}],` +
	`"accepted":[{"tool":"b","message":"Go on?"},{"message":"Go"}],` +
	`"reviews":"ad|d","grants":[{"id":"00000000000000000000000000000006",` +
	`"digest":"0000000000000000000000000000000000000000000000000000000000000006","server":"","message":"Go on?",` +
	`"scope":"session"}],"session_allowance":60000,"session_allowance_at":5,"allowance":60000,"allowance_at":5}`

// savedConfig lets everything in savedState stand.
const savedConfig = `{"show_changes":true,"policy":{"user":{"version":1,"suggestions":"server"}},` +
	`"limits":{"per_minute_session":60}}`

func resumeInto(t *testing.T, state string) (*engine.Engine, []effect.Effect) {
	t.Helper()
	e := engine.New()
	e.Step(engine.Input{At: 10, Event: event.Configured{Config: []byte(savedConfig)}})
	_, effects := effect.Records(e.Step(engine.Input{At: 10, Event: event.Resumed{State: []byte(state)}}))
	return e, effects
}

// TestResumeTakesAll: nothing of a saved session is lost, so it is saved again as it was.
func TestResumeTakesAll(t *testing.T) {
	e, effects := resumeInto(t, savedState)
	for _, next := range effects {
		if p, bad := next.(effect.Problem); bad {
			t.Fatalf("%s", p.AppendJSON(nil))
		}
	}
	want := strings.Replace(savedState, `"finished":false,`, "", 1)
	if got, _ := e.Save("s"); withoutAllowances(string(got)) != withoutAllowances(want) {
		t.Errorf("saved again:\n%s\nwant\n%s", got, want)
	}
}

// withoutAllowances cuts off the last members, which time changes.
func withoutAllowances(state string) string {
	head, _, _ := strings.Cut(state, `,"session_allowance"`)
	return head
}

// TestResumeRefuses: a state with anything wrong in it changes nothing, wherever it is.
func TestResumeRefuses(t *testing.T) {
	for _, c := range []struct{ old, new, pointer string }{
		{`"open":[`, `"opens":[`, "/open"},
		{`"state":1,`, `"state":1,"extra":1,`, "/extra"},
		{`"muted":true`, `"muted":"true"`, "/muted"},
		{`"muted":true`, `"Muted":true`, "/Muted"},
		{`"visited":["example.org"`, `"visited":[7`, "/visited"},
		{`"visited":["example.org"`, `"visited":["example.org/x"`, "/visited"},
		{`"visited":["example.org"`, `"visited":["user@example.org"`, "/visited"},
		{`"visited":["example.org"`, `"visited":["EXAMPLE.org"`, "/visited"},
		{`"visited":["example.org"`, `"visited":["example.org:8080"`, "/visited"},
		{`"visited":["example.org"`, `"visited":[` + repeated(`"a%d.org"`, 65), "/visited"},
		{`"visited":["example.org","127.0.0.1","[::1]"]`, `"visited":{"0":"example.org"}`, "/visited"},
		{`"servers":["tools"]`, `"servers":"tools"`, "/servers"},
		{`"servers":["tools"]`, `"servers":[""]`, "/servers"},
		{`"servers":["tools"]`, `"servers":["` + strings.Repeat("x", 1025) + `"]`, "/servers"},
		{`"servers":["tools"]`, `"servers":[` + repeated(`"s%d"`, 65) + `]`, "/servers"},
		{`"reviews":"ad|d"`, `"reviews":["a"]`, "/reviews"},
		{`"reviews":"ad|d"`, `"reviews":"axd"`, "/reviews"},
		{`"reviews":"ad|d"`, `"reviews":"|a|"`, "/reviews"},
		{`"reviews":"ad|d"`, `"reviews":"` + strings.Repeat("a", 51) + `"`, "/reviews"},
		{`"outcome":"decline"`, `"outcome":"declined"`, "/ended"},
		{`"outcome":"decline"`, `"outcome":1`, "/ended"},
		{`"cause":"user"`, `"cause":"nobody"`, "/ended"},
		{`"cause":"user"`, `"cause":"user","why":""`, "/ended"},
		{`"00000000000000000000000000000004"`, `"4"`, "/ended"},
		{`"ended":[`, `"ended":[null,`, "/ended"},
		{`"ended":[`, `"ended":[` + repeated(`{"id":"%032x","outcome":"accept","cause":"user"}`, 1024) + `,`, "/ended"},
		{`"allowance":60000`, `"allowance":-1`, "/allowance"},
		{`"allowance":60000`, `"allowance":"60000"`, "/allowance"},
		{`"allowance_at":5}`, `"allowance_at":5.5}`, "/allowance_at"},
		{`"session_allowance":60000`, `"session_allowance":1e300`, "/session_allowance"},
		{`"session_allowance":60000,`, ``, "/session_allowance"},
		{`"kind":"text"`, `"kind":"texts"`, "/typed"},
		{`"message":"Go"}`, `"message":""}`, "/accepted"},
		{`{"message":"Go"}`, `{"message":"Go","at":1}`, "/accepted"},
		{`"scope":"session"`, `"scope":"always"`, "/grants"},
		{`"deadline":9000`, `"deadline":-1`, "/open"},
		{`"deadline":9000`, `"deadline":"9000"`, "/open"},
		{`"deadline":9000`, `"deadline":9e99`, "/open"},
		{`"rounds":2`, `"rounds":-2`, "/open"},
		{`"rounds":2`, `"rounds":2,"round":2`, "/open"},
		{`"receipts":["shown"`, `"receipts":["seen"`, "/open"},
		{`"receipts":["shown"`, `"receipts":["focused"`, "/open"},
		{`"receipts":["shown","focused"]`, `"receipts":"shown"`, "/open"},
		{`"ref":"2"`, `"ref":2`, "/open"},
		{`"ref":"2"`, `"ref":"1"`, "/open"},
		{`"ref":"2"`, `"ref":"2","tool":"x"`, "/open"},
		{`"joined":[`, `"joined":[[],`, "/open"},
		{`"00000000000000000000000000000002"`, `"00000000000000000000000000000001"`, "/open"},
		{`"00000000000000000000000000000003"`, `"00000000000000000000000000000001"`, "/open"},
		{`"told":["/a"]`, `"told":["/b"]`, "/open"},
		{`"told":["/a"]`, `"told":["/a/0"]`, "/open"},
		{`"told":["/a"]`, `"told":["/a","/a"]`, "/open"},
		{`"told":["/a"]`, `"told":{"0":"/a"}`, "/open"},
		{`"draft":{"a":"Ada"}`, `"draft":"Ada"`, "/open"},
		{`"finished":false`, `"finished":0`, "/open"},
		{`"by":"policy"`, `"by":"user"`, "/open"},
		{`"by":"policy"`, `"by":"policy","draft":{}`, "/open"},
		{`"state":"shown"`, `"state":"awaiting"`, "/open"},
		{`"message":"Go"`, `"message":"Go","told":1`, "/open"},
	} {
		state := strings.Replace(savedState, c.old, c.new, 1)
		if state == savedState {
			t.Errorf("%s is not in the state", c.old)
		}
		e, effects := resumeInto(t, state)
		p, refused := effects[0].(effect.Problem)
		if !refused || p.About != effect.AboutSession || p.Problems[0].Pointer != c.pointer {
			t.Errorf("%s for %s: %s, want a problem with %s", short(c.new), short(c.old), effects[0].AppendJSON(nil), c.pointer)
		}
		if len(e.Sessions())+len(e.Grants()) > 0 || len(effects) > 1 {
			t.Errorf("%s for %s: something of a state that is refused stays", short(c.new), short(c.old))
		}
	}
}

func repeated(format string, times int) string {
	var list []string
	for i := range times {
		list = append(list, fmt.Sprintf(format, i))
	}
	return strings.Join(list, ",")
}

func short(s string) string { return s[:min(len(s), 60)] }

// TestResumeCannotSpeakForOthers: a state that claims to know how another session's question ended is refused, and what
// a draft holds beside the fields of its form is dropped.
func TestResumeCannotSpeakForOthers(t *testing.T) {
	e := engine.New()
	var id elicit.ID
	form := elicit.Modes{Form: true}
	for at, ev := range []event.Event{
		event.Opened{Session: "other", Server: "build", Side: elicit.Answering, Declared: form, Shown: form},
		event.Asked{Request: elicit.Request{Session: "other", Ref: "1", Mode: elicit.Form, Message: "Who?",
			Schema: []byte(`{"type":"object","properties":{"a":{"type":"string"}}}`)}},
	} {
		for _, next := range e.Step(engine.Input{At: int64(at + 1), Event: ev}) {
			if show, ok := next.(effect.Show); ok {
				id = show.ID
			}
		}
	}
	e.Step(engine.Input{At: 3, Event: event.Answered{Session: "other", ID: id, Action: elicit.Decline}})
	state := strings.Replace(savedState, "00000000000000000000000000000004", string(id), 1)
	_, effects := effect.Records(e.Step(engine.Input{At: 4, Event: event.Resumed{State: []byte(state)}}))
	if p, refused := effects[0].(effect.Problem); !refused || p.Problems[0].Pointer != "/ended" {
		t.Errorf("%s", effects[0].AppendJSON(nil))
	}
	_, effects = resumeInto(t, strings.Replace(savedState, `"draft":{"a":"Ada"}`, `"draft":{"a":"Ada","b":"hunter2"}`, 1))
	if show, ok := effects[0].(effect.Show); !ok || string(show.Draft) != `{"a":"Ada"}` {
		t.Errorf("%s", effects[0].AppendJSON(nil))
	}
}
