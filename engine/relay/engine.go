package relay

import (
	"maps"
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

// start makes the engine and configures it.
func (m *Machine) start() []elicit.Problem {
	m.decider.engine = engine.New()
	m.time.engine = 0
	effects, fault := stepped(m.decider.engine, m.input(event.Configured{Config: m.config.Engine}))
	if fault {
		return []elicit.Problem{{Code: "internal"}}
	}
	for _, next := range effects {
		if p, bad := next.(effect.Problem); bad {
			return p.Problems
		}
		m.decider.pending = append(m.decider.pending, next)
	}
	m.workOff()
	return nil
}

func (m *Machine) input(ev event.Event) engine.Input {
	in := engine.Input{At: m.time.Wall, Random: m.ids.Draw(), Event: ev}
	if m.time.Steady {
		in.Now = m.time.Now
	}
	return in
}

// do gives the engine an event. Effects are performed in the engine's order. Effects of an event that an effect causes
// come after the others.
func (m *Machine) do(ev event.Event) {
	if m.decider.broken {
		return
	}
	in := m.input(ev)
	effects, fault := stepped(m.decider.engine, in)
	if fault {
		m.replaceEngine(ev)
		return
	}
	switch c := ev.(type) {
	case event.Configured:
		m.configured(c, effects)
	case event.Revoked:
		m.decider.rules++
	}
	m.decider.pending = append(m.decider.pending, effects...)
	m.workOff()
}

// workOff performs the effects of the engine.
func (m *Machine) workOff() {
	if m.decider.busy {
		return
	}
	m.decider.busy = true
	for next, ok := m.decider.next(); ok; next, ok = m.decider.next() {
		m.perform(next)
	}
	m.decider.busy = false
}

func (m *Machine) perform(next effect.Effect) {
	switch ef := next.(type) {
	case effect.Append:
		m.out.records = append(m.out.records, ef)
	case effect.Wake:
		if m.time.engine = ef.At; ef.In > 0 {
			m.time.engine = m.time.Now + int64(ef.In) - 1
		}
	case effect.Show:
		m.show(&ef)
	case effect.Withdraw:
		m.withdrawn(ef)
	case effect.Reply:
		m.replied(ef)
	case effect.Resolve:
		m.resolved(ef)
	case effect.Problem:
		m.problem(ef)
	case effect.Consult:
		m.consult(ef)
	case effect.OpenURL:
		if m.who.MaybeHost() {
			m.out.emit(ef)
		}
	default:
		m.out.emit(next)
	}
}

// mostConsults is the most guests that are asked in one step. Further consults come out as effects.
const mostConsults = 1 << 12

// consult asks a guest that the machine has, or emits the consult for the host.
func (m *Machine) consult(c effect.Consult) {
	if m.decider.consults < mostConsults {
		if said, known := c.Ask(m.config.Guests); known {
			m.decider.consults++
			m.do(said)
			return
		}
	}
	m.out.emit(c)
}

// stepped steps an engine. A panic is a bug in this module: stepped recovers, and fault is true.
func stepped(e *engine.Engine, in engine.Input) (effects []effect.Effect, fault bool) {
	defer func() {
		if recover() != nil {
			effects, fault = nil, true
		}
	}()
	if breaks != nil {
		breaks(in)
	}
	return e.Step(in), false
}

// breaks is set by tests that make the engine fail.
var breaks func(engine.Input)

// replaceEngine continues with a new engine that has every session as the failed one saved it. The new engine does not
// get the event that caused the failure: the question in it is refused, or the answer in it leaves its question open.
func (m *Machine) replaceEngine(ev event.Event) {
	old := m.decider.engine
	m.keepRecords()
	m.out.note(Host, elicit.Problem{Code: "engine_replaced"})
	if m.decider.replaced++; m.decider.replaced > maxReplaced {
		m.failClosed("internal")
		return
	}
	m.out.records = append(m.out.records, NewJournal{})
	m.decider.pending = slices.DeleteFunc(m.decider.pending, saidAnew)
	if problems := m.start(); len(problems) > 0 || !m.revokeAgain() {
		m.failClosed("internal")
		return
	}
	for _, q := range m.questions.byRef { // until it is shown again, which may need the guardians again
		q.stale = q.Request.ID != "" && (q.Show == nil || m.questions.withUser[q.Request.ID] != nil)
	}
	engines := m.decider.replaced
	for _, name := range slices.Clone(m.decider.sessions) {
		state, saved := savedState(old, name)
		if !saved || !m.resume(state) {
			m.lose(name)
		}
		if m.decider.broken || m.decider.replaced > engines { // the new engine failed too, and its successor has the sessions
			break
		}
	}
	if asked, ok := ev.(event.Asked); ok {
		m.failQuestion(asked.Ref, "internal")
	}
}

// saidAnew reports whether a new engine gives such an effect itself when it takes over. The machine then drops the
// failed engine's effect if it was not performed. A new engine withdraws no wake and no question but its own.
func saidAnew(next effect.Effect) bool {
	switch next.(type) {
	case effect.Wake, effect.Show, effect.Consult:
		return true
	}
	return false
}

// maxReplaced is how often an engine is replaced. Otherwise a peer that can make an engine fail could fill a disk with
// journals, and an engine that fails at every event would never let a step end.
const maxReplaced = 8

// revokeAgain revokes in the new engine the grants that were revoked before, because its configuration may have them.
// It returns false if a grant may still hold.
func (m *Machine) revokeAgain() bool {
	for _, id := range m.decider.revoked {
		effects, fault := stepped(m.decider.engine, m.input(event.Revoked{Grant: id}))
		if fault {
			return false
		}
		for _, next := range effects {
			if record, ok := next.(effect.Append); ok {
				m.decider.pending = append(m.decider.pending, record)
			}
		}
	}
	m.workOff()
	return true
}

// revoke records a grant as revoked and revokes it.
func (m *Machine) revoke(ev event.Revoked) {
	m.decider.revoke(ev.Grant)
	m.do(ev)
}

// keepRecords takes the records out of the pending effects, because they belong to the old journal.
func (m *Machine) keepRecords() {
	m.decider.pending = slices.DeleteFunc(m.decider.pending, func(next effect.Effect) bool {
		record, ok := next.(effect.Append)
		if ok {
			m.out.records = append(m.out.records, record)
		}
		return ok
	})
}

// configured notes a configuration that the engine took, so that an engine which replaces it has the same. A document
// without grants keeps those that the engine has, so the note keeps them too.
//
// Other rules count from here on for calls that are sent again. A policy with problems is taken too, so the rules may
// have changed whatever the engine reports.
func (m *Machine) configured(ev event.Configured, effects []effect.Effect) {
	if ev.Refused != "" {
		return
	}
	m.decider.rule(ev.Config)
	for _, next := range effects {
		if _, bad := next.(effect.Problem); bad {
			return
		}
	}
	m.config.Engine = withGrants(gate.Clone(ev.Config), m.config.Engine)
	m.decider.arguments = mostArguments(m.config.Engine)
}

func savedState(e *engine.Engine, session string) (state []byte, ok bool) {
	defer func() {
		if recover() != nil {
			state, ok = nil, false
		}
	}()
	return e.Save(session)
}

// resume gives the new engine a saved session.
func (m *Machine) resume(state []byte) bool {
	effects, fault := stepped(m.decider.engine, m.input(event.Resumed{State: state}))
	if fault {
		return false
	}
	for _, next := range effects {
		if _, bad := next.(effect.Problem); bad {
			return false
		}
	}
	m.decider.pending = append(m.decider.pending, effects...)
	m.workOff()
	return true
}

// lose fails the questions of a session that could not be saved, and opens the session again. No engine will report
// how its pages end.
func (m *Machine) lose(session string) {
	maps.DeleteFunc(m.questions.visiting, func(_ elicit.ID, q *question) bool { return q.Request.Session == session })
	for _, q := range m.questions.list() {
		if q.Request.Session == session {
			m.failQuestion(q.Request.Ref, "internal")
		}
	}
	m.do(m.who.Opening(session))
}
