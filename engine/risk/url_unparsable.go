package risk

import "github.com/elicit-engine/elicit/engine/elicit"

var urlUnparsable = check{
	Doc: Doc{
		Code: "url_unparsable", Title: "Not a valid address", Severity: elicit.Critical,
		About: "The address is not an absolute URL that all software reads in the same way: no scheme, no host, a broken " +
			"port, escape or label, or letters that browsers would replace. Not reported beside another critical finding, " +
			"which then says why. Low in a command.",
		Spec: "MCP client/elicitation, URL Mode Requests (R11): the URL must be valid",
	},
	url: func(h *hits, a *address) {
		switch {
		case a.ok || h.fatal || a.inCommand && (a.open || !a.web()):
		case a.inCommand:
			h.addAs(elicit.Low, a.raw, 0, len(a.raw))
		default:
			h.add(a.raw, 0, len(a.raw))
		}
	},
}
