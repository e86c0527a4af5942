package ui

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"
	"charm.land/huh/v2"
	"charm.land/lipgloss/v2"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// screen is one request on the terminal, from the first key to the answer.
type screen struct {
	q       *effect.Show
	waiting func() int // number of requests that wait behind this one
	rows    []*fieldRow
	ends    []userAction
	buttons *buttonRow
	form    *huh.Form

	width, height int
	size          size
	reading       readingProgress
	status        string
	typed         bool                // the person has changed a field
	moreTime      func(*effect.Show)  // asks for more time; nil when nobody can
	receipt       func(event.Receipt) // tells the engine what the person has seen and done
	gone          elicit.Cause        // why the request was withdrawn while it was open

	clock   func() time.Time
	drawnAt time.Time // when the question appeared; zero until then
	ready   bool      // the question was there for long enough, so keys count

	beside  beside
	writing *writing // the open editor, nil for none

	given Given // the answer; zero until the person has answered, and after a withdrawal
}

// size says what is known about the size of the terminal. Until it is known, and when the terminal is smaller than the
// drawing, no line counts as read.
type size byte

const (
	sizeUnknown size = iota
	sizeKnown
	sizeTooSmall
)

// withdrawnMsg tells the screen that its request was withdrawn.
type withdrawnMsg elicit.Cause

// rejectedMsg tells the screen that the engine did not accept its answer.
type rejectedMsg []elicit.Problem

type tickMsg struct{}

func newScreen(q *effect.Show, lasting bool) *screen {
	s := &screen{q: q, width: 80, height: 24, ends: actionsFor(q, lasting), reading: readingProgress{q: q}}
	var fields []huh.Field
	if q.Form != nil {
		for i := range q.Form.Fields {
			r := newRow(&q.Form.Fields[i], s.checkRow)
			r.suggest(q.Suggestions)
			s.rows = append(s.rows, r)
			fields = append(fields, r)
		}
	}
	buttons := &buttonRow{at: nothing, actions: true, theme: huh.ThemeFunc(theme),
		disabled: func(i int) bool { return s.unread(s.ends[i]) }}
	s.buttons = buttons
	buttons.labels = each.Of(s.ends, func(e userAction) string { return e.label })
	if len(s.rows) > 0 {
		buttons.at = 0
	} else {
		decline := slices.IndexFunc(s.ends, func(e userAction) bool { return e.given.Action == elicit.Decline })
		buttons.letters = map[string]int{"y": 0, "n": decline}
	}
	s.form = huh.NewForm(huh.NewGroup(append(fields, buttons)...)).WithTheme(huh.ThemeFunc(theme)).WithAccessible(false).
		WithShowHelp(false).WithShowErrors(false)
	return s
}

func (s *screen) Init() tea.Cmd { return tea.Batch(s.form.Init(), everySecond()) }

func everySecond() tea.Cmd {
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{} })
}

func (s *screen) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if s.gone != "" {
		// Only Enter and Esc close the notice, because a person who was typing has not read it yet.
		if key, pressed := msg.(tea.KeyPressMsg); pressed && (key.String() == "enter" || key.String() == "esc") {
			return s, tea.Quit
		}
		return s, nil
	}
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		s.width, s.height = max(msg.Width, 20), max(msg.Height, 6)
		s.size = sizeKnown
		if s.width != msg.Width || s.height != msg.Height {
			s.size = sizeTooSmall
		}
		s.sizeWriting()
		return s, tea.Batch(s.layout(), s.appear())
	case readyMsg:
		return s, s.settle()
	case tickMsg:
		return s, everySecond()
	case extendedMsg:
		s.q.Deadline = int64(msg)
		return s, nil
	case withdrawnMsg:
		s.gone = elicit.Cause(msg)
		return s, tea.Tick(withdrawnFor, func(time.Time) tea.Msg { return tea.QuitMsg{} })
	case rejectedMsg:
		return s, s.showProblems(msg)
	case chosen:
		if msg == nothing {
			s.status = notChosen
			return s, s.layout()
		}
		return s, s.finish(s.ends[msg])
	case tea.PasteMsg:
		if !s.ready {
			return s, nil
		}
		if s.writing != nil {
			return s, s.updateWriting(msg)
		}
	case tea.KeyPressMsg:
		if !s.ready {
			return s, nil
		}
		s.receipt(event.ReceiptFirstInput)
		if s.writing != nil {
			return s, s.updateWriting(msg)
		}
		if s.status == notChosen || s.status == escAgain && msg.String() != "esc" && msg.String() != "ctrl+c" {
			s.status = ""
		}
		if done, cmd := s.shortcut(msg.String()); done {
			return s, cmd
		}
		if done, cmd := s.moveFocus(msg.String()); done {
			return s, tea.Batch(cmd, s.layout())
		}
	}
	return s, s.forward(msg)
}

// moveFocus moves between rows at once. huh sends itself a message for that, and keys that follow quickly would arrive
// before the message and go to the wrong field.
func (s *screen) moveFocus(key string) (done bool, cmd tea.Cmd) {
	r, ok := s.form.GetFocusedField().(*fieldRow)
	if !ok || r.filtering() {
		return false, nil
	}
	switch key {
	case "enter":
		if isJSON(r.field) {
			return false, nil
		}
		return true, s.form.NextField()
	case "tab":
		return true, s.form.NextField()
	case "shift+tab":
		return true, s.form.PrevField()
	}
	return false, nil
}

