// Package relay is the machine for one connection between a client and a server of MCP, or between a client and an
// agent of ACP, which has the place of the server. It reads every message of both ends. It forwards messages that both
// ends read alike, and gives the server's questions to an engine, which it contains.
//
// A Machine is pure, as the engine is: time and random bytes are in the input, and everything that the host must do
// comes out as effects. It has no clock, no goroutine and no I/O. It takes one message at a time, without its line
// end.
//
//	m, effects, problems := relay.New(config, relay.Input{At: now, Random: random})
//	perform(effects)
//	effects = m.Step(relay.Input{At: now, Random: random, Event: relay.Received{From: relay.Server}, Message: line})
//	perform(effects)                     // forward, send, append, show, …
//
// The host performs the effects of one step in order, and reports events. An Append must be durable before a later
// effect of the same step is performed. If it cannot be made durable, the host drops the rest of the step and reports
// AppendFailed.
//
// Either end may be the host itself. An editor that is the client gives its own requests to the machine as messages
// received from the client, and takes the messages that are sent to the client. See Role.
//
// A Machine is not safe for concurrent use. Package drive has the loop for Go hosts.
package relay

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
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
	speaks  link.Words
	hears   listener
	gate    gate.Gate
	message gate.Message // the current message
	limits  wire.Limits
	engine  *engine.Engine
	clock   elicit.Clock
	now     int64 // of the clock
	wall    int64
	steady  bool // the input has Elapsed
	random  [32]byte

	pass    []Effect // effects of this step that need no record before them
	records []Effect
	rest    []Effect // effects that follow from the records
	pending []effect.Effect
	busy    bool // effects of the engine are being performed

	consults int // guests asked in this step

	dialect  mcp.Dialect           // of the session begun by initialize
	declared mcp.Modes             // what that session declared to the server
	client   mcp.Modes             // what the client itself declared in it
	unread   string                // its version, if the machine cannot read that version
	session  string                // the engine session of its questions
	sessions []string              // open engine sessions, in the order of opening
	calls    *calls                // requests of the client
	asks     requests              // requests of the server that the client has
	spread   spread                // of the server
	asksLate bool                  // the server was seen to ask about a call that was over
	tools    tools                 // what the server has said about its tools
	said     map[string]definition // by tool
	names    map[string]string     // of tools and methods, by their raw text
	asked    map[gate.Key]*sent    // our requests to the client
	tasks    tasks                 // of 2026-07-28

	hops      link.Hops // nil for a machine between two peers
	versioned [3]bool   // by End, where the member may be left out: it writes the jsonrpc member

	questions map[string]*question    // by ref, until the engine replies
	visiting  map[elicit.ID]*question // consented pages whose end somebody waits for
	settled   *recent                 // refs of direct questions that have an answer
	given     *recent                 // ids of failed and cancelled calls that the server may still answer
	links     *recent                 // links of pages that the client never saw
	givenUp   *recent                 // ids of requests that the client did not answer in time
	withUser  map[elicit.ID]*sent     // questions that the client has, with the request that carries them
	handed    continuations           // rounds that the client has

	prefix     string // of the ids of our own requests
	minted     int
	timers     []*timer
	unanswered *timer // looks for what the client has not answered
	engineWake int64  // the engine's last Wake, 0 for none
	wake       int64  // the last Wake given to the host, 0 for none, or unknownWake
	signDue    bool   // a progress notification is scheduled
	ending     ending
	begun      [3]bool  // by End: something has been received
	last       []Effect // the effects of the last step's records, until the next step
	broken     bool     // the journal or the engine failed for good: nothing is decided any more
	why        string   // the code of the reason
	replaced   int      // engines that failed
	revoked    []elicit.ID
	ruled      string // the rules of the latest configuration
	rules      int    // how often they may have changed
}

// New makes the machine of one connection and returns the effects of configuring its engine. For a configuration with
// problems, it makes no machine. It reads only the times and Random of the input.
func New(c Config, in Input) (*Machine, []Effect, []elicit.Problem) {
	c, problems := c.orDefault()
	if len(problems) > 0 {
		return nil, nil, problems
	}
	m := &Machine{config: c, dialect: linked,
		calls: newCalls(), asks: requests{}, tools: tools{}, said: map[string]definition{}, names: map[string]string{},
		limits: wire.Limits{Bytes: 1 << 30, Depth: gate.StrictLimits.Depth, Members: gate.StrictLimits.Members,
			LoneSurrogates: true},
		asked: map[gate.Key]*sent{}, questions: map[string]*question{}, visiting: map[elicit.ID]*question{},
		settled: newRecent(), given: newRecent(), links: newRecent(), givenUp: newRecent(),
		withUser: map[elicit.ID]*sent{}, handed: &inMemory{}}
	m.speaks, m.hears, m.hops = dialogueOf(m)
	m.gate, m.ruled = gate.New(m.speaks.Vocabulary()), rulesOf(c.Engine)
	m.begin(in)
	prefix := m.draw()
	m.prefix = "elicit-" + digest.Hex(prefix[:12]) + "-"
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
		m.note(Host, elicit.Problem{Code: "event_unfit"})
	case event.Revoked:
		m.revoke(ev)
	case event.Ticked:
		m.wake = 0 // the host's timer has fired; after an early tick, the machine must ask again
	case event.Event:
		m.do(ev)
	default:
		m.note(Host, elicit.Problem{Code: "unknown_event"})
	}
	return m.finish()
}

// Prefix returns the beginning of the ids of the machine's own requests. No one can guess it.
func (m *Machine) Prefix() string { return m.prefix }

// Grants lists the grants that hold: those for the session and those that always hold.
func (m *Machine) Grants() []elicit.Grant { return m.engine.Grants() }

// Head returns the end of the journal chain of this machine's records.
func (m *Machine) Head() journal.Head { return m.engine.Head() }

// begin starts a step.
func (m *Machine) begin(in Input) {
	m.steady = in.Elapsed > 0
	m.wall, m.now = m.clock.Read(in.At, in.Elapsed, lastMoment)
	m.random, m.consults = in.Random, 0
	m.pass, m.records, m.rest = m.pass[:0], m.records[:0], m.rest[:0]
	if _, failed := in.Event.(AppendFailed); !failed {
		m.last = m.last[:0]
		m.ending.closed = m.ending.begun
		m.runTimers()
	}
}

// lastMoment is the latest time that the machine accepts, as in the engine.
const lastMoment = 1 << 52

// finish ends a step. Messages that only pass come first: no record precedes them, so a failing journal cannot delay
// or lose them.
func (m *Machine) finish() []Effect {
	m.callWake()
	if len(m.records) == 0 && len(m.rest) == 0 {
		return m.pass
	}
	if len(m.records) > 0 {
		m.last = append(m.last[:0], m.rest...)
	}
	m.pass = append(append(m.pass, m.records...), m.rest...)
	return m.pass
}

// draw returns random bytes for one use. Every use in a step gets other bytes.
func (m *Machine) draw() [32]byte {
	drawn := m.random
	m.random = digest.Sum256(m.random[:])
	return drawn
}

func (m *Machine) emit(e Effect) { m.rest = append(m.rest, e) }

// refused reports to a person that a message of an end was refused, for these problems.
func (m *Machine) refused(from End, problems ...elicit.Problem) {
	m.emit(Note{From: from, Refused: true, Problems: problems})
}

// note reports something that a person may want to act on. from is the end that it is about.
func (m *Machine) note(from End, problems ...elicit.Problem) {
	m.emit(Note{From: from, Problems: problems})
}
