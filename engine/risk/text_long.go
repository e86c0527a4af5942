package risk

import "github.com/elicit-engine/elicit/engine/elicit"

// These are the most bytes of a text that a person reads before answering.
const (
	longMessage     = 4000
	longLabel       = 200
	longDescription = 2000
)

// The bounds are bytes, because they only tell long from very long. The evidence is cut, as for all findings.
var textLong = check{
	Doc: Doc{
		Code: "text_long", Title: "A very long text", Severity: elicit.Info,
		About: "The message has more than 4,000 bytes, a name, title or choice more than 200, or a description more than " +
			"2,000. The important part may be where nobody reads.",
		Spec: "MCP client/elicitation, Security (R15): present what is asked and why",
	},
	text: func(h *hits, text string) {
		limit := longLabel
		switch {
		case h.at.root == "/message":
			limit = longMessage
		case h.at.part == "description", h.at.root == "/description":
			limit = longDescription
		}
		if len(text) > limit {
			h.add(text, 0, len(text), elicit.Num("bytes", len(text)), elicit.Num("limit", limit))
		}
	},
}
