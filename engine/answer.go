package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
	"github.com/elicit-engine/elicit/engine/schema"
)

// handleAnswered matches an answer to its question by unforgeable id, session and principal, checks it, and settles.
func (s *step) handleAnswered(ev event.Answered) recordedEvent {
	it, open := s.open.Find(ev.ID)
	if problem := s.unusable(ev, it, open); problem != nil {
		s.emit(*problem)
		return s.withoutContent(ev)
	}
	q := s.open.byID[ev.ID]
	if code := q.unseenByClient(ev, s.at, int64(s.config.limits.unseen)); code != "" && s.open.requeue(q, code, s.at) {
		return s.withoutContent(ev)
	}
	x := s.readExtras(q, ev)
	if ev.Action != elicit.Accept || q.form == nil {
		return s.takeWithoutContent(q, ev, &x)
	}
	return s.takeContent(q, ev, &x)
}

// readExtras inspects and checks the note and the edited arguments of an answer. Policy decides about the edited call.
func (s *step) readExtras(q *question, ev event.Answered) extras {
	x := extras{recorded: s.gaps.extras}
	x.readNote(ev.Note, q.takes().Note(ev.Action), s.config.limits.note)
	if edited := x.readEdit(q, ev.Action, ev.Arguments, s.config.limits.arguments); edited != nil {
		var form *schema.Form
		if text := q.request.ArgumentsSchema; text != nil {
			form, _ = s.forms.Compile(text, s.config.schemaOptions(elicit.Answering))
		}
		x.checkEdit(form)
		s.decideEdit(q, &x, edited)
		x.useEdit(&q.request, edited)
	}
	return x
}

// decideEdit decides about the edited call. A person cannot type what policy would have declined.
func (s *step) decideEdit(q *question, x *extras, request *elicit.Request) {
	message, exact := request.Message, false
	request.Message, exact = messageOf(&q.request, request)
	known := s.knownOf(q)
	facts, findings := consider(*request, q.kind, q.facts, known)
	x.found = append(x.found, q.newFindings(findings)...)
	refused := s.refusal(&facts, findings)
	if refused == nil && !exact { // a rule may match the message as it was
		facts.Message = message
		refused = s.refusal(&facts, findings)
	}
	if refused != nil {
		x.problems = append(x.problems, *refused)
	}
}

// refusal is the problem with a call that policy declines, or nil.
func (s *step) refusal(facts *policy.Facts, findings []elicit.Finding) *elicit.Problem {
	d := s.decideByPolicy(facts, findings)
	switch d.Outcome {
	case policy.Accept, policy.Ask, policy.Review:
		return nil
	}
	why := d.Reasons[d.By()]
	return &elicit.Problem{Code: "arguments_refused", In: elicit.InArguments,
		Args: []elicit.Arg{elicit.Str("reason", why.Code), elicit.Str("rule", why.Rule)}}
}

// takeWithoutContent takes a refusal, or the consent to a page.
func (s *step) takeWithoutContent(q *question, ev event.Answered, x *extras) recordedEvent {
	kept := s.withoutContent(ev)
	x.keep(&kept)
	if again := x.toMend(ev.Via, q.secrets(s.config.stack), &q.warned); again != nil {
		s.problem(effect.AboutAnswer, ev.Session, ev.ID, again...) // still open
		return kept
	}
	r := effect.Reply{Outcome: elicit.Outcome(ev.Action), Cause: causeOf(ev.Via)}
	if ev.Via == event.ViaNoUI {
		r.Outcome = q.unasked()
	}
	x.put(&r)
	if ev.Action == elicit.Accept {
		s.send(q, outgoing{reply: r, via: ev.Via, answer: kept.Answered, reasons: x.reasons,
			hasty: answeredSoon(q.shown.at, s.at)})
		return kept
	}
	q.consults.open = nil
	session := s.sessionOf(q)
	session.countAnswer(&q.request, ev.Via, false)
	q.because(x.reasons...)
	s.wantedGrant(ev, q, false) // nothing here can be remembered, and the reply says so
	s.settle(q, r, ev.Via)
	if ev.Mute {
		s.mute(session)
	}
	return kept
}

