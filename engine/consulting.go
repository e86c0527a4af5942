package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/policy"
)

// consult puts a question before the permits' guardians. All are asked at once, and none hears what another said: a
// guardian that was fooled cannot talk the others round. If each of them failed at once, the consultation is over here.
func (s *step) consult(q *question, c *consultation, permits []guardian.Permit) {
	q.consults.open = c
	subject := guardian.Subject{Phase: c.phase, At: s.wall, Request: &q.request, Kind: q.kind, Findings: q.ownFindings()}
	if q.form != nil {
		subject.Form = q.form.AppendJSON(nil)
	}
	// A guardian of answers judges what would leave, and not what was shown: the edited call, and content with
	// defaults. A second person looks at an answer as well, so for the subject their phase is BeforeSend.
	if c.outgoing != nil {
		subject.Phase = guardian.BeforeSend
		subject.Content, subject.Hidden = c.outgoing.reply.Content, hiddenOf(q.form, c.outgoing.reply.Hidden)
		subject.Note = c.outgoing.reply.KeptNote
		if c.outgoing.request != nil {
			subject.Request = c.outgoing.request
		}
	}
	if guardian.ShowsImpacts(permits) {
		subject.Impacts = impactsOf(subject.Request)
	}
	// The labels that the question came with, and not those of now: a guardian would otherwise judge it by what other
	// questions of the session did meanwhile.
	if session := s.sessions.of(q); session != nil {
		subject.Labels = session.labels[:min(q.came.labels, len(session.labels))]
	}
	for _, ask := range c.pose(&subject, permits, &q.consults.rounds, s.random, s.at) {
		s.ask(ask)
	}
	// A guardian that could not be given its question is done already, so there may be nobody to wait for.
	s.concludeOrWait(q)
}

// ask emits a consult, with its deadline as the wall clock will show it.
func (s *step) ask(c effect.Consult) {
	c.Deadline = s.clock.onWall(c.Deadline)
	s.out.emit(c)
}

// concludeOrWait concludes when every guardian has been heard, and else waits for the one whose time is up first. While
// it waits, the deadline in the table is the guardians'. The question's own is in the consultation, and comes back when
// it ends. So one timer serves both, and a slow guardian never makes a question outlive its own time.
func (s *step) concludeOrWait(q *question) {
	c := q.consults.open
	if until, waiting := c.waits(); waiting {
		s.open.SetDeadline(q.request.ID, until)
		return
	}
	// First, because what follows may begin another consultation about the same question.
	q.consults.open = nil
	s.open.SetDeadline(q.request.ID, c.deadline)
	switch c.phase {
	case guardian.BeforeShow:
		s.concludeShow(q, c)
	case guardian.BeforeSend:
		s.concludeSend(q, c)
	default:
		s.concludeSecond(q, c)
	}
}

// handleConsulted takes what one guardian said and returns the event as the journal may keep it.
func (s *step) handleConsulted(ev event.Consulted) recordedEvent {
	// The output of a guardian is cut to the length that a record holds, before anybody reads it. A replay reads the
	// same.
	ev = bounded(ev)
	q, problem := s.open.consulted(ev)
	if problem != "" {
		s.open.reportUnused(ev, problem)
		return withoutWords(ev)
	}
	switch a := q.consults.open.waitingFor(ev.Round); {
	// The host says who approves. It is trusted in that, as it is with the principal of an answer.
	case a.Phase == effect.SecondPerson:
		if !a.readSecondPerson(ev, q.opened.Principal) {
			s.open.reportUnused(ev, "same_principal")
			return ev
		}
	case a.Reviewer:
		if a.readReview(ev) {
			q.consults.rounds++
			// A new round, so that an answer to the first attempt that is still on its way counts for nothing.
			a.Round = q.consults.rounds
			s.ask(a.Consult)
		}
	default:
		ev = a.readGuest(ev, q.form)
	}
	// The event as it is kept has been fixed above. The end of the consultation adds nothing to it.
	s.concludeOrWait(q)
	return ev
}

// concludeShow does what the guardians leave of a decision. Guardians make it stricter or leave it: deny declines, ask
// puts an accept before the person, allow and pass change nothing. Only a reviewer may stand in for a person, where
// policy has said so, and then only when no guest wants the person to be asked.
func (s *step) concludeShow(q *question, c *consultation) {
	guests, reviewers := c.results()
	// Findings of guests count for policy as its own do: a rule on severity may now decline what it had accepted.
	said := guardian.Combine(guests, s.config.onFault())
	q.findings, q.reasons = together(q.findings, said.Findings), append(q.reasons, said.Reasons...)
	d := s.config.stack.Tighten(policy.Decision{Outcome: c.decision.Outcome}, said.Findings)
	q.reasons = append(q.reasons, d.Reasons...)
	switch {
	case said.Decision == guardian.Deny:
		s.open.finish(q, effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByGuardian})
		return
	// Reviewers were asked beside the guests. Their word counts only if policy still wants a review after the
	// findings.
	case d.Outcome == policy.Review:
		all := combineReviews(reviewers, s.config.onFault())
		d.Outcome = all.outcome
		q.findings, q.reasons = together(q.findings, all.findings), append(q.reasons, all.reasons...)
		// Denials are counted also for a question that goes to the person. A program that probes learns from each of
		// them.
		for _, denied := range all.denied {
			s.sessions.of(q).reviews.count(denied)
		}
		if d.Outcome == policy.Decline {
			s.open.finish(q, effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByGuardian})
			return
		}
		// The only place where a reviewer answers for the person. The form has no fields (whyNotReviewed), so the
		// content is {}.
		if d.Outcome == policy.Accept && said.Decision == guardian.Pass {
			s.send(q, outgoing{reply: effect.Reply{Outcome: elicit.Accepted, Cause: elicit.ByGuardian,
				Content: q.form.Fill(nil, nil)}})
			return
		}
	}
	if said.Decision == guardian.Ask {
		d.Outcome = max(d.Outcome, policy.Ask)
	}
	switch r, settled := s.decider.settlement(q, d); {
	case settled && r.Outcome == elicit.Accepted:
		r.Findings = q.facts.defaults
		s.send(q, outgoing{reply: r})
	case settled:
		s.open.finish(q, r)
	default:
		if !s.release(q) {
			return
		}
		// Release has just given a new deadline. A restored question keeps the one that it had where it was saved, so
		// moving a session gives nobody more time.
		if c.deadline != 0 { // it was saved with one
			s.open.SetDeadline(q.request.ID, c.deadline)
		}
	}
}

// release lets a request that was under review be shown. One that policy had accepted was not to bother anybody, so it
// is counted only now, and may be one too many.
func (s *step) release(q *question) bool {
	q.chooseSurface(s.config.stack)
	if !q.charged {
		if problems := s.open.charge(q, &s.config.limits, s.at); problems != nil {
			s.open.finish(q, effect.Reply{Outcome: elicit.Failed, Cause: elicit.ByRateLimit, Problems: problems})
			return false
		}
	}
	s.open.Release(q.request.ID, s.at)
	s.showByClient(q)
	return true
}

// concludeSecond sends what every second person approved.
func (s *step) concludeSecond(q *question, c *consultation) {
	outcome, reasons := c.secondPeople()
	q.because(reasons...)
	if outcome != elicit.Accepted {
		s.open.withdraw(q, outcome, elicit.ByGuardian)
		return
	}
	s.deliver(q, *c.outgoing)
}
