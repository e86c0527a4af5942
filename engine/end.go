package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

// reply answers the peer, and fills in all that is known of the request. r brings the outcome, its cause, the content,
// the problems, and what was found in the answer. Requests that are joined to this one end with the same reply.
func (s *step) reply(h *held, r effect.Reply) {
	r.Session, r.ID, r.Ref = h.request.Session, h.request.ID, h.request.Ref
	r.Findings, r.Reasons, r.Receipts = together(h.findings, r.Findings), h.reasons, h.receipts
	s.emit(r)
	for _, j := range h.joined {
		s.finishJoined(h, j, r)
	}
}

// finish ends a request with a reply, whether it was ever held or not.
func (s *step) finish(h *held, r effect.Reply) {
	s.reply(h, r)
	s.forget(h, r.Outcome, r.Cause)
}

// forget drops a request that is over and remembers how it ended.
func (s *step) forget(h *held, outcome elicit.Outcome, cause elicit.Cause) {
	id := h.request.ID
	if s.held[id] == h {
		s.drop(h)
		s.table.Settle(id, outcome, cause)
	} else if cause != elicit.ByRateLimit { // a flood must not push out what explains the late answers of others
		s.ended = pending.Ended{ID: id, Session: h.request.Session, Outcome: outcome, Cause: cause}
	}
}

// settle ends a request with an answer. When the answer consents to a page, the page is opened and waited for.
func (s *step) settle(h *held, r effect.Reply, via event.Via) {
	switch via {
	case event.ViaScript:
		h.reasons = append(h.reasons, elicit.Reason{Code: "scripted_answer"})
	case event.ViaModel:
		h.reasons = append(h.reasons, elicit.Reason{Code: "model_answer"})
	}
	if h.request.Mode != elicit.URL || r.Outcome != elicit.Accepted {
		s.finish(h, r)
		return
	}
	s.reply(h, r)
	if !h.byClient { // otherwise the client has opened it
		s.emit(effect.OpenURL{Session: h.request.Session, ID: h.request.ID, URL: h.request.URL})
	}
	if causeOf(via) == elicit.ByUser {
		s.visitedHosts.add(h.session.opened.Principal, h.request.URL)
	}
	if h.request.Link == "" {
		s.forget(h, r.Outcome, r.Cause) // this protocol never says that a page is finished
		return
	}
	if r.Cause != elicit.ByUser {
		h.by = r.Cause
	}
	h.awaitPage()
	if s.table.Consent(h.request.ID, s.at).Finished {
		s.resolve(h, effect.PageCompleted)
	}
}

func (h *held) acceptedBy() elicit.Cause {
	if h.by == "" {
		return elicit.ByUser
	}
	return h.by
}

// withdraw ends an open request from outside: the person sees it go, and the peer is told unless it asked for that or
// is gone. A consented URL had its reply; its page lapses.
func (s *step) withdraw(h *held, outcome elicit.Outcome, cause elicit.Cause) {
	session, id := h.request.Session, h.request.ID
	if it, _ := s.table.Find(id); it.State == pending.Awaiting {
		s.resolve(h, effect.PageLapsed)
		return
	}
	if cause == elicit.ByPeerCancelled || cause == elicit.BySessionClosed {
		s.withdrawJoined(session, h.joined, cause)
	} else {
		s.reply(h, effect.Reply{Outcome: outcome, Cause: cause})
	}
	s.emit(effect.Withdraw{Session: session, ID: id, Cause: cause})
	s.forget(h, outcome, cause)
}

// resolve ends a consented URL request, whose reply the peer has had.
func (s *step) resolve(h *held, how effect.Resolution) {
	s.emit(effect.Resolve{Session: h.request.Session, ID: h.request.ID, Ref: h.request.Ref, Resolution: how})
	s.forget(h, elicit.Accepted, h.acceptedBy())
}

// handleCompleted resolves the URL request whose page is finished. An unknown or finished link is dropped without a
// word, as MCP 2025-11-25 client/elicitation asks.
func (s *step) handleCompleted(ev event.Completed) {
	if h, _ := s.page(ev); h != nil && s.table.Complete(h.request.ID) {
		s.resolve(h, effect.PageCompleted)
	}
}

// page finds the request whose page is finished, nil for none, and reports whether that is news.
func (s *step) page(ev event.Completed) (h *held, news bool) {
	if ev.Link == "" {
		return nil, false
	}
	session, open := s.sessions[ev.Session]
	if !open {
		return nil, false
	}
	if h = session.links[ev.Link]; h == nil {
		return nil, false
	}
	it, _ := s.table.Find(h.request.ID)
	return h, !it.Finished || it.State == pending.Awaiting
}

// handleCancelled takes back the request that has the peer's handle, or all that belong to one of its calls. A peer
// that said so waits no longer and gets no reply. One whose call is over gets a cancel. A late event is dropped.
func (s *step) handleCancelled(ev event.Cancelled) {
	if session := s.sessions[ev.Session]; session != nil && !mayCancel(session.opened.Side, ev.Cause) {
		s.problem(effect.AboutHost, "", "", elicit.Problem{Code: "unknown_cause"})
		return
	}
	cause := ev.Cause
	if cause == "" {
		cause = elicit.ByPeerCancelled
	}
	for _, it := range s.table.Unanswered(ev.Session) {
		h := s.held[it.ID]
		s.cancelJoined(h, func(ref, parent string) bool { return names(ev, ref, parent) }, cause)
		if names(ev, h.request.Ref, h.request.Parent) && !s.promote(h, cause) {
			s.withdraw(h, elicit.Cancelled, cause)
		}
	}
}

// mayCancel reports whether the host of a session may withdraw a question for that cause.
func mayCancel(side elicit.Side, cause elicit.Cause) bool {
	switch cause {
	case "", elicit.ByCallEnded:
		return true
	case elicit.ByHandedOver, elicit.ByLeftOpen:
		return side != elicit.Asking
	}
	return side == elicit.Asking
}

// names reports whether a cancellation names a request.
func names(ev event.Cancelled, ref, parent string) bool {
	return ev.Ref != "" && ref == ev.Ref || ev.Parent != "" && parent == ev.Parent
}

// expire ends everything whose time is up. It runs before the event of the step, so an answer that comes at its
// deadline is late on every machine alike.
func (s *step) expire() {
	for _, it := range s.table.Due(s.at) {
		h, open := s.held[it.ID]
		if !open {
			continue // an answer whose guardian was late has left a grant, which has answered this one
		}
		if c := h.consult; c != nil && (c.deadline == 0 || s.at < c.deadline) {
			s.failOverdue(h)
			continue
		}
		s.withdraw(h, elicit.Cancelled, elicit.ByTimeout)
	}
}
