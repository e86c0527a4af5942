package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/hostname"
)

// span is a byte range of the raw URL.
type span struct{ from, to int }

// of is the text of the span. raw must be the URL that the span was made for.
func (s span) of(raw string) string { return raw[s.from:s.to] }
func (s span) empty() bool          { return s.from >= s.to }

// address is a URL taken apart as a browser reads it, with all its mistakes. The checks must see the host that a
// browser visits, not the host that a stricter reading finds. Backslashes count as slashes. Characters that a browser
// drops from a scheme are dropped here too. All spans are offsets of raw, also when a part of it was read in another
// spelling. Parts that are absent are empty spans. The WHATWG URL standard (basic URL parser) is the model: its reading
// is what a browser visits.
type address struct {
	raw    string
	scheme string // lower case, without the white space and controls a browser ignores; "" when there is none
	colon  int    // end of the scheme in raw
	// A browser accepts any number of slashes for http and https: https:a.example and https:///a.example both visit
	// a.example.
	slashes   int // how many slashes follow the colon
	authority span
	userinfo  span // without the '@'
	hasUser   bool
	host      span // with brackets
	hasPort   bool
	port      span
	path      span
	query     span // without '?'
	fragment  span // without '#'

	url URL // the strict reading, when ok is true
	// url is the zero value without ok. host then is still what a browser would visit.
	ok      bool   // ParseURL accepts the URL
	unicode string // host, with punycode decoded where that is possible
	ip      hostname.IP
	isIP    bool
	known   []string // hosts that a person agreed to visit before

	inCommand bool // a program of the command line opens it, and no browser
	open      bool // the line does not tell all of it
}

// It never fails. For https:\\evil.example\@good.example the host is evil.example, as in a browser, although a strict
// library would see good.example. The strict reading is made at the end, so that a check can compare both.
func dissect(raw string) address {
	a := address{raw: raw}
	a.readScheme()
	i := a.colon
	if a.scheme != "" {
		i++
	}
	for i < len(raw) && (raw[i] == '/' || raw[i] == '\\') {
		i++
		a.slashes++
	}
	// Only the special schemes of the URL standard have a host without two slashes.
	if !a.web() && a.slashes < 2 {
		return a // mailto:me@example.com has no host, and neither has a path
	}
	end := i + indexAny(raw[i:], `/\?#`)
	a.authority = span{i, end}
	a.readAuthority()
	a.readRest(end)
	a.unicode = hostname.Unicode(a.host.of(raw))
	a.ip, a.isIP = hostname.ParseIP(a.host.of(raw))
	a.url, a.ok = a.strict()
	return a
}

// maxScheme is the most bytes of a scheme that are read. Registered schemes are shorter. It bounds evidence and
// arguments.
const maxScheme = 40

// A browser drops tabs and line ends anywhere, and other controls and blanks at the front: "java\tscript:" runs code.
// All of them are skipped here, which is more than a browser drops. scheme stays "" if no colon ends it.
func (a *address) readScheme() {
	var name []byte
	for i := 0; i < len(a.raw); i++ {
		c := a.raw[i]
		switch {
		case c == ':' && len(name) > 0:
			a.scheme, a.colon = string(name), i
			return
		case c <= ' ' || c == 0x7F:
		case isLetter(c), len(name) > 0 && (isDigit(c) || c == '+' || c == '-' || c == '.'):
			if name = append(name, lowerByte(c)); len(name) > maxScheme {
				return
			}
		default:
			return
		}
	}
}

// The last "@" ends the user name, so user@evil.example@good.example goes to good.example. A colon within brackets
// belongs to IPv6, so the port is looked for behind the last bracket.
func (a *address) readAuthority() {
	auth := a.authority.of(a.raw)
	host := a.authority
	if at := strings.LastIndexByte(auth, '@'); at >= 0 {
		a.hasUser = true
		a.userinfo = span{host.from, host.from + at}
		host.from += at + 1
	}
	text := host.of(a.raw)
	// "[::1]:80" has its port behind the bracket, and "[::1" has no bracket, so its last colon counts.
	from := max(strings.LastIndexByte(text, ']'), 0)
	if colon := strings.LastIndexByte(text[from:], ':'); colon >= 0 {
		a.hasPort = true
		a.port = span{host.from + from + colon + 1, host.to}
		host.to = host.from + from + colon
	}
	a.host = host
}

