package asker

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// These bound one list: its questions, and the sessions that are looked at.
const (
	mostListed = 1000
	mostLooked = 10_000
)

// farthest is past the end of every question, in milliseconds.
const farthest = 8 * 24 * 3600 * 1000

// list is a list of open questions that is being made. Sessions with an open question have a time at which they are
// due, so the store can name them.
//
// A list is a search over all sessions, one Load each. seen keeps a session from being listed twice when the pages of
// the store shift meanwhile.
type list struct {
	ref, principal string
	names          []string // of sessions that are to be looked at
	seen           map[string]bool
	skip           int
	asks           bool // the store is asked
	whole          bool // it has named all
	List
}

// listed begins a list. Lists are made one after the other.
func (m *Machine) listed(ev Listed) {
	if m.closing != nil {
		m.sessions.reply(ev.Ref, Reply{Failed: NoSession})
		return
	}
	l := &list{ref: ev.Ref, principal: ev.Principal, seen: map[string]bool{}, whole: !m.sessions.config.Store}
	for _, s := range m.sessions.all() {
		l.names = append(l.names, s.name)
	}
	if m.lists = append(m.lists, l); len(m.lists) == 1 {
		m.listOn()
	}
}

// found takes the names of sessions from the store.
func (l *list) found(names []string) {
	l.names, l.asks = names, false
	l.skip += len(names)
	l.whole = len(names) < sweepPage
}

// listOn looks at the next session of the first list.
//
// It returns whenever it must wait: for a session, or for the store. found and the job call it again.
func (m *Machine) listOn() {
	for len(m.lists) > 0 {
		l := m.lists[0]
		l.names = slices.DeleteFunc(l.names, func(name string) bool { return name == "" || l.seen[name] })
		switch {
		case m.closing != nil:
			m.lists = m.sessions.listOver(m.lists, Reply{Failed: NoSession})
			continue
		case (len(l.Questions) >= mostListed || len(l.seen) >= mostLooked) && (len(l.names) > 0 || !l.whole):
			l.More = true
		case len(l.names) > 0:
			l.seen[l.names[0]] = true
			if s := m.sessions.session(l.names[0]); s != nil { // as it is in the store; one that cannot be read has nothing
				m.sessions.do(s, &job{fresh: true, done: func(told) { m.listOn() }, skip: func(s *session) (told, bool) {
					l.look(s)
					return told{}, true
				}})
				return
			}
			continue
		// The results of Due have no name, so only one of sweep and list may ask at a time.
		case !l.whole && (l.asks || m.sweep.seen != nil): // the sweep asks the store
			return
		case !l.whole:
			l.asks = true
			m.sessions.emit(Due{m.sessions.clock.at + farthest, l.skip, sweepPage})
			return
		}
		m.lists = m.sessions.listOver(m.lists, Reply{Listed: &l.List})
	}
}

// look takes the open questions of a session.
func (l *list) look(s *session) {
	for _, q := range s.machine.OpenQuestions() {
		switch may := l.principal == "" || l.principal == q.Principal || l.principal == s.client.Principal; {
		case may && len(l.Questions) < mostListed:
			l.Questions = append(l.Questions, Listing{q, s.name + separator + string(q.ID), s.client.Principal})
		case may:
			l.More = true
		}
	}
}

// listOver ends the first list.
func (m *sessions) listOver(all []*list, r Reply) []*list {
	m.reply(all[0].ref, r)
	return all[1:]
}

// takenBack takes back an open question for somebody who looks after the server.
func (m *sessions) takenBack(ev TakenBack, closing bool) {
	name, id := part(ev.ID)
	s := m.session(name)
	switch {
	case ev.By == "" || len(ev.By) > mostBy:
		code := map[bool]string{true: "missing", false: "too_large_to_keep"}[ev.By == ""]
		m.reply(ev.Ref, Reply{Failed: Refused, Problems: []elicit.Problem{{Code: code, Pointer: "/by"}}})
	case s == nil || closing:
		m.reply(ev.Ref, Reply{Failed: NoSession})
	default:
		m.do(s, &job{skip: func(s *session) (told, bool) {
			s.first().event = asking.Cancelled{ID: elicit.ID(id), By: ev.By}
			return told{failed: NoSession}, !s.machine.IsOpen(elicit.ID(id))
		}, done: func(t told) { m.reply(ev.Ref, t.answer()) }})
	}
}

// mostBy is the most bytes of the name of who takes a question back.
const mostBy = 512
