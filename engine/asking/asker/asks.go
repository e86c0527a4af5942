package asker

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// ask is a question of a handler that waits, or waited.
//
// posed makes it, and tell ends it, once. It is in sessions.asks and in its run as long as it waits.
type ask struct {
	ref      string
	run      *run
	position int
	waits    bool
	refs     []string // of requests that the client has
	until    int64    // when its time is up; 0 before the session has it
}

// run returns the run of a call that this process has.
func (s *session) run(call string) *run {
	if i := slices.IndexFunc(s.runs, func(r *run) bool { return r.called.Call == call }); i >= 0 {
		return s.runs[i]
	}
	return nil
}

// waits returns who waits for a question.
func (s *session) waits(call string, position int) *ask {
	r := s.run(call)
	if r == nil {
		return nil
	}
	if i := slices.IndexFunc(r.asks, func(a *ask) bool { return a.position == position && a.waits }); i >= 0 {
		return r.asks[i]
	}
	return nil
}

// tell ends a wait.
func (m *sessions) tell(a *ask, with Reply) {
	if !a.waits {
		return
	}
	a.waits = false
	delete(m.asks, a.ref)
	for _, ref := range slices.Clone(a.refs) {
		m.cancelSend(ref)
	}
	a.run.asks = slices.DeleteFunc(a.run.asks, func(other *ask) bool { return other == a })
	m.replyTo(a.run, a.ref, with)
}

// replyTo tells the handler of a run something.
//
// denied is remembered for Returned: the handler will end with an error that only says that the store failed.
func (m *sessions) replyTo(r *run, ref string, with Reply) {
	r.denied = r.denied || with.Failed == NoStore || with.Failed == NoJournal
	m.reply(ref, with)
}

// tellAll ends all waits of a run.
func (m *sessions) tellAll(r *run, with Reply) {
	for _, a := range slices.Clone(r.asks) {
		m.tell(a, with)
	}
}

// unfit says why a run can ask nothing, nil if it can.
//
// It is asked before anything of the run changes, also before a position is taken.
func (m *Machine) unfit(r *run) *Reply {
	switch {
	case r == nil || r.over || r.session == nil:
		return &Reply{Failed: NoCall}
	case r.interrupt != nil, r.beaten:
		return &Reply{Failed: Interrupted}
	case m.sessions.over:
		return &Reply{Settle: shutdown()}
	case r.session.failed:
		return &Reply{Failed: NoJournal}
	}
	return r.ended
}

// take takes the next position of a run.
//
// Positions are given in the order of the handler's own calls. So a handler must ask in the same order in each run.
func (r *run) take() (position int, tooMany *Reply) {
	position = r.next
	if r.next++; position >= asking.MaxPositions {
		return position, &Reply{Settle: &asking.Settle{Outcome: elicit.Failed, Cause: elicit.ByRateLimit}}
	}
	return position, nil
}

// posed gives a question to the session.
//
// The position is taken before admit, which may wait for the store: two questions of one handler keep their order.
func (m *Machine) posed(ev Posed) {
	r := m.calls[ev.Call]
	if no := m.unfit(r); no != nil {
		m.sessions.reply(ev.Ref, *no)
		return
	}
	position, _ := r.take() // the machine refuses one too many
	a := &ask{ref: ev.Ref, run: r, position: position, waits: true}
	m.sessions.asks[a.ref], r.asks = a, append(r.asks, a)
	m.sessions.beatLater(r)
	m.admit(r, func(no *Reply) {
		switch {
		case !a.waits: // its handler waits no more
		case no != nil:
			m.sessions.tell(a, *no)
		default:
			m.pose(a, asking.Posed{Call: ev.Call, Position: position, Question: ev.Question})
		}
	})
}

