package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// A browser decodes %61 in a host to a, and a library may not. Two programs then visit two hosts.
var urlEncodedHost = check{
	Doc: Doc{
		Code: "url_encoded_host", Title: "Escaped host", Severity: elicit.Critical,
		About: "The host contains percent escapes. No host needs them; they hide what it is from people and from policies.",
		Spec:  "MCP, Safe URL Handling (R22, C5)",
	},
	url: func(h *hits, a *address) {
		host := a.host.of(a.raw)
		if strings.Contains(host, "%") && (a.scheme != "" || unescape(host) != host) { // else a hole of another program
			h.add(a.raw, a.host.from, a.host.to, elicit.Str("decoded", evidence(unescape(host))))
		}
	},
}

// 169.254.169.254 is where clouds keep credentials, so a link there is high in any place.
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
		// 0x7f.1, 2130706433 and [::ffff:127.0.0.1] are 127.0.0.1 in a spelling that people do not read.
		plain := strings.EqualFold(a.ip.String(), host) && a.ip.Unmapped() == a.ip
		switch {
		// Developers call their own machine all day. A disguised spelling of it is still a finding.
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

// The span is what a hurried reader takes for the host: "paypal.com" of paypal.com.evil.example.
var urlHostInSubdomain = check{
	Doc: Doc{
		Code: "url_host_in_subdomain", Title: "Another host at the front", Severity: elicit.Medium,
		About: "The host begins like another owner's whole address: paypal.com.evil.example belongs to evil.example.",
		Spec:  "MCP, Safe URL Handling (R22, C5): subdomain spoofing",
	},
	url: func(h *hits, a *address) {
		labels := strings.Split(strings.TrimSuffix(lowerASCII(a.host.of(a.raw)), "."), ".")
		// The last two labels are the owner's. A label such as com before them, with a name in front, looks like the
		// end of an address.
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

// The marks have one slash, so that http:/a, which browsers repair, counts too.
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
