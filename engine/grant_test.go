package engine_test

import (
	"bytes"
	"fmt"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
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

// TestGrantsAnswerTheirOwnServer compares the engine with a plain list of what was agreed to. Three sessions open, move
// and close under one server name and three identities, and one question is asked over and over.
func TestGrantsAnswerTheirOwnServer(t *testing.T) {
	refused, answered := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		w := &town{e: engine.New()}
		w.do(event.Configured{Config: []byte(`{"limits":{"burst":60000,"per_minute":60000},` +
			`"policy":{"user":{"version":1,"grants":"always"}}}`)})
		open, inSession, always := map[string]string{}, map[string]bool{}, map[string]bool{}
		for i := range rapid.IntRange(1, 60).Draw(t, "events") {
			session := rapid.SampledFrom([]string{"s", "t", "u"}).Draw(t, "session")
			identity, isOpen := open[session]
			switch {
			case !isOpen:
				open[session] = rapid.SampledFrom([]string{"", `/bin/npx ["x"]`, `/bin/npx ["y"]`}).Draw(t, "identity")
				w.do(event.Opened{Session: session, Server: "npx", Side: elicit.Answering, Identity: open[session],
					Declared: elicit.Modes{Form: true}, Shown: elicit.Modes{Form: true}})
				continue
			case rapid.IntRange(0, 4).Draw(t, "end") == 0:
				state, _ := w.e.Save(session)
				w.do(event.Closed{Session: session})
				if rapid.Bool().Draw(t, "move") {
					w.do(event.Resumed{State: state})
					continue
				}
				delete(open, session)
				delete(inSession, session)
				continue
			}
			w.shown = ""
			w.do(event.Asked{Request: elicit.Request{Session: session, Ref: fmt.Sprint(i), Mode: elicit.Form,
				Message: "Go on?", Schema: []byte(townSchemas[1])}})
			if want := !inSession[session] && !always[identity]; want != (w.shown != "") {
				t.Fatalf("session %s of %q is asked: %v, want %v; always %v, for the session %v", session, identity,
					!want, want, always, inSession)
			}
			if w.shown == "" {
				answered++
				continue
			}
			if len(always) > 0 {
				refused++
			}
			scope := rapid.SampledFrom([]elicit.Scope{elicit.Once, elicit.ForTheSession, elicit.Always}).Draw(t,
				"scope")
			w.do(event.Answered{Session: session, ID: w.shown, Action: elicit.Accept,
				Remember: elicit.Wish{Scope: scope}})
			inSession[session] = inSession[session] || scope == elicit.ForTheSession
			if scope == elicit.Always {
				always[identity] = true
			}
		}
		if r := engine.Replay(w.journal.Bytes(), nil); r.Problem != nil {
			t.Fatalf("does not replay: %s", r.Problem.AppendJSON(nil))
		}
	})
	if answered < 50 || refused < 50 {
		t.Errorf("%d answered by grants and %d asked beside a grant for another server; too few to tell", answered,
			refused)
	}
}

// TestHasteIsFollowed answers questions soon and late, by a person and by others, with receipts and restarts between.
// Questions of a hasty person are cancelled. A count by hand says when that must be, a replay does the same, and a
// simulation of the same policy changes nothing.
func TestHasteIsFollowed(t *testing.T) {
	const doc = `{"version":1,"grants":"none","rules":[{"name":"h","when":{"hasty":true,"tool":"a"},"then":"cancel"}]}`
	config := event.Configured{Config: []byte(`{"limits":{"burst":1000,"per_minute":60000,"shown":2},"policy":{"user":` +
		doc + `}}`)}
	same, _ := policy.Parse(policy.User, []byte(doc))
	cancelled := 0
	for seed := range int64(400) {
		e := newRecorder(seed, 0)
		r := e.random
		verify := func() {
			journal := e.journal()
			if out := engine.Replay(journal, nil); out.Problem != nil {
				t.Fatalf("seed %d: %+v", seed, *out.Problem)
			}
			if out := engine.Simulate(journal, policy.NewStack(same), nil); out.Problem != nil || out.Changed > 0 {
				t.Fatalf("seed %d: %+v", seed, out)
			}
		}
		e.step(config)
		e.step(event.Opened{Session: "s", Server: "shell", Side: elicit.Answering, Declared: elicit.Modes{Form: true},
			Shown: elicit.Modes{Form: true}})
		inRow := 0
		for i := range 60 {
			e.at += int64(r.Intn(500))
			ask := elicit.Request{Session: "s", Ref: fmt.Sprint(i), Mode: elicit.Form, Message: fmt.Sprint("Step ", i),
				Tool: []string{"a", "b", "b", "b"}[r.Intn(4)], Schema: []byte(`{"type":"object","properties":{}}`)}
			if r.Intn(15) == 0 {
				ask.For = "ann"
			}
			effects := e.step(event.Asked{Request: ask})
			show, shown := effects[0].(effect.Show)
			if hasty := inRow >= policy.HastyAnswers && ask.Tool == "a"; shown == hasty {
				t.Fatalf("seed %d: after %d in a row: %s", seed, inRow, effects[0].AppendJSON(nil))
			}
			if !shown {
				cancelled++
				continue
			}
			shownAt := e.at
			if r.Intn(3) == 0 {
				e.at += int64(r.Intn(1500))
				shownAt = e.at
				e.step(event.Noted{Session: "s", ID: show.ID, Receipt: event.ReceiptShown})
			}
			if r.Intn(20) == 0 {
				verify()
				e.moves(config)
			}
			e.at += int64(r.Intn(2100))
			answer := event.Answered{Session: "s", ID: show.ID, Action: elicit.Accept, Principal: ask.For}
			if r.Intn(12) == 0 {
				answer.Action = elicit.Decline
			}
			if r.Intn(9) == 0 {
				answer.Via = event.ViaScript
			}
			e.step(answer)
			switch {
			case ask.For != "" || answer.Via != event.ViaPerson:
			case answer.Action != elicit.Accept || e.at-shownAt >= policy.HastyWithin:
				inRow = 0
			default:
				inRow++
			}
		}
		verify()
	}
	if cancelled < 500 {
		t.Errorf("%d questions of a hasty person: the test has lost its subject", cancelled)
	}
}

