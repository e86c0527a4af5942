package ui

import (
	"strings"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/schema"
)

// judge asks the form what the rows amount to. There is no second opinion: what it accepts the engine accepts.
func judge(form *schema.Form, rows []*row) ([]byte, []elicit.Problem) {
	typed := make([]schema.Typed, 0, len(rows))
	for _, r := range rows {
		if t, touched := r.typed(); touched {
			typed = append(typed, t)
		}
	}
	return form.Coerce(nil, typed)
}

// Cleared names the fields a person emptied although they had a value to begin with, so that the engine does not put
// it back. Only a drawn form tells that; other answers leave fields out to get their defaults.
func Cleared(q engine.Show, g Given) []string {
	if q.Form == nil || g.Via != engine.ViaPerson {
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

// problemOf is the first problem of the field of that name as a sentence, or "".
func problemOf(problems []elicit.Problem, name string) string {
	for _, p := range problems {
		if belongs(p.Pointer, name) {
			return oneLine(english.Problem(p))
		}
	}
	return ""
}
