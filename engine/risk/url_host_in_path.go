package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlHostInPath = check{
	Doc: Doc{
		Code: "url_host_in_path", Title: "Another address in the path", Severity: elicit.Low,
		About: "The path contains a whole address, which a hurried reader may take for the target. Archives and " +
			"proxies have such addresses too. Query parameters count only in a command, because sign-in pages carry " +
			"a return address there.",
		Spec: "MCP, Safe URL Handling (R22, C5)",
	},
	url: func(h *hits, a *address) {
		path, from := lowerASCII(a.path.of(a.raw)), a.path.from
		if a.inCommand { // a program does not sign in
			path = lowerASCII(a.raw[from:])
		}
		for _, mark := range [...]string{"http:/", "https:/", "http%3a", "https%3a"} {
			if i := strings.Index(path, mark); i >= 0 {
				h.add(a.raw, from+i, from+len(path))
				return
			}
		}
	},
}
