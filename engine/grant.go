package engine

import (
	"cmp"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/internal/few"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
	"github.com/elicit-engine/elicit/engine/policy"
)

const (
	maxSessionGrants = 100  // so that a session can always be saved
	maxGrants        = 4096 // that hold always
	maxGrantMessage  = 256  // bytes
)

// grants are the yeses of people that hold for more than one question.
type grants struct {
	// In the order they were given, which is the order of lists that people read. Both kinds are kept as values, and no
	// question points into them.
	always    []elicit.Grant
	ofSession few.Map[string, []elicit.Grant]
}

// claim is what a question shows to be answered by a grant. digest covers what was agreed to (digestOf). The other
// members say who asks, and under which description of the tool.
type claim struct {
	session, digest, definition string
	principal, identity         string
}

// all lists the grants: those that hold always, then those of each session, in the order they were given.
func (g *grants) all() []elicit.Grant {
	list := slices.Clone(g.always)
	for _, session := range sortedNames(&g.ofSession) {
		list = append(list, g.ofSession.At(session)...)
	}
	return list
}

// sortedNames lists the keys of a map in an order that every process has: no effect may follow the order of a map.
func sortedNames[K ~string, V any](of *few.Map[K, V]) []K {
	names := make([]K, 0, of.Len())
	for name := range of.All() {
		names = append(names, name)
	}
	order.Stable(names, cmp.Compare[K])
	return names
}

// covering names the grant that covers a claim under a limit of policy, "" when there is none. A session's own grant
// comes before one that holds always. limit GrantsSession lets only the former answer.
func (g *grants) covering(c claim, limit policy.Grants, wall int64) string {
	// The digest has the words that the person read, the principal is who read them, and the definition is the tool
	// as it was then. All must be equal. A grant without a definition is one from before definitions were known.
	covers := func(one elicit.Grant) bool {
		return one.Digest == c.digest && one.Principal == c.principal && !one.Over(wall) &&
			(one.Definition == c.definition || one.Definition == "")
	}
	if i := slices.IndexFunc(g.ofSession.At(c.session), covers); i >= 0 {
		return string(g.ofSession.At(c.session)[i].ID)
	}
	// The name of a server is only a label, so a yes that outlives the session is bound to what the server really is.
	coversAlways := func(one elicit.Grant) bool { return one.Identity == c.identity && covers(one) }
	if i := slices.IndexFunc(g.always, coversAlways); i >= 0 && limit >= policy.GrantsAlways {
		return string(g.always[i].ID)
	}
	return ""
}

// none reports whether no grant can cover a question of a session.
func (g *grants) none(session string) bool {
	return len(g.always) == 0 && len(g.ofSession.At(session)) == 0
}

// haveRoom reports whether one more grant of a scope can be kept.
func (g *grants) haveRoom(scope elicit.Scope, session string) bool {
	if scope == elicit.Always {
		return len(g.always) < maxGrants
	}
	return len(g.ofSession.At(session)) < maxSessionGrants
}

// keep keeps a grant that was given in a session, in the place of those it replaces.
func (g *grants) keep(session string, one elicit.Grant, wall int64) {
	replaced := func(old elicit.Grant) bool {
		return old.Over(wall) || old.Digest == one.Digest && old.Principal == one.Principal && old.Identity == one.Identity
	}
	// A yes to the same replaces the older one, so that its time and its scope are those of the last word.
	if one.Scope == elicit.Always {
		g.always = append(slices.DeleteFunc(g.always, replaced), one)
		return
	}
	g.setOf(session, append(slices.DeleteFunc(g.ofSession.At(session), replaced), one))
}

// setOf sets the grants of a session, none to forget them.
func (g *grants) setOf(session string, list []elicit.Grant) {
	if len(list) == 0 {
		g.ofSession.Delete(session)
		return
	}
	g.ofSession.Set(session, list)
}

// revoke takes a grant back and returns it, if there is one of that id.
func (g *grants) revoke(id elicit.ID) (elicit.Grant, bool) {
	named := func(one elicit.Grant) bool { return one.ID == id }
	if i := slices.IndexFunc(g.always, named); i >= 0 {
		one := g.always[i]
		g.always = slices.Delete(g.always, i, i+1)
		return one, true
	}
	for _, session := range sortedNames(&g.ofSession) {
		list := g.ofSession.At(session)
		if i := slices.IndexFunc(list, named); i >= 0 {
			one := list[i]
			g.setOf(session, slices.Delete(list, i, i+1))
			return one, true
		}
	}
	return elicit.Grant{}, false
}

