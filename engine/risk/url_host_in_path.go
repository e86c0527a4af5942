package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlHostInPath = check{
	Doc: Doc{
		Code: "url_host_in_path", Title: "Another address in the path", Severity: elicit.Low,
		About: "The path contains a whole address, which a hurried reader may take for the target. Low, because archives " +
			"and proxies have such addresses. Query parameters are not checked, because sign-in pages carry a return address " +
			"there.",
		Spec: "MCP client/elicitation, Safe URL Handling (R22, C5)",
	},
	url: func(h *hits, a *address) {
		path := lowerASCII(a.path.of(a.raw))
		for _, mark := range [...]string{"http:/", "https:/", "http%3a", "https%3a"} {
			if i := strings.Index(path, mark); i >= 0 {
				h.add(a.raw, a.path.from+i, a.path.to)
				return
			}
		}
	},
}
