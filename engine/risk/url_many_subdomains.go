package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

const manyLabels = 6

var urlManySubdomains = check{
	Doc: Doc{
		Code: "url_many_subdomains", Title: "A long chain of subdomains", Severity: elicit.Low,
		About: "The host has six parts or more. The owner is at the end, which narrow screens cut off.",
		Spec:  "MCP, Safe URL Handling (R22, C5)",
	},
	url: func(h *hits, a *address) {
		host := strings.TrimSuffix(a.host.of(a.raw), ".")
		if n := strings.Count(host, ".") + 1; n >= manyLabels && !a.isIP {
			h.add(a.raw, a.host.from, a.host.to, elicit.Num("parts", n))
		}
	},
}
