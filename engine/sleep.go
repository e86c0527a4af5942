package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
)

// Sleep writes an engine with one session as bytes, for Wake. A host with many sessions keeps a few engines awake: an
// engine is many small objects, and a garbage collector looks at each. Unlike a state of Save, the bytes leave nothing
// out and never leave the process. The engine that Wake makes goes on with the same journal, and no step of it
// differs. Sleep returns nil for an engine that cannot sleep now: guardians review a question of it, or events wait for
// their record.
func (e *Engine) Sleep(name string) []byte {
	session := e.sessions.byName.At(name)
	visits := e.sessions.hosts.Len()
	if session == nil || e.sessions.byName.Len() > 1 || len(e.grants.always) > 0 || e.clock.ahead != 0 ||
		e.records.format != 0 || e.records.flood.counted.count > 0 ||
		visits > 1 || visits == 1 && e.sessions.hosts.At(session.opened.Principal) == nil {
		return nil
	}
	for _, it := range e.open.Open(name) {
		if q := e.open.byID.At(it.ID); q.consults.open != nil || it.State == pending.Reviewing || !q.charged || it.Apart {
			return nil
		}
	}
	o := jsontext.Begin(nil)
	e.save(&o, session, true)
	o.Name("asleep", func(dst []byte) []byte {
		f, o := &e.records.flood, jsontext.Begin(dst)
		o.Int("now", e.clock.now)
		o.Int("seq", e.records.head.Seq)
		o.Strs("hash", digest.Hex(e.records.head.Hash[:]), "anchor", digest.Hex(f.anchor[:]))
		o.Int("since", f.since)
		o.Int("spent", f.most-f.room)
		o.Int("at", f.at)
		level, at := e.open.Admitted(session.opened.Server)
		o.Int("admitted", level)
		o.Int("admitted_at", at)
		return o.End()
	})
	return o.End()
}

// Wake makes the engine that Sleep wrote. It tells again what a host keeps: the Show of each question that is before
// the person, and the last Wake. Both engines have the same configuration, and share their forms. Wake returns nil for
// bytes that it cannot read.
func (e *Engine) Wake(state []byte) (*Engine, []effect.Effect) {
	out := new(outbox)
	most := e.records.flood.most
	e = &Engine{config: e.config, forms: e.forms, sessions: newSessions(out), out: out,
		open: newOpenQuestions(e.config.limits.pending(), out)}
	reader := stateReader{config: &e.config, forms: e.forms, known: e.open.Table, sleeps: true}
	saved, problems := reader.read(state)
	if len(problems) > 0 {
		return nil, nil
	}
	a := saved.asleep
	e.clock.now = a.now
	e.records, e.records.sum = a.records, digest.New()
	e.records.flood.most = most
	e.records.flood.room += most
	s := &step{Engine: e, at: a.now, wall: a.now}
	s.decider = decider{config: &e.config, grants: &e.grants, wall: a.now}
	s.restore(e.sessions.begin(saved.opened, 1), &saved)
	e.open.SetAdmitted(saved.opened.Server, a.admitted.level, a.admitted.at, a.admitted.at)
	for _, it := range saved.items {
		if it.State == pending.Shown {
			s.show(it.held, it.Deadline)
		}
	}
	e.wake = e.open.Wake()
	out.emit(effect.Wake{At: e.wake})
	return e, out.take()
}
