package asker

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/stored"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/seal"
)

// run is one run of a handler.
//
// called makes it, and answerCall or endBegin drop it. home, back, round and answer come from the client's sealed
// state. They are fixed before begin.
type run struct {
	client    Client
	called    asking.Called
	session   *session
	begun     bool // the session knows the run
	uncertain bool // it may know it: the store failed
	unread    bool // the store failed before anybody knew whether the session knows the call
	over      bool
	ended     *Reply // the session is gone
	interrupt *asking.Interrupt
	home      string // the session that the client's state says
	back      round  // what the client brought back
	rounds    bool   // an answer came in the client's state
	reached   bool   // an answer came, or may come, in another way
	keyed     bool   // its handler uses the key of the call
	posing
	brought
}

// posing is what the handler of a run asks and keeps.
type posing struct {
	beat
	next   int // the position of the next question or value
	asks   []*ask
	values []asking.Once // of which the session has not heard
	size   int           // of all values of the run
	lost   []int         // positions of questions that may be open although nobody waits: the store failed
	denied bool          // its handler was told that the store failed
}

// brought is the answer that lets a call run again, and what became of another run that has it.
//
// answer is "" for a call that brings nothing, and the fields below it then count for nothing.
type brought struct {
	again     bool   // the call goes on after it
	resumes   bool   // it came from a model
	answer    string // a digest of it, "" for a call that is not made again
	round     int    // of the state that it came with
	expires   int64  // of that state
	own       bool   // who brings it may have what another run came to
	instead   string // a run whose place this one takes
	beaten    bool   // another run has the answer
	probe     int    // the number of the question to the process of that run
	impatient bool   // it has waited long enough
	until     int64  // when it is told that the other run goes on
}

// called begins a run.
//
// The name of a call must be new. A call of the fallback tool keeps its name when it becomes the call that it resumes,
// which is why Session is an exception.
func (m *Machine) called(ev Called) {
	switch {
	case m.closing != nil:
		m.sessions.reply(ev.Call, Reply{Settle: shutdown()})
		return
	case m.calls[ev.Call] != nil, m.passing[ev.Call] != nil && ev.Session == "":
		m.sessions.reply(ev.Call, Reply{Failed: Refused, Problems: []elicit.Problem{{Code: "call_running"}}})
		return
	}
	ev.Method = cmp.Or(ev.Method, "tools/call")
	if m.passes(ev) {
		m.passOn(ev)
		return
	}
	if string(ev.Arguments) == "null" { // as clients spell a call without arguments
		ev.Arguments = nil
	}
	r := &run{client: ev.Client, called: asking.Called{Call: ev.Call, Method: ev.Method, Target: ev.Target,
		Arguments: ev.Arguments, Structured: ev.Structured, Responses: ev.Responses}}
	r.beat = m.sessions.config.beatOf(ev.Token)
	m.calls[ev.Call] = r
	// A call that is made again replaces it by the key of its first run.
	r.called.Key = m.sessions.clock.name(16)
	if ev.Session != "" {
		r.resumes = true
		r.back.session, r.answer = part(ev.Session)
	}
	if ev.State == "" {
		m.begin(r)
		return
	}
	arguments, problem := r.arguments()
	if problem != nil {
		m.endBegin(r, Reply{Failed: NoState})
		return
	}
	m.sessions.emit(Unseal{ev.Call, ev.State, seal.Expected{Principal: r.client.Principal, Method: r.called.Method,
		Target: r.called.Target, Audience: m.sessions.config.Asking.Server, Arguments: arguments,
		Now: m.sessions.clock.at, Skew: stored.Skew}})
}

// arguments is a digest of the arguments of a call, by which it is known and to which a sealed state is bound. It is
// zero for none, which some clients spell as {}.
//
// The order of members and white space do not count. Clients do not keep them between two requests.
func (r *run) arguments() (sum [32]byte, problem *elicit.Problem) {
	if none, _ := seal.Digest([]byte("{}")); r.called.Arguments != nil {
		if sum, problem = seal.Digest(r.called.Arguments); sum == none {
			sum = [32]byte{}
		}
	}
	return sum, problem
}

func shutdown() *asking.Settle {
	return &asking.Settle{Outcome: elicit.Cancelled, Cause: elicit.ByShutdown}
}

