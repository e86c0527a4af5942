package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/pending"
)

// Engine holds the open sessions and their questions. The zero value is not usable; see New.
type Engine struct {
	// The configuration in force. A step reads it in place, so an event Configured acts from the next question on.
	config config
	// The time of the last step. It is read once, at the begin of a step, and never goes back.
	clock   clock
	records recorder
	// The forms and facts of schemas that were read last. A cache: forgetting all of it changes no effect. Engines may
	// share one (ShareForms).
	forms    *forms
	sessions sessions
	open     openQuestions
	// The grants that hold. Those of a session are dropped with it (endSession). One that has expired stays in its list
	// until the next grant comes into it (keep), and covers nothing meanwhile.
	grants grants
	wake   int64 // the last Wake asked for
	// All parts write their effects into this one outbox, so the order of effects is the order of the calls.
	out *outbox
}

// New returns an engine with the default limits and no policy: every fit question is put before a person.
func New() *Engine {
	c, out := defaultConfig(), new(outbox)
	return &Engine{config: c, sessions: newSessions(out), open: newOpenQuestions(c.limits.pending(), out),
		forms: newForms(), records: newRecorder(c.limits.floodBytes), out: out}
}

// Head is the end of the journal chain that this engine's Append effects have made. A host that keeps this value
// outside of the journal notices when somebody cuts records off its end.
func (e *Engine) Head() journal.Head { return e.records.head }

// AssumesLate reports whether the policy assumes that servers ask about calls that they have answered already.
func (e *Engine) AssumesLate() bool { return e.config.stack.AssumesLate() }

// Sessions names the open sessions, sorted.
func (e *Engine) Sessions() []string { return sortedNames(&e.sessions.byName) }

// Holds reports whether a question is open, also one that guardians review.
func (e *Engine) Holds(id elicit.ID) bool { return e.open.byID.At(id) != nil }

// Labels are what an open session did, for an Opened event of the same session in another process.
func (e *Engine) Labels(session string) []string {
	if of := e.sessions.byName.At(session); of != nil {
		return slices.Clone(of.labels)
	}
	return nil
}

// Grants lists the grants that hold now: those that hold always, then each session's, in the order they were given.
func (e *Engine) Grants() []elicit.Grant {
	return slices.DeleteFunc(e.grants.all(), func(g elicit.Grant) bool { return g.Over(e.clock.wall()) })
}

// ShareForms lets the engine use the forms that another one has read, and the other way round. Nobody may step both at
// once. It changes no result: a form follows from the bytes of its schema.
func (e *Engine) ShareForms(with *Engine) { e.forms = with.forms }

// Trim gives up memory that makes steps faster. It is for a host with many engines that wait for people. The next step
// makes new buffers. The chain, the questions and all results stay as they are.
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

