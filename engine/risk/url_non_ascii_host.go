package risk

import "github.com/elicit-engine/elicit/engine/elicit"

var urlNonASCIIHost = check{
	Doc: Doc{
		Code: "url_non_ascii_host", Title: "Host in other letters", Severity: elicit.Medium,
		About: "The host is written in letters outside ASCII. Many honest names are. The argument ascii is the name for " +
			"the look-up; it is empty if programs disagree about it.",
		Spec: "MCP, Safe URL Handling (R22, C6)",
	},
	url: func(h *hits, a *address) {
		host := a.host.of(a.raw)
		for i := range len(host) {
			if host[i] >= 0x80 {
				h.add(a.raw, a.host.from, a.host.to, elicit.Str("ascii", a.url.Host))
				return
			}
		}
	},
}
