package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
)

// session is everything that the engine keeps of an open session, except its requests and what its server has left of
// its rates.
type session struct {
	opened     event.Opened
	grants     []elicit.Grant    // that hold as long as the session
	typed      []typedValue      // oldest first, when policy lets it be suggested again
	accepted   []acceptedMessage // oldest first, when the configuration asks for changes
	haste      haste
	reviews    reviews
	stopwatch  stopwatch // when the configuration asks for pauses
	muted      bool      // its server is not to be heard
	compared   bool      // lookalikes has been filled in
	lookalikes []string  // the known server that its own resembles, if there is one

	links     map[string]*held // requests by the key that a completion names
	pageBytes int              // the size of what waits for a page to be finished
}

// keep holds a request until drop.
func (s *step) keep(h *held) {
	s.held[h.request.ID] = h
	if link := h.request.Link; link != "" {
		if h.session.links == nil {
			h.session.links = map[string]*held{}
		}
		h.session.links[link] = h
	}
}

// drop lets go of a request, which must still be in the table.
func (s *step) drop(h *held) {
	delete(s.held, h.request.ID)
	if h.session.links[h.request.Link] == h {
		delete(h.session.links, h.request.Link)
	}
	if it, _ := s.table.Find(h.request.ID); it.State == pending.Awaiting {
		h.session.pageBytes -= h.size()
	}
}

// awaitPage counts a request whose answer was given and whose page is not finished. Its size stays the same from now
// on, so drop takes off what was added here.
func (h *held) awaitPage() { h.session.pageBytes += h.size() }

// reconfigured drops what another configuration does not let stand.
func (s *session) reconfigured(c *config) {
	s.compared, s.lookalikes = false, nil
	if c.stack.Suggestions() <= policy.SuggestionsNone {
		s.typed = nil
	}
	if !c.changes {
		s.accepted = nil
	}
}

// handleOpened begins a session, or says why it cannot and returns nil.
func (s *step) handleOpened(ev event.Opened) *session {
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

// handleClosed settles all that a session held and ends it.
func (s *step) handleClosed(ev event.Closed) {
	session, known := s.sessions[ev.Session]
	if !known {
		s.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: "unknown_session"})
		return
	}
	cause := elicit.BySessionClosed
	if ev.Cause == elicit.ByShutdown {
		cause = elicit.ByShutdown
	}
	for _, it := range s.table.Open(ev.Session) {
		s.withdraw(s.held[it.ID], elicit.Cancelled, cause)
	}
	delete(s.sessions, ev.Session)
	s.closing = session
	s.table.ForgetSession(ev.Session)
}
