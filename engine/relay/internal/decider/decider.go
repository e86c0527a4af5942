// Package decider asks an engine the questions of one connection, and performs what the engine says. If the engine
// fails, the decider goes on with another one, which has every session as the failed one saved it.
//
// Read decider.go first: what a decider has, and how it steps the engine. Then question.go and perform.go: a question
// from its beginning to its end. engine.go replaces an engine that fails. config.go reads what decides in a
// configuration.
//
// These hold whenever no effect is being performed. Every question in questions.byRef is open in the engine, unless it
// is stale, or the engine is broken. Each has exactly one Asked before and one Settled after it, at Out. Records come
// out in the engine's order, and a NewJournal lies between those of two engines.
package decider

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// Out takes what a decider has for the host.
type Out interface {
	// Record keeps a record of the engine.
	Record(effect.Append)
	// NewJournal begins a new chain of records.
	NewJournal()
	// Asked reports a question before it is known whether a person will be asked.
	Asked(elicit.Request)
	// Settled reports how a question ended.
	Settled(effect.Reply, elicit.Request)
	// Effect passes an effect of the engine on.
	Effect(effect.Effect)
	// Tell tells a person of a problem of the machine itself.
	Tell(elicit.Problem)
}

// Client has the questions that the client was asked.
type Client interface {
	// Has reports whether the client has a question.
	Has(id elicit.ID) bool
	// TakeBack withdraws a question that the client has. It returns false if the client does not have it.
	TakeBack(id elicit.ID, why string) bool
}

// Config is what a decider is made of.
//
// Step is Engine.Step, and tests replace it by one that fails. Fail runs once, when the decider breaks for good.
type Config struct {
	Engine []byte // the engine's configuration
	Guests engine.Guests
	Step   func(*engine.Engine, engine.Input) []effect.Effect
	Over   int64 // milliseconds that a question stays open after its call has ended
	Out    Out
	Client Client
	Fail   func(code string) // ends what waits for no question, because nothing is decided any more
}

// Decider decides the questions of one connection.
//
// One engine lives at a time. An effect of it may cause an event, which gives more effects, so the effects go through a
// queue. busy says that a caller further up performs them.
type Decider struct {
	config Config
	to     *link.Connection

	engine *engine.Engine
	Wake   int64           // the engine's last Wake, 0 for none
	queue  []effect.Effect // of the engine
	busy   bool            // they are being performed
	asked  int             // guests asked in this step

	// state.Rules and state.Failed only grow. revoked and sessions are what a new engine must be given again.
	state    link.Engine
	ruled    string   // the rules of the latest configuration
	sessions []string // open ones, in the order of opening
	revoked  []elicit.ID

	questions questions // until the engine replies
}

// New makes a decider without an engine. See Start.
func New(c Config, to *link.Connection) *Decider {
	return &Decider{config: c, to: to, questions: newQuestions(), ruled: rulesOf(c.Engine),
		state: link.Engine{Arguments: mostArguments(c.Engine)}}
}

// Engine returns what calls depend on.
func (d *Decider) Engine() link.Engine {
	state := d.state
	state.Late = d.engine.AssumesLate()
	return state
}

// Broken reports whether nothing is decided any more.
func (d *Decider) Broken() bool { return d.state.Broken }

// Grants lists the grants that hold.
func (d *Decider) Grants() []elicit.Grant { return d.engine.Grants() }

// Head returns the end of the journal chain.
func (d *Decider) Head() journal.Head { return d.engine.Head() }

// Begin begins a step.
func (d *Decider) Begin() { d.asked = 0 }

// Start makes the engine and configures it.
//
// It returns the problems of the configuration, and then has no engine that may be used. A replacement starts in the
// same way, with the latest configuration that was taken.
func (d *Decider) Start() []elicit.Problem {
	d.engine = engine.New()
	d.Wake = 0
	effects, fault := d.stepped(d.engine, d.input(event.Configured{Config: d.config.Engine}))
	if fault {
		return []elicit.Problem{{Code: "internal"}}
	}
	for _, next := range effects {
		if p, bad := next.(effect.Problem); bad {
			return p.Problems
		}
		d.queue = append(d.queue, next)
	}
	d.workOff()
	return nil
}

// input is an event with the time and the random bytes of its step. Every event draws new random bytes, so two events
// of one step never get equal ids.
func (d *Decider) input(ev event.Event) engine.Input {
	in := engine.Input{At: d.to.Clock.Wall, Random: d.to.IDs.Draw(), Event: ev}
	if d.to.Clock.Steady {
		in.Now = d.to.Clock.Now
	}
	return in
}

// Tell gives the engine an event. Effects are performed in the engine's order. Effects of an event that an effect
// causes come after the others.
//
// It may be called while effects are performed. The effects of the inner event are then only queued, and the inner Tell
// returns before they are performed. After a broken engine it does nothing.
func (d *Decider) Tell(ev event.Event) {
	if d.state.Broken {
		return
	}
	effects, fault := d.stepped(d.engine, d.input(ev))
	if fault {
		d.replaceEngine(ev)
		return
	}
	switch c := ev.(type) {
	case event.Configured:
		d.configured(c, effects)
	// A call that was accepted by that grant must be decided again before it is sent once more.
	case event.Revoked:
		d.state.Rules++
	}
	d.queue = append(d.queue, effects...)
	d.workOff()
}

// Session opens the session with a name on first use.
func (d *Decider) Session(name string) {
	if !slices.Contains(d.sessions, name) {
		d.sessions = append(d.sessions, name)
		d.Tell(d.to.Who.Opening(name))
	}
}

// Sessions returns how many sessions are open.
func (d *Decider) Sessions() int { return len(d.sessions) }

// Revoke revokes a grant, also in engines to come.
func (d *Decider) Revoke(ev event.Revoked) {
	if len(d.revoked) < maxRevoked && !slices.Contains(d.revoked, ev.Grant) {
		d.revoked = append(d.revoked, ev.Grant)
	}
	d.Tell(ev)
}

// maxRevoked is the most revoked grants that are remembered. An engine holds no more grants.
const maxRevoked = 4096

// Break records that nothing is decided any more, and why. It returns false if that is known.
func (d *Decider) Break(code string) bool {
	if d.state.Broken {
		return false
	}
	d.state.Broken = true
	d.state.Why = cmp.Or(d.state.Why, code)
	return true
}

// FailClosed ends every open question with an error. After it, nothing is decided.
//
// The order matters: the queue is emptied first, because its replies would say that somebody has decided. The list of
// questions is read once, and a Settle that asks again gets an error at once from Ask.
func (d *Decider) FailClosed(code string) {
	d.Break(code)
	queue := d.queue
	d.queue = nil
	for _, next := range queue { // a question that has just ended may still be on the screen
		if gone, ok := next.(effect.Withdraw); ok && !d.Asks(gone.ID) {
			d.perform(gone)
		}
	}
	clear(d.questions.visiting) // no engine will report how these pages end
	for _, q := range d.questions.list() {
		d.takeDown(q)
		d.finish(q, lostReply(q.Request, code))
	}
	d.config.Fail(code)
}
