package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// Input is one event, with the time and the random bytes of its step.
type Input struct {
	At      int64          // milliseconds since 1970-01-01 UTC, for people and records
	Elapsed elicit.Elapsed // what deadlines follow; without it they follow At, which then never goes back
	Random  [32]byte       // fresh random bytes; ids are made from them
	Event   Event
	Message []byte // of a Received; not kept after Step, and not changed
}

// Machine is one connection, with everything that is open between its two ends. See New.
type Machine struct {
	config  Config
	speaks  link.Dialogue
	gate    gate.Gate
	message gate.Message  // the current message
	who     link.Audience // who is asked
	decider decider
	time    timing
	ids     link.IDs
	out     outbox

	calls  *link.Calls        // requests of the client
	asks   requests           // requests of the server that the client has
	spread spread             // of the server
	asked  map[gate.Key]*sent // our requests to the client

	recents   recents
	questions questions // until the engine replies

	unanswered *link.Timer // looks for what the client has not answered
	ending     ending
	begun      [3]bool // by End: something has been received
}

// New makes the machine of one connection and returns the effects of configuring its engine. For a configuration with
// problems, it makes no machine. It reads only the times and Random of the input.
func New(c Config, in Input) (*Machine, []Effect, []elicit.Problem) {
	c, problems := c.orDefault()
	if len(problems) > 0 {
		return nil, nil, problems
	}
	m := &Machine{config: c, calls: link.NewCalls(), asks: requests{}, asked: map[gate.Key]*sent{},
		questions: newQuestions(), who: link.Audience{Ask: string(c.Ask), Modes: c.Modes, Alone: c.PolicyAlone,
			Server: c.Server, Identity: c.Identity, Principal: c.Principal}}
	m.speaks, m.out.hops = dialogueOf(m)
	m.decider.arguments = mostArguments(c.Engine)
	m.gate, m.decider.ruled = gate.New(m.speaks.Vocabulary()), rulesOf(c.Engine)
	m.out.bare = m.gate.Bare()
	m.begin(in)
	prefix := m.ids.Draw()
	m.ids.Prefix = "elicit-" + digest.Hex(prefix[:12]) + "-"
	if problems := m.start(); len(problems) > 0 {
		return nil, nil, problems
	}
	if s := c.Session; s != nil {
		m.speaks.Agreed(s.Version, s.Declared)
	}
	return m, m.finish(), nil
}

// Step takes one input and returns the effects in order. The slice is valid until the next call. Step never fails:
// input that it cannot use is reported as a Note or a Problem.
func (m *Machine) Step(in Input) []Effect {
	m.begin(in)
	switch ev := in.Event.(type) {
	case Received:
		m.received(ev, in.Message)
	case Ended:
		m.ended(ev.End)
	case AppendFailed:
		m.appendFailed()
	case event.Opened, event.Asked, event.Called, event.Cancelled, event.Closed, event.Resumed:
		// Only the machine gives its engine these events.
		m.out.note(Host, elicit.Problem{Code: "event_unfit"})
	case event.Revoked:
		m.revoke(ev)
	case event.Ticked:
		m.time.wake = 0 // the host's timer has fired; after an early tick, the machine must ask again
	case event.Answered:
		m.do(ev)
		if !m.questions.has(ev.ID) { // an engine that was replaced in this step has shown it again, to nobody
			m.out.unshow(ev.ID)
		}
	case event.Event:
		m.do(ev)
	default:
		m.out.note(Host, elicit.Problem{Code: "unknown_event"})
	}
	return m.finish()
}

// Prefix returns the beginning of the ids of the machine's own requests. No one can guess it.
func (m *Machine) Prefix() string { return m.ids.Prefix }

// Grants lists the grants that hold: those for the session and those that always hold.
func (m *Machine) Grants() []elicit.Grant { return m.decider.engine.Grants() }

// Head returns the end of the journal chain of this machine's records.
func (m *Machine) Head() journal.Head { return m.decider.engine.Head() }

// begin starts a step.
func (m *Machine) begin(in Input) {
	m.time.Read(in.At, in.Elapsed)
	m.ids.Random, m.decider.consults = in.Random, 0
	m.out.begin()
	if _, failed := in.Event.(AppendFailed); !failed {
		m.out.last = m.out.last[:0]
		m.out.closed = m.ending.begun
		m.runTimers()
	}
}

// finish ends a step.
func (m *Machine) finish() []Effect {
	if wake, needed := m.time.call(m.decider.broken); needed {
		m.out.emit(wake)
	}
	return m.out.finish()
}
