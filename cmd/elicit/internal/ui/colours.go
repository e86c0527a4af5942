package ui

import (
	"sync"

	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"
)

// palette uses the sixteen colours that the person can set in every terminal. Colour alone never carries a meaning: an
// important text is also bold, in brackets or explained in words.
var palette = struct{ accent, warn, bad, good, faint lipgloss.Style }{
	accent: lipgloss.NewStyle().Foreground(lipgloss.Cyan),
	warn:   lipgloss.NewStyle().Foreground(lipgloss.Magenta), // yellow cannot be read on white
	bad:    lipgloss.NewStyle().Foreground(lipgloss.Red),
	good:   lipgloss.NewStyle().Foreground(lipgloss.Green),
	faint:  lipgloss.NewStyle().Faint(true),
}

var bold = lipgloss.NewStyle().Bold(true)

// theme returns the styles of huh's fields. huh calls it many times for each frame.
func theme(bool) *huh.Styles { return styles() }

var styles = sync.OnceValue(func() *huh.Styles {
	t := huh.ThemeBase(true)
	button := lipgloss.NewStyle().Padding(0, 1)
	f := &t.Focused
	f.Base = lipgloss.NewStyle().PaddingLeft(1).BorderStyle(lipgloss.ThickBorder()).BorderLeft(true).
		BorderForeground(lipgloss.Cyan)
	f.Title = bold
	f.Description = palette.faint
	f.SelectSelector = palette.accent.SetString("> ")
	f.MultiSelectSelector = palette.accent.SetString("> ")
	f.SelectedOption = palette.accent
	f.SelectedPrefix = palette.good.SetString("[x] ")
	f.UnselectedPrefix = lipgloss.NewStyle().SetString("[ ] ")
	f.UnselectedOption = lipgloss.NewStyle()
	f.FocusedButton = button.Bold(true).Reverse(true)
	f.BlurredButton = button
	f.TextInput.Prompt = palette.accent
	f.TextInput.Cursor = palette.accent
	t.Blurred = t.Focused
	t.Blurred.Base = f.Base.BorderStyle(lipgloss.HiddenBorder())
	t.Blurred.SelectSelector = lipgloss.NewStyle().SetString("* ")
	t.Blurred.MultiSelectSelector = lipgloss.NewStyle().SetString("  ")
	t.Blurred.FocusedButton = button.Bold(true)
	t.Blurred.TextInput.Prompt = palette.faint
	t.FieldSeparator = lipgloss.NewStyle().SetString("\n\n")
	return t
})
