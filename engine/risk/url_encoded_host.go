package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlEncodedHost = check{
	Doc: Doc{
		Code: "url_encoded_host", Title: "Escaped host", Severity: elicit.Critical,
		About: "The host contains percent escapes. No host needs them; they hide what it is from people and from policies.",
		Spec:  "MCP, Safe URL Handling (R22, C5)",
	},
	url: func(h *hits, a *address) {
		host := a.host.of(a.raw)
		if strings.Contains(host, "%") && (a.scheme != "" || unescape(host) != host) { // else a hole of another program
			h.add(a.raw, a.host.from, a.host.to, elicit.Str("decoded", evidence(unescape(host))))
		}
	},
}
