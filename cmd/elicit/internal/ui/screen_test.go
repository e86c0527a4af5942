package ui

import (
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
)

// drawn is a screen of a size, with a clock that the test sets.
type drawn struct {
	*screen
	t   *testing.T
	now time.Time
}

func draw(t *testing.T, q *effect.Show, width, height int) *drawn {
	t.Helper()
	d := &drawn{screen: newScreen(q, false), t: t, now: time.Unix(1_700_000_000, 0)}
	d.begin(func() int { return 0 }, nil, func(event.Receipt) {}, func() time.Time { return d.now })
	d.Init()
	d.Update(tea.WindowSizeMsg{Width: width, Height: height})
	d.View()
	return d
}

// wait moves the clock and tells the screen.
func (d *drawn) wait(t time.Duration) {
	d.now = d.now.Add(t)
	d.Update(readyMsg{})
}

// press presses keys, and performs the commands that they cause.
func (d *drawn) press(keys ...tea.KeyPressMsg) {
	for _, key := range keys {
		_, cmd := d.Update(key)
		if cmd != nil && key == enter && d.form.GetFocusedField() == huh.Field(d.buttons) {
			d.Update(cmd())
		}
		d.View()
	}
}

var (
	enter = tea.KeyPressMsg{Code: tea.KeyEnter}
	yes   = tea.KeyPressMsg{Code: 'y', Text: "y"}
)

func confirmation() *effect.Show {
	form, _ := schema.Compile([]byte(`{"type":"object","properties":{}}`), schema.Options{})
	return &effect.Show{Server: "demo", Mode: elicit.Form, Message: "Go on?", Form: form}
}

// TestKeysDoNotCountAtOnce: what was typed for something else agrees to nothing.
func TestKeysDoNotCountAtOnce(t *testing.T) {
	d := draw(t, confirmation(), 80, 24)
	if view := d.View().Content; !strings.Contains(view, terminaltest.NotReady) {
		t.Errorf("the footer does not say that keys do not count:\n%s", view)
	}
	d.press(yes, enter)
	d.wait(ignoreKeys - 1)
	d.press(yes, enter)
	if d.given.Action != "" {
		t.Fatalf("too early, and the answer is %s", d.given.Action)
	}
	d.wait(1)
	d.press(enter)
	if view := d.View().Content; d.given.Action != "" || !strings.Contains(view, notChosen) {
		t.Fatalf("Enter without a selected button: answer %q\n%s", d.given.Action, view)
	}
	d.press(yes, enter)
	if d.given.Action != elicit.Accept {
		t.Errorf("answer %q, want accept", d.given.Action)
	}
}

// formOf returns a question with a form, whose fields have the names a, b and so on.
func formOf(t *testing.T, fields int, message string, findings ...elicit.Finding) *effect.Show {
	t.Helper()
	var properties []string
	for i := range fields {
		properties = append(properties, fmt.Sprintf(`"%c":{"type":"string","title":"Field %[1]c","minLength":3}`, 'a'+i))
	}
	text := `{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`
	form, problems := schema.Compile([]byte(text), schema.Options{})
	if problems != nil {
		t.Fatal(problems)
	}
	return &effect.Show{Server: "demo", Mode: elicit.Form, Message: message, Form: form, Findings: findings}
}

func typing(text string) (keys []tea.KeyPressMsg) {
	for _, r := range text {
		keys = append(keys, tea.KeyPressMsg{Code: r, Text: string(r)})
	}
	return keys
}

var (
	tab    = tea.KeyPressMsg{Code: tea.KeyTab}
	escape = tea.KeyPressMsg{Code: tea.KeyEscape}
	submit = tea.KeyPressMsg{Code: 's', Mod: tea.ModCtrl}
	down   = tea.KeyPressMsg{Code: tea.KeyPgDown}
)

// shows checks that the screen has these texts in this order, and no line beyond its size.
func (d *drawn) shows(texts ...string) {
	d.t.Helper()
	view := ansi.Strip(d.View().Content)
	rest := view
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			d.t.Fatalf("no %q, or not in this order:\n%s", text, view)
		}
		rest = after
	}
	lines := strings.Split(view, "\n")
	if len(lines) > d.height {
		d.t.Errorf("%d lines on a screen of %d:\n%s", len(lines), d.height, view)
	}
	for _, line := range lines {
		if ansi.StringWidth(line) > d.width {
			d.t.Errorf("a line of %d columns on a screen of %d: %s", ansi.StringWidth(line), d.width, line)
		}
	}
}

// secrets are findings whose sentences need more than a line each.
var secrets = []elicit.Finding{
	{Code: "secret_in_form", Severity: elicit.High, Args: []elicit.Arg{elicit.Str("word", "password")}},
	{Code: "text_destructive", Severity: elicit.Medium, Args: []elicit.Arg{elicit.Num("count", 1)}},
}

