package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// U+202E turns what follows, so "https://moc.live" can look like another address. UAX 9 needs such characters for
// quotes across directions, which messages of a server do not have.
var textBidi = check{
	Doc: Doc{
		Code: "text_bidi", Title: "Text direction marks", Severity: elicit.High,
		About: "The text contains characters that turn its direction. It can then look different from what it says. Arabic " +
			"and Hebrew are written without them.",
		Spec: "UAX 9; MCP client/elicitation, Security (R15): present what is asked",
	},
	needs: classBeyond,
	text:  func(h *hits, text string) { first(h, text, isBidi) },
}
