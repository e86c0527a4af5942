package ui

import (
	"errors"
	"io"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"
)

// buttonRow is a row of buttons, of which at most one is selected. Unlike a confirmation of huh, it can start without a
// selected button, so that an accidental Enter agrees to nothing. Yes-or-no fields and the actions of a request use it.
type buttonRow struct {
	title, help string
	labels      []string
	at          int // the index of the selected button, -1 for none
	actions     bool
	disabled    func(i int) bool // reports whether a button does nothing yet; nil when every button works
	letters     map[string]int   // selects a button by a key, for actions
	focused     bool
	width       int
	theme       huh.Theme
	dark        bool
}

// chosen is the message that the person pressed Enter on a button for an action; nothing when none was selected.
type chosen int

const nothing = -1

// Update moves the selection with the arrows, or to a label by its first letter.
func (b *buttonRow) Update(msg tea.Msg) (huh.Model, tea.Cmd) {
	switch msg := msg.(type) {
	case tea.BackgroundColorMsg:
		b.dark = msg.IsDark()
	case tea.KeyPressMsg:
		switch k := msg.String(); k {
		case "left", "up":
			b.at = max(b.at-1, 0)
		case "right", "down", "space":
			b.at = min(b.at+1, len(b.labels)-1)
		case "shift+tab":
			return b, huh.PrevField
		case "tab":
			return b, b.tab()
		case "enter":
			return b, b.enter()
		default:
			b.letter(k)
		}
	}
	return b, nil
}

func (b *buttonRow) tab() tea.Cmd {
	if !b.actions {
		return huh.NextField
	}
	b.at = (b.at + 1) % len(b.labels)
	return nil
}

func (b *buttonRow) enter() tea.Cmd {
	if !b.actions {
		return huh.NextField
	}
	at := b.at
	return func() tea.Msg { return chosen(at) }
}

// letter selects a label by its first letter, and an action by its key. A key never ends a request, because nobody
// should agree by typing a word.
func (b *buttonRow) letter(k string) {
	if b.actions {
		if i, ok := b.letters[k]; ok {
			b.at = i
		}
		return
	}
	for i, label := range b.labels {
		if strings.EqualFold(label[:1], k) {
			b.at = i
			return
		}
	}
}

// View draws the buttons on a line. Brackets mark the selected one, as well as its colours, and parentheses mark one
// that does nothing yet.
func (b *buttonRow) View() string {
	styles := b.styles()
	inner := b.width - styles.Base.GetHorizontalFrameSize()
	var lines []string
	if b.title != "" {
		lines = append(lines, styles.Title.Render(lipgloss.Wrap(b.title, inner, "")))
	}
	if b.help != "" {
		lines = append(lines, styles.Description.Render(lipgloss.Wrap(b.help, inner, "")))
	}
	var buttons []string
	for i, label := range b.labels {
		shut := b.disabled != nil && b.disabled(i)
		switch {
		case shut && i == b.at:
			buttons = append(buttons, styles.FocusedButton.Faint(true).Render("[("+label+")]"))
		case i == b.at:
			buttons = append(buttons, styles.FocusedButton.Render("["+label+"]"))
		case shut:
			buttons = append(buttons, styles.BlurredButton.Faint(true).Render("("+label+")"))
		default:
			buttons = append(buttons, styles.BlurredButton.Render(" "+label+" "))
		}
	}
	lines = append(lines, inLines(buttons, inner)...)
	return styles.Base.Width(b.width).Render(strings.Join(lines, "\n"))
}

// inLines puts buttons on as many lines as they need, and never breaks a button.
func inLines(buttons []string, width int) (lines []string) {
	line := ""
	for _, button := range buttons {
		if line != "" && lipgloss.Width(line)+1+lipgloss.Width(button) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += button
	}
	return append(lines, line)
}

func (b *buttonRow) styles() *huh.FieldStyles {
	all := b.theme.Theme(b.dark)
	if b.focused {
		return &all.Focused
	}
	return &all.Blurred
}

// Focus sets the focus. It does not select a button.
func (b *buttonRow) Focus() tea.Cmd { b.focused = true; return nil }

// The other methods of huh.Field.
func (b *buttonRow) Blur() tea.Cmd                            { b.focused = false; return nil }
func (b *buttonRow) Init() tea.Cmd                            { return nil }
func (b *buttonRow) Error() error                             { return nil }
func (b *buttonRow) Run() error                               { return errors.ErrUnsupported }
func (b *buttonRow) RunAccessible(io.Writer, io.Reader) error { return errors.ErrUnsupported }
func (b *buttonRow) Skip() bool                               { return false }
func (b *buttonRow) Zoom() bool                               { return false }
func (b *buttonRow) KeyBinds() []key.Binding                  { return nil }
func (b *buttonRow) WithTheme(t huh.Theme) huh.Field          { b.theme = t; return b }
func (b *buttonRow) WithKeyMap(*huh.KeyMap) huh.Field         { return b }
func (b *buttonRow) WithWidth(w int) huh.Field                { b.width = w; return b }
func (b *buttonRow) WithHeight(int) huh.Field                 { return b }
func (b *buttonRow) WithPosition(huh.FieldPosition) huh.Field { return b }
func (b *buttonRow) GetKey() string                           { return "" }
func (b *buttonRow) GetValue() any                            { return b.at }
