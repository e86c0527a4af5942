package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// Port 22, 25 or 445 in a web address sends what a browser says to another kind of server.
var urlPort = check{
	Doc: Doc{
		Code: "url_port", Title: "Unusual port", Severity: elicit.Low,
		About: "The address names a port that is not its scheme's own. Medium below 1024, where mail, file and " +
			"remote-control services live.",
		Spec: "MCP, Safe URL Handling (R22, C6)",
	},
	url: func(h *hits, a *address) {
		port, ok := a.portNumber()
		if !ok || port == 0 || !a.web() || a.inCommand && a.loopback() {
			return
		}
		severity := h.doc.Severity
		if port < 1024 {
			severity = elicit.Medium
		}
		h.addAs(severity, a.raw, a.port.from, a.port.to, elicit.Num("port", port))
	},
}