// unsealed reads the state of a call that is made again, once: a state that came back before could let a handler act
// twice.
//
//	a key, a principal, results kept     the session of the key knows which answers came back
//	otherwise, with a store              Redeem: the store knows which states came back
//	otherwise                            this process remembers them, until they expire
func (m *Machine) unsealed(ev Unsealed) {
	r := m.calls[ev.Call]
	if r == nil || r.session != nil {
		return
	}
	back, ok := readRound(ev.Body)
	if ev.Body == nil || !ok {
		m.endBegin(r, Reply{Failed: NoState})
		return
	}
	if r.back.session == "" {
		r.back = back
	}
	r.called.Answers, r.again = back.machine, true
	key, round := asking.Carried(back.machine)
	if key != "" {
		r.called.Key = key
	}
	// The session of the call knows which of its states came back. A seal binds a state to its principal, so that all
	// processes agree on who it is.
	if alone := m.keyName(key); key != "" && r.client.Principal != "" && m.sessions.config.Results >= 0 && !r.resumes &&
		(back.session == "" || back.session == alone) {
		r.home, r.round, r.expires = alone, round, ev.Expires
		r.answer = digestOf(listed("elicit responses"), r.called.Responses)
		m.begin(r)
		return
	}
	if m.sessions.config.Store {
		if until, _ := stored.Redeem(ev.ID, m.sessions.clock.at, ev.Expires); until == 0 {
			m.endBegin(r, Reply{Failed: NoState})
			return
		}
		m.sessions.emit(Redeem{ev.Call, ev.ID, m.sessions.clock.at, ev.Expires})
		return
	}
	// The table has one entry for each state that can still come back. A state lives 15 minutes longer than its question.
	maps.DeleteFunc(m.redeemed, func(_ string, until int64) bool { return until < m.sessions.clock.at })
	_, again := m.redeemed[ev.ID]
	m.redeemed[ev.ID] = ev.Expires + stored.Skew
	m.wasRedeemed(Redeemed{ev.Call, again})
}

func (m *Machine) wasRedeemed(ev Redeemed) {
	r := m.calls[ev.Call]
	switch {
	case r == nil || r.session != nil:
	case ev.Again:
		m.endBegin(r, Reply{Failed: NoState})
	default:
		m.begin(r)
	}
}

// endBegin ends a run that could not begin.
func (m *Machine) endBegin(r *run, why Reply) {
	if r == nil {
		return
	}
	delete(m.calls, r.called.Call)
	if s := r.session; s != nil {
		s.runs = slices.DeleteFunc(s.runs, func(one *run) bool { return one == r })
		defer m.sessions.letGo(s)
	}
	m.sessions.reply(r.called.Call, why)
}

// begin finds the session of a call, or opens one. The session hears of the run with its first question: a handler that
// never asks costs no commit. A call that was interrupted before is known to it, and must end there whatever the
// handler does.
//
//	home, back.session      from the client's sealed state
//	the client's session    by a hash of the transport's name
//	returns                 by principal, target and arguments, because no state comes back
//	answers without these   a new name: nothing here knows the call
//	else                    by a hash of the key of the call
func (m *Machine) begin(r *run) {
	var name string
	known := true // somebody may have opened the session
	switch c := r.client; {
	case r.home != "":
		name = r.home
	case r.back.session != "":
		name = r.back.session
	case c.Session != "":
		name = m.sessionName(c.Session)
	case c.returns():
		name = m.callName(r)
	case r.called.Answers != nil: // of nobody: a store knows the states that came back
		name, known = m.sessions.clock.name(16), false
	default:
		name, known = m.keyName(r.called.Key), false
	}
	r.own = r.client.Principal != "" || r.client.Session != "" && name == m.sessionName(r.client.Session)
	s := m.sessions.byName[name]
	switch {
	case s == nil:
		s = &session{name: name, fresh: !m.sessions.config.Store || !known, client: r.client.saved()}
		m.sessions.byName[name] = s
	// The session was opened here by a link or an id, before any client. Its state has the client, or there is none yet.
	case s.client.Version == "":
		s.client = r.client.saved()
	case s.client.Principal != r.client.Principal: // a session's id is no proof of who calls
		m.endBegin(r, Reply{Failed: NotYours})
		return
	}
	s.once = r.client.Session == "" || name != m.sessionName(r.client.Session) // which nobody would close here
	r.session, s.runs = s, append(s.runs, r)
	// Nothing can be known of the call, so the handler runs at once.
	if s.fresh && r.back.session == "" && r.answer == "" {
		m.sessions.reply(r.called.Call, Reply{})
		return
	}
	m.start(r)
}

