package engine

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// showNext shows queued requests whose turn it is. It runs once in each step, after the event. The table decides whose
// turn it is: see pending.Table.Next.
func (s *step) showNext() {
	for _, it := range s.open.Next(s.at) {
		s.show(s.open.byID.At(it.ID), it.Deadline)
	}
}

// show puts a question before the person with all that may help them decide, and nothing that a peer could forge. Every
// member comes from the question as it was admitted, or from the engine.
func (s *step) show(q *question, deadline int64) {
	r, session := &q.request, s.sessions.of(q)
	show := effect.Show{Session: r.Session, ID: r.ID, Ref: r.Ref, Server: r.Server, Tool: r.Tool, Mode: r.Mode,
		Kind: q.kind, Message: r.Message, Parts: r.Parts, Form: q.form, URL: r.URL, Findings: q.findings, Reasons: q.reasons,
		ByClient: q.shown.byClient, Deadline: s.clock.onWall(deadline), Waiting: s.open.Waiting(), Draft: q.shown.draft,
		// Only what a yes would really get is offered. A button that does nothing would teach the person to distrust
		// the form.
		Remember: s.decider.offeredScopes(q, s.now(q)), Arguments: r.Arguments, Takes: q.takes(), Description: r.Description,
		Does: r.Does, Command: r.Command, Cwd: r.Cwd, Paths: r.Paths, Hosts: r.Hosts, ReachCut: r.ReachCut,
		Outside: r.Outside}
	// A person who should be warned should not be helped to answer quickly.
	if !worrying(q.findings) {
		show.Suggestions = session.suggestions(r, q.form, &s.config.stack)
	}
	if s.config.changes {
		show.Changed = session.changes(r)
	}
	if r.HeldCall { // the person decides about the tool itself
		show.Annotations = r.Annotations
	}
	// A saved state may have told an earlier moment, which stays: haste and unseen_ms are measured from it.
	q.shown.at = cmp.Or(q.shown.at, s.at)
	show.KeepForm(q.facts.text)
	s.out.emit(show)
}

// showByClient shows a queued question at once if the client draws it. It takes no turn from the questions on the
// host's surface. The client has a queue and limits of its own, so the limit shown does not bound it.
func (s *step) showByClient(q *question) {
	if !q.shown.byClient {
		return
	}
	if it, queued := s.open.ShowApart(q.request.ID, s.at); queued {
		s.show(q, it.Deadline)
	}
}

// prefer shows a queued question before its turn. The person chose it from a list of what waits. It is named by the
// peer's handle, in a session, as the list shows it.
func (s *step) prefer(ev event.Preferred) {
	open := s.open.Unanswered(ev.Session)
	i := slices.IndexFunc(open, func(it pending.Item) bool { return s.open.byID.At(it.ID).request.Ref == ev.Ref })
	if i < 0 {
		s.out.emit(effect.Problem{About: effect.AboutQuestion, Session: ev.Session, Ref: ev.Ref,
			Problems: []elicit.Problem{{Code: "unknown_request"}}})
		return
	}
	if it, queued := s.open.Prefer(open[i].ID, s.at); queued {
		s.open.byID.At(it.ID).shown.preferred = true
		s.show(s.open.byID.At(it.ID), it.Deadline)
	}
}