// readRest reads path, query and fragment from where the authority ends. A "#" ends the path also without a "?".
func (a *address) readRest(i int) {
	raw := a.raw
	a.path.from = i
	i += indexAny(raw[i:], "?#")
	a.path.to = i
	a.query, a.fragment = span{i, i}, span{len(raw), len(raw)}
	if i < len(raw) && raw[i] == '?' {
		end := i + indexAny(raw[i:], "#")
		a.query = span{i + 1, end}
		i = end
	}
	if i < len(raw) {
		a.fragment.from = i + 1
	}
}

// web reports whether a browser visits the scheme over the network.
func (a *address) web() bool { return a.scheme == "https" || a.scheme == "http" }

// loopback reports whether the host never leaves this machine. Developers use plain http there.
func (a *address) loopback() bool {
	// 127.0.0.0/8 and ::1, in any spelling, and localhost with all names below it (RFC 6761).
	if a.isIP {
		return a.ip.Reach() == hostname.Loopback
	}
	host := strings.TrimSuffix(lowerASCII(a.host.of(a.raw)), ".")
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// indexAny returns the index of the first byte of s that is in chars, or the length of s.
func indexAny(s, chars string) int {
	if i := strings.IndexAny(s, chars); i >= 0 {
		return i
	}
	return len(s)
}

func isLetter(c byte) bool       { return hostname.IsLetter(c) }
func isDigit(c byte) bool        { return hostname.IsDigit(c) }
func lowerByte(c byte) byte      { return hostname.LowerByte(c) }
func lowerASCII(s string) string { return hostname.Lower(s) }

// addressed runs the checks of URLs over an address in a command: a URL, a host, HOST:PATH or USER@HOST. Their
// severities differ where people write for programs what nobody shows in a browser: ssh://, a token before the host.
// Spans of findings are those of the word in the command. If the line spells the word in another way, with quotes or a
// variable, the whole word is marked.
func (h *hits) addressed(l *shellLine, w *impact.Text, known []string) {
	raw, before := hostText(w.Text)
	word := inWord{from: w.At, to: w.End, shift: -1}
	if i := strings.Index(l.text[w.At:w.End], w.Text); i >= 0 {
		word.shift = w.At + i - before
	}
	a := dissect(raw)
	a.inCommand, a.known, a.open = true, known, strings.ContainsAny(w.Text, "\x00\x01")
	// The check of lookalikes would compare a text that only stands for the host.
	if host := a.host.of(raw); a.open && strings.Contains(host, "*") {
		a.host, a.unicode, a.isIP = span{a.host.to, a.host.to}, "", false // nobody knows it
	}
	h.word = &word
	h.address(&a)
	h.word = nil
}

// hostText is an address as dissect reads it, and how many bytes were put before it. "*" stands for what the line does
// not tell. "a.example:8443" is read as //a.example:8443, and "host:dir/file" as //host/dir/file.
func hostText(text string) (raw string, before int) {
	bytes := []byte(text)
	for i, b := range bytes {
		if b <= impact.AnyWord {
			bytes[i] = '*'
		}
	}
	if strings.Contains(text, "://") {
		return string(bytes), 0
	}
	colon, slash := strings.IndexByte(text, ':'), indexAny(text, "/")
	if colon >= 0 && colon < slash && !strings.HasPrefix(text, "[") &&
		strings.Trim(text[colon+1:slash], "0123456789") != "" {
		bytes[colon] = '/' // HOST:PATH, and not HOST:PORT
	}
	return "//" + string(bytes), 2
}

// inWord is where an address stands in a command.
type inWord struct{ from, to, shift int }

// place is where bytes of an address stand in the command: the whole word if it spells them otherwise.
func (w *inWord) place(start, end int) (int, int) {
	if w.shift < 0 {
		return w.from, w.to
	}
	return max(w.shift+start, w.from), max(w.shift+end, w.from)
}
