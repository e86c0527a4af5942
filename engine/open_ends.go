package engine

import (
	"cmp"
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// reply answers the peer. r brings the outcome, its cause, the content, the problems, and what was found in the answer.
// It reports false if the reply would have broken an invariant: the question has ended another way then. It is the only
// way to a Reply of a question that may have had one. The flag end.over is set before the effect is emitted, so nothing
// in between can reply a second time.
func (o *openQuestions) reply(q *question, r effect.Reply) bool {
	if invariant := q.breaks(&r); invariant != "" {
		o.breakOff(q, invariant)
		return false
	}
	q.end.over = true
	o.answer(q, r)
	return true
}

// answer sends a reply with all that is known of the request. Requests that are joined to this one end with the same
// reply.
func (o *openQuestions) answer(q *question, r effect.Reply) {
	// Ids and findings are the question's own, so no caller can reply to another question by a slip.
	r.Session, r.ID, r.Ref = q.request.Session, q.request.ID, q.request.Ref
	r.Findings, r.Reasons, r.Receipts = together(q.findings, r.Findings), q.reasons, q.shown.receipts
	o.out.emit(r)
	for _, j := range q.joined {
		o.finishJoined(q, j, r)
	}
}

// finish ends a request with a reply, whether it was ever held or not.
func (o *openQuestions) finish(q *question, r effect.Reply) {
	if o.reply(q, r) {
		o.forget(q, r.Outcome, r.Cause)
	}
}

// refuse answers a request that was not fit to be considered.
func (o *openQuestions) refuse(q *question, cause elicit.Cause, problems ...elicit.Problem) {
	o.finish(q, effect.Reply{Outcome: elicit.Failed, Cause: cause, Problems: problems})
}

// forget drops a request that is over and remembers how it ended. The map has q itself for a question that was held,
// and nothing for one that was settled in its own step. The first is remembered by Settle, the second at the end of the
// step.
func (o *openQuestions) forget(q *question, outcome elicit.Outcome, cause elicit.Cause) {
	id := q.request.ID
	if o.byID.At(id) == q {
		o.drop(q)
		o.Settle(id, outcome, cause)
	} else if cause != elicit.ByRateLimit { // a flood must not push out what explains the late answers of others
		o.ended = pending.Ended{ID: id, Session: q.request.Session, Outcome: outcome, Cause: cause}
	}
}

// withdraw ends an open request from outside: the person sees it go, and the peer is told unless it asked for that or
// is gone. A consented URL had its reply; its page lapses. MCP 2025-11-25, cancellation: the receiver of a cancelled
// notification should send no response to that request. A Withdraw effect is emitted in every case but that of a page:
// whoever shows the question takes it away.
func (o *openQuestions) withdraw(q *question, outcome elicit.Outcome, cause elicit.Cause) {
	session, id := q.request.Session, q.request.ID
	if it, _ := o.Find(id); it.State == pending.Awaiting {
		o.resolve(q, effect.PageLapsed)
		return
	}
	// A peer that took the question back, or is gone, waits for no reply. A reply to a request that MCP says is
	// cancelled would be an error of ours.
	if cause == elicit.ByPeerCancelled || cause == elicit.BySessionClosed {
		q.end.over = true
		o.withdrawJoined(session, q.joined, cause)
	} else if !o.reply(q, effect.Reply{Outcome: outcome, Cause: cause}) {
		return
	}
	o.out.emit(effect.Withdraw{Session: session, ID: id, Cause: cause})
	o.forget(q, outcome, cause)
}

// withdrawQueued cancels the questions of a session that no person has seen.
func (o *openQuestions) withdrawQueued(session string, because elicit.Reason) {
	for _, it := range o.Unanswered(session) {
		if it.State == pending.Queued {
			q := o.byID.At(it.ID)
			q.because(because)
			o.withdraw(q, elicit.Cancelled, elicit.ByPolicy)
		}
	}
}

// resolve ends a consented URL request, whose reply the peer has had. The peer has had its Reply, so its outcome stays
// accept whatever becomes of the page.
func (o *openQuestions) resolve(q *question, how effect.Resolution) {
	o.out.emit(effect.Resolve{Session: q.request.Session, ID: q.request.ID, Ref: q.request.Ref, Resolution: how})
	o.forget(q, elicit.Accepted, q.acceptedBy())
}

// complete resolves the URL request whose page is finished. An unknown or finished link is dropped without a word, as
// MCP 2025-11-25 client/elicitation asks.
func (o *openQuestions) complete(ev event.Completed) {
	if q, _ := o.page(ev); q != nil && o.Complete(q.request.ID) {
		o.resolve(q, effect.PageCompleted)
	}
}

// page finds the request whose page is finished, nil for none, and reports whether that is news. Links belong to a
// session: the same link in two sessions is two pages. There is no news of a page whose completion has been noted
// already, so a peer that repeats it makes no records.
func (o *openQuestions) page(ev event.Completed) (q *question, news bool) {
	of := o.pages.At(ev.Session)
	if of == nil || ev.Link == "" || of.links[ev.Link] == nil {
		return nil, false
	}
	q = of.links[ev.Link]
	it, _ := o.Find(q.request.ID)
	return q, !it.Finished || it.State == pending.Awaiting
}

// cancel takes back the request that has the peer's handle, or all that belong to one of its calls. A peer that said so
// waits no longer and gets no reply. One whose call is over gets a cancel. A late event is dropped.
func (o *openQuestions) cancel(ev event.Cancelled) {
	cause := cmp.Or(ev.Cause, elicit.ByPeerCancelled)
	for _, it := range o.Unanswered(ev.Session) {
		q := o.byID.At(it.ID)
		o.cancelJoined(q, func(ref, parent string) bool { return names(ev, ref, parent) }, cause)
		if names(ev, q.request.Ref, q.request.Parent) && !o.promote(q, cause) {
			o.withdraw(q, elicit.Cancelled, cause)
		}
	}
}

// cancels reports that ev takes something back.
func (o *openQuestions) cancels(ev event.Cancelled) bool {
	for _, it := range o.Unanswered(ev.Session) {
		if o.byID.At(it.ID).named(ev) {
			return true
		}
	}
	return false
}

// named reports whether a cancellation names a question, or one that is joined to it.
func (q *question) named(ev event.Cancelled) bool {
	return names(ev, q.request.Ref, q.request.Parent) ||
		slices.ContainsFunc(q.joined, func(j joined) bool { return names(ev, j.ref, j.parent) })
}

// names reports whether a cancellation names a request. An empty Ref or Parent names nothing. Without that, a
// cancellation of a call without a name would take back all questions that have none.
func names(ev event.Cancelled, ref, parent string) bool {
	return ev.Ref != "" && ref == ev.Ref || ev.Parent != "" && parent == ev.Parent
}

// mayCancel reports whether the host of a session may withdraw a question for that cause. On the answering side a host
// may not say "timeout" or "attempts used": the peer would read it as a fact about the person, whom the engine knows
// better.
func mayCancel(side elicit.Side, cause elicit.Cause) bool {
	switch cause {
	case "", elicit.ByCallEnded:
		return true
	case elicit.ByHandedOver, elicit.ByLeftOpen:
		return side != elicit.Asking
	}
	return side == elicit.Asking
}
