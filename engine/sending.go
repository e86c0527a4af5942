package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/risk"
)

// send lets the guardians look at an answer before it leaves. x must fit the question: content, note and edit have been
// checked. The guardians of answers are heard for every yes, whether a person, a grant or policy gave it.
func (s *step) send(q *question, x outgoing) {
	if permits := s.config.guardiansDue(guardian.BeforeSend, false); len(permits) > 0 {
		it, _ := s.open.Find(q.request.ID)
		s.consult(q, &consultation{phase: guardian.BeforeSend, outgoing: &x, deadline: it.Deadline}, permits)
		return
	}
	s.deliver(q, x)
}

// deliver settles with an answer that nothing stands against.
//
// The engine learns from an answer after it was sent, and never before: a grant, the accepted message, typed values,
// the pace of the person. The grant comes last, because it may answer other questions in the same step, and their
// records and replies must come after this one. It is the only way of a yes to the peer once a question was kept. The
// order below is the same for a yes of a person, a script, a grant or policy.
func (s *step) deliver(q *question, x outgoing) {
	q.because(x.reasons...)
	// From here on the question is the edited call: labels, accepted message, grant and the digest for guardians follow
	// it.
	if x.request != nil { // a grant is for what the person has made of the call
		q.request = *x.request
	}
	grant, made := s.decider.wantedGrant(x.answer, q, x.once, s.now(q))
	session := s.sessions.of(q)
	// Checked again at the end, whatever the code before has made sure of: a yes for another question would be the
	// worst bug.
	if !q.isFor(&x.answer) {
		s.open.breakOff(q, ownAnswer)
		return
	}
	if x.byPerson() {
		session.reviews.agreed(q.reasons)
	}
	if !s.settle(q, x.reply, x.via) {
		return // nothing may be learned from an answer that was not sent
	}
	if x.reply.Outcome == elicit.Accepted {
		s.sessions.learn(&q.request)
	}
	if x.byPerson() { // no script, no model, and no form of a client, which shows no changes
		if s.config.changes {
			session.retainMessage(&q.request)
		}
		session.countAnswer(&q.request, x.via, x.hasty)
	}
	if x.reply.Cause == elicit.ByUser && q.form != nil && s.config.stack.Suggestions() > policy.SuggestionsNone {
		session.retain(&q.request, q.form, risk.InspectAnswer(q.facts.shown, x.typed), x.typed, s.wall)
	}
	if made {
		s.keepGrant(q.request.Session, grant)
	}
}

// concludeSend does what the guardians leave of an answer.
func (s *step) concludeSend(q *question, c *consultation) {
	x := c.outgoing
	results, _ := c.results()
	said := guardian.Combine(results, s.config.onFault())
	// A confirmation counts for this very answer from these very guardians. Otherwise a harmless answer could be
	// confirmed first and another be sent under its confirmation.
	sum := answerDigest(x)
	switch {
	case said.Decision == guardian.Deny:
		s.reject(q, x, results, said, "guardian_refused")
		return
	// On the first answer the person reads what the guardian says. The same answer again is their confirmation.
	case said.Decision == guardian.Ask && !q.confirmedBefore(results, said, sum):
		s.reject(q, x, results, said, "guardian_unconfirmed")
		return
	}
	q.reasons = append(q.reasons, said.Reasons...)
	if said.Decision == guardian.Ask {
		q.reasons = append(q.reasons, elicit.Reason{Code: "guardian_confirmed"})
	}
	x.reply.Findings = together(x.reply.Findings, q.newFindings(said.Findings))
	// Redaction is an obligation: if it cannot be met, nothing is sent at all. Findings about a redacted member would
	// tell of a value that did not leave.
	for _, pointer := range said.Redact {
		name := guardian.AnswerMember(pointer)
		content, ok := redacted(q.form, x.reply.Content, name)
		if !ok {
			s.reject(q, x, results, said, "guardian_refused")
			return
		}
		x.reply.Content = content
		x.reply.Findings = slices.DeleteFunc(slices.Clone(x.reply.Findings),
			func(f elicit.Finding) bool { return isAbout(f, name) })
		q.reasons = append(q.reasons, elicit.Reason{Code: "guardian_redacted", Args: []elicit.Arg{elicit.Str("field", name)}})
	}
	// The second person sees the answer as it would leave, after all redactions.
	if len(said.Second) > 0 {
		var permits []guardian.Permit
		for _, i := range said.Second {
			permits = append(permits, c.asks[i].permit)
		}
		s.consult(q, &consultation{phase: effect.SecondPerson, outgoing: x, deadline: c.deadline}, permits)
		return
	}
	s.deliver(q, *x)
}

