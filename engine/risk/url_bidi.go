package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

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

// unescape decodes percent escapes and leaves broken ones as they are.
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
