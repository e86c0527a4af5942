package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// A server must not start a program by a link. A host that opens any scheme is attacked by "ms-settings:" as by
// "javascript:".
var urlScheme = check{
	Doc: Doc{
		Code: "url_scheme", Title: "Not a web address", Severity: elicit.Critical,
		About: "The scheme is neither https nor http. javascript:, data:, vbscript: and blob: run code, file: reads this " +
			"machine, and the scheme of an application starts the application. Not in a command.",
		Spec: "MCP, Safe URL Handling (R11, R22); Security Best Practices: allow only https",
	},
	url: func(h *hits, a *address) {
		if a.scheme != "" && !a.web() && !a.inCommand {
			h.add(a.raw, 0, a.colon+1, elicit.Str("scheme", a.scheme))
		}
	},
}
