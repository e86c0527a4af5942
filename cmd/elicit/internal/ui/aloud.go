package ui

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/schema"
)

// aloud asks line by line: nothing is redrawn, so a screen reader can follow and a simple terminal can keep up.
type aloud struct {
	in    *os.File
	out   io.Writer
	wants chan bool // true asks for a line that must not be echoed
	lines chan heard
	quit  chan struct{}
	state *term.State // of the terminal before anything was hidden; nil when it could not be read
}

// heard is one line, or the end of the input.
type heard struct {
	text string
	end  bool
}

func newAloud(in *os.File, out io.Writer) *aloud {
	a := &aloud{in: in, out: out, wants: make(chan bool), lines: make(chan heard, 1), quit: make(chan struct{})}
	a.out = colorprofile.NewWriter(out, os.Environ()) // colours only where they are wanted
	if state, err := term.GetState(in.Fd()); err == nil {
		a.state = state
	}
	go a.listen()
	return a
}

// listen reads only when somebody wants a line. A read cannot be taken back, so it has a goroutine of its own.
func (a *aloud) listen() {
	r := bufio.NewReader(a.in)
	for {
		select {
		case <-a.quit:
			return
		case hidden := <-a.wants:
			a.lines <- a.read(r, hidden)
		}
	}
}

func (a *aloud) read(r *bufio.Reader, hidden bool) heard {
	if hidden && r.Buffered() == 0 {
		b, err := term.ReadPassword(a.in.Fd())
		fmt.Fprintln(a.out)
		return heard{string(b), err != nil}
	}
	text, err := r.ReadString('\n')
	return heard{strings.TrimRight(text, "\r\n"), err != nil}
}

// stop ends all listening. A hidden line that is still being read would leave the terminal mute.
func (a *aloud) stop() {
	close(a.quit)
	if a.state != nil {
		_ = term.Restore(a.in.Fd(), a.state) // the terminal is on its way out; there is nobody to tell
	}
}

// hear waits for a line. It reports false when the input has ended or the terminal is being closed.
func (a *aloud) hear(hidden bool) (string, bool) {
	select {
	case a.wants <- hidden:
	case <-a.quit:
		return "", false
	}
	select {
	case h := <-a.lines:
		return h.text, !h.end
	case <-a.quit:
		return "", false
	}
}

// say writes a line of our own, wrapped so that no word of a peer in it begins a line.
func (a *aloud) say(format string, args ...any) {
	fmt.Fprintln(a.out, ours(lipgloss.NewStyle(), fmt.Sprintf(format, args...), a.columns()))
}

// columns is the width that lines are wrapped to: by us, since a line that the terminal breaks goes on without a bar.
func (a *aloud) columns() int {
	width, _ := a.size()
	return width
}

func (a *aloud) size() (width, height int) {
	width, height, err := term.GetSize(a.in.Fd())
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	return max(min(width-1, 76), narrowest), height
}

// ask goes through one request. A request that is withdrawn meanwhile ends at the next line.
func (a *aloud) ask(q *question, waiting func() int, lasting bool) (Given, error) {
	s := &q.show
	a.say("")
	a.say("%s", ansi.Strip(strings.Join(nonEmpty(asker(s), queued(waiting())), ", ")))
	words, facts := said(s, a.columns(), spokenBar)
	if !a.recite(q, ordered(words, facts, 40)) {
		return cancels.given, nil
	}
	for _, p := range q.wrong {
		a.say("Not accepted: %s%s", at(p.Pointer), oneLine(english.Problem(p)))
	}
	var rows []*row
	if s.Form != nil {
		for i := range s.Form.Fields {
			r := &row{field: &s.Form.Fields[i]}
			r.suggest(s.Suggestions)
			if !a.field(q, r, s.Form, rows) {
				return cancels.given, nil
			}
			rows = append(rows, r)
		}
	}
	return a.end(q, rows, spokenEnds(s, lasting)), nil
}

// recite says every line before anything is asked, and stops after each screenful, so that none goes by unread. It
// reports false when the person is done with the request.
func (a *aloud) recite(q *question, lines []string) bool {
	_, height := a.size()
	page := max(height-3, 5)
	for len(lines) > 0 {
		n := min(page, len(lines))
		fmt.Fprintln(a.out, strings.Join(lines[:n], "\n"))
		if lines = lines[n:]; len(lines) == 0 {
			break
		}
		text, ok := a.prompt(q, fmt.Sprintf("(%d more lines; empty line reads on; ! cancels) > ", len(lines)), false)
		if !ok || text == "!" {
			return false
		}
	}
	return true
}

// end asks for one of the ends.
func (a *aloud) end(q *question, rows []*row, list []end) Given {
	for {
		a.say("")
		for i, e := range list {
			a.say("%d. %s", i+1, e.label)
		}
		text, ok := a.prompt(q, "Your choice: ", false)
		if !ok {
			return cancels.given
		}
		i, ok := number(text, len(list))
		if !ok {
			a.say("Type a number from 1 to %d.", len(list))
			continue
		}
		given := list[i].given
		if given.Action != elicit.Accept || q.show.Form == nil {
			return given
		}
		content, problems := judge(q.show.Form, rows)
		if len(problems) == 0 {
			given.Content = content
			return given
		}
		for _, p := range problems {
			a.say("%s%s", at(p.Pointer), oneLine(english.Problem(p)))
		}
		return cancels.given
	}
}

