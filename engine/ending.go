package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// These end what is open for a reason that is not an answer: its time is up, its session ends, its peer takes it back,
// or the person wants to hear nothing more of a server. A person may also let a question wait longer.

// expire ends everything whose time is up. It runs before the event of the step, so an answer that comes at its
// deadline is late on every machine alike.
func (s *step) expire() {
	for _, it := range s.open.Due(s.at) {
		q, open := s.open.byID.Find(it.ID)
		if !open {
			continue // an answer whose guardian was late has left a grant, which has answered this one
		}
		// The deadline in the table may be a guardian's. The question itself ends only at its own.
		if c := q.consults.open; c != nil && (c.deadline == 0 || s.at < c.deadline) {
			c.failOverdue(s.at)
			s.concludeOrWait(q)
			continue
		}
		s.open.withdraw(q, elicit.Cancelled, elicit.ByTimeout)
	}
}

// endSession settles all that a session held and ends it.
func (s *step) endSession(ev event.Closed) {
	session := s.sessions.find(ev.Session)
	if session == nil {
		return
	}
	// A host may say that it shuts down. No other cause of a host is taken: it would be its word about a person.
	cause := elicit.BySessionClosed
	if ev.Cause == elicit.ByShutdown {
		cause = elicit.ByShutdown
	}
	// Every open question of the session, pages that are awaited included. Such a page lapses: its reply went out
	// before.
	for _, it := range s.open.Open(ev.Session) {
		s.open.withdraw(s.open.held(it), elicit.Cancelled, cause)
	}
	// Empty unless an invariant is broken. No question may outlive its session.
	for _, it := range s.open.Open(ev.Session) {
		s.open.breakOff(s.open.held(it), sessionIsClosed)
		s.open.byID.Delete(it.ID)
		s.open.Settle(it.ID, elicit.Cancelled, cause)
	}
	// The session outlives its questions by these lines alone, because a question needs its session until it has
	// ended.
	s.sessions.byName.Delete(ev.Session)
	s.sessions.closing = session
	s.grants.setOf(ev.Session, nil)
	s.open.ForgetSession(ev.Session)
}

// cancel takes back what a peer or host names. Causes that would tell a lie are refused: a client that answers for a
// person cannot say that its peer ran out of attempts.
func (s *step) cancel(ev event.Cancelled) {
	if opened := s.sessions.opened(ev.Session); opened != nil && !mayCancel(opened.Side, ev.Cause) {
		s.out.problem(effect.AboutHost, "", "", elicit.Problem{Code: "unknown_cause"})
		return
	}
	// Labels first, because cancel drops the questions. Somebody else may have let the peer do what it asked about.
	for _, it := range s.open.Unanswered(ev.Session) {
		if q := s.open.byID.At(it.ID); q.named(ev) && mayHaveRun(&q.request, ev.Cause) {
			s.sessions.learn(&q.request)
		}
	}
	s.open.cancel(ev)
}

var mutedReason = elicit.Reason{Code: "muted"}

// mute cancels the waiting questions of the session's server, and all that it asks from now on. A question that is
// before the person stays, because it may hold something they have typed. The session and its grants stay. Typed values
// go, so that a later unmute does not offer old words to this server.
func (s *step) mute(session *session) {
	session.muted, session.typed = true, nil
	s.open.withdrawQueued(session.opened.Session, mutedReason)
}

// revoke takes a grant back, and what was typed for its server: whoever trusts a server no more should not find their
// words offered to it.
func (s *step) revoke(ev event.Revoked) {
	g, known := s.grants.revoke(ev.Grant)
	if !known {
		s.out.problem(effect.AboutSession, "", ev.Grant, elicit.Problem{Code: "unknown_grant"})
		return
	}
	s.sessions.forgetTyped(g.Server)
}

// longestExtension bounds what one event may add to a deadline, in milliseconds.
const longestExtension = 7 * 24 * 3600 * 1000

// handleExtended gives a question more time. A question without a deadline needs none, so it cannot get one by this.
func (s *step) handleExtended(ev event.Extended) {
	it, ok := s.open.shownItem(ev.Session, ev.ID)
	if !ok {
		return
	}
	q := s.open.byID.At(ev.ID)
	c := q.consults.open
	if it.Deadline == 0 || c != nil && c.deadline == 0 {
		s.out.problem(effect.AboutQuestion, ev.Session, ev.ID, elicit.Problem{Code: "no_deadline"})
		return
	}
	// The host names a wall time. Deadlines follow the engine's clock, which the wall clock may be ahead of.
	until := min(ev.Until-s.clock.ahead, s.at+longestExtension)
	if c != nil { // the deadline in the table is the guardians'
		c.deadline = max(c.deadline, until)
		s.concludeOrWait(q)
		s.out.emit(effect.Extend{Session: ev.Session, ID: ev.ID, Deadline: s.clock.onWall(c.deadline)})
		return
	}
	deadline, _ := s.open.Extend(ev.ID, until)
	s.out.emit(effect.Extend{Session: ev.Session, ID: ev.ID, Deadline: s.clock.onWall(deadline)})
}
