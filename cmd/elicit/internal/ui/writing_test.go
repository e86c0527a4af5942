package ui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
)

var (
	ctrlN = tea.KeyPressMsg{Code: 'n', Mod: tea.ModCtrl}
	ctrlE = tea.KeyPressMsg{Code: 'e', Mod: tea.ModCtrl}
	ctrlS = tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl}
	ctrlX = tea.KeyPressMsg{Code: 'x', Mod: tea.ModCtrl}
	esc   = tea.KeyPressMsg{Code: tea.KeyEscape}
)

// heldCall is the approval of a call whose arguments can be edited.
func heldCall() *effect.Show {
	q := confirmation()
	q.Kind, q.Tool, q.Arguments = elicit.KindApproval, "delete", []byte("{\"path\":\"/tmp/a\",\"mark\":\"a\u202eb\"}")
	q.Takes = elicit.TakesEdit | elicit.TakesDeclineNote
	return q
}

func (d *drawn) typed(text string) {
	for _, r := range text {
		d.press(tea.KeyPressMsg{Code: r, Text: string(r)})
	}
}

func TestANoteGoesWithADecline(t *testing.T) {
	d := draw(t, heldCall(), 80, 24)
	d.wait(ignoreKeys)
	d.press(ctrlN)
	if view := d.View().Content; !strings.Contains(view, "the model reads it if you decline") {
		t.Errorf("the editor does not say who reads a note:\n%s", view)
	}
	d.typed("Not that file")
	d.press(enter)
	d.typed("y")
	d.press(ctrlS)
	if view := d.View().Content; !strings.Contains(view, "✎ note: Not that file ⏎ y") {
		t.Errorf("the note is not beside the buttons:\n%s", view)
	}
	d.press(ctrlX)
	if d.given.Action != elicit.Decline || d.given.Note != "Not that file\ny" || d.given.Arguments != nil {
		t.Errorf("given %+v", d.given)
	}
}

func TestEditedArgumentsGoWithAnAccept(t *testing.T) {
	d := draw(t, heldCall(), 80, 24)
	d.wait(ignoreKeys)
	d.press(ctrlE)
	if view := d.View().Content; !strings.Contains(view, `"mark": "a\u202eb"`) || strings.Contains(view, "\u202e") {
		t.Errorf("a character that turns text around is drawn:\n%s", view)
	}
	d.press(ctrlS)
	if d.beside.arguments != "" {
		t.Errorf("nothing was typed, and the arguments are edited: %s", d.beside.arguments)
	}
	d.press(ctrlE)
	d.writing.area.SetValue("{\"path\":\n \"/tmp/b\"")
	d.press(ctrlS)
	if view := d.View().Content; !strings.Contains(view, "✗ line 2 is not JSON: unexpected end of JSON input") {
		t.Errorf("the editor does not say where the text is not JSON:\n%s", view)
	}
	d.writing.area.SetValue("[1]")
	d.press(ctrlS)
	if view := d.View().Content; !strings.Contains(view, "✗ the arguments must be one JSON object") {
		t.Errorf("a list passes for arguments:\n%s", view)
	}
	d.writing.area.SetValue("{\"path\":\n \"/tmp/b\"}")
	d.press(ctrlS)
	if view := d.View().Content; !strings.Contains(view, "✎ edited arguments:") ||
		!strings.Contains(view, `"/tmp/b"`) {
		t.Errorf("the edited arguments are not beside the buttons:\n%s", view)
	}
	d.press(yes, enter)
	if d.given.Action != elicit.Accept || string(d.given.Arguments) != `{"path":"/tmp/b"}` || d.given.Note != "" {
		t.Errorf("given %+v", d.given)
	}
}

func TestEscThrowsAwayWhatTheEditorHas(t *testing.T) {
	d := draw(t, heldCall(), 80, 24)
	d.wait(ignoreKeys)
	d.press(ctrlN)
	d.typed("n")
	d.press(esc)
	if d.writing != nil || d.beside.note != "" || d.given.Action != "" {
		t.Errorf("esc in the editor: note %q, given %+v", d.beside.note, d.given)
	}
	d.press(esc)
	if d.given.Action != elicit.Cancel {
		t.Errorf("esc in the question: given %+v", d.given)
	}
}

// TestNothingIsOfferedThatGoesNowhere: a question that takes neither has no such key.
func TestNothingIsOfferedThatGoesNowhere(t *testing.T) {
	d := draw(t, confirmation(), 80, 24)
	d.wait(ignoreKeys)
	d.press(ctrlN, ctrlE)
	if view := d.View().Content; d.writing != nil || strings.Contains(view, "^N") || strings.Contains(view, "^E") {
		t.Errorf("a note is offered:\n%s", view)
	}
}

// TestAProblemNamesItsPart: the person learns whether the note or the arguments are wrong.
func TestAProblemNamesItsPart(t *testing.T) {
	for _, p := range []struct {
		elicit.Problem
		want string
	}{
		{elicit.Problem{Code: "control_character", In: elicit.InNote}, "note: a note may hold no control character"},
		{elicit.Problem{Code: "missing", Pointer: "/path", In: elicit.InArguments}, "arguments: /path: this is required"},
	} {
		d := draw(t, heldCall(), 80, 24)
		d.Update(rejectedMsg{p.Problem})
		if view := d.View().Content; !strings.Contains(view, p.want) {
			t.Errorf("the screen does not say %q:\n%s", p.want, view)
		}
	}
}
