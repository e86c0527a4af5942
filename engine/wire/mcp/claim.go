package mcp

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
)

// readClaim notes what a request says of itself in _meta (the keys Codex gives meaning to). None of it is proof: any
// server can write these keys, so they can only make policy stricter or offer a choice.
//
// A tool suggestion is recognised first, because a server may never make one. A request tagged as an approval must be
// one in every particular; the least deviation makes the claim malformed, so that a form cannot pass for a confirmation.
func readClaim(meta wire.Object, q *elicit.Request) {
	kind, _ := wire.Text(meta.Get("codex_approval_kind"))
	tag, _ := wire.Text(meta.Get("codex_request_type"))
	switch {
	case kind == "tool_suggestion":
		q.Claim = elicit.ClaimSuggestion
	case tag == "approval_request" && kind == "mcp_tool_call" && approval(meta) && emptyForm(q):
		q.Claim = elicit.ClaimApproval
	case tag == "approval_request":
		q.Claim = elicit.ClaimMalformed
	}
	q.StrictReview = wire.True(meta.Get("codex_strict_auto_review"))
	q.Persistable = persistOffered(meta.Get("persist"))
}

// approval checks the members a tagged approval must and may have.
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

func emptyForm(q *elicit.Request) bool {
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

// persistOffered accepts "session", "always" and arrays that name one of them; anything else offers nothing.
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