// withdrawnFor is how long the notice about a withdrawn request stays when no key closes it.
const withdrawnFor = 5 * time.Second

// forward gives a message to the form. It then computes the layout again, because problems appear and disappear.
func (s *screen) forward(msg tea.Msg) tea.Cmd {
	row, _ := s.form.GetFocusedField().(*fieldRow)
	was := ""
	if row != nil {
		was = row.state()
	}
	m, cmd := s.form.Update(msg)
	s.form = m.(*huh.Form)
	s.typed = s.typed || row != nil && row.state() != was
	return tea.Batch(cmd, s.layout())
}

// shortcut handles the keys that work everywhere.
func (s *screen) shortcut(key string) (done bool, cmd tea.Cmd) {
	switch key {
	case "ctrl+y":
		if r, ok := s.form.GetFocusedField().(*fieldRow); ok && r.takeSuggestion() {
			return true, s.layout()
		}
		return false, nil
	case "ctrl+c":
		return true, s.leave()
	case "ctrl+t":
		if s.moreTime != nil && s.q.Deadline != 0 {
			s.moreTime(s.q)
		}
		return true, nil
	case "esc":
		if r, ok := s.form.GetFocusedField().(*fieldRow); ok && r.wantsEsc() {
			return false, nil
		}
		return true, s.leave()
	case "ctrl+n":
		if takesNote(s.q) {
			return true, s.write(false)
		}
		return false, nil
	case "ctrl+e":
		if takesEdit(s.q) {
			return true, s.write(true)
		}
		return false, nil
	case "ctrl+x":
		return true, s.finish(declines)
	case "ctrl+s":
		if len(s.rows) == 0 {
			return true, nil // only the button agrees to a question without fields
		}
		return true, s.finish(s.ends[0])
	case "ctrl+o":
		if s.reading.folds() {
			s.reading.turnFolds()
			s.status = ""
			return true, s.layout()
		}
		return false, nil
	case "pgdown", "shift+down":
		s.reading.turnPage(1)
		s.status = ""
		return true, s.layout()
	case "pgup", "shift+up":
		s.reading.turnPage(-1)
		return true, s.layout()
	}
	return false, nil
}

// leave cancels the request. It asks first when that throws typed text away.
func (s *screen) leave() tea.Cmd {
	if s.typed && s.status != escAgain {
		s.status = escAgain
		return s.layout()
	}
	return s.finish(cancels)
}

// unread reports whether an action agrees to a message of which some lines were not on the screen yet.
func (s *screen) unread(e userAction) bool { return e.given.Action == elicit.Accept && !s.reading.done }

// finish ends the request, unless the typed content has problems.
func (s *screen) finish(with userAction) tea.Cmd {
	if s.unread(with) {
		s.status = "read on to the end first: PgDn"
		if s.reading.fold >= 0 {
			s.status = "open what is folded first: ctrl+o"
		}
		return s.layout()
	}
	given := with.given
	if given.Action == elicit.Accept && s.q.Mode == elicit.Form && s.q.Form != nil {
		content, problems := checkAnswer(s.q.Form, s.rows)
		if len(problems) > 0 {
			return s.showProblems(problems)
		}
		if i := slices.IndexFunc(s.rows, func(r *fieldRow) bool { return r.syntax() != "" }); i >= 0 {
			move := s.goTo(i)
			s.rows[i].visited, s.rows[i].problem, s.status = true, s.rows[i].syntax(), "this is no JSON"
			return tea.Batch(move, s.layout())
		}
		given.Content = content
	}
	s.given = s.beside.put(given)
	return tea.Quit
}

// checkRow sets or clears the problem of one row.
func (s *screen) checkRow(r *fieldRow) {
	_, problems := checkAnswer(s.q.Form, s.rows)
	r.problem = cmp.Or(problemOf(problems, r.field.Name), r.syntax())
	s.status = ""
}

// showProblems shows every problem at its row, and moves the focus to the first.
func (s *screen) showProblems(problems []elicit.Problem) tea.Cmd {
	first, shown := -1, 0
	for i, r := range s.rows {
		r.visited, r.problem = true, problemOf(problems, r.field.Name)
		if r.problem == "" {
			continue
		}
		if shown++; first < 0 {
			first = i
		}
	}
	move := s.goTo(first) // leaving a row clears the status, so this comes first
	switch {
	case shown == 0:
		s.status = problemWords(problems[0])
	case shown == 1:
		s.status = "one answer needs your attention"
	default:
		s.status = fmt.Sprintf("%d answers need your attention", shown)
	}
	return tea.Batch(move, s.layout())
}

// goTo moves the focus to row i.
func (s *screen) goTo(i int) tea.Cmd {
	if i < 0 {
		return nil
	}
	var cmds []tea.Cmd
	for range len(s.rows) + 1 {
		if s.form.GetFocusedField() == huh.Field(s.rows[0]) {
			break
		}
		cmds = append(cmds, s.form.PrevField())
	}
	for range i {
		cmds = append(cmds, s.form.NextField())
	}
	return tea.Batch(cmds...)
}

// longest returns the first text that fits into this many columns, or else the last text.
func longest(columns int, texts ...string) string {
	for _, text := range texts {
		if lipgloss.Width(text) <= columns {
			return text
		}
	}
	return texts[len(texts)-1]
}

func nonEmpty(parts ...string) []string {
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}