// returned ends a run. A question must not stay open when nobody waits for it, so the session hears of the end until
// the store takes it.
//
// The event for the session is chosen in skip, when the jobs of the run's questions are done:
//
//	interrupted                        Returned: the call waits for its client
//	not begun, or cancelled            Cancelled: its questions end, and no handler hears of it
//	no result, and it may run again    Lost: another run may take its place
//	else                               Returned: the call is over
func (m *Machine) returned(ev Returned) {
	r := m.calls[ev.Call]
	if r == nil || r.over || r.session == nil {
		m.sessions.reply(ev.Call, Reply{Failed: NoCall})
		return
	}
	// Nothing may follow the response of a call, and a notification of it is on its way.
	if r.sending {
		r.beat.held = &ev
		return
	}
	r.over = true
	m.sessions.beats.set(ev.Call, 0)
	if r.denied { // the error may tell of the store, which will be there when the call is made again
		ev.Error = nil
	}
	s := r.session
	if r.beaten {
		m.beaten(r)
		return
	}
	if m.closing != nil {
		delete(m.calls, ev.Call)
		m.answerCall(r)
		return
	}
	replaced := false
	m.sessions.do(s, &job{must: true, lazy: true, change: func(s *session) {
		_, other := s.standing(r)
		replaced = r.begun && r.interrupt == nil && other != nil && other.call != ev.Call
		s.end(r, ev, m.sessions.clock.at, m.sessions.config.lived(), m.sessions.room())
	}, skip: func(s *session) (told, bool) {
		// The jobs before this one may have told the session of the run, or have interrupted it.
		s.first().event = asking.Returned{Call: ev.Call}
		if r.interrupt == nil && (ev.Cancelled || !r.begun) {
			s.first().event = asking.Cancelled{Call: ev.Call}
		}
		if t := s.takenOf(ev.Call); r.interrupt == nil && t != nil && ev.Result == nil && ev.Error == nil &&
			(t.keyed || r.denied && s.lacks(ev.Call)) {
			s.first().event = asking.Lost{Call: ev.Call} // another run gets a result
		}
		s.first().last = r.carried()
		return told{}, false
	}, drop: func() bool { return !r.begun && !r.uncertain }, done: func(t told) {
		if !slices.Contains(s.runs, r) {
			return // it was tried again
		}
		m.sessions.tellAll(r, Reply{Settle: &asking.Settle{Outcome: elicit.Cancelled, Cause: elicit.ByCallEnded}})
		if replaced { // its end is that of the other run
			m.beaten(r)
			return
		}
		delete(m.calls, ev.Call)
		s.runs = slices.DeleteFunc(s.runs, func(one *run) bool { return one == r })
		if t.failed == NoJournal && r.interrupt != nil { // no question leaves that the journal does not have
			m.sessions.reply(ev.Call, Reply{Failed: NoJournal, Why: t.why})
			return
		}
		m.answerCall(r)
	}})
}

// carried reports whether nobody will name the session of a call later: its client has everything in its state.
//
// If so, the store need not keep the session: no link, no id and no request leads to it.
func (r *run) carried() bool {
	if r.interrupt != nil {
		return !r.interrupt.Keep
	}
	return r.rounds && !r.reached
}

// answerCall says what a call is answered with.
//
//	not interrupted        the handler's own result
//	by a text or -32042    the result or error of the interrupt
//	by rounds              the state is sealed first
func (m *Machine) answerCall(r *run) {
	i := r.interrupt
	if i != nil && r.begun && r.again && r.client.Principal != "" { // nobody asked the allowance for this question
		a := m.allowance(m.rateName(r.client.Principal))
		a.level = max(a.level-wholeQuestion, -m.rates.burst*wholeQuestion)
	}
	switch {
	case i == nil:
		m.sessions.reply(r.called.Call, Reply{})
	case i.Offer != asking.ByRounds:
		m.sessions.reply(r.called.Call, Reply{Result: i.Result, Error: i.Error})
	default:
		state := round{machine: i.Body}
		if i.Keep {
			state.session = r.session.name
		}
		arguments, problem := r.arguments()
		if problem != nil {
			m.sessions.reply(r.called.Call, Reply{Failed: NoSeal, Why: errors.New(english.Problem(*problem))})
			return
		}
		m.calls[r.called.Call] = r
		random := m.sessions.clock.draw()
		// An answer that comes a little late is told so by the session, and not refused as a forged state.
		m.sessions.emit(Seal{r.called.Call, random, seal.Claims{ID: seal.ID(random, seal.State, 0),
			Principal: r.client.Principal, Method: r.called.Method, Target: r.called.Target,
			Audience: m.sessions.config.Asking.Server, Arguments: arguments, IssuedAt: m.sessions.clock.at,
			ExpiresAt: i.Expires + callLife, Body: state.append()}})
	}
}

// sealed answers a call with its sealed state.
func (m *Machine) sealed(ev Sealed) {
	r := m.calls[ev.Call]
	if r == nil || r.interrupt == nil || !r.over {
		return
	}
	delete(m.calls, ev.Call)
	if ev.State == "" {
		m.sessions.reply(ev.Call, Reply{Failed: NoSeal, Why: ev.Why})
		return
	}
	m.sessions.reply(ev.Call, Reply{Result: asking.InputRequired(r.interrupt.Requests, ev.State)})
}

func (m *sessions) reply(to string, r Reply) {
	r.To = to
	m.emit(r)
}

// answer says what came of a job.
//
// A told without anything is a plain success. Problems of a step without a failure are a refusal.
func (t told) answer() Reply {
	if t.reply != nil {
		return *t.reply
	}
	r := Reply{Failed: t.failed, Why: t.why, Problems: t.problems, Open: t.open, Resume: t.resume}
	if r.Failed == "" && r.Resume == nil && len(r.Problems) > 0 {
		r.Failed = Refused
	}
	return r
}
