package engine

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// planted is an engine with two questions of a session, of which the first is before the person.
func planted(t *testing.T) (e *Engine, first, second *question) {
	t.Helper()
	e = New()
	both := elicit.Modes{Form: true, URL: true}
	e.Step(Input{At: 1, Event: event.Opened{Session: "s", Side: elicit.Answering, Declared: both, Shown: both}})
	for _, ref := range []string{"1", "2"} {
		e.Step(Input{At: 2, Event: event.Asked{Request: elicit.Request{Session: "s", Ref: ref, Mode: elicit.Form,
			Message: "Which branch?", Schema: []byte(`{"type":"object","properties":{"branch":{"type":"string"}},` +
				`"required":["branch"]}`)}}})
	}
	for _, q := range e.open.byID.All() {
		if q.request.Ref == "1" {
			first = q
		} else {
			second = q
		}
	}
	if first == nil || second == nil {
		t.Fatalf("%d questions are open", e.open.byID.Len())
	}
	return e, first, second
}

func answerTo(q *question) event.Answered {
	return event.Answered{Session: "s", ID: q.request.ID, Action: elicit.Accept, Content: []byte(`{"branch":"main"}`)}
}

// TestBrokenInvariant plants one bug after another. Each must end its own question with a problem, must let no answer
// out, and must leave the other question as it was.
func TestBrokenInvariant(t *testing.T) {
	reply := func(e *Engine, q *question, r effect.Reply) []effect.Effect {
		e.out.begin()
		e.open.finish(q, r)
		return e.out.take()[1:]
	}
	for invariant, plant := range map[string]func(*Engine, *question) []effect.Effect{
		oneReply: func(e *Engine, q *question) []effect.Effect {
			q.end.over = true
			return e.Step(Input{At: 3, Event: answerTo(q)})
		},
		bareRefusal: func(e *Engine, q *question) []effect.Effect {
			return reply(e, q, effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByUser, Content: []byte(`{"branch":"x"}`)})
		},
		contentFits: func(e *Engine, q *question) []effect.Effect {
			return reply(e, q, effect.Reply{Outcome: elicit.Accepted, Cause: elicit.ByUser, Content: []byte(`{"branch":5}`)})
		},
		ownAnswer: func(e *Engine, q *question) []effect.Effect {
			ev := answerTo(q)
			ev.Principal = "somebody else"
			s := &step{Engine: e}
			s.decider = decider{config: &e.config, grants: &e.grants}
			e.out.begin()
			s.deliver(q, outgoing{answer: ev, reply: effect.Reply{Outcome: elicit.Accepted, Content: ev.Content}})
			return e.out.take()[1:]
		},
		questionIsHeld: func(e *Engine, q *question) []effect.Effect {
			e.open.Settle(q.request.ID, elicit.Cancelled, elicit.ByPolicy)
			return e.Step(Input{At: 3, Event: event.Ticked{}})
		},
	} {
		t.Run(invariant, func(t *testing.T) {
			e, first, second := planted(t)
			checkBroken(t, invariant, first, plant(e, first))
			if _, open := e.open.Find(first.request.ID); open || e.open.byID.At(first.request.ID) != nil {
				t.Error("the question is still open")
			}
			if _, open := e.open.Find(second.request.ID); !open || e.open.byID.At(second.request.ID) != second {
				t.Fatal("the other question is gone")
			}
			e.Step(Input{At: 4, Event: event.Ticked{}})
			if r := replyTo(second, e.Step(Input{At: 5, Event: answerTo(second)})); r.Outcome != elicit.Accepted {
				t.Errorf("the other question ends with %q", r.Outcome)
			}
		})
	}
}

// TestBrokenSession plants what would leave a place in time after its question or its session.
func TestBrokenSession(t *testing.T) {
	for name, c := range map[string]struct {
		plant     func(*Engine, *question)
		next      event.Event
		invariant string
	}{
		"no question": {func(e *Engine, q *question) { e.open.byID.Delete(q.request.ID) }, event.Ticked{}, questionIsHeld},
		"no question at the end": {func(e *Engine, q *question) { e.open.byID.Delete(q.request.ID) },
			event.Closed{Session: "s"}, sessionIsClosed},
		"another id": {func(e *Engine, q *question) { q.request.ID = "00000000000000000000000000000000" },
			event.Closed{Session: "s"}, sessionIsClosed},
	} {
		t.Run(name, func(t *testing.T) {
			e, first, _ := planted(t)
			id := first.request.ID
			c.plant(e, first)
			checkBroken(t, c.invariant, first, e.Step(Input{At: 3, Event: c.next}))
			if _, open := e.open.Find(id); open || e.open.byID.At(id) != nil {
				t.Error("the question is still open")
			}
			if e.Step(Input{At: 4, Event: event.Closed{Session: "s"}}); e.open.byID.Len()+e.open.Len() > 0 {
				t.Error("a session is closed, and holds something")
			}
		})
	}
}

func checkBroken(t *testing.T, invariant string, q *question, effects []effect.Effect) {
	t.Helper()
	named := false
	for _, next := range effects {
		if p, is := next.(effect.Problem); is && p.ID == q.request.ID {
			named = p.Problems[0].Code == "invariant_broken" && p.Problems[0].Args[0].Raw == `"`+invariant+`"`
		}
	}
	if !named {
		t.Errorf("no problem names the invariant %s", invariant)
	}
	if r := replyTo(q, effects); r.Outcome != "" && (r.Outcome != elicit.Cancelled || r.Content != nil) {
		t.Errorf("the peer is told %s %s", r.Outcome, r.Content)
	}
}

func replyTo(q *question, effects []effect.Effect) (found effect.Reply) {
	for _, next := range effects {
		if r, is := next.(effect.Reply); is && r.ID == q.request.ID {
			found = r
		}
	}
	return found
}
