package asker

import "github.com/elicit-engine/elicit/engine/event"

// These bound the sweep of a store for sessions that nobody else has stepped in time.
const (
	sweepEvery = 5 * 1000 // milliseconds
	sweepPage  = 100
	sweepPause = 10 * 60 * 1000 // the longest pause before a session that failed is tried again
	sweepStop  = 5              // after so many failures in a row the store itself is away
	maxSkip    = 1 << 20
)

// sweep lets time pass for sessions whose process is gone. Sessions that fail stay due, so the sweep goes past them,
// and tries them again after ever longer pauses.
//
// Each process sweeps the whole store. Two that step the same session conflict, and the second finds it no longer due.
type sweep struct {
	next   int64 // when the next one begins, by the time that has passed; 0 while one goes on
	before map[string]failing
	failed map[string]failing
	seen   map[string]bool
	skip   int
	away   int      // failures in a row of the store itself
	left   []string // sessions of the page that are to be stepped
	page   int      // how many sessions the page has
	at     string   // the session at work
}

// failing is a session that could not be stepped.
type failing struct{ pause, again int64 }

// sweepDue begins a sweep when it is time.
func (m *Machine) sweepDue() {
	s := &m.sweep
	switch {
	case !m.sessions.config.Store || m.closing != nil:
	case s.next == 0 && s.seen == nil:
		s.next = m.sessions.clock.elapsed + sweepEvery
	case s.next != 0 && s.next <= m.sessions.clock.elapsed && len(m.lists) > 0: // the store is asked for their sessions
		s.next = m.sessions.clock.elapsed + sweepEvery
	case s.next != 0 && s.next <= m.sessions.clock.elapsed:
		*s = sweep{before: s.before, failed: map[string]failing{}, seen: map[string]bool{}}
		m.sweepPage()
	}
}

func (m *Machine) sweepPage() { m.sessions.emit(Due{m.sessions.clock.at, m.sweep.skip, sweepPage}) }

// sweepOver waits for the next sweep.
func (m *Machine) sweepOver(failed map[string]failing) {
	m.sweep = sweep{before: failed, next: m.sessions.clock.elapsed + sweepEvery}
	m.listOn()
}

func (m *Machine) dueFailed(why error) {
	if len(m.lists) > 0 && m.lists[0].asks {
		m.lists = m.sessions.listOver(m.lists, Reply{Failed: NoStore, Why: why})
		m.listOn()
		return
	}
	if m.sweep.seen != nil {
		m.sweepOver(m.sweep.before) // the store is away
	}
}

func (m *Machine) found(ev Found) {
	if len(m.lists) > 0 && m.lists[0].asks {
		m.lists[0].found(ev.Sessions)
		m.listOn()
		return
	}
	s := &m.sweep
	if s.seen == nil || s.at != "" {
		return
	}
	s.left, s.page = ev.Sessions, len(ev.Sessions)
	m.sweepOn()
}

// sweepOn steps the next session that is due.
//
// It goes on by swept, one session at a time. A page is asked for again from skip, which counts the sessions before it
// that stay due.
func (m *Machine) sweepOn() {
	s := &m.sweep
	for len(s.left) > 0 && s.away < sweepStop {
		name := s.left[0]
		s.left = s.left[1:]
		f := s.before[name]
		switch {
		case name == "", s.seen[name]: // it stays due although it was stepped
			s.skip++
		case f.again > m.sessions.clock.elapsed:
			s.seen[name], s.failed[name] = true, f
			s.skip++
		default:
			s.seen[name], s.at = true, name
			m.sessions.do(m.sessions.session(name), &job{event: event.Ticked{}, done: func(t told) { m.swept(name, t) }})
			return
		}
	}
	switch {
	case s.away == sweepStop:
		for name, f := range s.before {
			if !s.seen[name] {
				s.failed[name] = f
			}
		}
		m.sweepOver(s.failed)
	// A page that is not full is the last.
	case s.page < sweepPage || s.skip > maxSkip:
		m.sweepOver(s.failed)
	default:
		m.sweepPage()
	}
}

// swept takes the end of a step. A session that failed is tried again later.
//
// A failure of one session (its state cannot be read) must not stop the sweep, and one of the store must. away tells
// them apart.
func (m *Machine) swept(name string, t told) {
	s := &m.sweep
	if s.at != name {
		return
	}
	s.at = ""
	if t.failed == "" {
		s.away = 0
		m.sweepOn()
		return
	}
	if s.away++; !t.away {
		s.away = 0
	}
	f := s.before[name]
	f.pause = min(max(2*f.pause, sweepEvery), sweepPause)
	f.again = m.sessions.clock.elapsed + f.pause
	s.failed[name] = f
	s.skip++
	m.sweepOn()
}