// pose gives a question to its session.
func (m *Machine) pose(a *ask, ev asking.Posed) {
	r, s := a.run, a.run.session
	m.sessions.do(s, &job{run: r, event: ev, lazy: true, done: func(t told) {
		switch {
		case t.failed != "":
			if t.failed == NoStore {
				r.lost = append(r.lost, a.position)
			}
			m.sessions.tell(a, t.answer())
		case s.machine == nil:
		case !s.knows(ev.Call) && r.interrupt == nil: // somebody else ended the call
			m.sessions.tell(a, Reply{Settle: &asking.Settle{Outcome: elicit.Cancelled, Cause: elicit.ByCallEnded}})
		case a.waits:
			// The end of its time is known here too, so the wait ends also if the store is away then.
			_, a.until, _ = s.machine.Open(ev.Call, ev.Position)
			s.machine.Trim()
		}
	}})
}

// givenUp takes a question back whose handler waits no more. An answer in time counts: the person was told so.
//
// The wait ends only with the job. Until then an answer that is on its way still reaches the handler.
func (m *Machine) givenUp(ev GivenUp) {
	a := m.sessions.asks[ev.Ref]
	if a == nil {
		return // its reply is on the way
	}
	s := a.run.session
	m.sessions.do(s, &job{drop: func() bool { return !a.waits }, skip: func(s *session) (told, bool) {
		id, _, open := s.machine.Open(a.run.called.Call, a.position)
		s.first().event = asking.Cancelled{ID: id}
		return told{}, !open
	}, done: func(told) { m.sessions.tell(a, Reply{Failed: GaveUp}) }})
}

// kept takes the next position of a run, and returns the value there.
//
// A first run has no value anywhere, so it needs no state and no commit. Only a run that is made again must look.
func (m *Machine) kept(ev Kept) {
	r := m.calls[ev.Call]
	no := m.unfit(r)
	var position int
	if no == nil {
		position, no = r.take()
	}
	if no != nil {
		m.sessions.reply(ev.Ref, *no)
		return
	}
	if !r.begun && !r.unread && r.called.Answers == nil { // no earlier run, or none that kept a value
		m.sessions.reply(ev.Ref, Reply{Position: position})
		return
	}
	s := r.session
	found := func() Reply {
		value := s.machine.Value(ev.Call, position, ev.Key)
		r.size += len(value)
		return Reply{Value: value, Position: position}
	}
	j := &job{done: func(t told) {
		if t.failed == "" && s.machine != nil {
			m.sessions.reply(ev.Ref, found())
			return
		}
		m.sessions.replyTo(r, ev.Ref, t.answer())
	}}
	if !r.begun {
		j.run = r
	} else {
		j.skip = func(*session) (told, bool) { return told{}, true }
	}
	m.sessions.do(s, j)
}

// computed keeps a value until the session hears of it with the next event of the run.
//
// values are given to the session as events before the next one of the run. A handler that only computes costs no
// commit.
func (m *Machine) computed(ev Computed) {
	r := m.calls[ev.Call]
	if no := m.unfit(r); no != nil {
		m.sessions.reply(ev.Ref, *no)
		return
	}
	if r.size+len(ev.Value) > asking.MaxValues {
		m.sessions.reply(ev.Ref, Reply{Failed: TooLarge})
		return
	}
	r.size += len(ev.Value)
	r.values = append(r.values, asking.Once{Call: ev.Call, Position: ev.Position, Key: ev.Key, Value: ev.Value})
	m.sessions.reply(ev.Ref, Reply{})
}

// responded gives the answer of a client to the session. Nobody else has it, so it waits here while the store is away.
//
// must lets the job be tried again until the store takes it. drop ends that when the question is settled in another
// way.
func (m *Machine) responded(ev Responded) {
	one := m.sessions.sends[ev.Ref]
	if one == nil {
		return // it was taken back
	}
	one.answered = true
	m.sessions.do(one.session, &job{event: asking.Responded{Ref: ev.Ref, Result: ev.Result, Error: ev.Error}, must: true,
		person: true, drop: func() bool { return m.sessions.sends[ev.Ref] == nil }, done: func(t told) {
			if t.failed != NoStore {
				m.sessions.cancelSend(ev.Ref)
			}
		}})
}
