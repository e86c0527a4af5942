package risk

import "github.com/elicit-engine/elicit/engine/elicit"

var urlInsecure = check{
	Doc: Doc{
		Code: "url_insecure", Title: "Not encrypted", Severity: elicit.High,
		About: "The address is http and leaves this machine, so anybody on the way can read and change the page and the " +
			"typed text. No finding for localhost and loopback addresses, because developers use them.",
		Spec: "MCP client/elicitation, Safe URL Handling (R21): HTTPS outside development",
	},
	url: func(h *hits, a *address) {
		if a.scheme == "http" && !a.loopback() {
			h.add(a.raw, 0, a.colon+1)
		}
	},
}
