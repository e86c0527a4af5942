package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// show shows a request to the host's user or to the client.
func (m *Machine) show(s *effect.Show) {
	q := m.questions.of(s.Session, s.Ref)
	switch {
	case q == nil:
		// It was withdrawn in the meantime. Its withdrawal is pending, unless the engine failed on the withdrawal.
		m.do(event.Cancelled{Session: s.Session, Ref: s.Ref})
	case q.Show != nil && !m.who.AsksClient(s): // the client cannot draw it, or its answer was nobody's
		q.Show, q.shown = nil, nil
		q.Request.ID, q.stale = s.ID, false
		m.out.emit(*s)
	case q.Show != nil && m.questions.withUser[s.ID] != nil: // a new engine shows again what the client already has
		q.stale = false
	case q.Show != nil:
		q.Request.ID, q.shown = s.ID, s
		q.Show(s)
	default:
		q.Request.ID, q.stale = s.ID, false
		m.out.emit(*s)
	}
}

func (m *Machine) withdrawn(w effect.Withdraw) {
	if s := m.questions.withUser[w.ID]; s != nil {
		delete(m.questions.withUser, w.ID)
		m.takeBack(s, string(w.Cause))
		return
	}
	m.out.emit(w)
}

// replied gives a reply to whoever waits for it.
func (m *Machine) replied(r effect.Reply) {
	q := m.questions.of(r.Session, r.Ref)
	if q == nil {
		return // withdrawn in the meantime
	}
	if q.Resolve != nil && r.Outcome == elicit.Accepted {
		m.questions.visiting[r.ID] = q
	}
	m.finishQuestion(q, r)
}

func (m *Machine) resolved(r effect.Resolve) {
	m.out.emit(r)
	if q := m.questions.visiting[r.ID]; q != nil {
		delete(m.questions.visiting, r.ID)
		q.Resolve(r.Resolution)
	}
}

// problem handles an input that the engine could not use: an answer to correct, or a question that it refuses.
func (m *Machine) problem(e effect.Problem) {
	if q := m.questions.of(e.Session, e.Ref); q != nil {
		m.finishQuestion(q, effect.Reply{Session: e.Session, Ref: e.Ref, Outcome: elicit.Failed, Cause: elicit.ByDuplicate,
			Problems: e.Problems})
		return
	}
	if e.About == effect.AboutAnswer && e.Outcome == "" {
		for _, q := range m.questions.list() {
			if q.shown == nil || q.shown.ID != e.ID {
				continue
			}
			if e.Problems[0].Code == "not_shown" {
				// A new engine has not shown it again. It asks the client anew when it does; to ask now would never end.
				break
			}
			m.warn(q, e.Problems)
			return
		}
	}
	m.out.emit(e)
}
