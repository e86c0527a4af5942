package main_test

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRealCodexNote tests that the model reads the note of a person who declines its questions.
func TestRealCodexNote(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "answers.json")
	err := os.WriteFile(file, []byte(`[
		{"when":{"tool":"request_user_input"},"answer":{"action":"decline","note":"Any day but these."}}]`), 0o600)
	if err != nil {
		t.Fatal(err)
	}
	r, journal := newCodexRig(t).proxied(t, asksAll, "--ui", "answers="+file)
	end(r.run(t, codexCase{steps: steps(asksUser()),
		told: []string{`{\"answers\":{\"day\":{\"answers\":[\"user_note: Any day but these.\"]}}}`}}))
	contains(t, "elicit log", log(t, journal), "replied decline", "Any day but these.")
}
