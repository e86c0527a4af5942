package engine

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
)

// openRequests returns what must be added to the table's number of open requests of a session to get those of its peer:
// the table does not know joined requests, and it counts held calls, which the peer has not asked. It also reports
// whether the handle ref names a request that waits for its answer, joined or not.
func (s *step) openRequests(session, ref string) (beside int, taken bool) {
	for _, it := range s.table.Unanswered(session) {
		h := s.held[it.ID]
		if h.request.HeldCall {
			beside--
		} else {
			beside += len(h.joined)
		}
		taken = taken || h.request.Ref == ref || slices.ContainsFunc(h.joined, func(j joined) bool { return j.ref == ref })
	}
	return beside, taken
}

// refuses says why a request may not enter a session. It changes nothing. A held call always may: it comes from our own
// client, so the limits that keep a server from asking too much are not about it.
func (s *step) refuses(r *elicit.Request, session *session, beside int) pending.Refusal {
	if r.HeldCall {
		return pending.Admitted
	}
	return s.table.Refuses(session.opened.Session, session.opened.Server, beside,
		session.opened.Client.Has(r.Mode), s.at)
}

// enter refuses what comes too often, when too much is open, or under a handle that is in use. It looks at no text of
// the request, and a refusal changes nothing.
func (s *step) enter(h *held) bool {
	req := h.request
	beside, taken := s.openRequests(req.Session, req.Ref)
	if taken {
		// No reply: the peer would take it for the answer to the request that already has this handle.
		s.emit(effect.Problem{About: effect.AboutQuestion, Session: req.Session, Ref: req.Ref,
			Problems: []elicit.Problem{{Code: "ref_in_use"}}})
		return false
	}
	if req.HeldCall {
		return true
	}
	switch s.table.Admit(req.Session, req.Server, beside, h.session.opened.Client.Has(req.Mode), s.at) {
	case pending.Flooded:
		s.refuse(h, elicit.ByRateLimit, elicit.Problem{Code: "flood_limited",
			Args: []elicit.Arg{elicit.Num("per_minute", max(s.config.limits.admittedPerMinute, s.config.limits.perMinute))}})
		return false
	case pending.QueueFull:
		s.refuse(h, elicit.ByRateLimit, elicit.Problem{Code: "queue_full",
			Args: []elicit.Arg{elicit.Num("limit", s.config.limits.queue)}})
		return false
	}
	return true
}

// chargeCall counts a held call that somebody has to look at. Calls that a rule accepts do not wait, so they pass also
// while as many wait as may.
func (s *step) chargeCall(h *held) []elicit.Problem {
	waiting, limit := 0, s.config.limits.heldCalls
	for _, it := range s.table.Unanswered(h.request.Session) {
		if other := s.held[it.ID]; other != h && other.request.HeldCall {
			waiting += 1 + len(other.joined)
		}
	}
	if waiting < limit {
		h.charged = true
		return nil
	}
	h.findings, h.reasons = nil, nil // they are not why it is refused
	return []elicit.Problem{{Code: "too_many_held_calls", Args: []elicit.Arg{elicit.Num("limit", limit)}}}
}
