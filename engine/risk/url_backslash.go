package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlBackslash = check{
	Doc: Doc{
		Code: "url_backslash", Title: "Backslash in the address", Severity: elicit.Critical,
		About: "Browsers read a backslash as a slash, most libraries do not, so the two see different hosts in " +
			"https://evil.example\\@good.example.",
		Spec: "MCP, Safe URL Handling (R11); WHATWG URL, path or authority state",
	},
	url: func(h *hits, a *address) {
		if i := strings.IndexByte(a.raw, '\\'); i >= 0 && (!a.inCommand || a.web()) {
			h.addShown(i, i+1, a.raw[max(0, i-20):min(len(a.raw), i+20)])
		}
	},
}
