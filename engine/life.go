package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
)

// completed resolves the URL request whose page is finished. An unknown or finished link is dropped without a word, as
// MCP 2025-11-25 client/elicitation asks.
func (s *step) completed(ev Completed) {
	if it, awaiting := s.table.Complete(ev.Session, ev.Link); awaiting {
		s.resolve(it, PageCompleted)
	}
}

func (s *step) resolve(it pending.Item, how Resolution) {
	s.emit(Resolve{Session: it.Session, ID: it.ID, Ref: it.Ref, Resolution: how})
	s.forget(it, elicit.Accepted, s.held[it.ID].acceptedBy())
}

// cancelled takes back the request that has the peer's handle, or all that belong to one of its calls. A peer that said
// so waits no longer and gets no reply; one whose call is over gets a cancel. What comes too late is dropped.
func (s *step) cancelled(ev Cancelled) {
	cause := ev.Cause
	if cause == "" {
		cause = elicit.ByPeerCancelled
	}
	for _, it := range s.table.Open(ev.Session) {
		h := s.held[it.ID]
		s.cancelJoined(it, h, ev.names, cause)
		if ev.names(it.Ref, it.Parent) && it.State != pending.Awaiting && !s.promote(it, h, cause) {
			s.end(it, elicit.Cancelled, cause)
		}
	}
}

func (ev Cancelled) names(ref, parent string) bool {
	return ev.Ref != "" && ref == ev.Ref || ev.Parent != "" && parent == ev.Parent
}

// expire ends everything whose time is up. It runs before the event of the step, so an answer that comes at its
// deadline is late on every machine alike.
func (s *step) expire() {
	for _, it := range s.table.Due(s.at) {
		if c := s.held[it.ID].consult; c != nil && (c.deadline == 0 || s.at < c.deadline) {
			s.overdue(it, s.held[it.ID])
			continue
		}
		s.end(it, elicit.Cancelled, elicit.ByTimeout)
	}
}

// end settles an open request from outside: the person sees it go, and the peer is told unless it asked for that or is
// gone. A consented URL had its reply; its page lapses.
func (s *step) end(it pending.Item, outcome elicit.Outcome, cause elicit.Cause) {
	if it.State == pending.Awaiting {
		s.resolve(it, PageLapsed)
		return
	}
	h := s.held[it.ID]
	if cause != elicit.ByPeerCancelled && cause != elicit.BySessionClosed {
		r := Reply{Session: it.Session, ID: it.ID, Ref: it.Ref, Outcome: outcome, Cause: cause,
			Findings: h.findings, Reasons: h.reasons, Receipts: h.receipts}
		s.emit(r)
		s.settleJoined(h, r)
	} else {
		s.withdrawJoined(it.Session, h.joined, cause)
	}
	s.emit(Withdraw{Session: it.Session, ID: it.ID, Cause: cause})
	s.forget(it, outcome, cause)
}
