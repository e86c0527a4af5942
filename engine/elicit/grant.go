package elicit

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/jsontext"
)

// Grant is a person's yes that stands for the same question asked again. Digest binds it to what was agreed to, so a
// question that changed in any part is asked again. The engine makes one from an Answered with a Wish (Remember
// effect). The host keeps those that hold always and gives them back in the configuration. Revoked, expiry, or the end
// of its session ends it.
type Grant struct {
	ID        ID
	Digest    string // SHA-256 over everything the person agreed to, in hex
	Session   string // the only session it holds in; "" when it holds always
	Principal string // whose yes it is
	Server    string
	// Session and Identity exclude each other: a grant holds in one session, or for one identity in all.
	Identity string // what the server really was when it holds always; "" when the host did not say
	Tool     string
	Message  string // its beginning, for lists that people read

	// Definition is the digest of what the server said of the tool. "" is a grant from before there were such digests; it
	// holds for every definition.
	Definition string
	Scope      Scope
	ExpiresAt  int64 // milliseconds since 1970 when it ends by itself, 0 for never
}

// Over reports whether the grant has ended by itself at a time. It ends at the moment itself, as a deadline does.
func (g Grant) Over(at int64) bool { return g.ExpiresAt != 0 && at >= g.ExpiresAt }

// AppendJSON appends
// {"id","digest","session"?,"principal"?,"server","identity"?,"tool"?,"message","definition"?,"scope","expires_at"?}.
func (g Grant) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "id", string(g.ID), "digest", g.Digest)
	o.OptStrs("session", g.Session, "principal", g.Principal)
	o.Str("server", g.Server)
	o.OptStrs("identity", g.Identity, "tool", g.Tool)
	o.Str("message", g.Message)
	o.OptStr("definition", g.Definition)
	o.Str("scope", string(g.Scope))
	o.OptInt("expires_at", g.ExpiresAt)
	return o.End()
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

// Valid reports whether s is a scope or the zero value.
func (s Scope) Valid() bool { return s == "" || slices.Contains(Scopes(), s) }

// Wish is what a person who agrees wants remembered. ExpiresAt is milliseconds since 1970, 0 for no end. The zero value
// wishes nothing. The engine may lower the scope, and then says so in a reason (remember_lowered).
type Wish struct {
	Scope     Scope
	ExpiresAt int64
	Prepared  bool // a person wrote it into the file of prepared answers; without it, no such answer is remembered
}

// AppendJSON appends {"scope","expires_at"?,"prepared"?}.
func (w Wish) AppendJSON(dst []byte) []byte {
	o := jsontext.With(dst, "scope", string(w.Scope))
	o.OptInt("expires_at", w.ExpiresAt)
	o.OptTrue("prepared", w.Prepared)
	return o.End()
}
