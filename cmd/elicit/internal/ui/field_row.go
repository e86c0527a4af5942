package ui

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/schema"
)

// fieldRow is one field of a form on the screen: the widget, and the problem below it. A row never keeps the focus when
// the person wants to move on. It shows the problem after the person has left it, and updates the problem while the
// person corrects the value. A problem prevents the submission.
type fieldRow struct {
	huh.Field
	field      *schema.Field
	typed      func() (t schema.Typed, touched bool) // the widget's value now
	check      func(*fieldRow)                       // finds the problem of the row and sets it
	problem    string
	visited    bool // the person has moved on from this row
	focused    bool
	width      int
	describe   func(title, about string)            // sets the title and the description
	extraHint  string                               // text about the widget for the hint
	spelled    string                               // a default with characters that the widget does not draw, spelled
	list       func(width int) (lines, tallest int) // wraps the choices of a list, nil for other widgets
	setValue   func(raw []byte)                     // gives the widget a value
	before     *effect.Suggestion
	compact    bool          // draw one line while the row has no focus
	tight      bool          // leave out what the server and the hint say, because there are few lines
	drawnTight bool          // the widget was told so
	value      func() string // what the widget holds, in words
}

// Update lets the widget handle a message. It then checks the value again if the person has left the row before.
func (r *fieldRow) Update(msg tea.Msg) (huh.Model, tea.Cmd) {
	m, cmd := r.Field.Update(msg)
	r.Field = m.(huh.Field)
	if _, press := msg.(tea.KeyPressMsg); press && r.visited {
		r.check(r)
	}
	return r, cmd
}

// Blur checks the value when the person leaves the row.
func (r *fieldRow) Blur() tea.Cmd {
	cmd := r.Field.Blur()
	r.visited, r.focused = true, false
	r.check(r)
	return cmd
}

// View draws the widget with the problem below it, or the row on one line.
func (r *fieldRow) View() string {
	if r.compact && !r.focused {
		return r.line()
	}
	v := r.Field.View()
	styles := theme(true)
	base := styles.Blurred.Base
	if r.focused {
		base = styles.Focused.Base
	}
	if now, all := r.position(); r.focused && all > longList && now > 0 {
		v += "\n" + base.Width(r.width).Render(palette.faint.Render(fmt.Sprintf("%d of %d", now, all)))
	}
	if r.before != nil {
		v += "\n" + base.Width(r.width).Render(palette.accent.Render("ctrl+y takes "+typedBefore(r.field, r.before)))
	}
	if r.problem != "" {
		v += "\n" + base.Width(r.width).Render(palette.bad.Render("✗ "+r.problem))
	}
	return v
}

// Focus gives the focus to the row.
func (r *fieldRow) Focus() tea.Cmd {
	r.focused = true
	return r.Field.Focus()
}

// WithWidth wraps the description of the field. It gives a list the height that its choices need, because huh subtracts
// the lines of the description from the height.
func (r *fieldRow) WithWidth(w int) huh.Field {
	if w == r.width && r.tight == r.drawnTight {
		return r
	}
	r.width, r.drawnTight = w, r.tight
	r.Field.WithWidth(w)
	inner := w - theme(true).Focused.Base.GetHorizontalFrameSize()
	title := peer(label(r.field), inner, drawnBar)
	var parts []string
	if !r.tight {
		parts = []string{peer(help(r.field), inner, drawnBar), ours(lipgloss.NewStyle(), hint(r.field)+r.extraHint, inner)}
	}
	if r.spelled != "" {
		parts = append(parts, ours(palette.bad, "some characters of this default are invisible; it is:", inner),
			peer(r.spelled, inner, drawnBar))
	}
	about := strings.Join(nonEmpty(parts...), "\n")
	r.describe(title, about)
	if r.list != nil {
		most, tallest := r.list(inner)
		r.Field.WithHeight(lipgloss.Height(title+"\n"+about) + min(most, max(longList, tallest)))
	}
	return r
}

