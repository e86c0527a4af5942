package ui

import (
	"testing"

	"github.com/elicit-engine/elicit/engine/schema"
)

// TestNumberChoiceStaysANumber: a choice of numbers shows its titles, starts with its default, and gives the number, on
// the screen and in line mode.
func TestNumberChoiceStaysANumber(t *testing.T) {
	form, problems := schema.Compile([]byte(`{"type":"object","properties":{"level":{"type":"number",
		"oneOf":[{"const":1,"title":"Low"},{"const":2.50,"title":"High"}],"default":2.5}}}`), schema.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	f := &form.Fields[0]
	drawn, changed := newRow(f, func(*fieldRow) {}).typed()
	said, wrong := parseLine(f, "1")
	if !changed || wrong != "" {
		t.Fatalf("drawn: changed %v; spoken: %s", changed, wrong)
	}
	for _, tc := range []struct {
		name, want string
		typed      schema.Typed
	}{{"the default as it is drawn", `{"level":2.50}`, drawn}, {"the first choice, spoken", `{"level":1}`, said}} {
		if got, problems := form.Coerce(nil, []schema.Typed{tc.typed}); string(got) != tc.want || problems != nil {
			t.Errorf("%s: got %s %v, want %s", tc.name, got, problems, tc.want)
		}
	}
	if got := initialWords(f); got != "2.50" {
		t.Errorf("initial words: got %s, want 2.50", got)
	}
}
