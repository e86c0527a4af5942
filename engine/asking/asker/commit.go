package asker

import (
	"cmp"
	"errors"
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
)

// mostConflicts is how often a step is tried again after another process committed first.
const mostConflicts = 100

// These are milliseconds that a store keeps a session in which nothing happens. A question can be open for a week. The
// session of a single call that is over stays a short while, so that late answers are told how their question ended.
const (
	sessionLife = 8 * 24 * 3600 * 1000
	callLife    = 15 * 60 * 1000
)

// These bound the pauses between two attempts to reach a store, in milliseconds.
const (
	shortPause = 10
	longPause  = 1000
)

func (m *sessions) load(s *session) {
	s.work.await, s.work.heard = aLoad, 0
	m.emit(Load{s.name})
}

// loaded goes on with the state of the last commit.
//
// A state of the version that is known here needs no reading: the machine stays.
func (m *sessions) loaded(s *session, ev Loaded) {
	if s == nil || s.work.await != aLoad {
		return
	}
	s.work.await = nothing
	if s.machine == nil || ev.Version != s.at.version {
		if why := m.take(s, ev); why != nil {
			m.loadFailed(s, why, false)
			return
		}
	}
	s.recovered()
	// The commit of this job failed, and its name is not among those of the state. So it does not count.
	if j := s.first(); j != nil && j.uncertain != nil && j.counted(s.at.commits) == nil {
		m.end(s, j, told{failed: NoStore, why: j.took()})
	}
	m.pump(s)
}

// take makes the machine of a session from a state.
//
// The effects of loading are not performed yet. carried keeps them for the next commit, because another process may
// load the same state and decide in another way.
func (m *sessions) take(s *session, ev Loaded) error {
	all, problems := readSaved(ev.State)
	if len(problems) > 0 {
		return errors.New("the state of session " + s.name + ": " + english.Problem(problems[0]))
	}
	if s.at.version == 0 { // another process may have opened it for somebody else
		s.client = all.client
	}
	s.taken = all.taken
	if all.machine == nil {
		s.machine, s.fresh, s.at = nil, true, atRest{ev.Version, all.commits, nil}
		s.prune(m.clock.at)
		return nil
	}
	machine, effects, problems := asking.Load(m.asking(s.name, all.client), all.machine, m.input(nil))
	if len(problems) > 0 {
		return errors.New("the state of session " + s.name + ": " + english.Problem(problems[0]))
	}
	s.machine, s.fresh, s.at, s.consults = machine, false, atRest{ev.Version, all.commits, effects}, 0
	s.prune(m.clock.at)
	if !slices.ContainsFunc(effects, decides) {
		s.work.unseen = true
	} else if !slices.ContainsFunc(s.work.queue, func(j *job) bool { return j.looks }) {
		// Nobody hears of it before the store has it: another process may still decide otherwise.
		s.work.queue = append(s.work.queue, &job{event: event.Ticked{}, must: true, looks: true,
			drop: func() bool { return len(s.runs) == 0 }, done: func(t told) {
				if t.failed == "" && s.machine != nil {
					m.look(s)
				}
			}})
	}
	m.tells(s)
	m.ticks.set(s.name, machine.Next())
	return nil
}

// decides reports whether an effect of loading tells something that is in no commit yet, such as the end of a question.
func decides(next asking.Effect) bool {
	switch next.(type) {
	case effect.Append, effect.Wake, effect.Consult:
		return false
	}
	return true
}

// missing begins a session anew, or ends it.
//
// The session was deleted, or its time was up. A fresh one takes its place, and runs that it knew end.
func (m *sessions) missing(s *session) {
	if s == nil || s.work.await != aLoad {
		return
	}
	s.work.await = nothing
	s.recovered()
	m.gone(s)
	if j := s.first(); j != nil && j.uncertain != nil {
		m.end(s, j, told{failed: NoStore, why: j.took()})
	}
	m.pump(s)
}

// took forgets why a commit failed, and says it.
func (j *job) took() error {
	why := j.uncertain
	j.uncertain = nil
	return why
}