// naming gives ids short names in order of appearance.
type naming map[elicit.ID]string

func (n naming) clone() naming {
	c := naming{}
	maps.Copy(c, n)
	return c
}

// id is the id with a name, or otherwise when there is none.
func (n naming) id(name string, otherwise elicit.ID) elicit.ID {
	for id, given := range n {
		if given == name {
			return id
		}
	}
	return otherwise
}

// render writes effects without the record, ids replaced by names.
func (n naming) render(effects []effect.Effect) string {
	for _, next := range effects {
		if id := idOf(next); id != "" && n[id] == "" {
			n[id] = fmt.Sprintf("#%d", len(n)+1)
		}
	}
	_, rest := effect.Records(effects)
	text := elicit.AppendList(nil, rest)
	if bytes.Contains(text, []byte(`"grant"`)) {
		for id, name := range n {
			text = bytes.ReplaceAll(text, []byte(id), []byte(name))
		}
	}
	for _, next := range effects {
		if id := idOf(next); id != "" {
			text = bytes.ReplaceAll(text, []byte(id), []byte(n[id]))
		}
	}
	return string(text)
}

func idOf(next effect.Effect) elicit.ID {
	switch ef := next.(type) {
	case effect.Problem:
		return ef.ID
	case effect.Extend:
		return ef.ID
	}
	return effect.IDOf(next)
}

// TestGrantsAreKept writes grants as a host keeps them, and reads none of a text that is not whole.
func TestGrantsAreKept(t *testing.T) {
	list := []elicit.Grant{{ID: elicit.ID(strings.Repeat("1", 32)), Server: "s", Tool: "t", Scope: elicit.Always,
		Digest: strings.Repeat("a", 64)}}
	kept := engine.AppendGrants(nil, list)
	got, problems := engine.ReadGrants(kept)
	if again := engine.AppendGrants(nil, got); problems != nil || string(again) != string(kept) {
		t.Errorf("%s reads as %s (%v)", kept, again, problems)
	}
	for _, doc := range []string{``, `[]`, `{"version":2,"grants":[]}`, `{"version":1,"grants":[],"x":1}`,
		`{"version":1,"grants":[3]}`, `{"version":1,"grants":[` + strings.Repeat(`3,`, 70_000) + `3]}`} {
		if got, problems := engine.ReadGrants([]byte(doc)); got != nil || len(problems) == 0 {
			t.Errorf("%.60s: %v, %v", doc, got, problems)
		}
	}
}

// TestConsider reads questions as a step does, and tells what is wrong with a schema.
func TestConsider(t *testing.T) {
	asks := elicit.Request{Mode: elicit.Form, Message: "Your password?",
		Schema: []byte(`{"type":"object","properties":{"password":{"type":"string"}}}`)}
	facts, findings, problems := engine.Consider(asks, schema.Options{}, engine.Known{})
	if problems != nil || facts.Kind != elicit.KindForm || len(findings) == 0 {
		t.Errorf("%+v, %v, %v", facts, findings, problems)
	}
	asks.Schema = []byte(`{}`)
	if _, _, problems := engine.Consider(asks, schema.Options{}, engine.Known{}); len(problems) == 0 {
		t.Error("a schema of nothing has no problem")
	}
}
