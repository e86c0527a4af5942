package asker

import (
	"maps"
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// A call that is made again waits for the run that has its answer. These are milliseconds: until the process of that
// run must have told that it is there, and until the call is told that the run goes on.
const (
	patience = 2 * 1000
	longest  = 10 * 1000
)

// start lets a run begin in its session, or gives it what another run with the same answer came to.
//
//	free       the run begins, now or with its first question
//	working    it waits, see waits
//	ended      it gets the result of the other run
//	spent      NoState
//
// skip returns true as well for a call that nobody has interrupted. It then needs no step: the session hears of it
// later.
func (m *Machine) start(r *run) {
	var other *taken // that is over
	m.sessions.do(r.session, &job{run: r, skip: func(s *session) (told, bool) {
		s.prune(m.sessions.clock.at)
		switch st, t := s.standing(r); st {
		case spent:
			return told{failed: NoState}, true
		case ended:
			other = t
			return told{}, true
		case working:
			m.waits(r, t)
			return told{}, true
		}
		return told{}, r.back.session == "" && (s.machine == nil || !s.machine.Awaits(r.called))
	}, done: func(t told) {
		switch {
		case m.waiting[r.called.Call] != nil:
		case r.beaten: // while it began
			r.beaten = false
			m.start(r)
		case other != nil:
			m.gives(r, other)
		case t.failed == "" && t.reply == nil:
			// begun is set if the run was begun in this job: an interrupted call has gone on, which no rate may refuse.
			r.again = r.again || r.begun
			m.sessions.reply(r.called.Call, Reply{Keep: r.answer != "" && r.own})
		case t.failed == NoStore && r.answer == "" && r.back.session == "" && !r.uncertain:
			r.unread = true // a handler that asks nothing needs no store; the session hears of the run with a question
			m.sessions.reply(r.called.Call, Reply{})
		case t.failed == NoSession && r.ended != nil: // such as a shutdown
			m.endBegin(r, *r.ended)
		default:
			m.endBegin(r, t.answer())
		}
	}})
}

// waits lets a call wait for the run that has its answer. Another process may have that run, and may be dead: it is
// asked, in the state of the session, whether the run goes on.
//
// The question to the other process is a number in the state: asked. The process answers by told = asked, in a commit
// of its own, when it sees the state. A dead process never does, and after patience its run is replaced if that is
// safe.
func (m *Machine) waits(r *run, t *taken) {
	call := r.called.Call
	m.waiting[call] = r
	m.patience.set(call, m.sessions.clock.elapsed+patience)
	r.probe, r.until = 0, m.sessions.clock.elapsed+longest
	if r.session.run(t.call) != nil {
		return
	}
	m.sessions.do(r.session, &job{watch: true, drop: func() bool { return m.waiting[call] == nil },
		change: func(s *session) {
			if st, t := s.standing(r); st == working {
				t.asked++
				r.probe = t.asked
			}
		}})
}

// look gives the calls that wait what has become of the runs they wait for.
//
// It runs in every step. A session that is busy is left until it is idle, because its queue may change the standing.
func (m *Machine) look() {
	for name := m.patience.due(m.sessions.clock.elapsed); name != ""; name = m.patience.due(m.sessions.clock.elapsed) {
		if r := m.waiting[name]; r != nil {
			r.impatient = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(m.waiting)) {
		r := m.waiting[name]
		s := r.session
		unread := s.machine == nil && !s.fresh
		switch {
		case s.work.await != nothing:
			continue
		case unread && r.impatient: // the store may be away for long
			m.waitsNoMore(r)
			m.endBegin(r, Reply{Failed: NoStore})
			continue
		case unread:
			continue
		}
		st, t := s.standing(r)
		// The other run is in this process, or its process has answered the question.
		there := st == working && (s.run(t.call) != nil || r.probe > 0 && t.told >= r.probe)
		if r.impatient && there && m.sessions.clock.elapsed < r.until {
			m.patience.set(name, r.until)
			r.impatient = false
		}
		if st == working && !r.impatient {
			continue
		}
		m.waitsNoMore(r)
		switch {
		case t == nil && s.machine == nil && r.back.session != "": // its client does not have the call
			m.endBegin(r, Reply{Failed: NoSession})
		case st != working:
			m.start(r)
		case there:
			m.endBegin(r, r.fails(StillRunning))
		// The other run has no answer to act on, or its key keeps this one from acting twice.
		case s.again(t) && (r.own || r.client.Session == ""): // its process is dead
			r.instead = t.call
			m.start(r)
		default:
			m.endBegin(r, r.fails(Unknown))
		}
	}
}

func (m *Machine) waitsNoMore(r *run) {
	delete(m.waiting, r.called.Call)
	m.patience.set(r.called.Call, 0)
	r.impatient = false
}

// tells answers another process that has asked whether a run goes on.
//
// It looks at every state that is loaded. The commit that answers is a job without an event.
func (m *sessions) tells(s *session) {
	for _, t := range s.taken {
		r := s.run(t.call)
		if t.asked == t.told || r == nil || r.over || slices.ContainsFunc(s.work.queue, (*job).tells) {
			continue
		}
		s.work.queue = append(s.work.queue, &job{answers: true, change: func(s *session) {
			if t := s.takenOf(r.called.Call); t != nil {
				t.told = t.asked
			}
		}})
	}
}

func (j *job) tells() bool { return j.answers }

// beaten ends a run that found another one with the same answer when it was to begin.
//
// Two processes may begin a run with the same answer at once. One commit wins. The other run has asked nothing yet, and
// its handler is stopped at its first question.
func (m *Machine) beaten(r *run) {
	var end Reply
	var other *taken
	m.sessions.do(r.session, &job{fresh: true, light: true, skip: func(s *session) (told, bool) {
		switch st, t := s.standing(r); st {
		case spent:
			end = Reply{Failed: NoState}
		case ended:
			other = t
		default:
			end = r.fails(StillRunning)
		}
		return told{}, true
	}, done: func(t told) {
		switch {
		case t.failed != "":
			m.endBegin(r, r.fails(StillRunning))
		case other != nil:
			m.gives(r, other)
		default:
			m.endBegin(r, end)
		}
	}})
}

// gives ends a call with what the run came to that has its answer: a result, or the next question. Without a principal,
// that stays in its session.
//
// A result that was too large or is too old to be kept is gone, and the call gets Unknown. So does a caller that may
// not have it: without a principal, another client may bring a stolen state.
func (m *Machine) gives(r *run, t *taken) {
	switch {
	case !r.own || t.result == nil && t.error == nil:
		m.endBegin(r, r.fails(Unknown))
	case t.body == nil:
		m.endBegin(r, Reply{Result: t.result, Error: t.error})
	default:
		r.over, r.interrupt = true, &asking.Interrupt{Offer: asking.ByRounds, Requests: t.result, Body: t.body,
			Expires: t.sealed - callLife}
		r.session.runs = slices.DeleteFunc(r.session.runs, func(one *run) bool { return one == r })
		m.answerCall(r)
	}
}

// fails answers a call whose answer was taken, and whose result is not there: a model reads a text, and everybody else
// gets an error.
func (r *run) fails(f Failure) Reply {
	reply := Reply{Failed: f}
	if r.called.Method == "tools/call" {
		reply.Result = textResult(r.client.Version, f.text())
		return reply
	}
	o := jsontext.Begin(nil)
	o.Int("code", int64(f.Code()))
	o.Str("message", f.text())
	reply.Error = o.End()
	return reply
}

// keyed gives a handler the key of its call. Before it is used, the session knows that another run may take the place
// of one whose end nobody knows.
//
// The key is derived from a secret of the call by a hash, so it tells nothing of the session's name.
func (m *Machine) keyed(ev Keyed) {
	r := m.calls[ev.Call]
	if no := m.unfit(r); no != nil {
		m.sessions.reply(ev.Ref, *no)
		return
	}
	say := func(t told) {
		reply := t.answer()
		if reply.Failed == "" {
			name := hashed(listed("elicit key", m.sessions.config.Asking.Server, r.called.Key))
			reply.Value = jsontext.AppendString(nil, name)
		}
		r.keyed = reply.Failed == ""
		m.sessions.replyTo(r, ev.Ref, reply)
	}
	if r.keyed || !r.begun && !r.unread { // the session hears of it with the first question
		say(told{})
		return
	}
	m.sessions.do(r.session, &job{run: r, event: asking.Keyed{Call: ev.Call}, change: func(s *session) {
		if t := s.takenOf(ev.Call); t != nil {
			t.keyed = true
		}
	}, done: say})
}
