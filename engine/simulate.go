package engine

import (
	"bytes"
	"iter"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/journal"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// Decided is one past question that came before policy: what was decided then, and what another policy decides now.
type Decided struct {
	Record  int64 // number of the journal record that brought the question
	At      int64 // milliseconds since 1970, as recorded
	Request elicit.Request
	Kind    elicit.Kind
	Then    policy.Decision // as recorded
	Now     policy.Decision // what the other policy says

	Findings []elicit.Finding // of the inspection; no part of AppendJSON
}

// Changed reports that the other policy decides otherwise.
func (d *Decided) Changed() bool { return d.Now.Outcome != d.Then.Outcome }

// AppendJSON appends {"record","at","session","id","server","tool"?,"mode","kind","message","url"?,"then","now"}; then
// and now are {"outcome","by","reasons"}.
func (d *Decided) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Int("record", d.Record)
	o.Int("at", d.At)
	o.Strs("session", d.Request.Session, "id", string(d.Request.ID), "server", d.Request.Server)
	o.OptStr("tool", d.Request.Tool)
	o.Strs("mode", string(d.Request.Mode), "kind", string(d.Kind), "message", d.Request.Message)
	o.OptStr("url", d.Request.URL)
	o.Name("then", d.Then.AppendJSON)
	o.Name("now", d.Now.AppendJSON)
	return o.End()
}

// Simulated counts what a simulation went through.
type Simulated struct {
	Records int // read
	Asked   int // questions among them
	Decided int // questions that came before policy; the others were refused earlier, whatever the policy
	Changed int // decided otherwise
	Head    journal.Head
	Problem *elicit.Problem // what ended the reading early (a broken chain, an unreadable event), or nil
}

// Simulate lets another stack of policies decide every question of a journal again and calls each for every one, in
// order, changed or not. Only policy is exchanged: who was connected, which schemas could be read and what inspection
// found is as under the recorded configuration. The recorded outcome counts as the old decision, also where this engine
// would read the old policy differently.
//
// The chain is verified on the way; unlike Replay, effects are not made again.
func Simulate(records []byte, other policy.Stack, each func(*Decided)) Simulated {
	return SimulateLines(bytes.Lines(records), other, each)
}

// SimulateLines is Simulate for a journal that is read line by line, each with its newline.
func SimulateLines(lines iter.Seq[[]byte], other policy.Stack, each func(*Decided)) Simulated {
	sim := simulation{other: other, each: each, forms: map[string]*readForm{}, shown: map[elicit.ID]*shownQuestion{},
		deeds: map[elicit.ID]*elicit.Request{}}
	sim.beginAnew()
	var chain journal.Chain
	for line := range lines {
		before := chain.Head()
		rec, ok := chain.Next(line)
		if !ok {
			sim.out.Problem = chain.Problem()
			break
		}
		if sim.readRecord(rec, before); sim.out.Problem != nil {
			break
		}
		sim.out.Records++
		sim.out.Head = chain.Head()
	}
	return sim.out
}

// simulation is one walk through a journal. It follows the recorded configuration, the open sessions, and what an
// engine remembers beyond them. It steps no engine, so a journal of a year takes seconds: only events that a decision
// looks at are read in full. The price is that it must follow by hand what an engine remembers: sessions, names of
// servers, visited hosts, labels, haste, the clock and the ids. TestSimulateAgreesWithARun compares both.
type simulation struct {
	other    policy.Stack
	each     func(*Decided)
	reader   strict.Reader
	out      Simulated
	config   config
	ids      recorder // makes no records; questions get the ids that are on record
	wall     int64
	sessions sessions
	forms    map[string]*readForm
	// The next four follow haste and labels. They stay empty when no policy looks at those.
	shown        map[elicit.ID]*shownQuestion
	deeds        map[elicit.ID]*elicit.Request // that wait, if a policy looks at labels
	hasteAt      int64                         // the time that answers are measured by
	afterFlooded bool                          // the record before was a flooded event, which leaves ids as they were
}

// beginAnew forgets what was followed so far, except the chain.
func (s *simulation) beginAnew() {
	s.config, s.sessions = defaultConfig(), newSessions(nil)
	clear(s.forms)
	clear(s.shown)
	clear(s.deeds)
}

