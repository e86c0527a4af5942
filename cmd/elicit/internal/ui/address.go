package ui

import "github.com/elicit-engine/elicit/engine/risk"

// splitHost splits a URL before and after its host; the three parts together are the URL. The host is "" when two
// programs could read the URL in different ways, because then no part of it is certain to be the destination.
func splitHost(url string) (before, host, after string) {
	u, ok := risk.ParseURL(url)
	if !ok {
		return url, "", ""
	}
	return url[:u.HostStart], url[u.HostStart:u.HostEnd], url[u.HostEnd:]
}

// consent returns the label of the button that opens the page. It has the whole host, in the letters of the DNS query.
func consent(url string) string {
	u, ok := risk.ParseURL(url)
	if !ok {
		return "Open this page"
	}
	return "Open " + u.Host
}