// digestOf is SHA-256 over everything a person agrees to, each part with its length before it. Without lengths, the
// parts "ab" "c" and "a" "bc" would be one digest. A part that is left out when it is empty has a word before it when
// it is there, so a command cannot take the place of arguments. Grants of earlier versions keep their digest, because a
// part is added only for a question that has it.
func digestOf(r *elicit.Request, kind elicit.Kind) string {
	sum := digest.New()
	parts := []string{r.Server, r.Tool, string(kind), r.Message, string(jsontext.AppendValue(nil, r.Schema)),
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
	// The length before each part keeps two lists apart that would be the same text when joined.
	for _, part := range parts {
		sum.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return digest.Hex(sum.Sum(nil))
}

// worrying findings keep a grant from answering: what a person should be warned of they should see. A grant holds only
// for the description that the person saw, so only a finding of severity high in it counts. A grant was given for these
// very words. A finding may still be new: the person has visited other hosts since, or knows other servers.
func worrying(findings []elicit.Finding) bool {
	return slices.ContainsFunc(findings, func(f elicit.Finding) bool {
		least := elicit.Medium
		if f.Pointer == "/description" {
			least = elicit.High
		}
		return f.Severity.Rank() >= least.Rank()
	})
}

// beginning cuts a message where a character begins. The result has at most maxGrantMessage bytes, with the sign "…" in
// three of them.
func beginning(message string) string {
	if len(message) <= maxGrantMessage {
		return message
	}
	// The message is for the list of grants alone. The digest says what the grant covers.
	n := maxGrantMessage - len("…")
	for !utf8.RuneStart(message[n]) {
		n--
	}
	return message[:n] + "…"
}

// readRemembered takes a list of grants of one scope. Anything wrong in one of them is reported: a grant that is half
// understood could answer for a person. The grants of a session do not repeat what the session tells.
func readRemembered(r *strict.Reader, name string, scope elicit.Scope, most int,
	of event.Opened) (list []elicit.Grant) {
	ids := map[elicit.ID]bool{}
	r.Array(name, func(i int, e gjson.Result) bool {
		// Reported once. The list ends there, so a configuration of any length costs no more than this.
		if i == most {
			r.Report("too_many_grants", name, elicit.Num("limit", most))
			return false
		}
		if !e.IsObject() {
			r.Report("wrong_type", name, elicit.Str("expected", "object"))
			return false
		}
		sub := strict.Of(e)
		g := readGrant(&sub)
		if scope == elicit.ForTheSession {
			g.Session, g.Server, g.Principal = of.Session, of.Server, of.Principal
		}
		if g.Scope != scope || ids[g.ID] || !pending.WellFormed(g.ID) || !digest.IsHex(g.Digest) || grantIsMalformed(g) {
			sub.Report("grant_unreadable", "id")
		}
		ids[g.ID] = true
		r.Include(strict.Pointer(name), &sub)
		list = append(list, g)
		return true
	})
	return list
}

// readGrant takes every member that Grant.AppendJSON writes. Whether they fit together is for grantIsMalformed.
func readGrant(r *strict.Reader) elicit.Grant {
	return elicit.Grant{ID: elicit.ID(r.Str("id")), Digest: r.Str("digest"), Session: r.Opt("session"),
		Principal: r.Opt("principal"), Server: r.Str("server"), Identity: r.Opt("identity"), Tool: r.Opt("tool"),
		Message: r.Str("message"), Definition: r.Opt("definition"), Scope: elicit.Scope(r.Str("scope")),
		ExpiresAt: r.OptTime("expires_at")}
}

// grantIsMalformed reports whether a grant is none that an engine makes. One that holds always is bound to an identity
// and to no session. One of a session is bound to the session and to no identity.
func grantIsMalformed(g elicit.Grant) bool {
	return labelProblem(g.Session, g.Principal, g.Server, g.Identity, g.Tool, g.Definition) != "" ||
		len(g.Message) > maxGrantMessage ||
		(g.Session == "") != (g.Scope == elicit.Always) || g.Scope != elicit.Always && g.Identity != ""
}

// AppendGrants appends {"version":1,"grants":[…]}, in which a host may keep those that hold always.
func AppendGrants(dst []byte, list []elicit.Grant) []byte {
	o := jsontext.Begin(dst)
	o.Int("version", 1)
	jsontext.List(&o, "grants", list)
	return o.End()
}

// ReadGrants reads what AppendGrants wrote. With any problem there are no grants: one that is half understood could
// answer for a person.
func ReadGrants(doc []byte) ([]elicit.Grant, []elicit.Problem) {
	r, problems := strict.Document(doc, documentLimits)
	if len(problems) > 0 {
		return nil, problems
	}
	if v := r.Take("version"); v.Raw != "1" {
		r.Report("state_version", "version")
	}
	list := readRemembered(&r, "grants", elicit.Always, maxGrants, event.Opened{})
	r.RefuseUnknown()
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return list, nil
}
