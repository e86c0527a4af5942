package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/internal/strict"
	"github.com/elicit-engine/elicit/engine/pending"
)

// AppendJSON appends
// {"id","digest","session"?,"principal"?,"server","identity"?,"tool"?,"message","scope","expires_at"?}.
func (g Grant) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("id", string(g.ID))
	o.Str("digest", g.Digest)
	o.OptStr("session", g.Session)
	o.OptStr("principal", g.Principal)
	o.Str("server", g.Server)
	o.OptStr("identity", g.Identity)
	o.OptStr("tool", g.Tool)
	o.Str("message", g.Message)
	o.Str("scope", string(g.Scope))
	o.OptInt("expires_at", g.ExpiresAt)
	return o.End()
}

// AppendJSON appends {"effect":"remember","session","grant":{…}}.
func (r Remember) AppendJSON(dst []byte) []byte {
	o := beginEffect(dst, "remember")
	o.Str("session", r.Session)
	o.Name("grant", r.Grant.AppendJSON)
	return o.End()
}

// AppendJSON appends {"event":"revoked","grant"}.
func (e Revoked) AppendJSON(dst []byte) []byte {
	o := beginEvent(dst, "revoked")
	o.Str("grant", string(e.Grant))
	return o.End()
}

// AppendJSON appends {"scope","expires_at"?}.
func (w Wish) AppendJSON(dst []byte) []byte {
	o := jsontext.Begin(dst)
	o.Str("scope", string(w.Scope))
	o.OptInt("expires_at", w.ExpiresAt)
	return o.End()
}

func readWish(r *strict.Reader) (w Wish) {
	r.Object("remember", func(sub *strict.Reader) {
		w = Wish{Scope: Scope(sub.Str("scope")), ExpiresAt: sub.OptTime("expires_at")}
	})
	return w
}

// readRemembered takes a list of grants of one scope. Anything wrong in one of them is reported: a grant that is half
// understood could answer for a person. The grants of a session do not repeat what the session tells.
func readRemembered(r *strict.Reader, name string, scope Scope, most int, of Opened) (list []Grant) {
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
		if scope == ForTheSession {
			g.Session, g.Server, g.Principal = of.Session, of.Server, of.Principal
		}
		if g.Scope != scope || ids[g.ID] || !pending.WellFormed(g.ID) || !digestLike(g.Digest) || g.unfit() {
			sub.Report("grant_unreadable", "id")
		}
		ids[g.ID] = true
		r.Include(strict.Pointer(name), &sub)
		list = append(list, g)
		return true
	})
	return list
}

func readGrant(r *strict.Reader) Grant {
	return Grant{ID: elicit.ID(r.Str("id")), Digest: r.Str("digest"), Session: r.Opt("session"), Principal: r.Opt("principal"),
		Server: r.Str("server"), Identity: r.Opt("identity"), Tool: r.Opt("tool"), Message: r.Str("message"), Scope: Scope(r.Str("scope")), ExpiresAt: r.OptTime("expires_at")}
}

func (g Grant) unfit() bool {
	return unfitLabels(g.Session, g.Principal, g.Server, g.Identity, g.Tool) != "" || len(g.Message) > maxGrantMessage ||
		(g.Session == "") != (g.Scope == Always) || g.Scope != Always && g.Identity != ""
}

func digestLike(digest string) bool {
	half := len(digest) / 2
	return len(digest) == 64 && pending.WellFormed(elicit.ID(digest[:half])) && pending.WellFormed(elicit.ID(digest[half:]))
}

// AppendGrants appends {"version":1,"grants":[…]}, in which a host may keep those that hold always.
func AppendGrants(dst []byte, list []Grant) []byte {
	o := jsontext.Begin(dst)
	o.Int("version", 1)
	o.Name("grants", func(dst []byte) []byte { return elicit.AppendList(dst, list) })
	return o.End()
}

// ReadGrants reads what AppendGrants wrote. With any problem there are no grants: one that is half understood could
// answer for a person.
func ReadGrants(doc []byte) ([]Grant, []elicit.Problem) {
	r, problems := strict.Document(doc, documentLimits)
	if len(problems) > 0 {
		return nil, problems
	}
	if v := r.Take("version"); v.Raw != "1" {
		r.Report("state_version", "version")
	}
	list := readRemembered(&r, "grants", Always, maxGrants, Opened{})
	r.RefuseUnknown()
	if len(r.Problems) > 0 {
		return nil, r.Problems
	}
	return list, nil
}
