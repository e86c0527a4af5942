package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// sessionOf is the session that a question came in. It is open as long as the question is.
func (s *step) sessionOf(q *question) *session { return s.sessions[q.request.Session] }

// beginSession begins a session, or says why it cannot and returns nil.
func (s *step) beginSession(ev event.Opened) *session {
	fail := func(code string) { s.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: code}) }
	switch _, known := s.sessions[ev.Session]; {
	case ev.Session == "":
		fail("session_unnamed")
	case known:
		fail("session_open")
	case len(s.sessions) >= s.config.limits.sessions:
		fail("too_many_sessions")
	case ev.Side != elicit.Answering && ev.Side != elicit.Asking:
		fail("side_unsupported")
	default:
		begun := &session{opened: ev}
		s.sessions[ev.Session] = begun
		return begun
	}
	return nil
}

// openSession is the session of a name, or nil after a problem that says so.
func (s *step) openSession(name string) *session {
	session := s.sessions[name]
	if session == nil {
		s.problem(effect.AboutSession, name, "", elicit.Problem{Code: "unknown_session"})
	}
	return session
}

// endSession settles all that a session held and ends it.
func (s *step) endSession(ev event.Closed) {
	session := s.openSession(ev.Session)
	if session == nil {
		return
	}
	cause := elicit.BySessionClosed
	if ev.Cause == elicit.ByShutdown {
		cause = elicit.ByShutdown
	}
	for _, it := range s.open.Open(ev.Session) {
		s.open.withdraw(s.open.byID[it.ID], elicit.Cancelled, cause)
	}
	delete(s.sessions, ev.Session)
	s.closing = session
	s.grants.setOf(ev.Session, nil)
	s.open.ForgetSession(ev.Session)
}

// cancel takes back what a peer or host names.
func (s *step) cancel(ev event.Cancelled) {
	if session := s.sessions[ev.Session]; session != nil && !mayCancel(session.opened.Side, ev.Cause) {
		s.problem(effect.AboutHost, "", "", elicit.Problem{Code: "unknown_cause"})
		return
	}
	s.open.cancel(ev)
}

var mutedReason = elicit.Reason{Code: "muted"}

// mute cancels the waiting questions of the session's server, and all that it asks from now on. A question that is
// before the person stays, because it may hold something they have typed.
func (s *step) mute(session *session) {
	session.muted, session.typed = true, nil
	s.open.withdrawQueued(session.opened.Session, mutedReason)
}

func (s *step) unmute(ev event.Unmuted) {
	switch session := s.openSession(ev.Session); {
	case session == nil:
	case session.opened.Server != ev.Server || !session.muted:
		s.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: "not_muted",
			Args: []elicit.Arg{elicit.Str("server", ev.Server)}})
	default:
		session.muted = false
	}
}

// forgetTyped drops what the person typed in a session.
func (s *step) forgetTyped(ev event.Forgotten) {
	if session := s.openSession(ev.Session); session != nil {
		session.forget(ev.Field)
	}
}
