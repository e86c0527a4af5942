package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/schema"
)

// suggest shows the value that the person typed into such a field before. It stays beside the widget until the person
// takes it, because a form may hold no value that neither the person nor the server's default put there.
func (r *fieldRow) suggest(list []effect.Suggestion) {
	for i := range list {
		if list[i].Field == r.field.Name {
			r.before = &list[i]
		}
	}
}

// takeSuggestion puts the suggestion into the widget. It returns false when there is no suggestion.
func (r *fieldRow) takeSuggestion() bool {
	if r.before == nil {
		return false
	}
	r.setValue(r.before.Value)
	r.before = nil
	r.check(r)
	return true
}

// typedBefore says what the person typed, and when.
func typedBefore(f *schema.Field, g *effect.Suggestion) string {
	return fmt.Sprintf("“%s”, which you typed on %s", oneLine(clip(suggestedWords(f, g), 60)),
		time.UnixMilli(g.At).Format("2006-01-02 15:04"))
}

// suggestedWords returns the value as a person reads it, with the titles of choices.
func suggestedWords(f *schema.Field, g *effect.Suggestion) string {
	titled := func(value string) string {
		for i := range f.Choices {
			if f.Choices[i].Value == value {
				return f.Choices[i].Title
			}
		}
		return value
	}
	switch f.Kind {
	case schema.Boolean:
		return map[string]string{"true": "yes", "false": "no"}[string(g.Value)]
	case schema.ManyChoices:
		return strings.Join(each.Of(textsOf(g.Value), titled), ", ")
	}
	return titled(textOf(g.Value))
}

// typedValue returns a suggestion in the form in which a widget holds it.
func typedValue(f *schema.Field, g *effect.Suggestion) schema.Typed {
	switch f.Kind {
	case schema.Boolean:
		return schema.TypedBool(f.Name, string(g.Value) == "true")
	case schema.ManyChoices:
		return schema.TypedList(f.Name, textsOf(g.Value))
	}
	return schema.TypedText(f.Name, textOf(g.Value))
}
