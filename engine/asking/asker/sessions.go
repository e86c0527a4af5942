package asker

import (
	"maps"
	"slices"
)

// sessions are the sessions that this process has something of, with their transactions, and who waits for them. They
// know nothing of how a call begins and ends.
//
// byName has a session only while something of it is here: a run, a job, a machine or a result. See letGo.
type sessions struct {
	config Config
	clock  clock
	out    []Effect
	byName map[string]*session
	asks   map[string]*ask     // that wait, by ref
	sends  map[string]*sending // that the client has, by ref
	ticks  timers              // by the wall clock
	pauses timers              // by the time that has passed
	beats  timers              // of calls whose clients hear of progress, by the time that has passed
	held   int                 // bytes of results, without a store
	over   bool                // the process ends: nothing is tried again
}

// ofSession hands the results of a session's effects to it. A session that is gone needs them no more.
func (m *sessions) ofSession(ev Event) {
	switch ev := ev.(type) {
	case Loaded:
		m.loaded(m.byName[ev.Session], ev)
	case Missing:
		m.missing(m.byName[ev.Session])
	case Committed:
		m.committed(m.byName[ev.Session], ev.Version)
	case Conflicted:
		m.conflicted(m.byName[ev.Session])
	case Watched:
		m.watched(m.byName[ev.Session])
	case Unwatched:
		m.unwatched(m.byName[ev.Session])
	case Hinted:
		m.hinted(m.byName[ev.Session], ev.Version)
	case Appended:
		m.appended(m.byName[ev.Session], ev.Why)
	}
}

func (m *sessions) emit(e Effect) { m.out = append(m.out, e) }

// all returns the sessions in an order that does not depend on chance.
func (m *sessions) all() (list []*session) {
	for _, name := range slices.Sorted(maps.Keys(m.byName)) {
		list = append(list, m.byName[name])
	}
	return list
}

// session finds a session by its name: here, or in the store. It returns nil if there is none.
//
// With a store it returns nil only for the empty name. Whether the session exists is known after a Load.
func (m *sessions) session(name string) *session {
	s := m.byName[name]
	if s == nil && m.config.Store && name != "" {
		s = &session{name: name, once: true}
		m.byName[name] = s
	}
	return s
}

// pass does what is due.
func (m *sessions) pass() {
	for name := m.ticks.due(m.clock.at); name != ""; name = m.ticks.due(m.clock.at) {
		m.tickSession(m.byName[name])
	}
	for name := m.pauses.due(m.clock.elapsed); name != ""; name = m.pauses.due(m.clock.elapsed) {
		m.pauseOver(m.byName[name])
	}
}