// Error always returns nil, because huh keeps the focus in a field with an error.
func (r *fieldRow) Error() error { return nil }

// filtering reports whether the widget uses typed letters to search its choices.
func (r *fieldRow) filtering() bool {
	f, ok := r.Field.(interface{ GetFiltering() bool })
	return ok && f.GetFiltering()
}

// wantsEsc reports whether the widget uses Esc now, to end or clear a search.
func (r *fieldRow) wantsEsc() bool {
	return slices.ContainsFunc(r.KeyBinds(), func(b key.Binding) bool {
		return b.Enabled() && slices.Contains(b.Keys(), "esc")
	})
}

// newRow makes the widget that fits the kind of the field.
func newRow(f *schema.Field, judge func(*fieldRow)) *fieldRow {
	r := &fieldRow{field: f, check: judge}
	switch f.Kind {
	case schema.Boolean:
		r.yesNo()
	case schema.OneChoice:
		r.oneChoice()
	case schema.ManyChoices:
		r.manyChoices()
	default:
		r.text()
	}
	return r
}

func (r *fieldRow) yesNo() {
	b := &buttonRow{labels: []string{"Yes", "No"}, at: nothing, theme: huh.ThemeFunc(theme)}
	r.value = func() string {
		if b.at == nothing {
			return ""
		}
		return b.labels[b.at]
	}
	r.describe = func(title, about string) { b.title, b.help = title, about }
	switch string(r.field.Initial) {
	case "true":
		b.at = 0
	case "false":
		b.at = 1
	default:
		if !r.field.Required {
			b.labels = append(b.labels, "Leave open")
			b.at = 2
		}
	}
	r.Field = b
	r.setValue = func(raw []byte) { b.at = map[string]int{"true": 0, "false": 1}[string(raw)] }
	r.typed = func() (schema.Typed, bool) {
		return schema.TypedBool(r.field.Name, b.at == 0), b.at == 0 || b.at == 1
	}
}

// maxSpelled is the most characters of a default that a row spells.
const maxSpelled = 1000

// longList is the number of choices from which a list scrolls and has a search.
const longList = 12

func (r *fieldRow) oneChoice() {
	at := nothing
	options := make([]huh.Option[int], 0, len(r.field.Choices)+1)
	initial := textOf(r.field.Initial)
	if r.field.Initial == nil {
		// No choice is selected for the person; the first line says so.
		first := "(choose one)"
		if !r.field.Required {
			first = "(no answer)"
		}
		options = append(options, huh.NewOption(first, nothing))
	}
	for i, text := range choiceLabels(r.field) {
		options = append(options, huh.NewOption(text, i))
		if r.field.Initial != nil && r.field.Choices[i].Value == initial {
			at = i
		}
	}
	s := huh.NewSelect[int]().Options(options...).Value(&at)
	r.Field = s
	r.value = func() string {
		if now, ok := s.Hovered(); ok {
			at = now
		}
		i := slices.IndexFunc(options, func(o huh.Option[int]) bool { return o.Value == at })
		return options[max(i, 0)].Key
	}
	r.describe = func(title, about string) { s.Title(title).Description(about) }
	r.list = func(width int) (lines, tallest int) {
		columns := width - lipgloss.Width(theme(true).Focused.SelectSelector.String())
		for _, o := range options {
			height := lipgloss.Height(lipgloss.Wrap(o.Key, columns, ",.-; ")) // as huh does
			lines, tallest = lines+height, max(tallest, height)
		}
		return lines, tallest
	}
	r.setValue = func(raw []byte) {
		value := textOf(raw)
		if i := slices.IndexFunc(r.field.Choices, func(c schema.Choice) bool { return c.Value == value }); i >= 0 {
			at = i
			s.Value(&at)
		}
	}
	r.typed = func() (schema.Typed, bool) {
		// On the key for the last choice, huh moves the cursor and not the value, so only the cursor is reliable.
		if now, ok := s.Hovered(); ok {
			at = now
		}
		if at == nothing {
			return schema.TypedText(r.field.Name, ""), r.field.Required
		}
		return schema.TypedText(r.field.Name, r.field.Choices[at].Value), true
	}
}

