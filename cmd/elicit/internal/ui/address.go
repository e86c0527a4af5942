package ui

import "strings"

// splitHost cuts a URL around its host, as browsers find it: after the scheme, the slashes and the last @ of the
// authority, before the port. The three parts together are the URL again.
func splitHost(url string) (before, host, after string) {
	scheme := strings.Index(url, "://")
	if scheme < 0 {
		return url, "", ""
	}
	start := scheme + len("://")
	end := len(url)
	if i := strings.IndexAny(url[start:], `/\?#`); i >= 0 {
		end = start + i
	}
	if i := strings.LastIndexByte(url[start:end], '@'); i >= 0 {
		start += i + 1
	}
	authority := url[start:end]
	if strings.HasPrefix(authority, "[") {
		if i := strings.IndexByte(authority, ']'); i >= 0 {
			end = start + i + 1
		}
	} else if i := strings.LastIndexByte(authority, ':'); i >= 0 {
		end = start + i
	}
	return url[:start], url[start:end], url[end:]
}

// consent is the label of the button that opens the page: it names where the page is.
func consent(url string) string {
	_, host, _ := splitHost(url)
	if host == "" {
		return "Open the page"
	}
	return "Open " + oneLine(host)
}
