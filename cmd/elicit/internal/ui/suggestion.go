package ui

import (
	"fmt"
	"strings"
	"time"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/schema"
)

// suggest notes what the person typed into such a field before. It stays beside the widget until they take it: what is
// in a form without their doing is the server's default and nothing else.
func (r *row) suggest(list []engine.Suggestion) {
	for i := range list {
		if list[i].Field == r.field.Name {
			r.before = &list[i]
		}
	}
}

// takeSuggestion puts what was typed before into the widget. It reports false when there is nothing to take.
func (r *row) takeSuggestion() bool {
	if r.before == nil {
		return false
	}
	r.put(r.before.Value)
	r.before = nil
	r.judge(r)
	return true
}

// typedBefore says what was typed and when.
func typedBefore(f *schema.Field, g *engine.Suggestion) string {
	return fmt.Sprintf("“%s”, which you typed on %s", oneLine(clip(suggestedWords(f, g), 60)), time.UnixMilli(g.At).Format("2006-01-02 15:04"))
}

// suggestedWords is the value as a person reads it: choices by their titles.
func suggestedWords(f *schema.Field, g *engine.Suggestion) string {
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
		values := textsOf(g.Value)
		for i := range values {
			values[i] = titled(values[i])
		}
		return strings.Join(values, ", ")
	}
	return titled(textOf(g.Value))
}

// retyped is a suggestion as a widget would hold it.
func retyped(f *schema.Field, g *engine.Suggestion) schema.Typed {
	switch f.Kind {
	case schema.Boolean:
		return schema.TypedBool(f.Name, string(g.Value) == "true")
	case schema.ManyChoices:
		return schema.TypedList(f.Name, textsOf(g.Value))
	}
	return schema.TypedText(f.Name, textOf(g.Value))
}
