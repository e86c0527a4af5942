package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// do gives the engine an event and performs the effects in the engine's order. Effects of an event that an effect
// causes come after the others.
func (m *Machine) do(ev event.Event) {
	m.pending = append(m.pending, m.engine.Step(engine.Input{At: m.now, Random: m.draw(), Event: ev})...)
	if m.busy {
		return
	}
	m.busy = true
	for len(m.pending) > 0 {
		next := m.pending[0]
		m.pending = m.pending[1:]
		m.perform(next)
	}
	m.pending, m.busy = nil, false
	for len(m.later) > 0 {
		next := m.later[0]
		m.later = m.later[1:]
		next()
	}
}

func (m *Machine) perform(next effect.Effect) {
	switch ef := next.(type) {
	case effect.Append:
		m.records = append(m.records, ef)
	case effect.Wake:
		m.engineWake = ef.At
	case effect.Show:
		m.shown(ef)
	case effect.Reply:
		m.replied(ef)
	case effect.Withdraw:
		if q := m.byID(ef.ID); q != nil { // without a reply: the handler itself took it back, or all is over
			m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: ef.Cause})
		}
	case effect.Resolve:
		m.resolved(ef)
	case effect.Problem:
		m.engineProblem(ef)
	case effect.Consult:
		if said, known := ef.Ask(m.config.Guests); known {
			m.do(said)
			return
		}
		m.emit(ef)
	case effect.Remember:
		m.emit(ef)
	}
}

// shown takes the turn of a question.
func (m *Machine) shown(ef effect.Show) {
	q := m.byRef(ef.Ref)
	if q == nil {
		return
	}
	q.id, q.show = ef.ID, &ef
	if c := m.calls[q.call]; q.offer != "" || c == nil || !c.running || c.interrupted {
		return // it was put before the machine was saved, or the next run of the handler poses it again
	}
	m.later = append(m.later, func() {
		if raw := m.responseTo(m.calls[q.call], q); raw != nil {
			m.choose(q)
			m.response(q, raw)
			return
		}
		m.put(q)
	})
}

// replied takes the end of a question.
func (m *Machine) replied(ef effect.Reply) {
	q := m.byRef(ef.Ref)
	if q == nil {
		return
	}
	q.id = ef.ID
	if ef.Outcome == elicit.Accepted && q.Mode == elicit.URL && q.Wait {
		q.consented = true
		return // the page must be finished too
	}
	m.settle(q, Settle{Outcome: ef.Outcome, Cause: ef.Cause, Content: ef.Content, Problems: ef.Problems,
		Reasons: ef.Reasons})
}

// resolved takes the end of a page that the person had consented to visit.
func (m *Machine) resolved(ef effect.Resolve) {
	q := m.byRef(ef.Ref)
	if q == nil {
		return
	}
	if ef.Resolution == effect.PageCompleted {
		m.settle(q, Settle{Outcome: elicit.Accepted, Cause: elicit.ByUser})
		return
	}
	m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: elicit.ByTimeout})
}

// engineProblem takes what the engine could not use. A wrong answer is counted by whoever gave it.
func (m *Machine) engineProblem(ef effect.Problem) {
	if q := m.byID(ef.ID); q != nil && ef.About == effect.AboutAnswer && ef.Outcome == "" {
		q.problems = ef.Problems
	}
	m.emit(ef)
}

// withdraw ends an open question for a reason of the machine. With "" its own handler took it back.
func (m *Machine) withdraw(q *question, cause elicit.Cause) {
	if q.consented && q.Mode == elicit.URL && q.Wait { // the engine has replied and waits for the page
		m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: cause})
		return
	}
	m.do(event.Cancelled{Session: session, Ref: q.ref, Cause: cause})
}

// settle ends a question for the handler, and keeps the outcome as long as the call may run again.
func (m *Machine) settle(q *question, s Settle) {
	m.questions = slices.DeleteFunc(m.questions, func(one *question) bool { return one == q })
	m.rememberPage(q)
	if q.sent != "" {
		m.emit(CancelSent{q.sent})
	}
	s.Call, s.Position, s.ID, s.Offer, s.Page, s.Message = q.call, q.position, q.id, q.offer, q.page, q.Message
	s.history = m.config.History
	if s.Cause == elicit.ByAttemptsUsed || s.Cause == elicit.ByPeerError || s.Cause == elicit.ByUnsupported {
		s.Problems = append(s.Problems, append(q.problems, q.failure...)...)
	}
	if q.consented && q.offer == ByRequest && m.dialect.Link && (q.page || q.Wait) && s.Outcome == elicit.Accepted {
		s.Completed = q.link
		m.emit(CompleteNotice(q.call, q.link))
	}
	if c := m.calls[q.call]; c != nil && !q.silent {
		s.Target = c.target
		c.answers = append(c.answers, answer{position: q.position, digest: q.digest, link: q.link, settle: s})
	}
	if !q.silent {
		m.emit(s)
	}
}
