package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlUserinfo = check{
	Doc: Doc{
		Code: "url_userinfo", Title: "A name before the host", Severity: elicit.Critical,
		About: "The address has text and an @ before the host. The page of https://paypal.com@evil.example belongs to " +
			"evil.example. No honest address needs this. A password there is not shown.",
		Spec: "MCP client/elicitation, Safe URL Handling (R20, C5)",
	},
	url: func(h *hits, a *address) {
		if !a.hasUser {
			return
		}
		name, _, _ := strings.Cut(a.userinfo.of(a.raw), ":")
		h.addShown(a.userinfo.from, a.userinfo.to+1, name, elicit.Str("host", evidence(a.host.of(a.raw))))
	},
}
