package asking

import (
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// TestBrokenInvariant plants one bug after another. Each must give the host a problem, must let no answer to the
// handler, and must leave a machine that can be asked again or is closed.
func TestBrokenInvariant(t *testing.T) {
	for invariant, plant := range map[string]func(*Machine, *question) []Effect{
		settledOnce: func(m *Machine, q *question) []Effect {
			m.settle(q, Settle{Outcome: elicit.Declined, Cause: elicit.ByUser})
			m.finish()
			m.settle(q, Settle{Outcome: elicit.Accepted, Cause: elicit.ByUser})
			return m.finish()
		},
		bareRefusal: func(m *Machine, q *question) []Effect {
			m.settle(q, Settle{Outcome: elicit.Declined, Cause: elicit.ByUser, Content: []byte(`{"n":1}`)})
			return m.finish()
		},
		pageOnly: func(m *Machine, q *question) []Effect {
			q.Secret = true
			m.settle(q, Settle{Outcome: elicit.Accepted, Cause: elicit.ByUser, Content: []byte(`{"n":1}`)})
			return m.finish()
		},
		callsAgree: func(m *Machine, _ *question) []Effect {
			m.calls.order = nil
			return m.Step(Input{At: 9, Event: Returned{Call: "none"}})
		},
	} {
		t.Run(invariant, func(t *testing.T) {
			m, _, problems := New(Config{Server: "s", Principal: "ann", Version: "2025-11-25", Requests: true,
				Declared: elicit.Modes{Form: true}}, Input{})
			if problems != nil {
				t.Fatal(problems)
			}
			pose := func(call string) {
				m.Step(Input{At: 1, Event: Called{Call: call}})
				m.Step(Input{At: 2, Event: Posed{Call: call, Question: Question{Mode: elicit.Form, Message: "How many?",
					Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}}})
			}
			if pose("1"); len(m.questions.list) != 1 {
				t.Fatalf("%d questions are open", len(m.questions.list))
			}
			named := false
			for _, next := range plant(m, m.questions.list[0]) {
				text := string(next.AppendJSON(nil))
				named = named || strings.Contains(text, `"invariant_broken"`) && strings.Contains(text, `"`+invariant+`"`)
				if s, is := next.(Settle); is && (s.Outcome != elicit.Cancelled || s.Content != nil) {
					t.Errorf("the handler gets %s", text)
				}
			}
			if !named {
				t.Error("no problem names the invariant")
			}
			if m.closed != (invariant == callsAgree) || len(m.questions.list) > 0 {
				t.Errorf("closed: %v, with %d questions", m.closed, len(m.questions.list))
			}
			if pose("2"); !m.closed && len(m.questions.list) != 1 {
				t.Error("the machine takes no other question")
			}
		})
	}
}
