package engine

import (
	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
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

func (r *reader) wish() (w Wish) {
	if sub := r.object("remember"); sub != nil {
		w = Wish{Scope: Scope(sub.str("scope")), ExpiresAt: sub.optTime("expires_at")}
		r.addProblems("remember", sub)
	}
	return w
}

// grants takes a list of grants of one scope. Anything wrong in one of them is reported: a grant that is half
// understood could answer for a person. The grants of a session do not repeat what the session tells.
func (r *reader) grants(name string, scope Scope, most int, of Opened) (list []Grant) {
	v := r.take(name)
	if v.Exists() && !v.IsArray() {
		r.complain("wrong_type", name, elicit.Str("expected", "array"))
		return nil
	}
	ids := map[elicit.ID]bool{}
	v.ForEach(func(_, e gjson.Result) bool {
		if len(list) == most {
			r.complain("too_many_grants", name, elicit.Num("limit", most))
			return false
		}
		if !e.IsObject() {
			r.complain("wrong_type", name, elicit.Str("expected", "object"))
			return false
		}
		sub := &reader{root: e}
		g := sub.grant()
		if scope == ForTheSession {
			g.Session, g.Server, g.Principal = of.Session, of.Server, of.Principal
		}
		if g.Scope != scope || ids[g.ID] || !pending.WellFormed(g.ID) || !digestLike(g.Digest) || g.unfit() {
			sub.complain("grant_unreadable", "id")
		}
		ids[g.ID] = true
		r.addProblems(name, sub)
		list = append(list, g)
		return true
	})
	return list
}

func (r *reader) grant() Grant {
	return Grant{ID: elicit.ID(r.str("id")), Digest: r.str("digest"), Session: r.opt("session"), Principal: r.opt("principal"),
		Server: r.str("server"), Identity: r.opt("identity"), Tool: r.opt("tool"), Message: r.str("message"), Scope: Scope(r.str("scope")), ExpiresAt: r.optTime("expires_at")}
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
	if f := jsontext.Check(doc, documentLimits); f != nil {
		return nil, []elicit.Problem{elicit.FromFault(f)}
	}
	r := reader{root: gjson.ParseBytes(doc)}
	if !r.root.IsObject() {
		return nil, []elicit.Problem{{Code: "wrong_type", Args: []elicit.Arg{elicit.Str("expected", "object")}}}
	}
	if v := r.take("version"); v.Raw != "1" {
		r.complain("state_version", "version")
	}
	list := r.grants("grants", Always, maxGrants, Opened{})
	r.refuseUnknown()
	if len(r.problems) > 0 {
		return nil, r.problems
	}
	return list, nil
}