// TestTheMessageComesFirst: at every size the message is above the warnings, each of which has a line, and the fields.
func TestTheMessageComesFirst(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {40, 20}, {200, 60}, {40, 10}} {
		d := draw(t, formOf(t, 12, "Run rm -rf now?", secrets...), size[0], size[1])
		d.wait(ignoreKeys)
		d.shows("demo asks", "▌ Run rm -rf now?", "Field a", "field 1 of 12", "esc cancel")
		if size[1] > 10 {
			d.shows("▌ Run rm -rf now?", "!! HIGH", "! MEDIUM", "Field a")
		}
	}
}

// TestNothingIsSubmittedUnread: the end of a long message has to be on the screen before the form can be submitted.
func TestNothingIsSubmittedUnread(t *testing.T) {
	var message []string
	for i := range 30 {
		message = append(message, fmt.Sprintf("line %d.", i+1))
	}
	d := draw(t, formOf(t, 12, strings.Join(message, "\n"), secrets...), 80, 24)
	d.wait(ignoreKeys)
	d.press(submit)
	d.shows("line 1.", "more lines: PgUp, PgDn · Submit opens at the end", "!! HIGH", "✗ read on to the end first: PgDn")
	for range 30 {
		if d.reading.done {
			break
		}
		if d.press(submit); d.given.Action != "" {
			t.Fatal("submitted before the end of the message")
		}
		d.press(down)
	}
	d.shows("line 30.")
	if d.press(submit); d.given.Action != elicit.Accept {
		t.Errorf("after the end: %q", d.given.Action)
	}
}

// TestTheFieldThatWasLeftStaysInSight with its problem, and the position says how far the person is.
func TestTheFieldThatWasLeftStaysInSight(t *testing.T) {
	d := draw(t, formOf(t, 12, "Fill it in"), 80, 16)
	d.wait(ignoreKeys)
	d.shows("more below", "field 1 of 12")
	for i := range 11 {
		d.press(typing("xy")...)
		d.press(tab)
		d.shows(fmt.Sprintf("Field %c: xy  ✗ at least 3 characters; 2 now", 'a'+i), fmt.Sprintf("┃ ▌ Field %c", 'b'+i),
			fmt.Sprintf("field %d of 12", i+2))
		if i > 5 {
			d.shows("↑", "more above")
		}
	}
}

// TestEscAsksBeforeItThrowsAway what was typed; without that it cancels at once.
func TestEscAsksBeforeItThrowsAway(t *testing.T) {
	d := draw(t, formOf(t, 2, "Fill it in"), 80, 24)
	d.wait(ignoreKeys)
	d.press(append(typing("word"), escape)...)
	d.shows(escAgain)
	d.press(typing("s")...)
	if view := d.View().Content; strings.Contains(view, escAgain) {
		t.Errorf("the person goes on, and it still says %q", escAgain)
	}
	if d.press(escape); d.given.Action != "" {
		t.Fatalf("one Esc ended it: %s", d.given.Action)
	}
	if d.press(escape); d.given.Action != elicit.Cancel {
		t.Errorf("after the second Esc: %q", d.given.Action)
	}
	d = draw(t, formOf(t, 2, "Fill it in"), 80, 24)
	d.wait(ignoreKeys)
	if d.press(tab, escape); d.given.Action != elicit.Cancel {
		t.Errorf("Esc where nothing was typed: %q", d.given.Action)
	}
}

func TestTimeWarnsAndCanBeExtended(t *testing.T) {
	q := confirmation()
	q.Deadline = time.Unix(1_700_000_100, 0).UnixMilli()
	d := draw(t, q, 80, 24)
	asked := 0
	d.moreTime = func(*effect.Show) { asked++ }
	d.wait(ignoreKeys)
	d.shows("1m39s left", "^T more time")
	d.wait(80 * time.Second)
	d.shows("! only 19s left")
	d.press(tea.KeyPressMsg{Code: 't', Mod: tea.ModCtrl})
	if asked != 1 {
		t.Errorf("asked for more time %d times, want once", asked)
	}
	d.Update(extendedMsg(q.Deadline + 300_000))
	d.shows("5m19s left")
}

// TestALongListKeepsItsCursorInSight on a terminal with few lines.
func TestALongListKeepsItsCursorInSight(t *testing.T) {
	var choices []string
	for i := range 40 {
		choices = append(choices, fmt.Sprintf(`"city-%d"`, i))
	}
	form, _ := schema.Compile([]byte(`{"type":"object","properties":{"city":{"type":"string","enum":[`+
		strings.Join(choices, ",")+`]},"note":{"type":"string"}}}`), schema.Options{})
	for _, height := range []int{12, 16, 24} {
		d := draw(t, &effect.Show{Server: "demo", Mode: elicit.Form, Message: "Where?", Form: form}, 40, height)
		d.wait(ignoreKeys)
		for i := range 20 {
			d.press(tea.KeyPressMsg{Code: tea.KeyDown})
			d.shows(fmt.Sprintf("> city-%d", i), fmt.Sprintf("%d of 40", i+1))
		}
	}
}