// storeFailed takes what the store could not do.
//
// A Load has changed nothing. A Commit may have reached the store before the connection broke, so the state is read to
// see. Until then the job is uncertain.
func (m *Machine) storeFailed(ev StoreFailed) {
	s := m.sessions.byName[ev.Session]
	switch {
	case ev.Call != "":
		m.endBegin(m.calls[ev.Call], Reply{Failed: NoStore, Why: ev.Why})
	case ev.Session == "":
		m.dueFailed(ev.Why)
	case s == nil:
	case s.work.await == aLoad:
		m.sessions.loadFailed(s, ev.Why, ev.Away)
	case s.work.await == aCommit: // it may count nevertheless
		s.machine, s.first().uncertain = nil, ev.Why
		m.sessions.load(s)
	}
}

// loadFailed ends the job that needed the state, and lets a session that others wait for load it again.
func (m *sessions) loadFailed(s *session, why error, away bool) {
	s.work.await = nothing
	if j := s.first(); j != nil {
		if j.uncertain != nil {
			why = j.took()
		}
		m.end(s, j, told{failed: NoStore, why: why, away: away})
	}
	m.overdue(s, why)
	if len(s.runs) > 0 {
		m.pause(s)
	}
	m.pump(s)
}

// first is the job that is at work, nil for none.
func (s *session) first() *job {
	if len(s.work.queue) == 0 {
		return nil
	}
	return s.work.queue[0]
}

// pop takes the first job off the queue, which keeps nothing of it: its effects may be large, and a session waits long.
func (w *work) pop() {
	w.queue[0] = nil
	if w.queue = w.queue[1:]; len(w.queue) == 0 {
		w.queue = nil
	}
}

// recovered lets the next pause be short again, unless the store has yet to take a commit or a watch that it refused: a
// store may fail at these alone.
func (s *session) recovered() {
	if (s.watch == watching || s.watch == unwatched) && !s.work.has(func(j *job) bool { return len(j.all) > 0 }) {
		s.work.pause = 0
	}
}

// has reports whether there is a job of a kind.
func (w *work) has(kind func(*job) bool) bool {
	return slices.ContainsFunc(w.queue, kind) || slices.ContainsFunc(w.later, kind)
}

// overdue ends the waits for questions whose time was up a while ago, if the store does not say how they ended.
func (m *sessions) overdue(s *session, why error) {
	for _, r := range s.runs {
		for _, a := range slices.Clone(r.asks) {
			if a.until != 0 && a.until+longest <= m.clock.at {
				m.tell(a, Reply{Failed: NoStore, Why: why})
			}
		}
	}
}

// pause lets a session try again later.
//
// It doubles from 10 ms to a second. A pause that runs already is not made longer by a second failure.
func (m *sessions) pause(s *session) {
	if m.pauses.at[s.name] != 0 {
		return
	}
	s.work.pause = min(max(2*s.work.pause, shortPause), longPause)
	m.pauses.set(s.name, m.clock.elapsed+s.work.pause)
}

// pauseOver tries again what the store could not take.
func (m *sessions) pauseOver(s *session) {
	if s == nil {
		return
	}
	if s.watch == broken {
		s.watch = beginning
		m.emit(Watch{s.name})
	}
	s.work.queue = append(s.work.queue, s.work.later...)
	s.work.later, s.work.heard = nil, unknown
	m.pump(s)
}