// prompt reads a line; it reports false when the person is done with the request or the request is gone.
func (a *aloud) prompt(q *question, text string, hidden bool) (string, bool) {
	fmt.Fprint(a.out, ours(lipgloss.NewStyle(), text, a.columns()))
	line, ok := a.hear(hidden)
	if cause := q.goneBy(); cause != "" {
		a.say("This question is gone: %s.", english.Cause(cause))
		return "", false
	}
	return line, ok
}

// field asks for one field until it is right. The line ! cancels the request.
func (a *aloud) field(q *question, r *row, form *schema.Form, before []*row) bool {
	f := r.field
	a.say("")
	fmt.Fprintln(a.out, peer(strings.Join(nonEmpty(label(f), help(f)), "\n"), a.columns(), spokenBar))
	a.say("(%s)", hint(f))
	for i, l := range choiceLabels(f) {
		a.choice(i+1, l)
	}
	if r.before != nil {
		a.say("  = takes %s", typedBefore(f, r.before))
	}
	for {
		line, ok := a.prompt(q, invitation(f), f.Sensitive && f.Kind == schema.Text)
		if !ok || line == "!" {
			return false
		}
		value, wrong := spoken(f, line)
		if line == "=" && r.before != nil {
			value, wrong = retyped(f, r.before), ""
		}
		if wrong == "" {
			r.typed = func() (schema.Typed, bool) { return value, line != "" }
			_, problems := judge(form, append(before[:len(before):len(before)], r))
			wrong = problemOf(problems, f.Name)
		}
		if wrong == "" {
			return true
		}
		a.say("✗ %s", wrong)
	}
}

// choice says one choice. Its number marks its first line; the others have bars.
func (a *aloud) choice(number int, label string) {
	const indent = "     "
	lines := wrapped(label, a.columns()-len(indent)-len(spokenBar))
	fmt.Fprintf(a.out, "  %d. %s\n", number, lines[0])
	for _, line := range lines[1:] {
		fmt.Fprintln(a.out, indent+spokenBar+line)
	}
}

// invitation says what to type and what an empty line means.
func invitation(f *schema.Field) string {
	hint := ""
	switch f.Kind {
	case schema.Boolean:
		hint = "yes or no"
	case schema.OneChoice:
		hint = "a number"
	case schema.ManyChoices:
		hint = "numbers, like 1 3"
	}
	empty := ""
	switch {
	case f.Kind == schema.OneChoice && initialNumber(f) > 0:
		empty = fmt.Sprintf("empty line keeps %d, %s", initialNumber(f), oneLine(initialWords(f)))
	case f.Initial != nil:
		empty = "empty line keeps " + oneLine(initialWords(f))
	case !f.Required:
		empty = "empty line for no answer"
	}
	if words := strings.Join(nonEmpty(hint, empty, "! cancels"), "; "); words != "" {
		return "(" + words + ") > "
	}
	return "> "
}

// initialNumber is the number of the choice that an empty line keeps, 0 for none.
func initialNumber(f *schema.Field) int {
	return 1 + slices.IndexFunc(f.Choices, func(c schema.Choice) bool { return c.Value == textOf(f.Initial) })
}

func initialWords(f *schema.Field) string {
	switch {
	case f.Sensitive:
		return "what is there"
	case f.Kind == schema.Boolean:
		return map[string]string{"true": "yes", "false": "no"}[string(f.Initial)]
	case f.Kind == schema.ManyChoices:
		return "[" + strings.Join(textsOf(f.Initial), ", ") + "]"
	}
	return clip(textOf(f.Initial), 60)
}

// spoken turns a line into what a widget would hold. Only the numbering of choices is understood here; what a value
// means is the form's business.
func spoken(f *schema.Field, line string) (t schema.Typed, wrong string) {
	if line == "" {
		return schema.TypedText(f.Name, ""), ""
	}
	switch f.Kind {
	case schema.OneChoice:
		i, ok := number(line, len(f.Choices))
		if !ok {
			return t, fmt.Sprintf("type a number from 1 to %d", len(f.Choices))
		}
		return schema.TypedText(f.Name, f.Choices[i].Value), ""
	case schema.ManyChoices:
		list := []string{}
		for _, word := range strings.FieldsFunc(line, func(r rune) bool { return r == ' ' || r == ',' }) {
			i, ok := number(word, len(f.Choices))
			if !ok {
				return t, fmt.Sprintf("type numbers from 1 to %d", len(f.Choices))
			}
			list = append(list, f.Choices[i].Value)
		}
		return schema.TypedList(f.Name, list), ""
	}
	return schema.TypedText(f.Name, line), ""
}

func number(s string, most int) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(s), "."))
	return n - 1, err == nil && n >= 1 && n <= most
}

// at puts a pointer before a sentence.
func at(pointer string) string {
	if pointer == "" {
		return ""
	}
	return oneLine(clip(pointer, 120)) + ": "
}
