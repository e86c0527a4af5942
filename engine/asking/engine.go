package asking

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// decider is the engine that decides the questions, with what is left to do of a step of it.
//
// asked is set only while the engine gets a new question. A problem without an id is about that one.
type decider struct {
	engine  *engine.Engine
	pending []effect.Effect // not performed yet
	busy    bool            // they are being performed
	turns   []*question     // that may be put once they are
	wake    int64           // when the engine wants a tick
	asked   *question       // that the engine is given now
}

// do gives the engine an event and performs the effects in the engine's order. Effects of an event that an effect
// causes come after the others.
func (m *Machine) do(ev event.Event) {
	d := &m.decider
	// An effect may cause an event, whose effects must not overtake those that are still to be performed. So they
	// wait in one list, and only the outermost call works it off.
	d.pending = append(d.pending, d.engine.Step(engine.Input{At: m.clock.now, Random: m.clock.draw(), Event: ev})...)
	if d.busy {
		return
	}
	d.busy = true
	for len(d.pending) > 0 {
		next := d.pending[0]
		d.pending = d.pending[1:]
		m.perform(next)
	}
	d.pending, d.busy = nil, false
	// A question may be put only once all effects are performed: one of them may have ended it.
	// An answer that came with the call counts as if the client had been asked now. The way is chosen first, because it
	// says in which mode to read the answer.
	for len(d.turns) > 0 {
		q := d.turns[0]
		if d.turns = d.turns[1:]; len(d.turns) == 0 {
			d.turns = nil
		}
		c := m.calls.byID.At(q.call)
		raw := responseTo(c, q)
		if raw != nil {
			m.client.choose(q, c)
		}
		if raw == nil || m.client.keeps(q) && m.client.visits(raw) {
			m.put(q)
			continue
		}
		m.response(q, raw)
	}
}

// perform does what an effect of the engine asks. Other effects of an engine are for its own user interface, which this
// machine does not have.
func (m *Machine) perform(next effect.Effect) {
	switch ef := next.(type) {
	case effect.Append:
		m.out.records = append(m.out.records, ef)
	case effect.Wake:
		m.decider.wake = ef.At
	case effect.Show:
		m.shown(ef)
	case effect.Reply:
		m.replied(ef)
	case effect.Withdraw:
		if q := m.questions.byID(ef.ID); q != nil { // without a reply: the handler itself took it back, or all is over
			m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: ef.Cause})
		}
	case effect.Resolve:
		m.resolved(ef)
	case effect.Problem:
		m.engineProblem(ef)
	case effect.Consult:
		// A guest that is at hand answers within the step, so a host without a loop for guests has a decision at
		// once.
		if said, known := ef.Ask(m.client.config.Guests); known {
			m.do(said)
			return
		}
		m.out.emit(ef)
	case effect.Remember:
		m.out.emit(ef)
	}
}

// shown takes the turn of a question.
func (m *Machine) shown(ef effect.Show) {
	q := m.questions.byRef(ef.Ref)
	if q == nil {
		return
	}
	q.id, q.show = ef.ID, &ef
	if q.offer != "" || m.calls.waiting(q.call) == nil {
		return // it was put before the machine was saved, or the next run of the handler poses it again
	}
	m.decider.turns = append(m.decider.turns, q)
}

// replied takes the end of a question.
func (m *Machine) replied(ef effect.Reply) {
	q := m.questions.byRef(ef.Ref)
	if q == nil {
		return
	}
	q.id = ef.ID
	if ef.Outcome == elicit.Accepted && q.Mode == elicit.URL && q.Wait {
		// The engine has replied to its peer, which is this machine. The handler waits for the end of the page.
		q.consented = true
		return // the page must be finished too
	}
	m.settle(q, Settle{Outcome: ef.Outcome, Cause: ef.Cause, Content: ef.Content, Problems: ef.Problems,
		Reasons: ef.Reasons})
}

// resolved takes the end of a page that the person had consented to visit.
func (m *Machine) resolved(ef effect.Resolve) {
	q := m.questions.byRef(ef.Ref)
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
	if q := m.questions.byID(ef.ID); q != nil && ef.About == effect.AboutAnswer && ef.Outcome == "" {
		q.problems = ef.Problems
	} else if q := m.decider.asked; q != nil && (ef.About == effect.AboutHost || ef.Ref == q.ref) { // it is not taken
		m.settle(q, Settle{Outcome: elicit.Failed, Cause: elicit.ByInvalidRequest, Problems: ef.Problems})
	}
	m.out.emit(ef)
}

// withdraw ends an open question for a reason of the machine. With "" its own handler took it back.
func (m *Machine) withdraw(q *question, cause elicit.Cause) {
	if q.visited() {
		m.settle(q, Settle{Outcome: elicit.Cancelled, Cause: cause})
		return
	}
	m.do(event.Cancelled{Session: session, Ref: q.ref, Cause: cause})
}

// settle ends a question for the handler, and keeps the outcome as long as the call may run again.
//
// It is the only place that ends a question. The question leaves the list first, so nothing below can end it again.
func (m *Machine) settle(q *question, s Settle) {
	if invariant := m.breaks(q, &s); invariant != "" {
		p := broken(invariant)
		m.out.problem(p.Code, q.id, p.Args...)
		if invariant == settledOnce {
			return // the handler has had its answer
		}
		s = Settle{Outcome: elicit.Cancelled, Cause: elicit.ByPolicy, Problems: []elicit.Problem{p}}
	}
	m.questions.end(q, s.Cause)
	if q.sent != "" {
		m.out.emit(CancelSent{q.sent})
	}
	s.Call, s.Position, s.ID, s.Offer, s.Page, s.Message = q.call, q.position, q.id, q.offer, q.page, q.Message
	s.By, s.history = q.by, m.client.config.History
	if s.Cause == elicit.ByAttemptsUsed || s.Cause == elicit.ByPeerError || s.Cause == elicit.ByUnsupported {
		s.Problems = append(s.Problems, append(q.problems, q.failure...)...)
	}
	if q.consented && q.offer == ByRequest && m.client.dialect.Link && (q.page || q.Wait) && s.Outcome == elicit.Accepted {
		s.Completed = q.link
		m.out.emit(CompleteNotice(q.call, q.link))
	}
	// The outcome is kept in the call and not in the question, because the next run poses another question that is
	// equal.
	if c := m.calls.byID.At(q.call); c != nil && !q.silent {
		s.Target = c.target
		c.answers = append(c.answers, answer{position: q.position, digest: q.digest, link: q.link, said: q.said, settle: s})
	}
	if !q.silent {
		m.out.emit(s)
	}
}