// commit stores what a step has decided.
//
// The store compares From with its version, and does nothing else by itself. Everything about time is in the change:
// when the session is due (Next), when it is forgotten (Expires), and until when history and records are kept.
func (m *sessions) commit(s *session, t try) {
	now := m.clock.at
	ef := Commit{stored.Change{Session: s.name, From: s.at.version, Now: now, Keep: now + m.config.Keep,
		Expires: now + sessionLife}}
	if ef.KeepRecords = ef.Keep; m.config.KeepJournal > 0 {
		ef.KeepRecords = now + m.config.KeepJournal
	}
	var machine []byte
	if !t.light {
		machine, ef.Next = s.machine.Save(), s.machine.Next()
	}
	if s.client.Once && (t.light || s.machine.Idle()) {
		ef.Expires = max(now+callLife, s.until())
	}
	ef.Next = sooner(ef.Next, s.due(ef.Expires))
	// The bound of the capacity makes append copy, so the list of an earlier state stays as it was.
	commits := s.at.commits
	s.at.commits = append(commits[max(0, len(commits)-mostCommits+1):len(commits):len(commits)], t.name)
	// No state means that the store deletes the session.
	if !t.over {
		ef.State = save(s.client, machine, s.at.commits, s.taken)
	}
	for _, next := range t.effects {
		switch next := next.(type) {
		case effect.Append:
			if m.config.KeepJournal >= 0 {
				ef.Records = append(ef.Records, next.Record)
			}
		case asking.Settle:
			if next.ID != "" && !next.Replayed {
				ef.Entries = append(ef.Entries, m.entry(next))
			}
		}
	}
	// A lazy commit may be lost in a power cut. That is safe only if nothing of it has left the process for good.
	ef.Lazy = t.lazy && len(ef.Entries) == 0 && !slices.ContainsFunc(t.effects, leaves)
	if why := ef.Check(); why != nil { // nothing is written, and the state that the store has is what counts
		s.machine, s.first().uncertain = nil, why
		m.load(s)
		return
	}
	s.work.await = aCommit
	m.emit(ef)
}

// leaves reports whether an effect gives somebody something that is of use when all processes have ended, such as a
// link or an id that the store must know. A request ends with its process, and a client's state has all there is.
func leaves(next asking.Effect) bool {
	switch ef := next.(type) {
	case effect.Append, effect.Wake, asking.Send, asking.CancelSent, asking.Value:
		return false
	case asking.Interrupt:
		return ef.Keep
	case asking.Settle:
		return !ef.Replayed
	}
	return true
}

// entry is a question for the history, without the answer: that belongs to the tool.
func (m *sessions) entry(of asking.Settle) stored.Entry {
	e := stored.Entry{ID: string(of.ID), At: m.clock.at, Server: m.config.Asking.Server, Tool: of.Target,
		Outcome: string(of.Outcome), Text: of.Message}
	of.Content = nil
	e.Body = of.AppendJSON(nil)
	return e
}

// committed goes on when the store has a step. The last try is the one that was committed. Earlier ones of the job had
// conflicts.
func (m *sessions) committed(s *session, version uint64) {
	if s == nil || s.work.await != aCommit {
		return
	}
	s.work.await, s.work.pause, s.at.version = nothing, 0, version
	j := s.first()
	m.finish(s, j, j.all[len(j.all)-1])
	m.pump(s)
}

// conflicted loads what another process has committed. Also this commit may be the one that came first: a client of the
// store may have sent it twice.
//
// The step is made again with the new state, and may decide in another way. Nobody has heard of the first decision.
func (m *sessions) conflicted(s *session) {
	if s == nil || s.work.await != aCommit {
		return
	}
	s.work.await, s.machine = nothing, nil
	j := s.first()
	if j.conflicts++; j.conflicts == mostConflicts {
		j.conflicts = 0
		m.end(s, j, told{failed: NoStore, why: errors.New("too many conflicts")})
		m.pause(s)
		m.pump(s)
		return
	}
	m.load(s)
}

// watched goes on when the store tells of commits. After a watch that was broken, hints may be lost.
func (m *sessions) watched(s *session) {
	if s == nil || s.watch != beginning {
		return
	}
	s.watch = watching
	if s.work.await == aWatch {
		s.work.await = nothing
	} else {
		s.work.heard = unknown
	}
	m.pump(s)
}

// unwatched goes on without hints, and watches again after a pause.
func (m *sessions) unwatched(s *session) {
	if s == nil || s.watch != beginning && s.watch != watching {
		return
	}
	s.watch = broken
	if s.work.await == aWatch {
		s.work.await = nothing
	}
	m.pause(s)
	m.pump(s)
}

// hinted looks whether another process has decided something for the runs here. The versions of a session grow, so a
// version up to the known one is no news: it is often of a commit of this process.
//
// It loads nothing while a result is awaited. heard keeps the news for pump.
func (m *sessions) hinted(s *session, version uint64) {
	if s == nil || s.watch != watching || s.at.version == 0 && s.work.await == nothing {
		return
	}
	version = cmp.Or(version, unknown)
	s.work.heard = max(s.work.heard, version)
	m.pump(s)
}
