package asker

import (
	"errors"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
)

// rates bound how often a principal is asked, over all its calls and processes. The limits of a session do not see the
// next call, which may have a session of its own. With a store, the allowance of a principal is a session there, and a
// process takes some questions from it at a time.
//
// Example: a burst of 100 and twenty parts. A process takes five questions from the store in one commit, and asks four
// more times without the store.
type rates struct {
	perMinute, burst, ahead int64 // the last is how far the clock of another process is, as the store told
	byName                  map[string]*allowance
}

// allowance is what a principal may still be asked, as a level of package pending. It is less than nothing after
// questions that nobody could refuse.
//
// A process that dies loses what it has taken. The store counts time by the wall clock, and a process without a store
// by the elapsed time.
type allowance struct {
	level int64 // that this process has
	at    int64 // without a store, since when
	waits []func(no *Reply)
	await await
	rest  Loaded // what the store has, of this process's last commit; nothing if that is not known
	takes int64  // what this process has after the commit at work
	tries int
}

const (
	wholeQuestion = pending.WholeRequest
	mostRates     = 4096 // principals that a process knows
	rateParts     = 20   // a process takes a part of the burst at a time
)

func newRates(c asking.Config) rates {
	perMinute, burst := c.Rate()
	return rates{perMinute: int64(perMinute), burst: int64(burst), byName: map[string]*allowance{}}
}

// rateName is the name of the session that has a principal's allowance. No link and no id leads to it, because they end
// a name at the separator.
func (m *Machine) rateName(principal string) string {
	return hashed(listed("elicit rate", m.sessions.config.Asking.Server, principal)) + separator + "rate"
}

// refill is a level after some time.
func (rs *rates) refill(level, at, now int64) int64 {
	return pending.Refill(level, now-at, rs.perMinute, rs.full())
}

func (rs *rates) full() int64 { return rs.burst * wholeQuestion }

// allowance of a principal, by its name.
func (m *Machine) allowance(name string) *allowance {
	rs, now := &m.rates, m.sessions.clock.elapsed
	a := rs.byName[name]
	switch stored := m.sessions.config.Store; {
	case a != nil && !stored:
		a.level, a.at = rs.refill(a.level, a.at, now), now
		return a
	case a != nil:
		return a
	}
	for len(rs.byName) >= mostRates && rs.drop(now, m.sessions.config.Store) {
	}
	a = &allowance{}
	if !m.sessions.config.Store {
		a.level, a.at = rs.full(), now
	}
	rs.byName[name] = a
	return a
}

// drop forgets the first principal by name whom nobody waits for, and of whom the store or a full allowance tells. It
// returns false if there is none.
//
// Dropping an allowance of a process without a store that is not full would forgive what was used. So these stay, and
// the table may then be larger than mostRates.
func (rs *rates) drop(now int64, stored bool) bool {
	first, found := "", false
	for name, a := range rs.byName {
		if (!found || name < first) && len(a.waits) == 0 && (stored || rs.refill(a.level, a.at, now) == rs.full()) {
			first, found = name, true
		}
	}
	delete(rs.byName, first)
	return found
}

// admit says whether the principal of a run may be asked once more. Without a principal nobody can tell, and a call
// that goes on after an answer is never refused.
func (m *Machine) admit(r *run, then func(no *Reply)) {
	if r.client.Principal == "" || r.again {
		then(nil)
		return
	}
	name := m.rateName(r.client.Principal)
	a := m.allowance(name)
	a.waits = append(a.waits, then)
	if m.sessions.config.Store {
		m.serve(a, false)
		m.fetch(name, a)
		return
	}
	m.serve(a, true)
}

// serve lets those go on for whom there is enough. When no more can be had, it refuses the others.
//
// Those who wait are served in their order. With last, nothing more can come, and the rest is refused.
func (m *Machine) serve(a *allowance, last bool) {
	for len(a.waits) > 0 && (last || a.level >= wholeQuestion) {
		then := a.waits[0]
		a.waits = a.waits[1:]
		if a.level < wholeQuestion {
			then(&Reply{Settle: &asking.Settle{Outcome: elicit.Failed, Cause: elicit.ByRateLimit,
				Problems: []elicit.Problem{{Code: "rate_limited", Args: []elicit.Arg{
					elicit.Num("per_minute", int(m.rates.perMinute))}}}}})
			continue
		}
		a.level -= wholeQuestion
		then(nil)
	}
}

