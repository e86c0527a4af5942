package mcp

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// ReadClaim reads what a request claims about itself in _meta, by the keys that Codex defines. A claim is no proof,
// because any server can write these keys. So claims can only make policy stricter or offer a choice.
//
// A tool suggestion is recognised first, because no server may make one. A request tagged as an approval must follow
// every rule for approvals. The least deviation makes the claim malformed, so that a form cannot pass for a
// confirmation.
//
// ClaimApproval makes a question one that a rule for approvals may answer. So it must have no field: a form that asks
// for a name, and is tagged as an approval, would be accepted without the name.
func ReadClaim(meta wire.Object, q *elicit.Request) {
	kind, _ := wire.Text(meta.Get("codex_approval_kind"))
	tag, _ := wire.Text(meta.Get("codex_request_type"))
	switch {
	case kind == "tool_suggestion":
		q.Claim = elicit.ClaimSuggestion
	case tag == "approval_request" && kind == "mcp_tool_call" && approval(meta) && EmptyForm(q):
		q.Claim = elicit.ClaimApproval
	case tag == "approval_request":
		q.Claim = elicit.ClaimMalformed
	}
	q.StrictReview = wire.True(meta.Get("codex_strict_auto_review"))
	q.Persistable = persistOffered(meta.Get("persist"))
}

// approval checks the members that a tagged approval must and may have.
func approval(meta wire.Object) bool {
	name, ok := wire.Text(meta.Get("tool_name"))
	if !ok || strings.TrimSpace(name) == "" {
		return false
	}
	if p := meta.Get("tool_params"); p != nil && wire.TypeOf(p) != wire.Map {
		return false
	}
	for _, optional := range [...]string{"tool_title", "tool_description"} {
		if v := meta.Get(optional); v != nil && wire.TypeOf(v) != wire.String {
			return false
		}
	}
	return true
}

// EmptyForm reports whether q is a form without fields.
func EmptyForm(q *elicit.Request) bool {
	if q.Mode != elicit.Form {
		return false
	}
	schema, ok := wire.ReadObject(q.Schema)
	if !ok {
		return false
	}
	properties, ok := schema.Child("properties")
	return ok && len(properties.Members) == 0
}

// persistOffered accepts "session", "always" and arrays with one of them. Any other value offers nothing.
func persistOffered(raw []byte) bool {
	if s, ok := wire.Text(raw); ok {
		return s == "session" || s == "always"
	}
	list, _ := wire.Elements(raw, maxEntries)
	for _, e := range list {
		if s, _ := wire.Text(e); s == "session" || s == "always" {
			return true
		}
	}
	return false
}
