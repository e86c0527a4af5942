package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
)

// readRemembered takes a list of grants of one scope. Anything wrong in one of them is reported: a grant that is half
// understood could answer for a person. The grants of a session do not repeat what the session tells.
func readRemembered(r *strict.Reader, name string, scope elicit.Scope, most int,
	of event.Opened) (list []elicit.Grant) {
	ids := map[elicit.ID]bool{}
	r.Array(name, func(i int, e gjson.Result) bool {
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
		if g.Scope != scope || ids[g.ID] || !pending.WellFormed(g.ID) || !digestLike(g.Digest) || grantIsMalformed(g) {
			sub.Report("grant_unreadable", "id")
		}
		ids[g.ID] = true
		r.Include(strict.Pointer(name), &sub)
		list = append(list, g)
		return true
	})
	return list
}

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

// digestLike reports whether a text is spelled as a SHA-256 is: 64 lower-case hex digits.
func digestLike(digest string) bool {
	half := len(digest) / 2
	return len(digest) == 64 && pending.WellFormed(elicit.ID(digest[:half])) &&
		pending.WellFormed(elicit.ID(digest[half:]))
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
