package risk

import "github.com/elicit-engine/elicit/engine/elicit"

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

// first reports the first character of a kind, with the number of all of them.
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