// reject does not send an answer. If the person gave it, they may correct or confirm it. If policy or a grant gave it
// and no person has seen the question, the question goes to the person when the guardians want that. Otherwise it ends.
// Three cases: a person mends (the question stays open), an unseen question goes to a person, or it ends cancelled or
// declined. Declined says that nobody has seen it.
func (s *step) reject(q *question, x *outgoing, results []guardian.Result, said guardian.Combined, code string) {
	problems := rejections(results, said, code)
	if x.byPerson() {
		s.out.problem(effect.AboutAnswer, q.request.Session, q.request.ID, problems...) // still open
		return
	}
	q.findings, q.reasons = together(q.findings, q.newFindings(said.Findings)), append(q.reasons, said.Reasons...)
	// An answer of policy or of a grant was not to bother anybody. Now that a guardian objects, the person decides,
	// if they have not seen the question and a guardian wants them to. A flat refusal stands.
	it, _ := s.open.Find(q.request.ID)
	if it.State == pending.Reviewing && code == "guardian_unconfirmed" && q.opened.Shown.Has(q.request.Mode) {
		s.release(q)
		return
	}
	r := effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByGuardian, Problems: problems}
	if it.State == pending.Reviewing {
		r.Outcome = elicit.Declined
	}
	s.open.finish(q, r)
}

// settle ends a request with an answer. When the answer consents to a page, the page is opened and waited for. It
// reports false if the answer was not sent, because an invariant did not hold.
func (s *step) settle(q *question, r effect.Reply, via event.Via) bool {
	switch via {
	// The reason stays in the journal. To the peer, an answer by a file looks like that of a person.
	case event.ViaScript:
		q.reasons = append(q.reasons, elicit.Reason{Code: "scripted_answer"})
	case event.ViaModel:
		q.reasons = append(q.reasons, elicit.Reason{Code: "model_answer"})
	}
	if !s.open.reply(q, r) {
		return false
	}
	if q.request.Mode != elicit.URL || r.Outcome != elicit.Accepted {
		s.open.forget(q, r.Outcome, r.Cause)
		return true
	}
	if !q.shown.byClient { // otherwise the client has opened it
		s.out.emit(effect.OpenURL{Session: q.request.Session, ID: q.request.ID, URL: q.request.URL})
	}
	if causeOf(via) == elicit.ByUser {
		s.sessions.hosts.add(q.opened.Principal, q.request.URL)
	}
	// From here on the peer has its reply. Nothing below may reply again.
	if q.request.Link == "" {
		s.open.forget(q, r.Outcome, r.Cause) // this protocol never says that a page is finished
		return true
	}
	if r.Cause != elicit.ByUser {
		q.end.by = r.Cause
	}
	// MCP 2025-11-25 client/elicitation, URL Mode Flow: accept means that the person agreed to open the page. The page
	// itself may be finished later, or may have been finished already.
	s.open.awaitPage(q)
	if s.open.Consent(q.request.ID, s.at).Finished {
		s.open.resolve(q, effect.PageCompleted)
	}
	return true
}

// keepGrant keeps a grant and lets it answer what waits in the queue for the same yes. Only queued questions are
// answered by it. One that is shown stays: the person is reading it. The loop works on a list that was made before,
// which is right because send ends no other question than its own.
func (s *step) keepGrant(session string, g elicit.Grant) {
	s.grants.keep(session, g, s.wall)
	s.out.emit(effect.Remember{Session: session, Grant: g})
	for _, it := range s.open.Unanswered(session) {
		if it.State != pending.Queued {
			continue
		}
		q := s.open.byID.At(it.ID)
		d := s.decider.weighAgain(q, s.now(q), true)
		if r, settled := s.decider.settlement(q, d); settled && r.Outcome == elicit.Accepted {
			s.open.Recall(it.ID)
			s.send(q, outgoing{reply: r})
		}
	}
}
