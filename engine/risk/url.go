package risk

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// URL is a URL that reads the same in every browser and every library. All offsets are bytes of Raw.
type URL struct {
	Raw         string
	Scheme      string // "https" or "http"
	Userinfo    bool   // there is a user name or password before the host
	Host        string // what DNS is asked, lower-case ASCII; an IPv4 address in dotted decimal, IPv6 in brackets
	HostUnicode string // Host for people, where that is safe; show it beside Host, never instead of it
	Port        int    // as written; 0 when the scheme's own
	HostStart   int    // the host as written, for a screen that must highlight it (spec C5)
	HostEnd     int
	PathStart   int // the path, "" when PathStart == PathEnd
	PathEnd     int
	QueryStart  int // without the '?'
	QueryEnd    int
	FragStart   int // without the '#'
	FragEnd     int
}

// ParseURL reads an absolute http or https URL strictly: no white space, controls, backslashes or quotes, two slashes,
// a valid host and port, whole percent escapes. It refuses what software is known to read in different ways, since a
// policy that names hosts must see the host that will be visited. A host in other letters is accepted only when IDNA
// would leave every letter as it is.
func ParseURL(raw string) (URL, bool) {
	a := dissect(raw)
	return a.url, a.ok
}

func (a *address) strict() (URL, bool) {
	raw := a.raw
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

// portNumber is 0 for no port and for the scheme's own.
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

// notUserinfo is what RFC 3986 §3.2.1 leaves out of a user name and password.
func notUserinfo(r rune) bool {
	return r >= 0x80 || !isLetter(byte(r)) && !isDigit(byte(r)) && !strings.ContainsRune("-._~!$&'()*+,;=:%", r)
}

// plain reports that nothing in a URL is invisible, quoted or half escaped.
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

func isHex(c byte) bool {
	return isDigit(c) || (lowerByte(c) >= 'a' && lowerByte(c) <= 'f')
}
