package policy

import "github.com/tidwall/gjson"

// Suggestions says where what a person has typed may be offered again. Lower is stricter.
type Suggestions uint8

// The limits from the strictest to the loosest. The zero value is a layer that does not say.
const (
	suggestionsUnsaid Suggestions = iota
	SuggestionsNone               // nowhere; what holds when no layer says
	SuggestionsTool               // where the same tool of the same server asks for it
	SuggestionsServer             // wherever the same server asks for it
)

// Suggestions is the strictest limit of all layers.
func (s Stack) Suggestions() Suggestions { return max(s.suggestions, SuggestionsNone) }

// suggests is what a layer says of suggestions. A layer that is not the user's word may forbid them, never allow them.
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
