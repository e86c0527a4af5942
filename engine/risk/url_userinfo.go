package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

var urlUserinfo = check{
	Doc: Doc{
		Code: "url_userinfo", Title: "A name before the host", Severity: elicit.Critical,
		About: "The address has text and an @ before the host. The page of https://paypal.com@evil.example belongs to " +
			"evil.example. No honest address needs this. A password there is not shown. " +
			"In a command it is medium, and nothing before the host of ssh, unless the text looks like a host.",
		Spec: "MCP, Safe URL Handling (R20, C5)",
	},
	url: func(h *hits, a *address) {
		if !a.hasUser {
			return
		}
		name, _, _ := strings.Cut(a.userinfo.of(a.raw), ":")
		severity := h.doc.Severity
		// A program gets its name and password this way: https://token@github.com.
		if a.inCommand && !likeHost(name) {
			if severity = elicit.Medium; !a.web() {
				return // ssh me@host
			}
		}
		h.report(severity, a.userinfo.from, a.userinfo.to+1, name, []elicit.Arg{
			elicit.Str("host", evidence(a.host.of(a.raw)))})
	},
}

// likeHost reports whether a name before a host reads like the host: github.com@evil.example. A name with a dot and the
// ending of a host, or with "@" or "/", is there to be taken for the host.
func likeHost(name string) bool {
	name = lowerASCII(strings.TrimSuffix(name, "."))
	return strings.ContainsAny(name, "@/") || endings[name[strings.LastIndexByte(name, '.')+1:]] &&
		strings.Contains(name, ".")
}
