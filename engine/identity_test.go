package engine_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

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
