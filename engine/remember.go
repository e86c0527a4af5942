package engine

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/policy"
)

// coveringGrant names the grant that covers a request, "" when there is none. A yes was given to a certain tool, so it
// covers no request that may belong to another. Whether the grant may answer is for policy to say. The cheap conditions
// stand first, because the digest is made over the whole question.
func (d *decider) coveringGrant(q *question, findings []elicit.Finding) string {
	limit := d.config.stack.Grants()
	// The digest of a grant covers For too. The check stands here as well, because a yes of one person for another
	// would be the worst mistake that a grant can make.
	if q.request.For != "" { // a yes of another person
		return ""
	}
	if q.form == nil || limit < policy.GrantsSession || worrying(findings) || q.request.Ambiguous() ||
		d.grants.none(q.request.Session) {
		return ""
	}
	return d.grants.covering(claim{session: q.request.Session, digest: digestOf(&q.request, q.kind),
		definition: q.request.Definition, principal: q.opened.Principal, identity: q.opened.Identity}, limit, d.wall)
}

// wantedGrant is the grant that an answer makes. If policy does not allow the time that was wished, the grant holds for
// a shorter time, and the reply says so. once tells that no digest tells this yes from others. It keeps nothing:
// deliver does, after the answer was sent. ok false is an answer that makes no grant; the reason remember_lowered then
// says so, unless nothing was wished.
func (d *decider) wantedGrant(ev event.Answered, q *question, once bool, now circumstances) (g elicit.Grant, ok bool) {
	if ev.Remember.Scope == "" || ev.Remember.Scope == elicit.Once {
		return g, false
	}
	// Each condition below lowers the scope and none raises it. With the scope once, there is no grant.
	scope := ev.Remember.Scope
	if scope == elicit.Always && !q.mayHoldAlways(d.config.stack.Grants()) {
		scope = elicit.ForTheSession
	}
	// A grant speaks for a person who is not asked. So a script's yes makes one only if the operator prepared that
	// too.
	spoken := causeOf(ev.Via) == elicit.ByUser || ev.Via == event.ViaScript && ev.Remember.Prepared
	if ev.Action != elicit.Accept || !spoken || once || !d.grantable(q, now) ||
		!d.grants.haveRoom(scope, q.request.Session) {
		scope = elicit.Once
	}
	if scope != ev.Remember.Scope {
		q.because(elicit.Reason{Code: "remember_lowered", Args: []elicit.Arg{
			elicit.Str("wanted", string(ev.Remember.Scope)), elicit.Str("kept", string(scope))}})
	}
	r := &q.request
	g = elicit.Grant{ID: d.id, Digest: digestOf(r, q.kind), Principal: ev.Principal, Server: r.Server, Tool: r.Tool,
		Message: beginning(r.Message), Definition: r.Definition, Scope: scope, ExpiresAt: ev.Remember.ExpiresAt}
	// A session has one server, so its name is enough within it. Beyond it the name is only a label.
	if scope == elicit.ForTheSession {
		g.Session = r.Session
	} else {
		g.Identity = q.opened.Identity
	}
	return g, scope != elicit.Once
}

// mayHoldAlways reports whether a yes to this request may hold always: policy has to allow it, and of a tool approval
// the server has to offer it.
func (q *question) mayHoldAlways(limit policy.Grants) bool {
	return limit >= policy.GrantsAlways && (q.kind != elicit.KindApproval || q.request.Persistable)
}

// offeredScopes lists for how long a yes to a request may be remembered, for hosts that want to know before they ask.
func (d *decider) offeredScopes(q *question, now circumstances) (scopes []elicit.Scope) {
	if !d.config.remember || q.kind != elicit.KindConfirm && q.kind != elicit.KindApproval || !d.grantable(q, now) {
		return nil
	}
	if d.grants.haveRoom(elicit.ForTheSession, q.request.Session) {
		scopes = append(scopes, elicit.ForTheSession)
	}
	if q.mayHoldAlways(d.config.stack.Grants()) && d.grants.haveRoom(elicit.Always, q.request.Session) {
		scopes = append(scopes, elicit.Always)
	}
	return scopes
}

// grantable reports whether a grant could ever answer this request under the present policy. It asks policy the very
// question that the next equal request will ask: a yes that could never be used is not offered and not kept. The id
// that it puts into the facts is of a grant that does not exist yet. Policy looks only at whether there is one.
func (d *decider) grantable(q *question, now circumstances) bool {
	if q.form == nil || d.config.stack.Grants() < policy.GrantsSession || q.request.Ambiguous() {
		return false
	}
	facts, findings := consider(q.request, q.kind, q.facts, now.Known)
	facts.Granted = string(d.id)
	made := d.byPolicy(&facts, findings)
	return made.Outcome == policy.Accept && made.Reasons[made.By()].Code == "granted" && !worrying(findings)
}
