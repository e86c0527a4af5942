package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/secret"
)

// The fragment is looked at too: a token there reaches no server, but the history of the browser has it.
var urlSecretInQuery = check{
	Doc: Doc{
		Code: "url_secret_in_query", Title: "A secret in the address", Severity: elicit.Medium,
		About: "A query or fragment parameter is named like a token, key or password. Everybody who sees the address, its " +
			"logs or its history has the secret, and a page that needs no sign-in may have been opened for somebody else. " +
			"Only the name is shown, never the value.",
		Spec: "MCP, Safe URL Handling (R20, S1): no sensitive data, not pre-authenticated",
	},
	url: func(h *hits, a *address) {
		if !secretParameter(h, a, a.query) {
			secretParameter(h, a, a.fragment)
		}
	},
}

// secretParameter reports the first parameter that is named like a secret and has a value.
func secretParameter(h *hits, a *address, where span) bool {
	at := where.from
	for pair := range strings.FieldsFuncSeq(where.of(a.raw), func(r rune) bool { return r == '&' || r == ';' }) {
		// The pairs are found in order, so at moves forward alone and the walk is linear.
		at += strings.Index(a.raw[at:where.to], pair)
		name, value, _ := strings.Cut(pair, "=")
		if value != "" && secretName(name) {
			h.add(a.raw, at, at+len(name))
			return true
		}
		at += len(pair)
	}
	return false
}

// The first list has names that are secrets in an address and ordinary words elsewhere, such as key.
func secretName(name string) bool {
	switch lowerASCII(name) {
	case "auth", "sid", "session", "session_id", "sessionid", "jsessionid", "phpsessid", "key":
		return true
	}
	_, ok := secret.Label(unescape(name))
	return ok
}
