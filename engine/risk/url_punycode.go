package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlPunycode = check{
	Doc: Doc{
		Code: "url_punycode", Title: "International host name", Severity: elicit.Medium,
		About: "A part of the host begins with xn--, which browsers may show in other letters. The argument unicode " +
			"is the other form.",
		Spec: "MCP, Safe URL Handling (R22, C6): warn on Punycode",
	},
	url: func(h *hits, a *address) {
		host := lowerASCII(a.host.of(a.raw))
		if strings.HasPrefix(host, "xn--") || strings.Contains(host, ".xn--") {
			h.add(a.raw, a.host.from, a.host.to, elicit.Str("unicode", evidence(a.unicode)))
		}
	},
}
