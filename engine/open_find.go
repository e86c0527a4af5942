package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// An event names a question by its id. These find the question, or say why the event cannot be used for it.

// shownItem finds a request that is before a person, or reports why there is none. The problem for another session's id
// is the same as for one that does not exist, so an id tells nothing across sessions.
func (o *openQuestions) shownItem(session string, id elicit.ID) (pending.Item, bool) {
	it, open := o.Find(id)
	switch {
	case !open || it.Session != session:
		o.out.problem(effect.AboutQuestion, session, id, elicit.Problem{Code: "unknown_request"})
	case it.State != pending.Shown:
		o.out.problem(effect.AboutQuestion, session, id, elicit.Problem{Code: "not_shown"})
	default:
		return it, true
	}
	return it, false
}

// isShown reports whether a session has a request before a person. A question with guardians does not count: the person
// cannot do anything about it.
func (o *openQuestions) isShown(session string) bool {
	return slices.ContainsFunc(o.Unanswered(session), func(it pending.Item) bool { return it.State == pending.Shown })
}

// unusable says why an answer cannot be used at all, or nil. opened is the session that it names, nil if none is open.
// The order of the checks is that of what the sender may learn. Before its session and principal are known to be right,
// the answer is unknown_request or wrong_principal. Only later codes tell anything about the question.
func (o *openQuestions) unusable(ev event.Answered, opened *event.Opened, wall int64) *effect.Problem {
	fail := func(code string, args ...elicit.Arg) *effect.Problem {
		return &effect.Problem{About: effect.AboutAnswer, Session: ev.Session, ID: ev.ID,
			Problems: []elicit.Problem{{Code: code, Args: args}}}
	}
	it, open := o.Find(ev.ID)
	// An answer that comes too late is not an attack, so its sender learns how the question ended. Nobody else does.
	if !open {
		if ended, known := o.Ended(ev.ID); known && ended.Session == ev.Session {
			if opened != nil && opened.Principal != ev.Principal {
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
	case !o.byID.At(ev.ID).mayAnswer(ev):
		return fail("wrong_principal")
	case it.State == pending.Awaiting:
		by := o.byID.At(ev.ID).acceptedBy()
		p := fail("already_settled", elicit.Str("outcome", string(elicit.Accepted)), elicit.Str("cause", string(by)))
		p.Outcome, p.Cause = elicit.Accepted, by
		return p
	case it.State == pending.Queued || it.State == pending.Reviewing:
		return fail("not_shown")
	// A second accept while guardians look at the first. A refusal may come at any time and ends the consultation.
	case o.byID.At(ev.ID).consults.open != nil && ev.Action == elicit.Accept:
		return fail("answer_in_review")
	case !ev.Action.Valid():
		return fail("unknown_action", elicit.Str("action", string(ev.Action)))
	case !ev.Via.Valid() || ev.Via == event.ViaNoUI && ev.Action != elicit.Cancel ||
		ev.Via == event.ViaNoAnswer && ev.Action != elicit.Decline:
		return fail("unknown_via", elicit.Str("via", string(ev.Via)))
	case !ev.Remember.Scope.Valid():
		return fail("unknown_scope", elicit.Str("scope", string(ev.Remember.Scope)))
	// A grant that is over when it is given would do nothing, and the person would believe otherwise.
	case ev.Remember.ExpiresAt != 0 && ev.Remember.ExpiresAt <= wall:
		return fail("already_expired")
	case ev.Mute && ev.Action == elicit.Accept:
		return fail("mute_needs_refusal")
	}
	return nil
}

// consulted finds the question that waits for what a guardian said, or the code of the problem with it. A guardian is
// named by its round, which is used once: what it says to an earlier attempt, or said before a restart, counts for
// nothing.
func (o *openQuestions) consulted(ev event.Consulted) (q *question, problem string) {
	it, open := o.Find(ev.ID)
	if !open || it.Session != ev.Session {
		if ended, known := o.Ended(ev.ID); known && ended.Session == ev.Session {
			return nil, "consult_over"
		}
		return nil, "unknown_request"
	}
	q = o.byID.At(ev.ID)
	switch {
	case q.consults.open.waitingFor(ev.Round) == nil:
		return nil, "consult_over"
	// Exactly one of the two. Otherwise the host could not mean what it says, and the guardian is still waited for.
	case (ev.Output == "") == (ev.Fault == ""):
		return nil, "output_or_fault"
	}
	return q, ""
}

// reportUnused reports a guardian's answer that cannot be used. The person has nothing to mend.
func (o *openQuestions) reportUnused(ev event.Consulted, code string) {
	o.out.problem(effect.AboutGuardian, ev.Session, ev.ID,
		elicit.Problem{Code: code, Args: []elicit.Arg{elicit.Num("round", ev.Round)}})
}
