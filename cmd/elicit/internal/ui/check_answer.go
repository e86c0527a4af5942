package ui

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

// checkAnswer makes the content from the rows and checks it. The form does both, so the engine accepts the same
// content.
func checkAnswer(form *schema.Form, rows []*fieldRow) ([]byte, []elicit.Problem) {
	typed := make([]schema.Typed, 0, len(rows))
	for _, r := range rows {
		if t, touched := r.typed(); touched {
			typed = append(typed, t)
		}
	}
	return form.Coerce(nil, typed)
}

// Cleared names the fields that a person emptied although they had an initial value, so that the engine does not fill
// in that value again. Only a drawn form can know this; any other answer leaves out a field to get its default.
func Cleared(q effect.Show, g Given) []string {
	if q.Form == nil || g.Via != event.ViaPerson {
		return nil
	}
	return q.Form.Cleared(g.Content)
}

// belongs reports whether a problem's pointer is about the field of that name.
func belongs(pointer, name string) bool {
	token := "/" + strings.ReplaceAll(strings.ReplaceAll(name, "~", "~0"), "/", "~1")
	rest, ok := strings.CutPrefix(pointer, token)
	return ok && (rest == "" || rest[0] == '/')
}

// problemOf returns the first problem of the field of that name as a sentence, or "".
func problemOf(problems []elicit.Problem, name string) string {
	for _, p := range problems {
		if belongs(p.Pointer, name) {
			return oneLine(english.Problem(p))
		}
	}
	return ""
}
