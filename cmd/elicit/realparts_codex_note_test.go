package main_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRealCodexQuestion tests that the model reads the label that a person chooses at an interface of Elicit, and the
// note of a person who declines its questions.
func TestRealCodexQuestion(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ answer, told, logged string }{
		{`{"action":"accept","content":{"day":"Tuesday"}}`, "Tuesday", "replied accept"},
		{`{"action":"decline","note":"Any day but these."}`, "user_note: Any day but these.", "replied decline"},
	} {
		t.Run(c.logged, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "answers.json")
			err := os.WriteFile(file, []byte(`[{"when":{"tool":"request_user_input"},"answer":`+c.answer+`}]`), 0o600)
			if err != nil {
				t.Fatal(err)
			}
			r, journal := newCodexRig(t).proxied(t, asksAll, "--ui", "answers="+file)
			end(r.run(t, codexCase{steps: steps(asksUser()),
				told: []string{`{\"answers\":{\"day\":{\"answers\":[\"` + c.told + `\"]}}}`}}))
			contains(t, "elicit log", log(t, journal), c.logged)
		})
	}
}
