package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

var urlIPLiteral = check{
	Doc: Doc{
		Code: "url_ip_literal", Title: "A number instead of a name", Severity: elicit.Medium,
		About: "The host is an IP address, also when written in hexadecimal, octal or as one number. It names no owner. " +
			"High when it is private, link-local (where clouds keep credentials) or reserved: a server must not send a " +
			"browser there. In a command, high when it is link-local or not in the usual spelling, else low.",
		Spec: "MCP, Safe URL Handling (R22, C6); Security Best Practices, SSRF",
	},
	url: func(h *hits, a *address) {
		host := a.host.of(a.raw)
		if !a.isIP || !a.web() && len(host) < 9 && strings.Trim(host, "0123456789") == "" { // the number of a port
			return
		}
		severity := h.doc.Severity
		reach := a.ip.Reach()
		plain := strings.EqualFold(a.ip.String(), host) && a.ip.Unmapped() == a.ip
		switch {
		case a.inCommand && plain && reach == hostname.Loopback:
			return
		case a.inCommand && plain && reach != hostname.LinkLocal:
			severity = elicit.Low
		case a.inCommand && reach == hostname.Loopback:
		case a.inCommand, reach != hostname.Public && reach != hostname.Loopback:
			severity = elicit.High
		}
		h.addAs(severity, a.raw, a.host.from, a.host.to,
			elicit.Str("address", a.ip.String()), elicit.Str("reach", reach.String()))
	},
}