// readForm is a schema once it has been read; form is nil where it could not be.
type readForm struct {
	form  *schema.Form
	facts formFacts
}

// noForm is the form of URL mode.
var noForm = &readForm{facts: factsOf(nil)}

// maxForms bounds the memory that schemas read before may take.
const maxForms = 1024

// opensURL is in the effects of every answer that sent a person to a page.
var opensURL = []byte(`{"effect":"open_url",`)

// undecided events change nothing that a decision looks at. Any other spelling of them is read like every event.
var undecided = [][]byte{[]byte(`{"event":"answered",`), []byte(`{"event":"ticked"}`), []byte(`{"event":"completed",`),
	[]byte(`{"event":"cancelled",`)}

// readRecord follows one record. It reads no more of it than a decision looks at, because most records of a long
// journal change nothing for policy. The chain has been verified, so the bytes are those that an engine wrote.
func (s *simulation) readRecord(rec journal.Record, before journal.Head) {
	if !s.afterFlooded {
		s.ids.flood.anchor, s.ids.flood.since = before.Hash, 0
	}
	s.afterFlooded = false
	s.followHaste(rec)
	defer s.followDeeds(rec.Effects)
	for _, prefix := range undecided {
		if bytes.HasPrefix(rec.Event, prefix) && !bytes.Contains(rec.Effects, opensURL) {
			return
		}
	}
	kept, problem := readKept(&s.reader, rec)
	if kept == nil {
		s.out.Problem = problem
		return
	}
	// As clock.read does: with a time of its own for deadlines, the wall clock may go back.
	if s.wall = min(max(s.wall, rec.At), lastMoment); rec.Now != 0 {
		s.wall = min(max(rec.At, 0), lastMoment)
	}
	switch ev := kept.(type) {
	case begunEvent:
		s.beginAnew()
		s.wall = min(max(rec.At, 0), lastMoment)
		s.hasteAt = s.wall
	case event.Configured:
		if ev.Refused != "" {
			break
		}
		// The recorded configuration is followed for schemas, names of servers and the old policy. Its problems are in
		// the record.
		if replaced, _ := s.config.configure(ev.Config, hasEarlierNames(rec), 0); replaced {
			s.sessions.reconfigured(&s.config)
		}
		clear(s.forms)
	case event.Opened:
		if !hasProblem(rec.Effects) {
			s.sessions.byName.Set(ev.Session, newSession(ev))
			s.sessions.servers.add(ev.Principal, ev.Server)
		}
	case event.Resumed:
		if opened, ok := openedInState(ev.State); ok && !hasProblem(rec.Effects) {
			state := gjson.ParseBytes(ev.State)
			r := strict.Of(state)
			opened.Labels = r.Strs("labels")
			s.sessions.byName.Set(opened.Session, newSession(opened))
			s.resumeHaste(s.sessions.byName.At(opened.Session), state)
			s.resumeDeeds(state)
			s.sessions.recall(&opened, readHosts(&r, "visited"), readKnownServers(&r, "servers"))
		}
	case keptAnswered:
		if causeOf(ev.Via) == elicit.ByUser {
			s.rememberVisits(rec.Effects)
		}
	case event.Closed:
		s.sessions.byName.Delete(ev.Session)
	case floodedEvent:
		s.afterFlooded = true
		s.ids.flood.since += ev.count
	case keptAsked:
		s.out.Asked++
		s.question(rec, ev.Asked, s.ids.mint(rec.Random))
	}
}

// await remembers a deed that a person or a policy may accept, if the other policy looks at labels.
func (s *simulation) await(r *elicit.Request) {
	if s.other.LooksAtLabels() {
		s.deeds[r.ID] = r
	}
}

// resumeDeeds awaits the deeds of a saved session.
func (s *simulation) resumeDeeds(state gjson.Result) {
	state.Get("open").ForEach(func(_, item gjson.Result) bool {
		ev, _ := event.Read([]byte(item.Get("asked").Raw))
		if asked, ok := ev.(event.Asked); ok {
			asked.ID = elicit.ID(item.Get("id").String())
			s.await(&asked.Request)
		}
		return true
	})
}

