package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

// handleAnswered matches an answer to its question by unforgeable id, session and principal, checks it, and settles. It
// returns the event as the journal may keep it.
//
// An answer that cannot be used changes nothing and is kept without its content: a late answer may hold a password. The
// problem says how the question ended, so that a person who was too late learns what became of it. An answer that does
// not fit leaves the question open while somebody can mend it. One of a client may give the host's surface a turn. In
// all other cases it cancels the question. The four ends of an answer:
//
//	unusable       a Problem; nothing changes                  late, wrong person, not shown, unknown action
//	does not fit   a Problem; the question stays open          a person or a client may mend it
//	sent on        guardians of answers, then a Reply          send
//	cancelled      a Reply without content                     nobody can mend it, such as a script
func (s *step) handleAnswered(ev event.Answered) recordedEvent {
	if problem := s.open.unusable(ev, s.sessions.opened(ev.Session), s.wall); problem != nil {
		s.out.emit(*problem)
		return withoutContent(ev, s.gaps.withheld)
	}
	q := s.open.byID.At(ev.ID)
	// A client without a window cancels at once. That is nobody's answer, so the host's own surface gets a turn.
	if code := q.unseenByClient(ev, s.at, int64(s.config.limits.unseen)); code != "" && s.open.requeue(q, code, s.at) {
		return withoutContent(ev, s.gaps.withheld)
	}
	// The note and the edit are read before the content, because a refusal may have a note too, and both may hold
	// secrets. MCP 2025-11-25 client/elicitation, Response Actions: content belongs to accept alone. A page has no
	// content either.
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
		// A schema of the tool that cannot be read as a form checks nothing, and the reply says arguments_unchecked.
		var form *schema.Form
		if text := q.request.ArgumentsSchema; text != nil {
			form, _ = s.forms.Compile(text, s.config.schemaOptions(elicit.Answering))
		}
		x.checkEdit(form)
		s.decider.weighEdit(q, &x, edited, s.now(q))
		x.useEdit(&q.request, edited)
	}
	return x
}

// takeWithoutContent takes a refusal, or the consent to a page.
func (s *step) takeWithoutContent(q *question, ev event.Answered, x *extras) recordedEvent {
	kept := withoutContent(ev, s.gaps.withheld)
	x.keep(&kept)
	if again := x.toMend(ev.Via, q.secrets(s.config.stack), &q.warned); again != nil {
		s.out.problem(effect.AboutAnswer, ev.Session, ev.ID, again...) // still open
		return kept
	}
	// Outcome has the spelling of the action. unusable has refused any other action.
	r := effect.Reply{Outcome: elicit.Outcome(ev.Action), Cause: causeOf(ev.Via)}
	// Nobody was there, so the host's "cancel" is no word of a person. A rule that may decline decides instead.
	if ev.Via == event.ViaNoUI {
		r.Outcome = q.unasked()
	}
	x.put(&r)
	if ev.Action == elicit.Accept {
		s.send(q, outgoing{reply: r, via: ev.Via, answer: kept.Answered, reasons: x.reasons,
			hasty: answeredSoon(q.shown.at, s.at)})
		return kept
	}
	// A refusal needs no guardian. It also ends a consultation about an accept: the person has changed their mind.
	q.consults.open = nil
	session := s.sessions.of(q)
	session.countAnswer(&q.request, ev.Via, false)
	q.because(x.reasons...)
	s.decider.wantedGrant(ev, q, false, s.now(q)) // nothing here can be remembered, and the reply says so
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
	// An answer is taken with its edit or not at all. A person would not expect half of it to be sent.
	v.problems = append(v.problems, x.problems...)
	// Secrets are looked at only in an answer that fits. A person should not confirm to send what cannot be sent.
	fits, code, secrets := len(v.problems) == 0, "answer_invalid", q.secrets(s.config.stack)
	if fits {
		v.problems = append(v.unsent(secrets, q.form, &q.warned), x.unsent(secrets, &q.warned)...)
		code = "secret_unsent"
	}
	switch {
	// typed is what a record may keep, so a suggestion later offers no secret. content has the secrets, for the peer
	// alone.
	case len(v.problems) == 0:
		out := outgoing{via: ev.Via, answer: ev, typed: v.kept.Content, reasons: append(v.reasons, x.reasons...),
			request: x.request, once: len(x.withheld.arguments) > 0 || q.narrowedBy(v.kept.Content),
			hasty: answeredSoon(q.shown.at, s.at),
			reply: effect.Reply{Outcome: elicit.Accepted, Cause: causeOf(ev.Via), Content: v.content, Findings: v.findings(),
				Hidden: v.hidden}}
		x.put(&out.reply)
		s.send(q, out)
	case q.canAnswerAgain(ev.Via, fits, secrets):
		s.out.problem(effect.AboutAnswer, ev.Session, ev.ID, v.problems...) // still open
	// Three chances for content of a client that does not fit, in this order: the host's own surface, one more try of
	// the client, and the end. Formats 1 and 2 knew the first and the last alone.
	case !fits && s.open.requeue(q, codeClientUnfit, s.at):
	case !fits && ev.Via == event.ViaClient && q.mayMend(s.records.format):
		q.warned.unfit, s.decider.needs3 = true, true
		s.out.problem(effect.AboutAnswer, ev.Session, ev.ID, v.problems...) // still open
	default:
		q.because(elicit.Reason{Code: code})
		s.settle(q, effect.Reply{Outcome: elicit.Cancelled, Cause: causeOf(ev.Via), Problems: v.problems}, ev.Via)
	}
	return v.kept
}

// withoutContent is the answer without content: it may hold secrets, and nothing that follows depends on it.
//
// A single withheld value without a pointer says that there was content, and that nothing of it is kept. A replay of an
// answer that was refused needs no more.
func withoutContent(ev event.Answered, withheld []withheldValue) keptAnswered {
	kept := keptAnswered{Answered: ev, withheld: withheld}
	kept.Cleared, kept.Note, kept.Arguments = nil, "", nil
	if ev.Content != nil || len(withheld) > 0 {
		kept.Content, kept.withheld = nil, []withheldValue{{}}
	}
	return kept
}
