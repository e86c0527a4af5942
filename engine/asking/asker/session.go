package asker

import (
	"math"
	"slices"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// session is one client with its machine. With a store, the machine is the state of the last commit that this process
// knows, and nil when it must be loaded.
type session struct {
	name     string
	once     bool // it is forgotten once nothing of it is open here
	client   client
	machine  *asking.Machine
	fresh    bool // it has no machine yet, here or in the store
	failed   bool // the journal failed: nothing is decided any more
	at       atRest
	runs     []*run
	work     work
	watch    watch
	taken    []*taken // answers that let calls run again
	held     int      // bytes of their results
	consults int      // that guardians have not answered here, since the session was loaded
}

// atRest is what is known of a session in the store.
type atRest struct {
	version uint64
	commits []string        // the last, by name
	carried []asking.Effect // of loading, for the next commit
}

// work is what a session has to do.
type work struct {
	busy   bool   // it is at work in this step
	await  await  // what it waits for
	queue  []*job // the first is at work
	later  []*job // that the store could not take, for after the pause
	held   []*job // that wait until guardians have spoken
	unseen bool   // a state was loaded that the runs here have not seen
	pause  int64  // the last one
	heard  uint64 // a version that somebody else may have committed; unknown for any
}

// unknown stands for a version that nobody has named.
const unknown = math.MaxUint64

// await is an effect whose result a session waits for.
type await uint8

const (
	nothing await = iota
	aLoad
	aCommit
	aWatch
	anAppend
)

// watch says whether the store tells of commits to a session.
type watch uint8

const (
	unwatched watch = iota
	beginning
	watching
	broken // it begins again after a pause
)

// job is one event for a session, and who hears what came of it.
type job struct {
	run     *run                                 // an event of a run: it opens the session if need be. nil for all others
	event   asking.Event                         // nil to begin the run alone
	done    func(t told)                         // hears it once
	last    bool                                 // nobody names the session after it, if that is of a single call
	must    bool                                 // it is tried until the store takes it
	drop    func() bool                          // whether nobody needs the job any more; may be nil
	fresh   bool                                 // it needs what others may have committed
	skip    func(s *session) (t told, skip bool) // looks before the step, and may be all that is needed; may be nil
	change  func(s *session)                     // changes what the session has taken, with the step; may be nil
	watch   bool                                 // it waits for what others commit
	light   bool                                 // it needs no machine
	person  bool                                 // it needs a question that is before the person
	answers bool                                 // it tells another process that a run goes on
	looks   bool                                 // it commits what loading has decided, for those who wait here
	lazy    bool                                 // a power cut, which ends the call too, may undo it
	tries
}

// tries are the commits of a job.
type tries struct {
	all       []try
	conflicts int
	uncertain error // why the last one failed, for people
}

// try is a step that is being committed.
type try struct {
	name    string
	effects []asking.Effect
	refused []elicit.Problem // the machine does not take the run, and says why
	over    bool             // the machine is closed
	light   bool             // nothing is open, and the machine is not kept
	lazy    bool             // a power cut may undo it
}

// told is what came of a job.
type told struct {
	failed   Failure
	why      error
	away     bool // the store cannot be reached
	problems []elicit.Problem
	open     bool // the question that the problems are about is still open
	unused   bool // what a guardian said
	resume   *asking.Resume
	reply    *Reply // it is all that is to be said
}

// do gives a session a job.
func (m *sessions) do(s *session, j *job) {
	s.work.queue = append(s.work.queue, j)
	m.pump(s)
}

// pump lets a session work until it must wait.
func (m *sessions) pump(s *session) {
	if s.work.busy {
		return
	}
	s.work.busy = true
	for m.see(s); s.work.await == nothing; m.see(s) {
		if !s.inReview() {
			s.work.queue, s.work.held = append(s.work.queue, s.work.held...), nil
		}
		if len(s.work.queue) == 0 {
			break
		}
		m.advance(s, s.work.queue[0])
	}
	if s.work.await == nothing && s.work.heard > s.at.version && len(s.runs) > 0 && m.config.Store && !s.fresh &&
		m.pauses.at[s.name] == 0 { // at its end it is loaded anyway, and a store that is away may take long to say so
		m.load(s)
	}
	s.work.busy = false
	m.letGo(s)
}

// advance does the next thing that a job needs.
func (m *sessions) advance(s *session, j *job) {
	switch stored := m.config.Store; {
	case s.failed:
		m.end(s, j, told{failed: NoJournal})
	case j.drop != nil && j.drop():
		m.end(s, j, told{failed: NoCall})
	case stored && (j.run != nil && j.skip == nil || j.watch) && s.watch == unwatched: // first, so that no hint is lost
		s.watch, s.work.await = beginning, aWatch
		m.emit(Watch{s.name})
	case stored && !s.fresh && (s.machine == nil || j.fresh):
		j.fresh = false
		m.load(s)
	case j.counted(s.at.commits) != nil:
		m.finish(s, j, *j.counted(s.at.commits))
	case j.run != nil && s.client.Version != "" && s.client.Principal != j.run.client.Principal:
		m.end(s, j, told{failed: NotYours})
	case s.fresh && j.ticks():
		m.lighten(s, j)
	case s.fresh && (j.run == nil && !j.light || j.run != nil && j.run.ended != nil):
		m.end(s, j, told{failed: NoSession})
	case j.person && !m.over && s.inReview():
		s.work.pop()
		s.work.held = append(s.work.held, j)
		if slices.ContainsFunc(s.at.carried, isConsult) { // they are asked when the store knows it
			s.work.queue = slices.Insert(s.work.queue, 0, &job{event: event.Ticked{}})
		}
	case j.skip != nil:
		t, skip := j.skip(s)
		if j.skip = nil; skip {
			m.end(s, j, t)
		}
	case j.run != nil && !j.run.begun && j.run.late(s):
		j.run.beaten = true
		m.end(s, j, told{failed: Interrupted})
	default:
		m.step(s, j)
	}
}

// inReview reports whether guardians have a question that a person has seen. The state of a session holds none of their
// verdicts, so they review each open question again when it is loaded.
func (s *session) inReview() bool {
	return s.machine != nil && s.machine.InReview() && (s.consults > 0 || slices.ContainsFunc(s.at.carried, isConsult))
}

func isConsult(next asking.Effect) bool {
	_, is := next.(effect.Consult)
	return is
}

// late reports whether another run has the answer that a run was to begin with.
func (r *run) late(s *session) bool {
	st, _ := s.standing(r)
	return st != free
}

func (j *job) ticks() bool { return j.event == asking.Event(event.Ticked{}) }

// lighten forgets what is too old in a session in which nothing is open.
func (m *sessions) lighten(s *session, j *job) {
	s.prune(m.clock.at)
	t := try{name: m.clock.name(8), light: true, over: len(s.taken) == 0}
	if !m.config.Store || s.at.version == 0 {
		m.finish(s, j, t)
		return
	}
	j.all = append(j.all, t)
	m.commit(s, t)
}

// counted returns the try that a state comes after.
func (j *job) counted(commits []string) *try {
	for i := range j.all {
		if slices.Contains(commits, j.all[i].name) {
			return &j.all[i]
		}
	}
	return nil
}

// end ends a job without a step of the machine.
func (m *sessions) end(s *session, j *job, t told) {
	s.work.pop()
	if t.failed == NoStore && j.run != nil && !j.run.begun && len(j.all) > 0 {
		j.run.uncertain = true
	}
	if j.done != nil {
		j.done(t)
	}
	if t.failed != NoStore || m.over {
		return
	}
	m.overdue(s, t.why)
	if j.must || j.ticks() && j.done == nil && len(s.runs) > 0 {
		s.work.later = append(s.work.later, j)
		m.pause(s)
	}
}

// step steps the machine of a session.
func (m *sessions) step(s *session, j *job) {
	if s.fresh {
		machine, effects, problems := asking.New(m.asking(s.name, s.client), m.input(nil))
		if len(problems) > 0 {
			m.end(s, j, told{failed: Refused, problems: problems})
			return
		}
		s.machine, s.at.carried, s.fresh = machine, effects, false
	}
	t := try{name: m.clock.name(8), effects: s.at.carried, lazy: j.lazy}
	s.at.carried = nil
	for _, one := range j.events(s) {
		effects := s.machine.Step(m.input(one))
		t.effects = append(t.effects, effects...)
		if _, called := one.(asking.Called); called && !s.knows(j.run.called.Call) {
			t.refused = refusal(effects)
			break
		}
	}
	if j.run != nil && !j.run.begun && j.run.answer != "" && t.refused == nil {
		s.take(j.run, m.clock.at, max(m.config.lived(), 0))
		t.lazy = false
	}
	if j.change != nil {
		j.change(s)
	}
	s.prune(m.clock.at)
	t.light = j.last && s.client.Once && s.machine.Idle()
	t.over = s.machine.Over() || t.light && len(s.taken) == 0
	switch {
	case !m.config.Store || t.over && s.at.version == 0: // nothing of it was stored
		m.finish(s, j, t)
	case s.carries(t): // the end of the run decides whether something of it is stored
		t.effects, s.at.carried = split(t.effects)
		m.finish(s, j, t)
	default:
		j.all = append(j.all, t)
		m.commit(s, t)
	}
}

// carries reports whether a step gives the client of a single call all there is, in the state of its result. The store
// does not know the session then, and nobody else can.
func (s *session) carries(t try) bool {
	return s.client.Once && s.at.version == 0 && len(s.taken) == 0 && t.lazy && t.refused == nil &&
		slices.ContainsFunc(t.effects, func(next asking.Effect) bool { _, is := next.(asking.Interrupt); return is }) &&
		!slices.ContainsFunc(t.effects, leaves)
}

// split takes the records out of the effects of a step, for the next one.
func split(effects []asking.Effect) (now, later []asking.Effect) {
	for _, next := range effects {
		if _, is := next.(effect.Append); is {
			later = append(later, next)
		} else {
			now = append(now, next)
		}
	}
	return now, later
}

func (m *sessions) input(ev asking.Event) asking.Input {
	return asking.Input{At: m.clock.at, Random: m.clock.draw(), Event: ev}
}

// events is what the machine hears of with a job: first that its run has begun, which questions nobody waits for, and
// the values that the handler has computed.
func (j *job) events(s *session) (all []asking.Event) {
	if j.run != nil {
		if !j.run.begun && !s.knows(j.run.called.Call) {
			if s.works(j.run.instead) {
				all = append(all, asking.Lost{Call: j.run.instead})
			}
			if all = append(all, j.run.called); j.run.keyed {
				all = append(all, asking.Keyed{Call: j.run.called.Call})
			}
		}
		for _, position := range j.run.lost {
			if id, _, open := s.machine.Open(j.run.called.Call, position); open {
				all = append(all, asking.Cancelled{ID: id})
			}
		}
		for _, value := range j.run.values {
			all = append(all, value)
		}
	}
	if j.event != nil {
		all = append(all, j.event)
	}
	return all
}

// refusal says why the machine does not take a call.
func refusal(effects []asking.Effect) []elicit.Problem {
	for _, next := range effects {
		if ef, is := next.(effect.Problem); is && ef.About == effect.AboutHost {
			return ef.Problems
		}
	}
	return []elicit.Problem{{Code: "session_closed"}}
}

// tickSession lets time pass for a session. Every step does it first.
func (m *sessions) tickSession(s *session) {
	if s != nil && (s.machine != nil || len(s.taken) > 0) && !s.work.has((*job).ticks) {
		m.do(s, &job{event: event.Ticked{}})
	}
}

// gone ends the runs of a session that is no more: it was closed, here or elsewhere, or its time was up. A later
// question of another run opens it again.
func (m *sessions) gone(s *session) {
	s.machine, s.fresh, s.at, s.taken = nil, true, atRest{}, nil
	m.hold(s)
	end := Reply{Settle: &asking.Settle{Outcome: elicit.Cancelled, Cause: elicit.BySessionClosed}}
	for _, r := range s.runs {
		if r.begun {
			r.ended = &end
			m.tellAll(r, end)
		}
	}
	m.ticks.set(s.name, 0)
}

// letGo forgets a session when nothing of it is here.
func (m *sessions) letGo(s *session) {
	w := &s.work
	if len(s.runs)+len(w.queue)+len(w.held)+len(w.later) > 0 || w.await != nothing {
		return
	}
	if s.watch != unwatched {
		m.emit(Unwatch{s.name})
		s.watch = unwatched
	}
	here := s.machine != nil && !(s.once && (m.config.Store || s.machine.Next() == 0)) ||
		s.machine != nil && s.consults > 0 && !s.machine.Idle() || // guardians answer this process
		len(s.taken) > 0 && !m.config.Store // nobody else knows of it
	if m.byName[s.name] != s || here && !m.over && !s.failed {
		return
	}
	delete(m.byName, s.name)
	m.ticks.set(s.name, 0)
	m.pauses.set(s.name, 0)
}
