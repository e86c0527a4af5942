package asker

import (
	"cmp"
	"maps"
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// act gives a session an event of somebody who knows its name from a link or an id. May looks first whether they may;
// it may be nil. Say makes the reply.
//
// name comes from outside, so it may be any text. With a store, a name that nobody has costs one Load. may runs when
// the state is there and before the step, so it sees what other processes have decided.
func (m *Machine) act(ref, name string, ev asking.Event, may func(s *session) Failure, say func(t told) Reply) {
	s := m.sessions.session(name)
	if s == nil || m.closing != nil {
		m.sessions.reply(ref, Reply{Failed: NoSession})
		return
	}
	_, closes := ev.(asking.Closed)
	j := &job{event: ev, person: !closes, change: func(s *session) {
		// The session's transport is gone, so nobody will close it again: it lives as long as that of a single call.
		left := closes && !s.machine.Over() // what its client was told in a text stays, as that of a single call
		s.once, s.client.Once = s.once || left, s.client.Once || left
	}, done: func(t told) { m.sessions.reply(ref, say(t)) }}
	if may != nil {
		j.skip = func(s *session) (told, bool) {
			failed := may(s)
			return told{failed: failed}, failed != ""
		}
	}
	m.sessions.do(s, j)
}

// submitted takes an answer of a model or of a page.
//
// A link is a secret of the page, and the session checks the principal. An id was in a text that a model has read, so
// the caller is checked here too, and a wrong one gets the same reply as a wrong id.
func (m *Machine) submitted(ev Submitted) {
	act := asking.Submitted{Principal: ev.Client.Principal, Action: ev.Action, Content: ev.Content, Cleared: ev.Cleared}
	if ev.Link != "" {
		var name string
		name, act.Link = part(ev.Link)
		m.act(ev.Ref, name, act, nil, told.answer)
		return
	}
	name, id := part(ev.ID)
	// A confirmation has no fields, and models leave out what is empty.
	if act.Action == elicit.Accept && act.Content == nil {
		act.Content = []byte("{}")
	}
	// The digest names this very report. If the reply was lost, the model reports again, and finds the run by it.
	answer := digestOf(listed("elicit answer", ev.ID, string(ev.Action)), act.Content)
	var of *session
	act.ID, act.Via = elicit.ID(id), event.ViaModel
	m.act(ev.Ref, name, act, func(s *session) Failure {
		of = s
		// A client that connected again has another session. Without a principal, it reads what became of its answer only.
		again := ev.Client.Session != "" && s.name != m.sessionName(ev.Client.Session)
		if s.client.Principal != ev.Client.Principal ||
			again && ev.Client.Principal == "" && s.machine.IsOpen(elicit.ID(id)) {
			return NoSession // whoever guesses learns nothing
		}
		return ""
	}, func(t told) Reply {
		r := t.answer()
		// The question was settled by the first report, so the second one must lead to the same call.
		if r.Failed == Refused && !r.Open {
			r.Resume = of.resumes(answer)
		}
		if r.Resume != nil {
			return Reply{Resume: r.Resume, Session: name + separator + answer}
		}
		return r
	})
}

// resumes returns the call that an answer has let run, nil if there is none.
//
// The call may be over here. Its name and target are still known, and Called then gets its kept result.
func (s *session) resumes(answer string) *asking.Resume {
	for _, t := range s.taken {
		if t.answer != answer {
			continue
		}
		again := asking.Resume{Call: t.call, Method: "tools/call", Target: t.target}
		if s.machine != nil {
			if l, known := s.machine.Call(t.call); known {
				again = l.Again
			}
		}
		return &again
	}
	return nil
}

// claimed gives a page to a browser.
//
// Everything but two refusals looks like an unknown link, so that a guess learns nothing.
func (m *Machine) claimed(ev Claimed) {
	name, link := part(ev.Link)
	m.act(ev.Ref, name, asking.Claimed{Link: link, Principal: ev.Principal, Browser: ev.Browser}, nil,
		func(t told) Reply {
			if t.failed != "" || len(t.problems) == 0 {
				return Reply{Failed: t.failed, Why: t.why}
			}
			switch code := Failure(t.problems[0].Code); code {
			case LinkUsed, NotYours:
				return Reply{Failed: code}
			}
			return Reply{Failed: NoSession}
		})
}

// viewed finds an open page. It asks the store, because another process may know more.
func (m *Machine) viewed(ev Viewed) {
	name, link := part(ev.Link)
	s := m.sessions.session(name)
	if s == nil {
		m.sessions.reply(ev.Ref, Reply{Failed: NoSession})
		return
	}
	m.sessions.do(s, &job{fresh: true, person: true, done: func(t told) { m.sessions.reply(ev.Ref, t.answer()) },
		skip: func(s *session) (told, bool) { return told{reply: s.page(link)}, true }})
}

// page is the open page of a link. Of a page that is over, it has the browser.
func (s *session) page(link string) *Reply {
	p, open := s.machine.Page(link)
	if !open {
		browser, why := s.machine.PageOver(link)
		return &Reply{Failed: NoSession, Page: &Page{Page: asking.Page{Browser: browser}, Over: why}}
	}
	return &Reply{Page: &Page{Page: p, Principal: s.answers(p)}}
}

// answers is the principal who may answer a page.
func (s *session) answers(p asking.Page) string { return cmp.Or(p.For, s.client.Principal) }

// completed ends a question that waits for the flow behind a URL.
//
// The event is made in skip, because the id of the question is in the state that is loaded for the job.
func (m *Machine) completed(ev Completed) {
	name, link := part(ev.ID)
	s := m.sessions.session(name)
	if s == nil {
		m.sessions.reply(ev.Ref, Reply{Failed: NobodyWaits})
		return
	}
	m.sessions.do(s, &job{skip: func(s *session) (told, bool) {
		id, open := s.machine.Visiting(link)
		s.first().event = asking.Completed{ID: id}
		return told{failed: NobodyWaits}, !open
	}, done: func(t told) {
		r := t.answer()
		if r.Failed == NoSession {
			r.Failed = NobodyWaits
		}
		m.sessions.reply(ev.Ref, r)
	}})
}

// checked checks content that a hook has made or changed.
func (m *sessions) checked(ev Checked) {
	var r Reply
	if problems := asking.Check(ev.Schema, ev.Content); len(problems) > 0 {
		r.Settle = &asking.Settle{Outcome: elicit.Cancelled, Cause: elicit.ByAttemptsUsed, Problems: problems}
	}
	m.reply(ev.Ref, r)
}

// consulted brings a session what a guardian said. A guardian says no more, so one whose output cannot be used has
// failed.
//
// The consult may be from a state that another process has replaced. The machine of the session then ignores it.
func (m *Machine) consulted(ev Consulted) {
	s := m.sessions.byName[ev.Session]
	if s == nil {
		return
	}
	s.consults = max(0, s.consults-1)
	m.sessions.do(s, &job{event: ev.Event, done: func(t told) {
		if t.unused && ev.Event.Output != "" {
			ev.Event.Output, ev.Event.Principal, ev.Event.Fault = "", "", "bad_output"
			m.sessions.do(s, &job{event: ev.Event})
		}
	}})
}

// closing is the end of the machine.
//
// left counts each session once, and one more for closed itself, so that it cannot reach 0 before the loop ends.
type closing struct {
	ref  string
	left int // sessions whose end is not stored yet
}

// closed ends a session, or all of them.
func (m *Machine) closed(ev Closed) {
	if ev.Session != "" {
		m.act(ev.Ref, m.sessionName(ev.Session), asking.Closed{Cause: elicit.BySessionClosed}, nil, told.answer)
		return
	}
	if m.closing != nil {
		m.sessions.reply(ev.Ref, Reply{})
		return
	}
	for _, name := range slices.Sorted(maps.Keys(m.waiting)) {
		r := m.waiting[name]
		delete(m.waiting, name)
		m.endBegin(r, Reply{Settle: shutdown()})
	}
	all := m.sessions.all()
	m.closing = &closing{ev.Ref, len(all) + 1}
	m.sweep, m.sessions.over = sweep{}, true
	for _, s := range all {
		m.depart(s)
	}
	m.leave()
}

// depart ends what this process has of a session. A session in a store stays there, for other processes.
//
// Without a store, the sessions end with the process, and every question is cancelled. With one, only the runs here
// end. Their handlers are stopped, and the store learns which of them may be made again.
func (m *Machine) depart(s *session) {
	m.sessions.pauses.set(s.name, 0)
	s.work.later, s.work.heard = nil, 0
	if !m.sessions.config.Store {
		m.sessions.do(s, &job{event: asking.Closed{Cause: elicit.ByShutdown}})
	}
	for _, r := range s.runs {
		r.ended = &Reply{Settle: shutdown()}
		m.sessions.tellAll(r, *r.ended)
		// An interrupted run has left its question to the client, so it must stay open.
		if m.sessions.config.Store && r.interrupt == nil && !r.over && (r.begun || r.uncertain) {
			m.sessions.do(s, &job{event: asking.Cancelled{Call: r.called.Call}, skip: func(s *session) (told, bool) {
				if s.takenOf(r.called.Call) != nil && s.lacks(r.called.Call) {
					s.first().event = asking.Lost{Call: r.called.Call} // another run gets the answer
				}
				return told{}, false
			}, change: func(s *session) {
				s.end(r, Returned{}, m.sessions.clock.at, m.sessions.config.lived(), true)
			}})
		}
	}
	// This job does nothing. It comes after the others of the session, and says that they are stored.
	m.sessions.do(s, &job{fresh: true, drop: func() bool { return true }, done: func(told) { m.leave() }})
}

// leave counts the sessions whose end is stored.
func (m *Machine) leave() {
	if m.closing.left--; m.closing.left == 0 {
		m.sessions.reply(m.closing.ref, Reply{})
	}
}
