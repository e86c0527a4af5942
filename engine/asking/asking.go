package asking

import (
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/few"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Input is one event, with the time and the random bytes of its step.
type Input struct {
	At     int64    // milliseconds since 1970-01-01 UTC; a value before the last one counts as the last one
	Random [32]byte // fresh random bytes; ids and links are made from them
	Event  Event
}

// Machine has the calls and the questions of one client. See New.
//
// The parts own their tables. wake is the moment that the host knows, and not always the moment that is due.
type Machine struct {
	client    client
	clock     clock
	decider   decider
	calls     calls
	questions questions
	out       outbox
	wake      int64 // when the machine wants a tick, as the last Wake said
	closed    bool
}

// session is the engine's name for the only session of a machine.
const session = "asking"

// New makes the machine of one client. For a configuration with problems, it makes no machine. It reads only At and
// Random of the input.
func New(c Config, in Input) (*Machine, []Effect, []elicit.Problem) {
	m, problems := begin(c, in)
	if len(problems) > 0 {
		return nil, nil, problems
	}
	m.do(event.Opened{Session: session, Server: c.Server, Side: elicit.Asking, Principal: c.Principal,
		Declared: elicit.Modes{Form: true, URL: true}, Shown: elicit.Modes{Form: true, URL: true}})
	return m, m.finish(), nil
}

// begin makes a machine without a session.
//
// Load uses it too, and then resumes a session in place of opening one.
func begin(c Config, in Input) (*Machine, []elicit.Problem) {
	c, problems := c.orDefault()
	if len(problems) > 0 {
		return nil, problems
	}
	m := &Machine{client: client{config: c}, decider: decider{engine: engine.New()}}
	if c.Forms != nil {
		m.decider.engine.ShareForms(c.Forms)
	}
	m.client.dialect, _ = mcp.Lookup(c.Version)
	m.clock.read(in)
	return m, m.configure(c.Engine)
}

// configure gives the engine its configuration. A machine whose configuration has any problem is not made: its policy
// would not be the one that the operator wrote.
func (m *Machine) configure(doc []byte) (problems []elicit.Problem) {
	in := engine.Input{At: m.clock.now, Random: m.clock.draw(), Event: event.Configured{Config: doc}}
	for _, next := range m.decider.engine.Step(in) {
		if p, bad := next.(effect.Problem); bad {
			return p.Problems
		}
		m.perform(next)
	}
	return nil
}

// Step takes one input and returns the effects in order. Effects that are records come first: they must be durable
// before a later effect is performed. Step never fails: an event that it cannot use is answered with a Problem.
func (m *Machine) Step(in Input) []Effect {
	m.clock.read(in)
	// Time comes before the event, so an answer at a question's deadline is late on every machine alike.
	m.expire()
	// A closed machine may still get events that were on their way. They change nothing.
	if m.closed {
		m.out.problem("session_closed", "")
		return m.finish()
	}
	switch ev := in.Event.(type) {
	case Called:
		m.called(ev)
	case Posed:
		m.posed(ev)
	case Once:
		m.once(ev)
	case Responded:
		m.responded(ev)
	case Submitted:
		m.submitted(ev)
	case Claimed:
		m.claimed(ev)
	case Completed:
		m.completed(ev)
	case Returned:
		m.returned(ev)
	case Cancelled:
		m.cancelled(ev)
	case Lost:
		m.calls.lost(ev.Call, m.clock.now+m.client.config.TTL, &m.out)
	case Keyed:
		m.calls.useKey(ev.Call, &m.out)
	case Closed:
		m.close(ev)
	case event.Ticked:
		m.wake = 0
	case event.Consulted, event.Configured, event.Revoked, event.Unmuted:
		m.do(ev.(event.Event))
	default:
		m.out.problem("unknown_event", "")
	}
	// A guardian that has spoken may have released a question. It is to be shown at once, beside those of other
	// calls.
	if _, said := in.Event.(event.Consulted); said {
		for _, q := range slices.Clone(m.questions.list) {
			m.takeTurn(q)
		}
	}
	// Every event may have ended the question that the others wait for.
	m.putNext()
	return m.finish()
}

// Head returns the end of the journal chain of this machine's records.
func (m *Machine) Head() journal.Head { return m.decider.engine.Head() }

// Trim gives up memory that makes steps faster. A host with many machines calls it when a person begins to think.
func (m *Machine) Trim() {
	m.decider.engine.Trim()
	m.client.expressed = few.Map[digestOf, bool]{}
}

// finish ends a step. It asks for a tick when the next one is at another time than before.
//
// The search over all questions and calls is linear, at every step. The bounds of both keep it short.
func (m *Machine) finish() []Effect {
	if m.calls.byID.Len() != len(m.calls.order) && !m.closed { // a call that is listed nowhere could never end
		p := broken(callsAgree)
		m.out.problem(p.Code, "", p.Args...)
		m.close(Closed{Cause: elicit.ByShutdown})
	}
	// A tick at the same moment as before is not asked for again: the host has that timer.
	at := m.decider.wake
	for _, q := range m.questions.list {
		at = sooner(at, sooner(q.deadline, q.holdUntil))
	}
	for _, c := range m.calls.byID.All() {
		at = sooner(at, c.expires)
	}
	if at != m.wake {
		m.wake = at
		m.out.emit(effect.Wake{At: at})
	}
	return m.out.take()
}

// sooner returns the earlier of two moments, of which 0 means never.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

// Next returns when the machine wants a tick, 0 for never.
func (m *Machine) Next() int64 { return m.wake }

// Over reports whether the machine was closed.
func (m *Machine) Over() bool { return m.closed }
