package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// In a command, a blank of ASCII does not count: one that is left in the word stands in quotes.
var urlControl = check{
	Doc: Doc{
		Code: "url_control", Title: "Invisible characters in the address", Severity: elicit.Critical,
		About: "The address contains white space, a control character or a character of no width. Browsers drop some of " +
			"them silently, so the visited address differs from the shown one.",
		Spec: "MCP, Safe URL Handling (R11, R22)",
	},
	url: func(h *hits, a *address) {
		first(h, a.raw, func(r rune) bool {
			return isControl(r) || isZeroWidth(r) || isSpace(r) && (!a.inCommand || r > 0x7F)
		})
	},
}

// first reports the first character of a kind, with the number of all of them. A byte that is no UTF-8 is read as
// U+FFFD and is one byte long, hence the bound by the length of text.
func first(h *hits, text string, is func(rune) bool) {
	from, to, count := 0, 0, 0
	for i, r := range text {
		if !is(r) {
			continue
		}
		if count++; count == 1 {
			from, to = i, i+len(string(r))
		}
	}
	if count > 0 {
		h.add(text, from, min(to, len(text)), elicit.Num("count", count))
	}
}

var urlBidi = check{
	Doc: Doc{
		Code: "url_bidi", Title: "Text direction marks in the address", Severity: elicit.Critical,
		About: "The address contains characters that turn the direction of text, so that it reads differently from what it " +
			"is. In the host, percent-encoded and punycode ones count too.",
		Spec: "MCP, Safe URL Handling (R22, C5); UAX 9",
	},
	url: func(h *hits, a *address) {
		before := len(h.list)
		first(h, a.raw, isBidi)
		if len(h.list) > before || a.host.empty() {
			return
		}
		host := a.host.of(a.raw)
		if strings.IndexFunc(a.unicode, isBidi) >= 0 || strings.IndexFunc(unescape(host), isBidi) >= 0 {
			h.add(a.raw, a.host.from, a.host.to, elicit.Num("count", 1))
		}
	},
}

// unescape decodes percent escapes and leaves broken ones as they are. It decodes once: %2541 becomes %41, as a browser
// does it.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]) {
			out = append(out, hexValue(s[i+1])<<4|hexValue(s[i+2]))
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return lowerByte(c) - 'a' + 10
}

// The evidence shows 20 bytes on both sides: the place decides what a backslash does.
var urlBackslash = check{
	Doc: Doc{
		Code: "url_backslash", Title: "Backslash in the address", Severity: elicit.Critical,
		About: "Browsers read a backslash as a slash, most libraries do not, so the two see different hosts in " +
			"https://evil.example\\@good.example.",
		Spec: "MCP, Safe URL Handling (R11); WHATWG URL, path or authority state",
	},
	url: func(h *hits, a *address) {
		if i := strings.IndexByte(a.raw, '\\'); i >= 0 && (!a.inCommand || a.web()) {
			h.addShown(i, i+1, a.raw[max(0, i-20):min(len(a.raw), i+20)])
		}
	},
}

const longURL = 2000

var urlLong = check{
	Doc: Doc{
		Code: "url_long", Title: "Very long address", Severity: elicit.Low,
		About: "The address has more than 2,000 bytes.",
		Spec:  "MCP, Safe URL Handling (C3): the full URL must be shown",
	},
	url: func(h *hits, a *address) {
		if len(a.raw) > longURL {
			h.add(a.raw, 0, len(a.raw), elicit.Num("bytes", len(a.raw)))
		}
	},
}

// It stands last: every other check has explained what it found, and this one says that something is wrong at least.
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