// followDeeds adds the labels of the deeds that were not refused, after the record's own question was decided. The
// caller defers it, so a question is decided without the labels of its own deed.
func (s *simulation) followDeeds(effects []byte) {
	if len(s.deeds) == 0 {
		return
	}
	gjson.ParseBytes(effects).ForEach(func(_, e gjson.Result) bool {
		deed, what := s.deeds[elicit.ID(e.Get("id").Str)], e.Get("effect").Str
		if deed == nil || what != "reply" && what != "withdraw" {
			return true
		}
		delete(s.deeds, deed.ID)
		if edited := e.Get("arguments"); edited.Exists() {
			deed.Command = commandIn([]byte(edited.Raw), deed.CommandAt)
		}
		if elicit.Outcome(e.Get("outcome").Str) == elicit.Accepted || mayHaveRun(deed, elicit.Cause(e.Get("cause").Str)) {
			s.sessions.learn(deed)
		}
		return true
	})
}

// rememberVisits remembers where an answer sent a person.
func (s *simulation) rememberVisits(effects []byte) {
	gjson.ParseBytes(effects).ForEach(func(_, e gjson.Result) bool {
		if session, open := s.sessions.byName.Find(e.Get("session").String()); open && e.Get("effect").Str == "open_url" {
			s.sessions.hosts.add(session.opened.Principal, e.Get("url").String())
		}
		return true
	})
}

// hasProblem reports that an event was not taken: in a record of an event that is, no effect is a problem.
func hasProblem(effects []byte) (found bool) {
	gjson.ParseBytes(effects).ForEach(func(_, e gjson.Result) bool {
		found = e.Get("effect").Str == "problem"
		return !found
	})
	return found
}

// openedInState is what a saved session was opened with. The record says whether the state was taken.
func openedInState(state []byte) (event.Opened, bool) {
	if jsontext.Check(state, documentLimits) != nil {
		return event.Opened{}, false
	}
	ev, _ := event.Read([]byte(gjson.GetBytes(state, "opened").Raw))
	opened, ok := ev.(event.Opened)
	return opened, ok
}

// question decides one question again, unless it never came before policy. The labels of the session are those of now,
// in the order of the journal, as they were when the question came.
func (s *simulation) question(rec journal.Record, ev event.Asked, id elicit.ID) {
	session, open := s.sessions.byName.Find(ev.Session)
	came := recordedOutcomeOf(rec.Effects, id)
	if !open || came.end == endedEarly || came.muted() {
		return
	}
	r := ev.Request
	r.ID, r.Server, r.Side = id, session.opened.Server, session.opened.Side
	read := s.read(r)
	if r.Mode == elicit.Form && read.form == nil {
		return
	}
	s.out.Decided++
	s.await(&r)
	kind := kindOf(r, read.form)
	facts, findings := consider(r, kind, &read.facts, s.sessions.known(session, s.config.servers, s.wall))
	// A record says which grant answered. Whether one would have covered a question that was asked is not on record.
	facts.Granted = came.granted() // a grant is the person's word, not the policy's, so it stands under the other too
	stack := s.config.stack
	if rec.Version < 3 {
		stack = stack.AsFormat2()
	}
	then := stack.Tighten(stack.Decide(&facts), findings)
	// This engine may read the old policy otherwise than the one that wrote the journal. The record is the truth.
	if !came.agrees(then.Outcome) {
		then = came.decision()
	}
	if s.other.Grants() < policy.GrantsSession {
		facts.Granted = ""
	}
	now := s.other.Tighten(s.other.Decide(&facts), findings)
	d := Decided{Record: rec.Seq, At: rec.At, Request: r, Kind: kind, Then: then, Now: now, Findings: findings}
	if d.Changed() {
		s.out.Changed++
	}
	if s.each != nil {
		s.each(&d)
	}
}

// read compiles a schema, or finds it among those compiled before: servers ask the same few forms again and again.
func (s *simulation) read(r elicit.Request) *readForm {
	if r.Mode != elicit.Form {
		return noForm
	}
	if known, ok := s.forms[string(r.Schema)]; ok {
		return known
	}
	form, _ := schema.Compile(r.Schema, s.config.schemaOptions(r.Side))
	known := &readForm{form, factsOf(form)}
	if len(s.forms) == maxForms {
		clear(s.forms)
	}
	s.forms[string(r.Schema)] = known
	return known
}
