// Package engine decides what happens to a question that a program wants to ask a person: whether it is fit to be
// asked, whether policy lets it be asked, what the person should be warned of, when it is its turn, whether the answer
// fits, and what the peer is told.
//
// The engine is one pure function. It takes an Input, which is an event with the time and 32 random bytes, and returns
// the effects that its host must perform. It has no clock, no goroutine and no I/O. It asks for everything that it
// needs as an effect, and gets it back as an event. The journal of the inputs is therefore the complete run, and Replay
// proves it.
//
//	e := engine.New()
//	for input := range inputs {          // event.Opened, event.Asked, event.Answered, event.Ticked, …
//		for _, next := range e.Step(input) {
//			perform(next)                // effect.Append first and durably, then effect.Reply, effect.Show, …
//		}
//	}
//
// Package event has the events, package effect the effects, and package elicit what both are made of. This package has
// the machine, its limits and configuration keys, and what reads journals: Replay, Simulate and Reask.
//
// An Engine is not safe for concurrent use. Package drive has a loop for Go programs that is.
package engine

import (
	"cmp"
	"maps"
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Engine holds the open sessions and their requests. The zero value is not usable; see New.
type Engine struct {
	config       config
	sessions     map[string]*session
	held         map[elicit.ID]*held
	table        *pending.Table
	forms        forms
	grants       []elicit.Grant // that hold always; a session keeps its own
	visitedHosts visitedHosts
	knownServers knownServers
	clock        clock
	wake         int64 // the last Wake asked for
	records      recorder
}

// held is what the engine knows of an open request beyond its place in time.
type held struct {
	request      elicit.Request
	session      *session
	kind         elicit.Kind
	form         *schema.Form
	facts        *formFacts
	findings     []elicit.Finding
	reasons      []elicit.Reason
	receipts     []event.Receipt
	shownAt      int64 // when it was shown, as the receipt or else the effect tells; 0 before that
	joined       []joined
	bytes        int           // the size of a held call, once it was needed
	warnedFields []string      // pointers of fields with a secret that the person was warned of
	warnedBeside []string      // the same of the note and the arguments: "note", or "arguments" and a pointer
	draft        []byte        // canonical, without sensitive fields
	consult      *consultation // nil when no guardian is being asked
	rounds       int           // consultations of guardians so far
	confirmed    []string      // guardian and answer, for each answer that the person was asked to confirm
	charged      bool          // counted among the questions that somebody has to look at
	by           elicit.Cause  // of the accept, while its page is awaited; "" for a person's
	byClient     bool          // the peer's client draws it, and not the host
	once         bool          // a yes to it cannot be remembered, because no digest tells it from others
	preferred    bool          // shown before its turn, where no place has to be free
	came         coming        // for a decision that is made again
}

// coming is what policy may have looked at when a request came, and what is another thing later. A session that an
// earlier version saved tells nothing of it.
type coming struct {
	at    int64 // 0 if it is not known
	haste known
}

// known is a fact that may not be known.
type known uint8

const (
	notKnown known = iota
	knownFalse
	knownTrue
)

func knownAs(is bool) known {
	if is {
		return knownTrue
	}
	return knownFalse
}

// New returns an engine with the default limits and no policy: every fit question is put before a person.
func New() *Engine {
	c := defaultConfig()
	return &Engine{config: c, sessions: map[string]*session{}, held: map[elicit.ID]*held{},
		table: pending.New(c.limits.pending()), visitedHosts: visitedHosts{}, knownServers: knownServers{},
		forms: newForms(), records: newRecorder(c.limits.floodBytes)}
}

// Head is the end of the journal chain that this engine's Append effects have made.
func (e *Engine) Head() journal.Head { return e.records.head }

// AssumesLate reports whether the policy assumes that servers ask about calls that they have answered already.
func (e *Engine) AssumesLate() bool { return e.config.stack.AssumesLate() }

// Sessions names the open sessions, sorted.
func (e *Engine) Sessions() []string {
	names := slices.Collect(maps.Keys(e.sessions))
	order.Stable(names, cmp.Compare[string])
	return names
}

// Trim gives up memory that makes steps faster. It is for a host with many engines that wait for people.
func (e *Engine) Trim() { e.records.buffers = buffers{} }

// Input is everything one Step may depend on besides the engine's state. Time and chance travel in it.
type Input struct {
	At     int64    // milliseconds since 1970-01-01 UTC; a value before the last one counts as the last one
	Now    int64    // what deadlines follow, from an elicit.Clock; 0 means At. With it, At may go back
	Random [32]byte // fresh random bytes; request ids are minted from them
	Event  event.Event
}

// Step takes one input and returns what must be done, in order. Its Append effects come first: as a rule one, which
// records the input. An input that changes nothing has none when there have been many of its kind, and the next step
// that has one begins with another Append, which tells how many there were. Step never fails: an input that cannot be
// used comes back as a Problem effect.
func (e *Engine) Step(in Input) []effect.Effect { return e.perform(in, in.Event) }

// perform is Step, also for what a record kept.
func (e *Engine) perform(in Input, what recordedEvent) []effect.Effect {
	if _, begins := what.(begunEvent); begins {
		e.beginAnew()
	}
	e.clock.read(in)
	s := &step{Engine: e, random: in.Random, at: e.clock.now, wall: e.clock.wall(), id: e.records.mint(in.Random),
		effects: make([]effect.Effect, 1, 4)}
	switch kept := what.(type) {
	case keptAsked:
		what, s.cut = kept.Asked, kept.cut
	case keptAnswered:
		what, s.withheld, s.beside = kept.Answered, kept.withheld, kept.beside
	}
	due, room := s.somethingDue(), e.records.flood.getsRecord(s.at)
	idle := !due && s.changesNothing(what)
	if idle && (!room || s.overFloodLimit(what)) {
		return s.countUnrecorded(what, s.handle(what))
	}
	s.expire()
	kept := s.handle(what)
	if !due && s.onlyRefused(what) {
		if idle = true; !room {
			return s.countUnrecorded(what, kept)
		}
	}
	if s.ended.ID != "" {
		e.table.Remember(s.ended)
	}
	counted := e.records.recordCounted()
	s.showNext()
	s.emitPauses()
	if wake := e.table.Wake(); wake != e.wake {
		e.wake = wake
		s.emit(e.clock.wakeAt(wake))
	}
	s.effects[0] = e.records.append(entry{At: in.At, Now: in.Now, random: in.Random, event: kept,
		effects: s.effects[1:], time: s.at, idle: idle, needs3: s.needs3})
	return append(counted, s.effects...)
}

// step is one call of Step in progress.
type step struct {
	*Engine
	at      int64 // what deadlines follow
	wall    int64 // for people, records and dates
	random  [32]byte
	id      elicit.ID
	effects []effect.Effect // the first is the Append, made last
	closing *session        // the session that this step has ended
	needs3  bool            // a decision has the meaning of format 3
	ended   pending.Ended   // how a request that was never held has ended; remembered if the step has a record

	cut      cutTexts        // of the question, when it comes from a record
	withheld []withheldValue // of the answer, when it comes from a record
	beside   withheldBeside  // the same of its note and arguments
}

func (s *step) emit(next effect.Effect) { s.effects = append(s.effects, next) }

func (s *step) problem(about effect.About, session string, id elicit.ID, problems ...elicit.Problem) {
	s.emit(effect.Problem{About: about, Session: session, ID: id, Problems: problems})
}

// handle performs what has happened and returns it as the journal may keep it.
func (s *step) handle(what recordedEvent) recordedEvent {
	if code := unfit(what); code != "" {
		what = refusedEvent{code}
	}
	switch ev := what.(type) {
	case event.Configured:
		return s.handleConfigured(ev)
	case event.Opened:
		if s.handleOpened(ev) != nil {
			s.knownServers.add(ev.Principal, ev.Server)
		}
	case event.Asked:
		return s.handleAsked(ev)
	case event.Answered:
		return s.handleAnswered(ev)
	case event.Consulted:
		return s.handleConsulted(ev)
	case event.Completed:
		s.handleCompleted(ev)
	case event.Called:
		if _, open := s.sessions[ev.Session]; !open {
			s.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: "unknown_session"})
		}
	case event.Cancelled:
		s.handleCancelled(ev)
	case event.Closed:
		s.handleClosed(ev)
	case event.Resumed:
		s.handleResumed(ev)
	case refusedEvent:
		s.problem(effect.AboutHost, "", "", elicit.Problem{Code: ev.code})
	case event.Noted:
		s.handleNoted(ev)
	case event.Drafted:
		return s.handleDrafted(ev)
	case event.Extended:
		ev.Until = min(max(ev.Until, 0), lastMoment) // what a record can hold
		s.handleExtended(ev)
		return ev
	case event.Preferred:
		s.handlePreferred(ev)
	case event.Revoked:
		s.handleRevoked(ev)
	case event.Unmuted:
		s.handleUnmuted(ev)
	case event.Forgotten:
		s.handleForgotten(ev)
	}
	return what
}