func (r *fieldRow) manyChoices() {
	var picked []int
	labels := choiceLabels(r.field)
	columns := 0 // of a choice; huh cuts off wider ones
	options := func() (list []huh.Option[int]) {
		for i, text := range labels {
			if columns > 0 {
				text = strings.Join(wrapped(text, columns), "\n")
			}
			list = append(list, huh.NewOption(text, i).Selected(slices.Contains(picked, i)))
		}
		return list
	}
	pick := func(raw []byte) {
		values := textsOf(raw)
		picked = []int{}
		for i := range r.field.Choices {
			if slices.Contains(values, r.field.Choices[i].Value) {
				picked = append(picked, i)
			}
		}
	}
	pick(r.field.Initial)
	m := huh.NewMultiSelect[int]().Options(options()...).Value(&picked)
	r.Field = m
	r.describe = func(title, about string) { m.Title(title).Description(about) }
	r.value = func() string {
		return strings.Join(each.Of(picked, func(i int) string { return labels[i] }), ", ")
	}
	r.setValue = func(raw []byte) { pick(raw); m.Options(options()...).Value(&picked) }
	r.list = func(width int) (lines, tallest int) {
		styles := theme(true).Focused
		columns = width - lipgloss.Width(styles.MultiSelectSelector.String()+styles.UnselectedPrefix.String())
		for _, o := range options() {
			lines, tallest = lines+lipgloss.Height(o.Key), max(tallest, lipgloss.Height(o.Key))
		}
		m.Options(options()...)
		return lines, tallest
	}
	bare := r.field.Initial == nil && !r.field.Required
	r.typed = func() (schema.Typed, bool) {
		list := make([]string, 0, len(picked))
		for _, i := range picked {
			list = append(list, r.field.Choices[i].Value)
		}
		return schema.TypedList(r.field.Name, list), len(list) > 0 || !bare
	}
}

func (r *fieldRow) text() {
	start := textOf(r.field.Initial)
	value := start
	if seen := Plain(start); !r.field.Sensitive && seen != strings.ReplaceAll(start, "\t", "    ") {
		r.spelled = clip(seen, maxSpelled)
	}
	if asJSON := isJSON(r.field); asJSON || r.field.Widget == schema.WidgetMultiline || strings.Contains(start, "\n") {
		text := huh.NewText().Lines(4).ExternalEditor(false).ShowLineNumbers(false).Value(&value)
		if r.Field, r.extraHint = text, " · alt+enter for a new line"; asJSON {
			text.Lines(linesOfJSON).ShowLineNumbers(true).CharLimit(0)
			r.extraHint = " · enter for a new line"
		}
		r.describe = func(title, about string) { text.Title(title).Description(about) }
		r.setValue = func(raw []byte) { value = textOf(raw); text.Value(&value) }
	} else {
		in := huh.NewInput().Value(&value)
		r.describe = func(title, about string) { in.Title(title).Description(about) }
		if r.field.Sensitive {
			in.EchoMode(huh.EchoModePassword)
		}
		r.Field = in
		r.setValue = func(raw []byte) { value = textOf(raw); in.Value(&value) }
	}
	// A widget cannot hold every character of a default. As long as nobody changes the value, the default itself counts.
	drawn := r.GetValue()
	r.value = func() string {
		now := r.GetValue().(string)
		if r.field.Sensitive {
			return strings.Repeat("*", utf8.RuneCountInString(now))
		}
		return oneLine(clip(now, maxSpelled))
	}
	r.typed = func() (schema.Typed, bool) {
		now := r.GetValue().(string)
		return schema.TypedText(r.field.Name, now), now != drawn
	}
}
