package engine

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
)

const (
	maxSessionGrants = 100  // so that a session can always be saved
	maxGrants        = 4096 // that hold always
	maxGrantMessage  = 256  // bytes
)

// Grants lists the grants that hold now: those that hold always, then each session's, in the order they were given.
func (e *Engine) Grants() (list []elicit.Grant) {
	for _, some := range e.allGrants() {
		for _, g := range *some {
			if !g.Over(e.clock.wall()) {
				list = append(list, g)
			}
		}
	}
	return list
}

// allGrants are the lists that grants stand in: of those that hold always, and of each session.
func (e *Engine) allGrants() []*[]elicit.Grant {
	lists := []*[]elicit.Grant{&e.grants}
	for _, session := range e.Sessions() {
		lists = append(lists, &e.sessions[session].grants)
	}
	return lists
}

// grantsOf is the list for grants of a scope that are given in a session.
func (e *Engine) grantsOf(session *session, scope elicit.Scope) *[]elicit.Grant {
	if scope == elicit.Always {
		return &e.grants
	}
	return &session.grants
}

// digestOf is SHA-256 over everything a person agrees to, each part with its length before it.
func digestOf(h *held) string {
	r := &h.request
	sum := digest.New()
	parts := []string{r.Server, r.Tool, string(h.kind), r.Message, string(jsontext.AppendValue(nil, r.Schema)),
		string(r.Claim)}
	if r.Annotations != (elicit.Annotations{}) {
		// a tool that was read-only when it was agreed to may have become another
		parts = append(parts, r.Annotations.String())
	}
	if r.CandidatesCut {
		parts = append(parts, "calls unseen") // a yes to a question of no call is no yes to one that may be any tool's
	}
	if r.Command != "" || r.Cwd != "" {
		parts = append(parts, "command", r.Command, r.Cwd)
	}
	if r.Does != "" || len(r.Paths)+len(r.Hosts) > 0 || r.ReachCut || r.Outside != elicit.Unsaid {
		o := jsontext.Begin(nil)
		r.AppendDeed(&o)
		parts = append(parts, "deed", string(o.End()))
	}
	if r.For != "" {
		parts = append(parts, "for", r.For)
	}
	if r.Arguments != nil {
		parts = append(parts, "arguments", string(r.Arguments), string(r.ArgumentsSchema))
	}
	for _, part := range parts {
		sum.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return digest.Hex(sum.Sum(nil))
}

// coveringGrant names the grant that covers a request, "" when there is none. A yes was given to a certain tool, so it
// covers no request that may belong to another. Whether the grant may answer is for policy to say.
func (s *step) coveringGrant(h *held, findings []elicit.Finding) string {
	session, limit := h.session, s.config.stack.Grants()
	if h.request.For != "" { // a yes of another person
		return ""
	}
	if h.form == nil || limit < policy.GrantsSession || worrying(findings) || h.request.Ambiguous() ||
		len(session.grants) == 0 && len(s.grants) == 0 {
		return ""
	}
	digest, opened := digestOf(h), &session.opened
	covers := func(g elicit.Grant) bool {
		return g.Digest == digest && g.Principal == opened.Principal && !g.Over(s.wall) &&
			(g.Definition == h.request.Definition || g.Definition == "")
	}
	if i := slices.IndexFunc(session.grants, covers); i >= 0 {
		return string(session.grants[i].ID)
	}
	// The name of a server is only a label, so a yes that outlives the session is bound to what the server really is.
	coversAlways := func(g elicit.Grant) bool { return g.Identity == opened.Identity && covers(g) }
	if i := slices.IndexFunc(s.grants, coversAlways); i >= 0 && limit >= policy.GrantsAlways {
		return string(s.grants[i].ID)
	}
	return ""
}

// worrying findings keep a grant from answering: what a person should be warned of they should see. A grant holds only
// for the description that the person saw, so only a finding of severity high in it counts.
func worrying(findings []elicit.Finding) bool {
	return slices.ContainsFunc(findings, func(f elicit.Finding) bool {
		least := elicit.Medium
		if f.Pointer == "/description" {
			least = elicit.High
		}
		return f.Severity.Rank() >= least.Rank()
	})
}

// wantedGrant is the grant that an answer makes. If policy does not allow the time that was wished, the grant holds for
// a shorter time, and the reply says so.
func (s *step) wantedGrant(ev event.Answered, h *held) (g elicit.Grant, ok bool) {
	if ev.Remember.Scope == "" || ev.Remember.Scope == elicit.Once {
		return g, false
	}
	scope := ev.Remember.Scope
	if scope == elicit.Always && !s.mayHoldAlways(h) {
		scope = elicit.ForTheSession
	}
	spoken := causeOf(ev.Via) == elicit.ByUser || ev.Via == event.ViaScript && ev.Remember.Prepared
	if ev.Action != elicit.Accept || !spoken || h.once || !s.grantable(h) ||
		!s.roomFor(scope, h.session) {
		scope = elicit.Once
	}
	if scope != ev.Remember.Scope {
		h.reasons = append(h.reasons, elicit.Reason{Code: "remember_lowered", Args: []elicit.Arg{
			elicit.Str("wanted", string(ev.Remember.Scope)), elicit.Str("kept", string(scope))}})
	}
	r := &h.request
	g = elicit.Grant{ID: s.id, Digest: digestOf(h), Principal: ev.Principal, Server: r.Server, Tool: r.Tool,
		Message: beginning(r.Message), Definition: r.Definition, Scope: scope, ExpiresAt: ev.Remember.ExpiresAt}
	if scope == elicit.ForTheSession {
		g.Session = r.Session
	} else {
		g.Identity = h.session.opened.Identity
	}
	return g, scope != elicit.Once
}

// mayHoldAlways reports whether a yes to this request may hold always: policy has to allow it, and of a tool approval
// the server has to offer it.
func (s *step) mayHoldAlways(h *held) bool {
	return s.config.stack.Grants() >= policy.GrantsAlways && (h.kind != elicit.KindApproval || h.request.Persistable)
}

// offeredScopes lists for how long a yes to a request may be remembered, for hosts that want to know before they ask.
func (s *step) offeredScopes(h *held) (scopes []elicit.Scope) {
	if !s.config.remember || h.kind != elicit.KindConfirm && h.kind != elicit.KindApproval || !s.grantable(h) {
		return nil
	}
	if s.roomFor(elicit.ForTheSession, h.session) {
		scopes = append(scopes, elicit.ForTheSession)
	}
	if s.mayHoldAlways(h) && s.roomFor(elicit.Always, h.session) {
		scopes = append(scopes, elicit.Always)
	}
	return scopes
}

// grantable reports whether a grant could ever answer this request under the present policy.
func (s *step) grantable(h *held) bool {
	if h.form == nil || s.config.stack.Grants() < policy.GrantsSession || h.request.Ambiguous() {
		return false
	}
	facts, findings := s.consider(h)
	facts.Granted = string(s.id)
	d := s.decideByPolicy(&facts, findings)
	return d.Outcome == policy.Accept && d.Reasons[d.By()].Code == "granted" && !worrying(findings)
}

func (s *step) roomFor(scope elicit.Scope, session *session) bool {
	if scope == elicit.Always {
		return len(s.grants) < maxGrants
	}
	return len(session.grants) < maxSessionGrants
}

// keepGrant keeps a grant and lets it answer what waits in the queue for the same yes.
func (s *step) keepGrant(session *session, g elicit.Grant) {
	list := s.grantsOf(session, g.Scope)
	*list = append(slices.DeleteFunc(*list, func(old elicit.Grant) bool {
		return old.Over(s.wall) || old.Digest == g.Digest && old.Principal == g.Principal && old.Identity == g.Identity
	}), g)
	s.emit(effect.Remember{Session: session.opened.Session, Grant: g})
	s.answerQueued(session.opened.Session)
}

// answerQueued lets a grant just given answer the same question where it waits.
func (s *step) answerQueued(session string) {
	for _, it := range s.table.Unanswered(session) {
		if it.State != pending.Queued {
			continue
		}
		h := s.held[it.ID]
		if r, settled := s.settlement(h, s.decide(h)); settled && r.Outcome == elicit.Accepted {
			s.table.Recall(it.ID)
			s.send(h, outgoing{reply: r})
		}
	}
}

func (s *step) handleRevoked(ev event.Revoked) {
	for _, list := range s.allGrants() {
		if i := slices.IndexFunc(*list, func(g elicit.Grant) bool { return g.ID == ev.Grant }); i >= 0 {
			s.forgetServer((*list)[i].Server)
			*list = slices.Delete(*list, i, i+1)
			return
		}
	}
	s.problem(effect.AboutSession, "", ev.Grant, elicit.Problem{Code: "unknown_grant"})
}

// beginning cuts a message where a character begins.
func beginning(message string) string {
	if len(message) <= maxGrantMessage {
		return message
	}
	n := maxGrantMessage - len("…")
	for !utf8.RuneStart(message[n]) {
		n--
	}
	return message[:n] + "…"
}
