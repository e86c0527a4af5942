package risk

import "github.com/elicit-engine/elicit/engine/elicit"

const longURL = 2000

var urlLong = check{
	Doc: Doc{
		Code: "url_long", Title: "Very long address", Severity: elicit.Low,
		About: "The address has more than 2,000 bytes.",
		Spec:  "MCP, Safe URL Handling (C3): the full URL must be shown",
	},
	url: func(h *hits, a *address) {
		if len(a.raw) > longURL {
			h.add(a.raw, 0, len(a.raw), elicit.Num("bytes", len(a.raw)))
		}
	},
}
