package relay

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/relay/internal/decider"
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
	// who and speaks never change after New. gate and message are reused for every message. A span of message is valid
	// only until received or handle returns.
	config  Config
	who     link.Audience // who is asked
	speaks  link.Dialogue
	gate    gate.Gate
	message gate.Message // the current message
	time    timing
	ids     link.IDs
	out     outbox

	// A call leaves calls before its questions are withdrawn. A reply of the engine then finds no open call.
	calls   *link.Calls // requests of the client
	client  client      // what the client was asked
	decider *decider.Decider
	settled link.Recent // refs of the server's requests that have an answer
	doubts  doubts
	ending  ending
	begun   [3]bool // by End: something has been received
}

// New makes the machine of one connection and returns the effects of configuring its engine. For a configuration with
// problems, it makes no machine. It reads only the times and Random of the input.
func New(c Config, in Input) (*Machine, []Effect, []elicit.Problem) {
	c, problems := c.orDefault()
	if len(problems) > 0 {
		return nil, nil, problems
	}
	m := &Machine{config: c, calls: link.NewCalls(), who: link.Audience{Ask: string(c.Ask), Modes: c.Modes,
		Alone: c.PolicyAlone, Server: c.Server, Identity: c.Identity, Principal: c.Principal}}
	p := &port{m}
	to := &link.Connection{Link: p, Who: &m.who, Calls: m.calls, Clock: &m.time.Clock, IDs: &m.ids,
		Answered: &m.settled}
	m.client = newClient(c.AnswerWithin, to, &m.out)
	m.doubts = doubts{calls: m.calls, clock: &m.time.Clock, fail: m.failCall}
	m.decider = decider.New(decider.Config{Engine: c.Engine, Guests: c.Guests, Step: step, Over: c.CallOver,
		Out: &m.out, Client: &m.client,
		Fail: func(code string) { m.failCalls(elicit.Problem{Code: code}) }}, to)
	m.speaks, m.out.hops = dialogueOf(&c, to, p, link.Ends{Handle: m.handle, Refuse: m.refuse})
	m.client.withdraw = m.speaks.Withdrawal
	m.gate = gate.New(m.speaks.Vocabulary())
	m.out.bare = m.gate.Bare()
	// The prefix comes from the first random bytes of the connection, 96 bits of them. Later ids are the prefix and a
	// counter. A peer that has seen one id can guess others, and IDs.Own refuses them as ids of its requests.
	m.begin(in)
	prefix := m.ids.Draw()
	m.ids.Prefix = "elicit-" + digest.Hex(prefix[:12]) + "-"
	if problems := m.decider.Start(); len(problems) > 0 {
		return nil, nil, problems
	}
	// Without this, the first question would come before any declaration, and the engine would have no session for it.
	if s := c.Session; s != nil {
		m.speaks.Agreed(s.Version, s.Declared)
	}
	return m, m.finish(), nil
}

// step steps an engine.
func step(e *engine.Engine, in engine.Input) []effect.Effect {
	if breaks != nil {
		breaks(in)
	}
	return e.Step(in)
}

// breaks is set by tests that make the engine fail.
var breaks func(engine.Input)

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
	// A host that gave the engine a question itself would get a reply to a ref that no table of the machine knows.
	case event.Opened, event.Asked, event.Called, event.Cancelled, event.Closed, event.Resumed:
		// Only the machine gives its engine these events.
		m.out.note(Host, elicit.Problem{Code: "event_unfit"})
	case event.Revoked:
		m.decider.Revoke(ev)
	case event.Ticked:
		m.time.wake = 0 // the host's timer has fired; after an early tick, the machine must ask again
	case event.Answered:
		m.decider.Tell(ev)
		if !m.decider.Asks(ev.ID) { // an engine that was replaced in this step has shown it again, to nobody
			m.out.unshow(ev.ID)
		}
	case event.Event:
		m.decider.Tell(ev)
	default:
		m.out.note(Host, elicit.Problem{Code: "unknown_event"})
	}
	return m.finish()
}

// Prefix returns the beginning of the ids of the machine's own requests. No one can guess it.
func (m *Machine) Prefix() string { return m.ids.Prefix }

// Grants lists the grants that hold: those for the session and those that always hold.
func (m *Machine) Grants() []elicit.Grant { return m.decider.Grants() }

// Head returns the end of the journal chain of this machine's records.
func (m *Machine) Head() journal.Head { return m.decider.Head() }

// begin starts a step, and runs what is due, the earliest first. The engine does the same.
//
// Timers run before the event, so an answer that comes too late finds its question closed, whatever the order in which
// the host noticed both. They do not run before AppendFailed: their effects would need records, and the journal is
// broken. outbox.last also stays, because AppendFailed is about it.
func (m *Machine) begin(in Input) {
	m.time.Read(in.At, in.Elapsed)
	m.ids.Random = in.Random
	m.decider.Begin()
	m.out.begin()
	if _, failed := in.Event.(AppendFailed); failed {
		return
	}
	m.out.last = m.out.last[:0]
	// Close is performed at the end of the step that emits it, so the answers of that step still go out before it.
	m.out.closed = m.ending.begun
	for do := m.time.Due(); do != nil; do = m.time.Due() {
		do()
	}
	if at := m.decider.Wake; at != 0 && at <= m.time.Now {
		m.decider.Tell(event.Ticked{})
	}
}

// finish ends a step.
//
// A broken engine gets no wake: it would answer a Ticked with nothing, and the host would wake the machine without end.
func (m *Machine) finish() []Effect {
	if broken := m.breaks(); broken != "" && m.decider.Break("internal") {
		m.out.note(Host, elicit.Problem{Code: "invariant_broken", Args: []elicit.Arg{elicit.Str("invariant", broken)}})
		m.decider.FailClosed("internal")
	}
	at := m.decider.Wake
	if m.decider.Broken() {
		at = 0
	}
	if wake, needed := m.time.call(at); needed {
		m.out.emit(wake)
	}
	return m.out.finish()
}

// breaks names the invariant that does not hold at the end of a step, "" if all do. They are asserted always and in
// every host. An assertion that fails shows a bug of this package. Then nothing is decided any more: the bug must not
// become an answer that no person gave.
func (m *Machine) breaks() string {
	if !m.calls.Sound(m.speaks.Handed()) {
		return "calls_agree"
	}
	if len(m.client.asked) <= link.MaxFree {
		for key := range m.client.asked {
			if gate.Has(m.client.asks, key) { // the answer to one would be taken for that to the other
				return "ids_differ"
			}
		}
	}
	return ""
}
