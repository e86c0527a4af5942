package engine

import (
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
)

// Grant is a person's yes that stands for the same question asked again. Digest binds it to what was agreed to, so a
// question that changed in any part is asked again.
type Grant struct {
	ID        elicit.ID
	Digest    string // see digestOf
	Session   string // the only session it holds in; "" when it holds always
	Principal string // whose yes it is
	Server    string
	Identity  string // what the server really was when it holds always; "" when the host did not say
	Tool      string
	Message   string // its beginning, for lists that people read
	Scope     Scope
	ExpiresAt int64 // milliseconds since 1970 when it ends by itself, 0 for never
}

// Scope says how long a yes stands.
type Scope string

// The scopes. The zero value is an answer that says nothing of it, which counts as once.
const (
	Once          Scope = "once"
	ForTheSession Scope = "session"
	Always        Scope = "always"
)

// Scopes lists every Scope.
func Scopes() []Scope { return []Scope{Once, ForTheSession, Always} }

func (s Scope) known() bool { return s == "" || slices.Contains(Scopes(), s) }

// Wish is what a person who agrees wants remembered. ExpiresAt is milliseconds since 1970, 0 for no end.
type Wish struct {
	Scope     Scope
	ExpiresAt int64
}

// Remember tells of a new grant. The host keeps those with scope Always and gives them back in the configuration's
// "grants"; the engine keeps the others as long as their session.
type Remember struct {
	Session string
	Grant   Grant
}

// Revoked ends a grant, of whatever scope.
type Revoked struct{ Grant elicit.ID }

const (
	maxSessionGrants = 100  // so that a session can always be saved
	maxGrants        = 4096 // that hold always
	maxGrantMessage  = 256  // bytes
)

// Grants lists the grants that hold now: those that hold always, then each session's, in the order they were given.
func (e *Engine) Grants() (list []Grant) {
	for _, some := range e.allGrants() {
		for _, g := range *some {
			if !g.over(e.now) {
				list = append(list, g)
			}
		}
	}
	return list
}

// allGrants are the lists that grants stand in: of those that hold always, and of each session.
func (e *Engine) allGrants() []*[]Grant {
	lists := []*[]Grant{&e.grants}
	for _, session := range e.Sessions() {
		lists = append(lists, &e.sessions[session].grants)
	}
	return lists
}

// grantsOf is the list for grants of a scope that are given in a session.
func (e *Engine) grantsOf(session *session, scope Scope) *[]Grant {
	if scope == Always {
		return &e.grants
	}
	return &session.grants
}

func (g Grant) over(at int64) bool { return g.ExpiresAt != 0 && at >= g.ExpiresAt }

