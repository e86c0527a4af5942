package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlHostInSubdomain = check{
	Doc: Doc{
		Code: "url_host_in_subdomain", Title: "Another host at the front", Severity: elicit.Medium,
		About: "The host begins like another owner's whole address: paypal.com.evil.example belongs to evil.example.",
		Spec:  "MCP, Safe URL Handling (R22, C5): subdomain spoofing",
	},
	url: func(h *hits, a *address) {
		labels := strings.Split(strings.TrimSuffix(lowerASCII(a.host.of(a.raw)), "."), ".")
		for i := len(labels) - 3; i >= 1; i-- {
			if endings[labels[i]] {
				shown := strings.Join(labels[:i+1], ".")
				h.add(a.raw, a.host.from, a.host.from+len(shown),
					elicit.Str("owner", evidence(strings.Join(labels[len(labels)-2:], "."))))
				return
			}
		}
	},
}

// endings are top-level domains that people take for the end of an address.
var endings = map[string]bool{"com": true, "net": true, "org": true, "gov": true, "edu": true, "io": true, "bank": true,
	"info": true}
