package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/strict"
)

// Look is what a host has of a machine that another process may have stepped since. See Machine.Look.
//
// Host and machine may disagree after any step of another process. The host says what it believes, and gets the rest.
type Look struct {
	Calls []string // whose handlers run at the host and were not interrupted
	Waits []Wait   // questions of these handlers whose outcome the host does not know
	Refs  []string // requests that were sent and not answered
	Link  string   // of a page that a person wants to see; "" for none
}

// Wait is a question that a handler waits for.
type Wait struct {
	Call     string
	Position int
}

// OpenQuestion is a question that waits for an answer, for those who look after a server.
type OpenQuestion struct {
	ID              elicit.ID
	Target, Message string
	Principal       string // who may answer
	Offer           Offer
	Page            bool
	Expires         int64
}

// OpenQuestions lists the questions that wait for an answer, oldest first.
func (m *Machine) OpenQuestions() (list []OpenQuestion) {
	for _, q := range m.questions.list {
		if c := m.calls.byID.At(q.call); c != nil && q.id != "" && q.deadline > m.clock.now {
			list = append(list, OpenQuestion{q.id, c.target, q.Message, m.client.answerer(q), q.offer, q.page, q.deadline})
		}
	}
	return list
}

// ReadLook reads {"calls"?,"waits"?:[{"call","position"?}],"refs"?,"link"?}. doc must have passed the gate.
func ReadLook(doc []byte) (l Look, problems []elicit.Problem) {
	r, problems := strict.Document(doc, eventLimits)
	if len(problems) > 0 {
		return l, problems
	}
	l.Calls, l.Refs, l.Link = r.Strs("calls"), r.Strs("refs"), takeLabel(&r, "link")
	r.Objects("waits", "wrong_type", maxCalls*MaxPositions, func(one *strict.Reader) {
		l.Waits = append(l.Waits, Wait{takeLabel(one, "call"), one.Count("position")})
	})
	r.RefuseUnknown()
	return l, r.Problems
}

// Look returns what the host has missed when another process made steps: requests that the client should have, the end
// of runs, outcomes, requests that nobody waits for any more, and the open page of a link. The last effect says when
// the machine wants a tick. Look changes nothing.
func (m *Machine) Look(l Look) (effects []Effect) {
	for _, call := range l.Calls {
		for _, next := range m.Outstanding(call) {
			if sent, is := next.(Send); !is || !slices.Contains(l.Refs, sent.Ref) {
				effects = append(effects, next)
			}
		}
	}
	for _, w := range l.Waits {
		c := m.calls.byID.At(w.Call)
		// The call has ended without the host, so its handler must not wait any longer.
		if c == nil || !c.running {
			effects = append(effects, Settle{Call: w.Call, Position: w.Position, Outcome: elicit.Cancelled,
				Cause: elicit.ByCallEnded})
		} else if a := c.at(w.Position); a != nil && a.value == nil {
			settle := a.settle
			if settle.Call = w.Call; settle.Completed != "" {
				effects = append(effects, CompleteNotice(w.Call, settle.Completed))
			}
			effects = append(effects, settle)
		}
	}
	for _, ref := range l.Refs {
		if !m.WaitsFor(ref) {
			effects = append(effects, CancelSent{ref})
		}
	}
	if l.Link != "" {
		if page, open := m.Page(l.Link); open {
			effects = append(effects, page)
		}
	}
	return append(effects, effect.Wake{At: m.wake})
}
