package ui

import "github.com/elicit-engine/elicit/engine/risk"

// splitHost cuts a URL around its host; the three parts together are the URL again. The host is "" when the URL could
// be read in more than one way: then nothing in it may be held up as the place it leads to.
func splitHost(url string) (before, host, after string) {
	u, ok := risk.ParseURL(url)
	if !ok {
		return url, "", ""
	}
	return url[:u.HostStart], url[u.HostStart:u.HostEnd], url[u.HostEnd:]
}

// consent is the label of the button that opens the page: it names the whole host, in the letters that DNS is asked.
func consent(url string) string {
	u, ok := risk.ParseURL(url)
	if !ok {
		return "Open this page"
	}
	return "Open " + u.Host
}
