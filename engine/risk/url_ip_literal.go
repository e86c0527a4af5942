package risk

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

var urlIPLiteral = check{
	Doc: Doc{
		Code: "url_ip_literal", Title: "A number instead of a name", Severity: elicit.Medium,
		About: "The host is an IP address, also when written in hexadecimal, octal or as one number. It names no owner. " +
			"High when it is private, link-local (where clouds keep credentials) or reserved: a server must not send a " +
			"browser there.",
		Spec: "MCP client/elicitation, Safe URL Handling (R22, C6); Security Best Practices, SSRF",
	},
	url: func(h *hits, a *address) {
		if !a.isIP {
			return
		}
		severity := h.doc.Severity
		reach := a.ip.Reach()
		if reach != hostname.Public && reach != hostname.Loopback {
			severity = elicit.High
		}
		h.addAs(severity, a.raw, a.host.from, a.host.to,
			elicit.Str("address", a.ip.String()), elicit.Str("reach", reach.String()))
	},
}
