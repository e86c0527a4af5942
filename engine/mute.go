package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
)

var mutedReason = elicit.Reason{Code: "muted"}

// muteServer cancels the waiting questions of the session's server, and all that it asks from now on. A question that
// is before the person stays, because it may hold something they have typed.
func (s *step) muteServer(session *session) {
	session.muted, session.typed = true, nil
	for _, it := range s.table.Unanswered(session.opened.Session) {
		if it.State == pending.Queued {
			h := s.held[it.ID]
			h.reasons = append(h.reasons, mutedReason)
			s.withdraw(h, elicit.Cancelled, elicit.ByPolicy)
		}
	}
}

// refuseMuted answers a question of a muted server.
func (s *step) refuseMuted(h *held) bool {
	if !h.session.muted {
		return false
	}
	h.reasons = append(h.reasons, mutedReason)
	s.finish(h, effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByPolicy})
	return true
}

func (s *step) handleUnmuted(ev event.Unmuted) {
	switch session, open := s.sessions[ev.Session]; {
	case !open:
		s.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: "unknown_session"})
	case session.opened.Server != ev.Server || !session.muted:
		s.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: "not_muted",
			Args: []elicit.Arg{elicit.Str("server", ev.Server)}})
	default:
		session.muted = false
	}
}