// takeContent takes the content of an accepted form.
func (s *step) takeContent(q *question, ev event.Answered, x *extras) recordedEvent {
	v := checkAnswer(q.form, q.facts.shown, q.withheldFields(s.config.stack),
		keptAnswered{Answered: ev, withheld: s.gaps.withheld}, s.config.limits.answer)
	x.keep(&v.kept)
	v.problems = append(v.problems, x.problems...)
	fits, code, secrets := len(v.problems) == 0, "answer_invalid", q.secrets(s.config.stack)
	if fits {
		v.problems = append(v.unsent(secrets, q.form, &q.warned), x.unsent(secrets, &q.warned)...)
		code = "secret_unsent"
	}
	switch {
	case len(v.problems) == 0:
		out := outgoing{via: ev.Via, answer: ev, typed: v.kept.Content, reasons: append(v.reasons, x.reasons...),
			request: x.request, once: len(x.withheld.arguments) > 0 || q.narrowedBy(v.kept.Content),
			hasty: answeredSoon(q.shown.at, s.at),
			reply: effect.Reply{Outcome: elicit.Accepted, Cause: causeOf(ev.Via), Content: v.content, Findings: v.findings(),
				Hidden: v.hidden}}
		x.put(&out.reply)
		s.send(q, out)
	case q.canAnswerAgain(ev.Via, fits, secrets):
		s.problem(effect.AboutAnswer, ev.Session, ev.ID, v.problems...) // still open
	case !fits && s.open.requeue(q, codeClientUnfit, s.at):
	case !fits && ev.Via == event.ViaClient && q.mayMend(s.records.format):
		q.warned.unfit, s.needs3 = true, true
		s.problem(effect.AboutAnswer, ev.Session, ev.ID, v.problems...) // still open
	default:
		q.because(elicit.Reason{Code: code})
		s.settle(q, effect.Reply{Outcome: elicit.Cancelled, Cause: causeOf(ev.Via), Problems: v.problems}, ev.Via)
	}
	return v.kept
}

// withoutContent is the answer without content: it may hold secrets, and nothing that follows depends on it.
func (s *step) withoutContent(ev event.Answered) keptAnswered {
	kept := keptAnswered{Answered: ev, withheld: s.gaps.withheld}
	kept.Cleared, kept.Note, kept.Arguments = nil, "", nil
	if ev.Content != nil || len(s.gaps.withheld) > 0 {
		kept.Content, kept.withheld = nil, []withheldValue{{}}
	}
	return kept
}

// unusable says why an answer cannot be used at all, or nil.
func (s *step) unusable(ev event.Answered, it pending.Item, open bool) *effect.Problem {
	fail := func(code string, args ...elicit.Arg) *effect.Problem {
		return &effect.Problem{About: effect.AboutAnswer, Session: ev.Session, ID: ev.ID,
			Problems: []elicit.Problem{{Code: code, Args: args}}}
	}
	if !open {
		if ended, known := s.open.Ended(ev.ID); known && ended.Session == ev.Session {
			if session, open := s.sessions[ev.Session]; open && session.opened.Principal != ev.Principal {
				return fail("wrong_principal") // how it ended is for the one who was asked
			}
			p := fail("already_settled", elicit.Str("outcome", string(ended.Outcome)), elicit.Str("cause", string(ended.Cause)))
			p.Outcome, p.Cause = ended.Outcome, ended.Cause
			return p
		}
		return fail("unknown_request")
	}
	switch {
	case it.Session != ev.Session:
		return fail("unknown_request") // another session's id says nothing here, not even that it exists
	case !s.open.byID[ev.ID].mayAnswer(ev):
		return fail("wrong_principal")
	case it.State == pending.Awaiting:
		by := s.open.byID[ev.ID].acceptedBy()
		p := fail("already_settled", elicit.Str("outcome", string(elicit.Accepted)), elicit.Str("cause", string(by)))
		p.Outcome, p.Cause = elicit.Accepted, by
		return p
	case it.State == pending.Queued || it.State == pending.Reviewing:
		return fail("not_shown")
	case s.open.byID[ev.ID].consults.open != nil && ev.Action == elicit.Accept:
		return fail("answer_in_review")
	case !ev.Action.Valid():
		return fail("unknown_action", elicit.Str("action", string(ev.Action)))
	case !ev.Via.Valid() || ev.Via == event.ViaNoUI && ev.Action != elicit.Cancel ||
		ev.Via == event.ViaNoAnswer && ev.Action != elicit.Decline:
		return fail("unknown_via", elicit.Str("via", string(ev.Via)))
	case !ev.Remember.Scope.Valid():
		return fail("unknown_scope", elicit.Str("scope", string(ev.Remember.Scope)))
	case ev.Remember.ExpiresAt != 0 && ev.Remember.ExpiresAt <= s.wall:
		return fail("already_expired")
	case ev.Mute && ev.Action == elicit.Accept:
		return fail("mute_needs_refusal")
	}
	return nil
}

// causeOf tells an answer nobody gave from one that a person gave.
func causeOf(via event.Via) elicit.Cause {
	switch via {
	case event.ViaPerson, event.ViaClient, event.ViaModel:
		return elicit.ByUser
	case event.ViaScript:
		return elicit.ByPolicy
	}
	if via == event.ViaNoAnswer {
		return elicit.ByNoAnswer
	}
	return elicit.ByNoUI
}