// fetch takes more from the store. What this process itself has left there it knows.
func (m *Machine) fetch(name string, a *allowance) {
	switch {
	case len(a.waits) == 0 || a.await != nothing:
	case a.rest.State != nil:
		m.take(name, a, a.rest)
	default:
		a.await = aLoad
		m.sessions.emit(Load{name})
	}
}

// rated takes an event of the store about an allowance. It returns false for every other event.
//
// It gets every event first. A name that is not an allowance's is left to the sessions.
func (m *Machine) rated(next Event) bool {
	name, await, failed := "", aCommit, error(nil)
	var found Loaded
	switch ev := next.(type) {
	case Loaded:
		name, await, found = ev.Session, aLoad, ev
	case Missing:
		name, await = ev.Session, aLoad
	case Committed:
		name = ev.Session
	case Conflicted:
		name = ev.Session
	case StoreFailed:
		name, failed = ev.Session, ev.Why
		if failed == nil {
			failed = errors.New("the store failed")
		}
	}
	a := m.rates.byName[name]
	if a == nil || a.await != await && failed == nil {
		return a != nil
	}
	a.await = nothing
	ev, committed := next.(Committed)
	_, conflicted := next.(Conflicted)
	if !committed {
		a.rest = Loaded{}
	}
	switch {
	case failed != nil:
		m.refuseAll(a, failed)
	case committed:
		a.level, a.tries, a.rest.Version = a.level+a.takes, 0, ev.Version
		m.serve(a, false)
		m.fetch(name, a)
	case conflicted:
		if a.tries++; a.tries == mostConflicts {
			a.tries = 0
			m.refuseAll(a, errors.New("too many conflicts"))
			break
		}
		m.fetch(name, a)
	default:
		m.take(name, a, found)
	}
	return true
}

func (m *Machine) refuseAll(a *allowance, why error) {
	for _, then := range a.waits {
		then(&Reply{Failed: NoStore, Why: why})
	}
	a.waits = nil
}

// take takes what the waiting questions need out of the store, and a little more.
//
// A state is a level at a moment. refill brings it up to now. A moment in the future is from a clock that is ahead:
// this process then counts with that clock, up to Skew.
func (m *Machine) take(name string, a *allowance, found Loaded) {
	rs, now := &m.rates, m.sessions.clock.at
	full := rs.full()
	level, at := full, now
	if found.State != nil {
		var problems []elicit.Problem
		if level, at, problems = readRate(found.State); len(problems) > 0 {
			m.refuseAll(a, errors.New("the state of session "+name+" cannot be read"))
			return
		}
	}
	if at > now+stored.Skew { // a clock was wrong
		level, at, rs.ahead = full, now, 0
	}
	rs.ahead = max(rs.ahead, at-now) // else nothing would come back until that time
	level, at = rs.refill(min(level, full), at, now+rs.ahead), now+rs.ahead
	need := int64(len(a.waits))*wholeQuestion - a.level
	a.takes = min(level, max(need, full/rateParts/wholeQuestion*wholeQuestion))
	if a.level+a.takes < wholeQuestion {
		m.serve(a, true)
		return
	}
	a.rest, a.await = Loaded{State: saveRate(level-a.takes, at)}, aCommit
	life := int64(sessionLife)
	if rs.perMinute > 0 {
		life = full/rs.perMinute + stored.Skew
	}
	m.sessions.emit(Commit{stored.Change{Session: name, From: found.Version, Now: now, State: a.rest.State,
		Expires: now + life, Lazy: true}})
}

// saveRate writes an allowance at rest: {"level","at"}.
func saveRate(level, at int64) []byte {
	o := jsontext.Begin(nil)
	o.Int("level", level)
	o.Int("at", at)
	return o.End()
}

func readRate(doc []byte) (level, at int64, problems []elicit.Problem) {
	r, problems := strict.Document(doc, jsontext.Limits{})
	if len(problems) > 0 {
		return 0, 0, problems
	}
	level, at = r.Time("level"), r.Time("at")
	r.RefuseUnknown()
	return level, at, r.Problems
}
