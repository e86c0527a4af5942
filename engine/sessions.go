package engine

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/few"
)

// sessions are the open sessions, and what outlives them: by principal, the hosts that were visited and the servers
// that were met. They know nothing of policy and guardians. hosts and servers stay when a session ends: a look-alike of
// last week's server should be noticed. They are bounded by principals and by names.
type sessions struct {
	byName  few.Map[string, *session]
	hosts   visitedHosts
	servers knownServers
	// Its last Pause is still to be emitted. perform resets it before each step.
	closing *session // the session that this step has ended
	out     *outbox
}

func newSessions(out *outbox) sessions { return sessions{out: out} }

// of is the session that a question came in. It is open as long as the question is: a session that ends settles all
// that it held first.
func (o *sessions) of(q *question) *session { return o.byName.At(q.request.Session) }

// opened is what a session was opened with, nil if none of that name is open.
func (o *sessions) opened(name string) *event.Opened {
	if session, open := o.byName.Find(name); open {
		return &session.opened
	}
	return nil
}

// newSession keeps the labels apart from the event: a label that is not known has become "*" in them. The event's own
// list is dropped, since labels grow.
func newSession(ev event.Opened) *session {
	labels := labelsOf(ev.Labels)
	ev.Labels = nil
	return &session{opened: ev, labels: labels}
}

// begin begins a session, or says why it cannot and returns nil. A refusal is a Problem about the session and changes
// nothing. server names and identities are the host's, so none of the checks is about a peer.
func (o *sessions) begin(ev event.Opened, most int) *session {
	fail := func(code string) { o.out.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: code}) }
	switch _, known := o.byName.Find(ev.Session); {
	case ev.Session == "":
		fail("session_unnamed")
	case known:
		fail("session_open")
	case o.byName.Len() >= most:
		fail("too_many_sessions")
	case ev.Side != elicit.Answering && ev.Side != elicit.Asking:
		fail("side_unsupported")
	default:
		// The name is free, so nothing that another session left can reach this one: endSession has dropped it.
		begun := newSession(ev)
		o.byName.Set(ev.Session, begun)
		return begun
	}
	return nil
}

// find is the session of a name, or nil after a problem that says so.
func (o *sessions) find(name string) *session {
	session := o.byName.At(name)
	if session == nil {
		o.out.problem(effect.AboutSession, name, "", elicit.Problem{Code: "unknown_session"})
	}
	return session
}

// known is what tells for or against a request of a session, beside the request itself. configured are the servers
// that the configuration names.
func (o *sessions) known(of *session, configured []string, wall int64) Known {
	return Known{At: wall, Hosts: o.hosts.At(of.opened.Principal), Servers: of.resembles(configured, &o.servers),
		Hasty: of.haste.isHasty(), Labels: of.labels}
}

// learn adds the labels of a deed that was not refused.
func (o *sessions) learn(r *elicit.Request) {
	if session := o.byName.At(r.Session); session != nil {
		session.labels.learn(r)
	}
}

// mayHaveRun reports whether the peer may have done what it asked about, although it got no yes here: it was told to
// decide itself, or it has taken the question back because somebody answered it elsewhere. A held call that is taken
// back was not made. A label that is given in doubt only tightens later decisions, so doubt gives it.
func mayHaveRun(r *elicit.Request, cause elicit.Cause) bool {
	switch cause {
	case elicit.ByHandedOver, elicit.ByLeftOpen:
		return true
	case "", elicit.ByPeerCancelled:
		return !r.HeldCall
	}
	return false
}

// recall restores what a session's principal knew where it was saved.
func (o *sessions) recall(opened *event.Opened, hosts, servers []string) {
	for _, host := range hosts {
		o.hosts.keep(opened.Principal, host)
	}
	for _, server := range servers {
		o.servers.add(opened.Principal, server)
	}
	o.servers.add(opened.Principal, opened.Server)
}

// reconfigured drops what another configuration does not let stand.
func (o *sessions) reconfigured(c *config) {
	for _, session := range o.byName.All() {
		session.reconfigured(c)
	}
}

// unmute hears a server again. The event names the server, so that an unmute which comes late cannot free another one.
func (o *sessions) unmute(ev event.Unmuted) {
	switch session := o.find(ev.Session); {
	case session == nil:
	case session.opened.Server != ev.Server || !session.muted:
		o.out.problem(effect.AboutSession, ev.Session, "", elicit.Problem{Code: "not_muted",
			Args: []elicit.Arg{elicit.Str("server", ev.Server)}})
	default:
		session.muted = false
	}
}

// forget drops what the person typed in a session.
func (o *sessions) forget(ev event.Forgotten) {
	if session := o.find(ev.Session); session != nil {
		session.forget(ev.Field)
	}
}

// forgetTyped drops what people typed for a server, in each of its sessions.
func (o *sessions) forgetTyped(server string) {
	for _, session := range o.byName.All() {
		if session.opened.Server == server {
			session.typed = nil
		}
	}
}
