package ui

import (
	"slices"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/schema"
)

// row is one field of a form on the screen: the widget, and the problem below it. A row never blocks the person from
// moving on; what is wrong is said when the row is left, kept up to date while it is mended, and stops the submission.
type row struct {
	huh.Field
	field   *schema.Field
	typed   func() (t schema.Typed, touched bool) // what stands in the widget now
	judge   func(*row)                            // looks for a problem and sets it
	problem string
	left    bool // the person has been here and went on
	focused bool
	width   int
	dress   func(title, about string)            // says what the field is
	more    string                               // what a hint says of the widget
	spelled string                               // a default with signs that the widget does not draw
	list    func(width int) (lines, tallest int) // wraps the choices of a list, nil for other widgets
	put     func(raw []byte)                     // makes the widget hold a value
	before  *engine.Suggestion
}

// Update lets the widget work, then looks at the value again if the row has been left before.
func (r *row) Update(msg tea.Msg) (huh.Model, tea.Cmd) {
	m, cmd := r.Field.Update(msg)
	r.Field = m.(huh.Field)
	if _, press := msg.(tea.KeyPressMsg); press && r.left {
		r.judge(r)
	}
	return r, cmd
}

// Blur looks at the value for the first time.
func (r *row) Blur() tea.Cmd {
	cmd := r.Field.Blur()
	r.left, r.focused = true, false
	r.judge(r)
	return cmd
}

// View adds the problem below the widget, where it belongs.
func (r *row) View() string {
	v := r.Field.View()
	styles := theme(true)
	base := styles.Blurred.Base
	if r.focused {
		base = styles.Focused.Base
	}
	if r.before != nil {
		v += "\n" + base.Width(r.width).Render(palette.accent.Render("ctrl+y takes "+typedBefore(r.field, r.before)))
	}
	if r.problem != "" {
		v += "\n" + base.Width(r.width).Render(palette.bad.Render("✗ "+r.problem))
	}
	return v
}

// Focus notes that the person is here.
func (r *row) Focus() tea.Cmd {
	r.focused = true
	return r.Field.Focus()
}

// WithWidth wraps what is said of the field, and gives a list the height that its choices need: huh takes the lines of
// the words off it.
func (r *row) WithWidth(w int) huh.Field {
	if w == r.width {
		return r
	}
	r.width = w
	r.Field.WithWidth(w)
	inner := w - theme(true).Focused.Base.GetHorizontalFrameSize()
	title := peer(label(r.field), inner, drawnBar)
	parts := []string{peer(help(r.field), inner, drawnBar), ours(lipgloss.NewStyle(), hint(r.field)+r.more, inner)}
	if r.spelled != "" {
		parts = append(parts, ours(palette.bad, "not all of what stands here can be seen; it is:", inner), peer(r.spelled, inner, drawnBar))
	}
	about := strings.Join(nonEmpty(parts...), "\n")
	r.dress(title, about)
	if r.list != nil {
		most, tallest := r.list(inner)
		r.Field.WithHeight(lipgloss.Height(title+"\n"+about) + min(most, max(longList, tallest)))
	}
	return r
}

// Error is always nil: huh would keep the person in the field.
func (r *row) Error() error { return nil }

// filtering reports whether the widget reads letters to narrow its choices.
func (r *row) filtering() bool {
	f, ok := r.Field.(interface{ GetFiltering() bool })
	return ok && f.GetFiltering()
}

// wantsEsc reports whether Esc means something to the widget now: it ends or clears a search.
func (r *row) wantsEsc() bool {
	return slices.ContainsFunc(r.KeyBinds(), func(b key.Binding) bool { return b.Enabled() && slices.Contains(b.Keys(), "esc") })
}

// newRow dresses a field in the widget its schema advises.
func newRow(f *schema.Field, judge func(*row)) *row {
	r := &row{field: f, judge: judge}
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

func (r *row) yesNo() {
	b := &bar{labels: []string{"Yes", "No"}, at: nothing, theme: huh.ThemeFunc(theme)}
	r.dress = func(title, about string) { b.title, b.help = title, about }
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
	r.put = func(raw []byte) { b.at = map[string]int{"true": 0, "false": 1}[string(raw)] }
	r.typed = func() (schema.Typed, bool) {
		return schema.TypedBool(r.field.Name, b.at == 0), b.at == 0 || b.at == 1
	}
}

// mostSpelled is how many characters of such a default are drawn.
const mostSpelled = 1000

// longList is where a list scrolls and can be searched.
const longList = 12

func (r *row) oneChoice() {
	at := nothing
	options := make([]huh.Option[int], 0, len(r.field.Choices)+1)
	initial := textOf(r.field.Initial)
	if r.field.Initial == nil {
		// Nothing is chosen for the person; the first line says so.
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
	r.dress = func(title, about string) { s.Title(title).Description(about) }
	r.list = func(width int) (lines, tallest int) {
		columns := width - lipgloss.Width(theme(true).Focused.SelectSelector.String())
		for _, o := range options {
			height := lipgloss.Height(lipgloss.Wrap(o.Key, columns, ",.-; ")) // as huh does
			lines, tallest = lines+height, max(tallest, height)
		}
		return lines, tallest
	}
	r.put = func(raw []byte) {
		value := textOf(raw)
		if i := slices.IndexFunc(r.field.Choices, func(c schema.Choice) bool { return c.Value == value }); i >= 0 {
			at = i
			s.Value(&at)
		}
	}
	r.typed = func() (schema.Typed, bool) {
		// huh moves the cursor without the value when asked for the last choice, so the cursor is what counts.
		if now, ok := s.Hovered(); ok {
			at = now
		}
		if at == nothing {
			return schema.TypedText(r.field.Name, ""), r.field.Required
		}
		return schema.TypedText(r.field.Name, r.field.Choices[at].Value), true
	}
}

func (r *row) manyChoices() {
	var picked []int
	labels := choiceLabels(r.field)
	columns := 0 // of a choice; huh would cut what is wider
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
	r.dress = func(title, about string) { m.Title(title).Description(about) }
	r.put = func(raw []byte) { pick(raw); m.Options(options()...).Value(&picked) }
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

func (r *row) text() {
	start := textOf(r.field.Initial)
	value := start
	if seen := Plain(start); !r.field.Sensitive && seen != strings.ReplaceAll(start, "\t", "    ") {
		r.spelled = clip(seen, mostSpelled)
	}
	if r.field.Widget == schema.WidgetMultiline || strings.Contains(start, "\n") {
		text := huh.NewText().Lines(4).ExternalEditor(false).ShowLineNumbers(false).Value(&value)
		r.Field, r.more = text, " · alt+enter for a new line"
		r.dress = func(title, about string) { text.Title(title).Description(about) }
		r.put = func(raw []byte) { value = textOf(raw); text.Value(&value) }
	} else {
		in := huh.NewInput().Value(&value)
		r.dress = func(title, about string) { in.Title(title).Description(about) }
		if r.field.Sensitive {
			in.EchoMode(huh.EchoModePassword)
		}
		r.Field = in
		r.put = func(raw []byte) { value = textOf(raw); in.Value(&value) }
	}
	// A widget cannot hold every character of a default; as long as nobody changed it, the default itself counts.
	drawn := r.GetValue()
	r.typed = func() (schema.Typed, bool) {
		now := r.GetValue().(string)
		return schema.TypedText(r.field.Name, now), now != drawn
	}
}
