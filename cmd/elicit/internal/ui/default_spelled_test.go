package ui

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/engine/schema"
)

// TestADefaultIsSpelledWhereItHidesSomething: the widget of a text field leaves out characters that it cannot draw, so
// the row spells a default with such characters.
func TestADefaultIsSpelledWhereItHidesSomething(t *testing.T) {
	for start, want := range map[string]string{
		"plain":           "",
		"two\tcolumns":    "",
		"two\nlines":      "",
		"pay\u200bpal":    "▌ pay<U+200B>pal",
		"a\x1b[2Jb\u202e": "▌ a<U+001B>[2Jb<U+202E>",
	} {
		text, err := json.Marshal(start)
		if err != nil {
			t.Fatal(err)
		}
		form, problems := schema.Compile([]byte(`{"type":"object","properties":{"word":{"type":"string","default":`+
			string(text)+`}}}`), schema.Options{})
		if problems != nil {
			t.Fatalf("%q: %v", start, problems)
		}
		r := newRow(form.Field("word"), func(*fieldRow) {})
		r.WithWidth(80)
		view := ansi.Strip(r.View())
		said := strings.Contains(view, "some characters of this default are invisible")
		if said != (want != "") || !strings.Contains(view, want) {
			t.Errorf("%q: got\n%s\nwant %q", start, view, want)
		}
	}
}
