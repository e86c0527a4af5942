package ui

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/huh/v2"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/engine/schema"
)

// isJSON reports whether the value of a field is JSON text. Packages interrupts and codex make such a field for an
// answer that no form can draw. A server that makes an equal one gets the same editor.
func isJSON(f *schema.Field) bool {
	return f.Kind == schema.Text && f.Name == "json" && f.Label == "Answer as JSON"
}

// linesOfJSON is the height of the editor.
const linesOfJSON = 8

// wrongJSON says where and why a text is no JSON; it is "" for a text that is, and for an empty one.
func wrongJSON(text string) string {
	if strings.TrimSpace(text) == "" {
		return ""
	}
	var value any
	err := json.Unmarshal([]byte(text), &value)
	if err == nil {
		return ""
	}
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) {
		return oneLine(err.Error())
	}
	line, column := plain.Position(text, int(syntax.Offset)-1)
	if strings.HasPrefix(syntax.Error(), "unexpected end") {
		line, column = plain.Position(text, len(text))
	}
	return fmt.Sprintf("line %d, column %d: %s", line, column, oneLine(syntax.Error()))
}

// syntax says what is wrong with the text of a row, if that must be JSON.
func (r *fieldRow) syntax() string {
	if !isJSON(r.field) || r.Field == nil {
		return ""
	}
	text, _ := r.GetValue().(string)
	return wrongJSON(text)
}

// WithKeyMap sets the keys of the widget. In JSON text, Enter begins a new line, and Tab leaves the field.
func (r *fieldRow) WithKeyMap(k *huh.KeyMap) huh.Field {
	if isJSON(r.field) {
		own := *k
		own.Text.NewLine = key.NewBinding(key.WithKeys("enter", "alt+enter", "ctrl+j"))
		own.Text.Next = key.NewBinding(key.WithKeys("tab"))
		own.Text.Submit = key.NewBinding(key.WithKeys("tab"))
		k = &own
	}
	r.Field.WithKeyMap(k)
	return r
}
