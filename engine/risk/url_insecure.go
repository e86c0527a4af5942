package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// The span is the scheme alone, which is the part to change.
var urlInsecure = check{
	Doc: Doc{
		Code: "url_insecure", Title: "Not encrypted", Severity: elicit.High,
		About: "The address is http and leaves this machine, so anybody on the way can read and change the page and the " +
			"typed text. No finding for loopback addresses. Medium in a command.",
		Spec: "MCP, Safe URL Handling (R21): HTTPS outside development",
	},
	url: func(h *hits, a *address) {
		if a.scheme == "http" && !a.loopback() {
			severity := h.doc.Severity
			if a.inCommand {
				severity = elicit.Medium
			}
			h.addAs(severity, a.raw, 0, a.colon+1)
		}
	},
}
