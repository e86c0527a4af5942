package ask

import (
	"bytes"
	"encoding/json"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

// recheck checks an answer that a hook has changed or made.
func recheck(q Question, a Answer) error {
	if q.Mode != elicit.Form || a.checked != nil && bytes.Equal(a.Content, a.checked) {
		return nil
	}
	form, problems := schema.Compile(q.Schema, schema.Options{Profile: schema.Strict20251125})
	if form != nil {
		if !json.Valid(a.Content) {
			problems = []elicit.Problem{{Code: "json_syntax"}}
		} else {
			problems = form.Check(a.Content)
		}
	}
	if len(problems) == 0 {
		return nil
	}
	return &Error{Outcome: elicit.Cancelled, Cause: elicit.ByAttemptsUsed, Problems: problems}
}
