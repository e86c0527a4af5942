package policy

import "github.com/tidwall/gjson"

// Suggestions says where text that a person typed may be offered again. Lower is stricter.
type Suggestions uint8

// These are the limits from the strictest to the loosest. The zero value means that a layer does not set one.
const (
	suggestionsUnsaid Suggestions = iota
	SuggestionsNone               // nowhere; the default
	SuggestionsTool               // where the same tool of the same server asks for it
	SuggestionsServer             // where the same server asks for it
)

// Suggestions returns the strictest limit of all layers.
func (s Stack) Suggestions() Suggestions { return max(s.suggestions, SuggestionsNone) }

// suggests returns the layer's limit. A project or session layer may forbid suggestions but not allow them.
func (p *Policy) suggests() Suggestions {
	switch {
	case p.unreadable:
		return SuggestionsNone
	case p.layer.mayAccept() || p.suggestions == SuggestionsNone:
		return p.suggestions
	}
	return suggestionsUnsaid
}

func (p *parser) suggestions(v gjson.Result) {
	p.policy.suggestions = SuggestionsNone
	switch word, _ := p.word(v, suggestionWords...); word {
	case "tool":
		p.policy.suggestions = SuggestionsTool
	case "server":
		p.policy.suggestions = SuggestionsServer
	}
}
