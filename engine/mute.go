package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/pending"
)

// Unmuted lets a server that a person muted ask again in a session.
type Unmuted struct{ Session, Server string }

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
	s.finish(h, Reply{Outcome: elicit.Cancelled, Cause: elicit.ByPolicy})
	return true
}

func (s *step) handleUnmuted(ev Unmuted) {
	switch session, open := s.sessions[ev.Session]; {
	case !open:
		s.problem(AboutSession, ev.Session, "", elicit.Problem{Code: "unknown_session"})
	case session.opened.Server != ev.Server || !session.muted:
		s.problem(AboutSession, ev.Session, "", elicit.Problem{Code: "not_muted",
			Args: []elicit.Arg{elicit.Str("server", ev.Server)}})
	default:
		session.muted = false
	}
}

func (Unmuted) isEvent() {}

// AppendJSON appends {"event":"unmuted","session","server"}.
func (e Unmuted) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "unmuted")
	o.Str("session", e.Session)
	o.Str("server", e.Server)
	return o.End()
}
