package ui

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/pane"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

// drawn is a screen of a size, with a clock that the test sets.
type drawn struct {
	*screen
	t   *testing.T
	now time.Time
}

func draw(t *testing.T, q *engine.Show, width, height int) *drawn {
	t.Helper()
	d := &drawn{screen: newScreen(q, false), t: t, now: time.Unix(1_700_000_000, 0)}
	d.begin(func() int { return 0 }, func() time.Time { return d.now })
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
		for cmd != nil {
			msg := cmd()
			if _, own := msg.(chosen); !own {
				break
			}
			_, cmd = d.Update(msg)
		}
		d.View()
	}
}

var (
	enter = tea.KeyPressMsg{Code: tea.KeyEnter}
	yes   = tea.KeyPressMsg{Code: 'y', Text: "y"}
)

func confirmation() *engine.Show {
	form, _ := schema.Compile([]byte(`{"type":"object","properties":{}}`), schema.Options{})
	return &engine.Show{Server: "demo", Mode: elicit.Form, Message: "Go on?", Form: form}
}

// TestKeysDoNotCountAtOnce: what was typed for something else agrees to nothing.
func TestKeysDoNotCountAtOnce(t *testing.T) {
	d := draw(t, confirmation(), 80, 24)
	if view := d.View().Content; !strings.Contains(view, pane.NotReady) {
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
