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

// bar is a row of buttons, at most one of which is chosen. Unlike a confirmation it can start with none chosen, so
// that a stray Enter agrees to nothing. It serves yes/no questions, and the ends of a request.
type bar struct {
	title, help string
	labels      []string
	at          int // the chosen label, -1 for none
	ends        bool
	shut        func(i int) bool // reports a button that does nothing yet; nil for none
	focused     bool
	width       int
	theme       huh.Theme
	dark        bool
}

// chosen says that the person pressed Enter on a button of the bar of ends.
type chosen int

const nothing = -1

// Update moves the choice with the arrows, or by the first letter of a label.
func (b *bar) Update(msg tea.Msg) (huh.Model, tea.Cmd) {
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

func (b *bar) tab() tea.Cmd {
	if !b.ends {
		return huh.NextField
	}
	b.at = (b.at + 1) % len(b.labels)
	return nil
}

func (b *bar) enter() tea.Cmd {
	if !b.ends {
		return huh.NextField
	}
	if b.at == nothing {
		return nil
	}
	at := b.at
	return func() tea.Msg { return chosen(at) }
}

// letter chooses by first letter. The ends of a request have no letters: nobody should agree by typing a word.
func (b *bar) letter(k string) {
	if b.ends {
		return
	}
	for i, label := range b.labels {
		if strings.EqualFold(label[:1], k) {
			b.at = i
			return
		}
	}
}

// View draws the buttons in a line. The chosen one is marked by brackets as well as by its colours, and one that does
// nothing yet by parentheses.
func (b *bar) View() string {
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
		shut := b.shut != nil && b.shut(i)
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

// inLines puts buttons on as many lines as they need; none is cut in two.
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

func (b *bar) styles() *huh.FieldStyles {
	all := b.theme.Theme(b.dark)
	if b.focused {
		return &all.Focused
	}
	return &all.Blurred
}

// Focus puts the ends of a filled-in form on its first button; a bare question starts on none.
func (b *bar) Focus() tea.Cmd { b.focused = true; return nil }

// The rest is what a huh field must have.
func (b *bar) Blur() tea.Cmd                            { b.focused = false; return nil }
func (b *bar) Init() tea.Cmd                            { return nil }
func (b *bar) Error() error                             { return nil }
func (b *bar) Run() error                               { return errors.ErrUnsupported }
func (b *bar) RunAccessible(io.Writer, io.Reader) error { return errors.ErrUnsupported }
func (b *bar) Skip() bool                               { return false }
func (b *bar) Zoom() bool                               { return false }
func (b *bar) KeyBinds() []key.Binding                  { return nil }
func (b *bar) WithTheme(t huh.Theme) huh.Field          { b.theme = t; return b }
func (b *bar) WithKeyMap(*huh.KeyMap) huh.Field         { return b }
func (b *bar) WithWidth(w int) huh.Field                { b.width = w; return b }
func (b *bar) WithHeight(int) huh.Field                 { return b }
func (b *bar) WithPosition(huh.FieldPosition) huh.Field { return b }
func (b *bar) GetKey() string                           { return "" }
func (b *bar) GetValue() any                            { return b.at }
