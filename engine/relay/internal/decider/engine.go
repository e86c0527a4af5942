package decider

import (
	"maps"
	"slices"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// stepped steps an engine. A panic is a bug in this module: stepped recovers, and fault is true.
func (d *Decider) stepped(e *engine.Engine, in engine.Input) (effects []effect.Effect, fault bool) {
	defer func() {
		if recover() != nil {
			effects, fault = nil, true
		}
	}()
	return d.config.Step(e, in), false
}

// replaceEngine continues with a new engine that has every session as the failed one saved it. The new engine does not
// get the event that caused the failure: the question in it is refused, or the answer in it leaves its question open.
//
// The steps are: keep the records, count the failure, start another engine, revoke what was revoked, mark every
// question as stale, then load each saved session. A session that cannot be saved or loaded loses its questions, with
// errors.
func (d *Decider) replaceEngine(ev event.Event) {
	old := d.engine
	d.keepRecords()
	d.config.Out.Tell(elicit.Problem{Code: "engine_replaced"})
	if d.state.Failed++; d.state.Failed > MaxFailed {
		d.FailClosed("internal")
		return
	}
	d.config.Out.NewJournal()
	// Replies and withdrawals of the old engine stay in the queue: it had decided them, and their records are kept.
	d.queue = slices.DeleteFunc(d.queue, saidAnew)
	if problems := d.Start(); len(problems) > 0 || !d.revokeAgain() {
		d.FailClosed("internal")
		return
	}
	for _, q := range d.questions.byRef { // until it is shown again, which may need the guardians again
		// A question that somebody has keeps its place on the screen. If the new engine does not show it again, forget takes
		// it down.
		q.stale = q.Request.ID != "" && (q.Show == nil || d.config.Client.Has(q.Request.ID))
		q.shown = nil
	}
	// resume can fail as well, and then calls this function again. The inner call does the rest of the work.
	engines := d.state.Failed
	for _, name := range slices.Clone(d.sessions) {
		state, saved := savedState(old, name)
		if !saved || !d.resume(state) {
			d.lose(name)
		}
		if d.state.Broken || d.state.Failed > engines { // the new engine failed too, and its successor has the sessions
			break
		}
	}
	// The question is in byRef but in no saved session, so no engine would ever reply to it.
	if asked, ok := ev.(event.Asked); ok {
		d.fail(asked.Ref, "internal")
	}
}

// saidAnew reports whether a new engine gives such an effect itself when it takes over. The decider then drops the
// failed engine's effect if it was not performed. A new engine withdraws no wake and no question but its own.
func saidAnew(next effect.Effect) bool {
	switch next.(type) {
	case effect.Wake, effect.Show, effect.Consult:
		return true
	}
	return false
}

// MaxFailed is how often an engine is replaced. Otherwise a peer that can make an engine fail could fill a disk with
// journals, and an engine that fails at every event would never let a step end.
const MaxFailed = 8

// revokeAgain revokes in the new engine the grants that were revoked before, because its configuration may have them.
// It returns false if a grant may still hold.
func (d *Decider) revokeAgain() bool {
	for _, id := range d.revoked {
		effects, fault := d.stepped(d.engine, d.input(event.Revoked{Grant: id}))
		if fault {
			return false
		}
		for _, next := range effects {
			if record, ok := next.(effect.Append); ok {
				d.queue = append(d.queue, record)
			}
		}
	}
	d.workOff()
	return true
}

// keepRecords takes the records out of the queue, because they belong to the old journal.
func (d *Decider) keepRecords() {
	d.queue = slices.DeleteFunc(d.queue, func(next effect.Effect) bool {
		record, ok := next.(effect.Append)
		if ok {
			d.config.Out.Record(record)
		}
		return ok
	})
}

// savedState is a session as an engine saves it, even if that engine is broken. A broken engine may panic in Save too.
// Its session is then lost, but the others are not.
func savedState(e *engine.Engine, session string) (state []byte, ok bool) {
	defer func() { _ = recover() }()
	return e.Save(session)
}

// resume gives the new engine a saved session.
func (d *Decider) resume(state []byte) bool {
	effects, fault := d.stepped(d.engine, d.input(event.Resumed{State: state}))
	if fault {
		return false
	}
	for _, next := range effects {
		if _, bad := next.(effect.Problem); bad {
			return false
		}
	}
	d.queue = append(d.queue, effects...)
	d.workOff()
	return true
}

// lose fails the questions of a session that could not be saved, and opens the session again. No engine will report
// how its pages end.
func (d *Decider) lose(session string) {
	maps.DeleteFunc(d.questions.visiting, func(_ elicit.ID, q *question) bool { return q.Request.Session == session })
	for _, q := range d.questions.list() {
		if q.Request.Session == session {
			d.fail(q.Request.Ref, "internal")
		}
	}
	d.Tell(d.to.Who.Opening(session))
}