// digestOf is SHA-256 over everything a person agrees to, each part with its length before it.
func digestOf(h *held) string {
	r := &h.request
	sum := digest.New()
	parts := []string{r.Server, r.Tool, string(h.kind), r.Message, string(jsontext.AppendValue(nil, r.Schema)), string(r.Claim)}
	if r.Annotations != (elicit.Annotations{}) {
		parts = append(parts, r.Annotations.String()) // a tool that was read-only when it was agreed to may have become another
	}
	if r.CandidatesCut {
		parts = append(parts, "calls unseen") // a yes to a question of no call is no yes to one that may be any tool's
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
	if h.form == nil || limit < policy.GrantsSession || worrying(findings) || h.request.Ambiguous() ||
		len(session.grants) == 0 && len(s.grants) == 0 {
		return ""
	}
	digest, opened := digestOf(h), &session.opened
	covers := func(g Grant) bool { return g.Digest == digest && g.Principal == opened.Principal && !g.over(s.at) }
	if i := slices.IndexFunc(session.grants, covers); i >= 0 {
		return string(session.grants[i].ID)
	}
	// The name of a server is only a label, so a yes that outlives the session is bound to what the server really is.
	coversAlways := func(g Grant) bool { return g.Identity == opened.Identity && covers(g) }
	if i := slices.IndexFunc(s.grants, coversAlways); i >= 0 && limit >= policy.GrantsAlways {
		return string(s.grants[i].ID)
	}
	return ""
}

// worrying findings keep a grant from answering: what a person should be warned of they should see.
func worrying(findings []elicit.Finding) bool {
	return slices.ContainsFunc(findings, func(f elicit.Finding) bool { return f.Severity.Rank() >= elicit.Medium.Rank() })
}

// wantedGrant is the grant that an answer makes. If policy does not allow the time that was wished, the grant holds for
// a shorter time, and the reply says so.
func (s *step) wantedGrant(ev Answered, h *held) (g Grant, ok bool) {
	if ev.Remember.Scope == "" || ev.Remember.Scope == Once {
		return g, false
	}
	scope := ev.Remember.Scope
	if scope == Always && !s.mayHoldAlways(h) {
		scope = ForTheSession
	}
	if ev.Action != elicit.Accept || causeOf(ev.Via) != elicit.ByUser || !s.grantable(h) || !s.roomFor(scope, h.session) {
		scope = Once
	}
	if scope != ev.Remember.Scope {
		h.reasons = append(h.reasons, elicit.Reason{Code: "remember_lowered", Args: []elicit.Arg{
			elicit.Str("wanted", string(ev.Remember.Scope)), elicit.Str("kept", string(scope))}})
	}
	r := &h.request
	g = Grant{ID: s.id, Digest: digestOf(h), Principal: ev.Principal, Server: r.Server, Tool: r.Tool,
		Message: beginning(r.Message), Scope: scope, ExpiresAt: ev.Remember.ExpiresAt}
	if scope == ForTheSession {
		g.Session = r.Session
	} else {
		g.Identity = h.session.opened.Identity
	}
	return g, scope != Once
}

// mayHoldAlways reports whether a yes to this request may hold always: policy has to allow it, and of a tool approval
// the server has to offer it.
func (s *step) mayHoldAlways(h *held) bool {
	return s.config.stack.Grants() >= policy.GrantsAlways && (h.kind != elicit.KindApproval || h.request.Persistable)
}

// offeredScopes lists for how long a yes to a request may be remembered, for hosts that want to know before they ask.
func (s *step) offeredScopes(h *held) (scopes []Scope) {
	if !s.config.remember || h.kind != elicit.KindConfirm && h.kind != elicit.KindApproval || !s.grantable(h) {
		return nil
	}
	if s.roomFor(ForTheSession, h.session) {
		scopes = append(scopes, ForTheSession)
	}
	if s.mayHoldAlways(h) && s.roomFor(Always, h.session) {
		scopes = append(scopes, Always)
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

func (s *step) roomFor(scope Scope, session *session) bool {
	if scope == Always {
		return len(s.grants) < maxGrants
	}
	return len(session.grants) < maxSessionGrants
}

// keepGrant keeps a grant and lets it answer what waits in the queue for the same yes.
func (s *step) keepGrant(session *session, g Grant) {
	list := s.grantsOf(session, g.Scope)
	*list = append(slices.DeleteFunc(*list, func(old Grant) bool {
		return old.over(s.at) || old.Digest == g.Digest && old.Principal == g.Principal && old.Identity == g.Identity
	}), g)
	s.emit(Remember{Session: session.opened.Session, Grant: g})
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

func (s *step) handleRevoked(ev Revoked) {
	for _, list := range s.allGrants() {
		if i := slices.IndexFunc(*list, func(g Grant) bool { return g.ID == ev.Grant }); i >= 0 {
			s.forgetServer((*list)[i].Server)
			*list = slices.Delete(*list, i, i+1)
			return
		}
	}
	s.problem(AboutSession, "", ev.Grant, elicit.Problem{Code: "unknown_grant"})
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

func (Revoked) isEvent()   {}
func (Remember) isEffect() {}
