package asker

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
)

// finish lets the effects of a step happen, which the store has now. Records of the host's own journal come first.
//
// Without a store, it is called at once after the step, and every step counts.
func (m *sessions) finish(s *session, j *job, t try) {
	var records [][]byte
	for _, next := range t.effects {
		if ef, is := next.(effect.Append); is && m.config.Journal {
			records = append(records, ef.Record)
		}
	}
	j.all = []try{t}
	if len(records) == 0 {
		m.deliver(s, j)
		return
	}
	s.work.await = anAppend
	m.emit(Append{s.name, records})
}

// appended goes on when the records are durable. Otherwise nothing that follows from them happens: every wait of the
// session fails, and so does every later one.
//
// The store has the step already. So the session here stops, and other processes go on with what the store has.
func (m *sessions) appended(s *session, why error) {
	if s == nil || s.work.await != anAppend {
		return
	}
	s.work.await = nothing
	j := s.first()
	if why == nil {
		m.deliver(s, j)
	} else {
		s.failed = true
		for _, r := range s.runs {
			m.tellAll(r, Reply{Failed: NoJournal, Why: why})
		}
		m.ticks.set(s.name, 0)
		m.end(s, j, told{failed: NoJournal, why: why})
	}
	m.pump(s)
}

// deliver performs the effects of a job.
//
// The job leaves the queue first: done may give the session another job.
func (m *sessions) deliver(s *session, j *job) {
	t := j.all[0]
	s.work.pop()
	told := m.perform(s, t.effects)
	if t.refused != nil {
		told.failed, told.problems = Refused, t.refused
	} else if j.run != nil {
		j.run.begun, j.run.values, j.run.lost = true, nil, nil
		if l := s.call(j.run.called.Call); l.Key != "" {
			j.run.called.Key = l.Key
		}
	}
	switch {
	case t.over:
		m.gone(s)
	case s.machine == nil, t.light && s.machine.Idle(): // another process may have gone on meanwhile
		s.machine, s.fresh = nil, true
		m.ticks.set(s.name, m.kept(s))
	default:
		m.ticks.set(s.name, sooner(s.machine.Next(), m.kept(s)))
	}
	m.hold(s)
	if j.done != nil {
		j.done(told)
	}
}

// kept is when this process forgets what a session has taken. With a store, that forgets it.
func (m *sessions) kept(s *session) int64 {
	if m.config.Store {
		return 0
	}
	at := sooner(s.until(), s.due(s.until()))
	if at <= m.clock.at { // a run goes on for longer; its end sets another moment
		return 0
	}
	return at
}

// perform lets the effects of a step, or of a look, reach those who wait for them here.
//
// A Settle without a wait here is for another process, which hears of it by its own look.
func (m *sessions) perform(s *session, effects []asking.Effect) (t told) {
	for _, next := range effects {
		switch ef := next.(type) {
		case asking.Send:
			m.send(s, ef)
		case asking.CancelSent:
			m.cancelSend(ef.Ref)
		case asking.Page:
			ef.Link, ef.For = s.name+separator+ef.Link, s.answers(ef)
			m.emit(Opened{ef})
		case asking.Interrupt:
			m.interrupt(s, ef)
		case asking.Settle:
			if a := s.waits(ef.Call, ef.Position); a != nil {
				// rounds and reached decide in carried whether anybody can name the session later.
				inState := ef.Offer == asking.ByRounds && !ef.Page
				a.run.rounds, a.run.reached = a.run.rounds || inState, a.run.reached || !inState && ef.Offer != ""
				m.tell(a, Reply{Settle: &ef, Notice: notice(ef)})
			}
		case asking.Resume:
			t.resume = &ef
		case effect.Problem:
			t.unused = t.unused || ef.About == effect.AboutGuardian
			t.problems, t.open = ef.Problems, ef.About == effect.AboutAnswer && s.machine != nil && s.machine.IsOpen(ef.ID)
		case effect.Consult:
			s.consults++
			m.emit(Consult{s.name, ef})
		}
	}
	return t
}

// notice tells the client that a page is finished. The process does it whose handler waits for the page, whichever took
// the answer: its call is the connection to the client.
func notice(of asking.Settle) *asking.Notify {
	if of.Completed == "" {
		return nil
	}
	n := asking.CompleteNotice(of.Call, of.Completed)
	return &n
}

// sending is a request that the client has.
type sending struct {
	session  *session
	ask      *ask
	answered bool
}

// send gives a request to the wait that it is for. There may be none: it is sent already, another process has the
// answer, or nobody waits.
func (m *sessions) send(s *session, ef asking.Send) {
	a := s.waits(ef.Call, ef.Position)
	if a == nil || m.sends[ef.Ref] != nil || s.machine == nil || !s.machine.WaitsFor(ef.Ref) {
		return
	}
	m.sends[ef.Ref] = &sending{session: s, ask: a}
	a.refs = append(a.refs, ef.Ref)
	m.emit(Send{ef.Ref, a.ref, ef.Method, ef.Params, s.visit(a)})
}

// cancelSend takes a request back that this process has sent, unless the client has answered.
func (m *sessions) cancelSend(ref string) {
	if one := m.sends[ref]; one != nil {
		delete(m.sends, ref)
		one.ask.refs = slices.DeleteFunc(one.ask.refs, func(other string) bool { return other == ref })
		if !one.answered {
			m.emit(CancelSent{ref})
		}
	}
}

// interrupt ends the run of a call: its waits end.
func (m *sessions) interrupt(s *session, ef asking.Interrupt) {
	if r := s.run(ef.Call); r != nil {
		r.interrupt = &ef
		for _, a := range slices.Clone(r.asks) {
			m.tell(a, Reply{Failed: Interrupted, Visit: s.visit(a)})
		}
	}
}

// visit is the id by which the end of a flow behind a URL finds the question that waits for it, in any process.
func (s *session) visit(of *ask) string {
	if s.machine == nil {
		return ""
	}
	if link := s.machine.Link(of.run.called.Call, of.position); link != "" {
		return s.name + separator + link
	}
	return ""
}

// see performs for the runs here what a state says that was loaded. What a job of this process has committed comes
// first: its records must be in the host's journal before its effects leave.
func (m *sessions) see(s *session) {
	if j := s.first(); !s.work.unseen || s.work.await != nothing || j != nil && j.counted(s.at.commits) != nil {
		return
	}
	if s.work.unseen = false; s.machine != nil {
		m.look(s)
	}
}

// look performs for the runs here what other processes have decided.
//
// It tells the machine what this process believes, and performs the difference. A run that nobody has begun in the
// session would count as ended there, so it is left out.
func (m *sessions) look(s *session) {
	var l asking.Look
	for _, r := range s.runs {
		call := r.called.Call
		if !r.begun && !s.knows(call) { // nobody else knows it yet
			continue
		}
		if r.interrupt == nil {
			l.Calls = append(l.Calls, call)
		}
		for _, a := range r.asks {
			l.Waits = append(l.Waits, asking.Wait{Call: call, Position: a.position})
			l.Refs = append(l.Refs, a.refs...)
		}
	}
	m.perform(s, s.machine.Look(l))
}
