package risk

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// URL is a URL that every browser and every library reads in the same way. All offsets are bytes of Raw.
type URL struct {
	Raw         string
	Scheme      string // "https" or "http"
	Userinfo    bool   // there is a user name or password before the host
	Host        string // lower-case ASCII, as asked of DNS; IPv4 in dotted decimal, IPv6 in brackets
	HostUnicode string // Host for people, where that is safe; show it beside Host, never instead of it
	Port        int    // as written; 0 for the default of the scheme
	HostStart   int    // the host as written, for a screen that must highlight it (spec C5)
	HostEnd     int
	PathStart   int // the path; it is "" when PathStart == PathEnd
	PathEnd     int
	QueryStart  int // without the '?'
	QueryEnd    int
	FragStart   int // without the '#'
	FragEnd     int
}

// ParseURL reads an absolute http or https URL strictly: two slashes, a valid host and port, whole percent escapes, and
// no white space, controls, backslashes or quotes. It refuses URLs that different software is known to read
// differently, because a policy that names hosts must see the host that will be visited. A host beyond ASCII is
// accepted only if IDNA leaves every letter as it is. The result of two parsers that disagree is the classic hole: a
// filter allows one host and the browser opens another. So a URL passes only if WHATWG URL, RFC 3986 and the common
// libraries agree on it. A fuzz target compares it with net/url.
func ParseURL(raw string) (URL, bool) {
	a := dissect(raw)
	return a.url, a.ok
}

// a.colon equals the length of the scheme only if nothing in it was skipped.
func (a *address) strict() (URL, bool) {
	raw := a.raw
	// A backslash counts as a slash in dissect, so plain must refuse it.
	if !a.web() || a.colon != len(a.scheme) || a.slashes != 2 || !plain(raw) {
		return URL{}, false
	}
	u := URL{Raw: raw, Scheme: a.scheme, Userinfo: a.hasUser, HostStart: a.host.from, HostEnd: a.host.to,
		PathStart: a.path.from, PathEnd: a.path.to, QueryStart: a.query.from, QueryEnd: a.query.to,
		FragStart: a.fragment.from, FragEnd: a.fragment.to}
	if a.isIP {
		u.Host = a.ip.String()
		u.HostUnicode = u.Host
	} else {
		var ok bool
		if u.Host, ok = hostname.ASCII(a.host.of(raw)); !ok {
			return URL{}, false
		}
		u.HostUnicode = hostname.ForPeople(u.Host)
	}
	var ok bool
	u.Port, ok = a.portNumber()
	if !ok || strings.ContainsFunc(a.userinfo.of(raw), notUserinfo) {
		return URL{}, false
	}
	return u, true
}

// portNumber returns 0 when the URL has no port or the default port of its scheme. "https://a:/" has an empty port,
// which counts as none (RFC 3986 section 6.2.3). Port 0 and signs are refused.
func (a *address) portNumber() (int, bool) {
	text := a.port.of(a.raw)
	if text == "" {
		return 0, true
	}
	if len(text) > 5 || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	if err != nil || n == 0 || n > 65535 {
		return 0, false
	}
	if (a.scheme == "https" && n == 443) || (a.scheme == "http" && n == 80) {
		return 0, true
	}
	return n, true
}

// notUserinfo reports characters that RFC 3986 §3.2.1 does not allow in a user name and password.
func notUserinfo(r rune) bool {
	return r >= 0x80 || !isLetter(byte(r)) && !isDigit(byte(r)) && !strings.ContainsRune("-._~!$&'()*+,;=:%", r)
}

// plain reports that no character of a URL is invisible or a quote, and that every percent escape is whole.
func plain(raw string) bool {
	for i := 0; i < len(raw); {
		r, n := utf8.DecodeRuneInString(raw[i:])
		switch {
		case r == ' ', r == '\\', r == '"', r == '<', r == '>', hidden(r), r == utf8.RuneError:
			return false
		case r == '%' && (i+2 >= len(raw) || !isHex(raw[i+1]) || !isHex(raw[i+2])):
			return false
		}
		i += n
	}
	return true
}

func isHex(c byte) bool { return isDigit(c) || (lowerByte(c) >= 'a' && lowerByte(c) <= 'f') }
