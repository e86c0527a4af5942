package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

func TestWrongJSONHasItsPlace(t *testing.T) {
	for text, want := range map[string]string{"": "", " \n": "", `{"a":[1,2]}`: "", "3": "",
		"{\n  \"é\": x\n}": "line 2, column 8: ", "{\n": "line 2, column 1: unexpected end", "[1,]": "line 1, column 4: ",
		"\x1b": "line 1, column 1: ", `{"a":1} x`: "line 1, column 9: "} {
		if got := wrongJSON(text); want == "" && got != "" || !strings.HasPrefix(got, want) || strings.Contains(got, "\x1b") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestJSONIsWrittenInLines: Enter begins a line, a wrong text is not submitted, and its place is told.
func TestJSONIsWrittenInLines(t *testing.T) {
	form, problems := schema.Compile([]byte(`{"type":"object","properties":{"json":{"type":"string",`+
		`"title":"Answer as JSON","minLength":1}},"required":["json"]}`), schema.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	d := draw(t, &effect.Show{Server: "demo", Mode: elicit.Form, Message: "Which?", Form: form}, 80, 24)
	d.wait(ignoreKeys)
	d.press(typing(`{"a":`)...)
	d.press(enter)
	d.press(typing(`[1,,2]}`)...)
	d.press(submit)
	d.shows("Answer as JSON", `{"a":`, `[1,,2]}`, "✗ line 2, column 4: invalid character", "this is no JSON")
	if d.given.Action != "" {
		t.Fatalf("answered with %s", d.given.Content)
	}
	for range 4 {
		d.press(tea.KeyPressMsg{Code: tea.KeyBackspace})
	}
	d.shows("✗ line 2, column 4: unexpected end")
	d.press(typing(`2]}`)...)
	if d.press(submit); d.given.Action != elicit.Accept || string(d.given.Content) != `{"json":"{\"a\":\n[1,2]}"}` {
		t.Errorf("%s %s", d.given.Action, d.given.Content)
	}
}