// perform is Step, also for what a record kept. Its order is part of the contract, because a replay must go the same
// way. Time comes first, so that an answer at its deadline is late. The event follows, then the next question to be
// shown and the next tick. The record is made last, because it has all other effects, and stands first. A replay calls
// perform and not Step, because a record may have an event that no host can give: see recordedEvent.
func (e *Engine) perform(in Input, what recordedEvent) []effect.Effect {
	if _, begins := what.(begunEvent); begins {
		e.beginAnew()
	}
	e.clock.read(in)
	what, gaps := fromRecord(what)
	s := &step{Engine: e, gaps: gaps, random: in.Random, at: e.clock.now, wall: e.clock.wall(),
		id: e.records.mint(in.Random)}
	// The decider gets the format of the record that is replayed, 0 for a live step. The rules of that format then decide.
	s.decider = decider{config: &e.config, grants: &e.grants, format: e.records.format, id: s.id, wall: s.wall}
	e.out.begin()
	e.open.ended, e.sessions.closing = pending.Ended{}, nil
	due, room := e.open.somethingDue(s.at), e.records.flood.getsRecord(s.at)
	// Whether the step changes anything is asked before it is made. A step that makes no record must leave no trace.
	idle := !due && e.open.changesNothing(what, e.sessions.opened, s.at)
	if idle && (!room || e.open.overFloodLimit(what, e.sessions.opened, s.at)) {
		return s.countUnrecorded(what, s.handle(what))
	}
	s.expire()
	kept := s.handle(what)
	if !due && onlyRefused(what, s.out.effects) {
		if idle = true; !room {
			return s.countUnrecorded(what, kept)
		}
	}
	// A question that was settled in its own step was never in the table. Its end is remembered only now. An unrecorded
	// step has returned above: had it pushed an entry out of the ring, a replay would answer a late answer otherwise.
	if e.open.ended.ID != "" {
		e.open.Remember(e.open.ended)
	}
	// Two counts, and no walk: this is in every step, with a million open questions too.
	if e.open.byID.Len() != e.open.Len() {
		e.open.endStrays(e.Sessions())
	}
	// The record of counted events stands before this step's own record, as a replay reads them in that order.
	counted := e.records.recordCounted()
	s.showNext()
	if s.config.pauses {
		s.sessions.emitPauses(s.open.isShown, s.at)
	}
	// A host has one timer. It is told of the earliest moment, and only when that is another than before.
	if wake := e.open.Wake(); wake != e.wake {
		e.wake = wake
		s.out.emit(e.clock.wakeAt(wake))
	}
	s.out.effects[0] = e.records.append(entry{At: in.At, Now: in.Now, random: in.Random, event: kept,
		effects: s.out.effects[1:], time: s.at, idle: idle, needs3: s.decider.needs3})
	effects := e.out.take()
	if len(counted) > 0 {
		effects = append(counted, effects...)
	}
	return effects
}

// step is one call of Step in progress. It has what the step depends on beside the engine: two times, random bytes, an
// id, and the gaps of a record. A handler is a method of step. It hands parts what they need, and no part keeps the
// step.
type step struct {
	*Engine
	at      int64 // what deadlines follow
	wall    int64 // for people, records and dates
	random  [32]byte
	id      elicit.ID // that a question of this step gets
	decider decider
	gaps    gaps // in the event, when it comes from a record
}

// handle performs what has happened and returns it as the journal may keep it. An event that a record cannot hold is
// refused before anything looks at it: the engine does nothing that a replay could not do again.
func (s *step) handle(what recordedEvent) recordedEvent {
	if code := recordProblem(what); code != "" {
		what = refusedEvent{code}
	}
	switch ev := what.(type) {
	case event.Configured:
		return s.handleConfigured(ev)
	case event.Opened:
		if s.sessions.begin(ev, s.config.limits.sessions) != nil {
			s.sessions.servers.add(ev.Principal, ev.Server)
		}
	case event.Asked:
		return s.handleAsked(ev)
	case event.Answered:
		return s.handleAnswered(ev)
	case event.Consulted:
		return s.handleConsulted(ev)
	case event.Completed:
		s.open.complete(ev)
	// A report of the host for the journal. Only a session that is not open makes it a Problem.
	case event.Called:
		s.sessions.find(ev.Session)
	case event.Cancelled:
		s.cancel(ev)
	case event.Closed:
		s.endSession(ev)
	case event.Resumed:
		s.handleResumed(ev)
	case refusedEvent:
		s.out.problem(effect.AboutHost, "", "", elicit.Problem{Code: ev.code})
	// The cases from here on come from the person in front of the host, or from the host's own surface.
	case event.Noted:
		s.open.note(ev, s.at)
	case event.Drafted:
		return s.handleDrafted(ev)
	case event.Extended:
		ev.Until = min(max(ev.Until, 0), lastMoment) // what a record can hold
		s.handleExtended(ev)
		return ev
	case event.Preferred:
		s.prefer(ev)
	case event.Revoked:
		s.revoke(ev)
	case event.Unmuted:
		s.sessions.unmute(ev)
	case event.Forgotten:
		s.sessions.forget(ev)
	}
	return what
}
