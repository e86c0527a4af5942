package ui

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/schema"
)

// lineMode asks line by line. It redraws nothing, so it works with a screen reader and on a simple terminal.
type lineMode struct {
	in       *os.File
	out      io.Writer
	requests chan bool // true asks for a line that must not be echoed
	lines    chan inputLine
	quit     chan struct{}
	stopping sync.Once
	state    *term.State // of the terminal before any hidden line; nil when it could not be read
}

// inputLine is one line, or the end of the input.
type inputLine struct {
	text string
	end  bool
}

func newLineMode(in *os.File, out io.Writer) *lineMode {
	a := &lineMode{in: in, out: out, requests: make(chan bool), lines: make(chan inputLine, 1), quit: make(chan struct{})}
	a.out = colorprofile.NewWriter(out, os.Environ()) // removes colours that the terminal does not want
	if state, err := term.GetState(in.Fd()); err == nil {
		a.state = state
	}
	go a.readLoop()
	return a
}

// readLoop reads a line for each request. It has its own goroutine, because a read cannot be cancelled.
func (a *lineMode) readLoop() {
	r := bufio.NewReader(a.in)
	for {
		select {
		case <-a.quit:
			return
		case hidden := <-a.requests:
			a.lines <- a.read(r, hidden)
		}
	}
}

func (a *lineMode) read(r *bufio.Reader, hidden bool) inputLine {
	if hidden && r.Buffered() == 0 {
		b, err := term.ReadPassword(a.in.Fd())
		fmt.Fprintln(a.out)
		return inputLine{string(b), err != nil}
	}
	text, err := r.ReadString('\n')
	return inputLine{strings.TrimRight(text, "\r\n"), err != nil}
}

// stop ends readLoop; a second call does nothing. It also turns the echo of the terminal on again, which an unfinished
// hidden line has turned off.
func (a *lineMode) stop() {
	a.stopping.Do(func() {
		close(a.quit)
		if a.state != nil {
			// The terminal is being closed, so there is no place to report an error.
			_ = term.Restore(a.in.Fd(), a.state)
		}
	})
}

// readLine waits for a line. It returns false when the input has ended or the terminal is being closed.
func (a *lineMode) readLine(hidden bool) (string, bool) {
	select {
	case a.requests <- hidden:
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

// printOurs writes a text of this program. It wraps and indents the text, so that a peer's words in it never begin a
// line.
func (a *lineMode) printOurs(format string, args ...any) {
	fmt.Fprintln(a.out, ours(lipgloss.NewStyle(), fmt.Sprintf(format, args...), a.columns()))
}

// columns returns the width for wrapping. This program wraps all lines itself, because the rest of a line that the
// terminal wraps has no bar.
func (a *lineMode) columns() int {
	width, _ := a.size()
	return width
}

func (a *lineMode) size() (width, height int) {
	width, height, err := term.GetSize(a.in.Fd())
	if err != nil || width <= 0 || height <= 0 {
		width, height = 80, 24
	}
	return max(min(width-1, 76), narrowest), height
}

// ask asks one request. When the request is withdrawn in the meantime, ask ends after the next line of input.
func (a *lineMode) ask(q *question, waiting func() int, lasting bool) (Given, error) {
	s := &q.show
	a.printOurs("")
	a.printOurs("%s", ansi.Strip(strings.Join(nonEmpty(asker(s), queued(waiting())), ", ")))
	words, facts, _ := said(s, a.columns(), spokenBar, true)
	if !a.printMessage(q, ordered(words, facts)) {
		return cancels.given, nil
	}
	for _, p := range q.wrong {
		words := problemWords(p)
		if p.In == "" {
			words = at(p.Pointer) + words
		}
		a.printOurs("Not accepted: %s", words)
	}
	var rows []*fieldRow
	if s.Form != nil {
		for i := range s.Form.Fields {
			r := &fieldRow{field: &s.Form.Fields[i]}
			r.suggest(s.Suggestions)
			if !a.field(q, r, s.Form, rows) {
				return cancels.given, nil
			}
			rows = append(rows, r)
		}
	}
	return a.askAction(q, rows, actionsInLineMode(s, lasting)), nil
}

// printMessage prints every line of the message before the first question. It stops after each screenful, so that no
// line scrolls away unread. It returns false when the person has ended the request.
func (a *lineMode) printMessage(q *question, lines []string) bool {
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

// askAction asks for the action that ends the request.
func (a *lineMode) askAction(q *question, rows []*fieldRow, list []userAction) Given {
	var written beside
	for {
		a.printOurs("")
		for i, e := range list {
			a.printOurs("%d. %s", i+1, e.label)
		}
		a.offerBeside(&q.show)
		text, ok := a.prompt(q, "Your choice: ", false)
		if ok && a.wantsBeside(&q.show, text) {
			if !a.write(q, &written, text) {
				return cancels.given
			}
			continue
		}
		if !ok {
			return cancels.given
		}
		i, ok := number(text, len(list))
		if !ok {
			a.printOurs("Type a number from 1 to %d.", len(list))
			continue
		}
		given := written.put(list[i].given)
		if given.Action != elicit.Accept || q.show.Form == nil {
			return given
		}
		content, problems := checkAnswer(q.show.Form, rows)
		if len(problems) == 0 {
			given.Content = content
			return given
		}
		for _, p := range problems {
			a.printOurs("%s%s", at(p.Pointer), oneLine(english.Problem(p)))
		}
		return cancels.given
	}
}

// prompt reads a line. It returns false when the person has ended the request, or the request was withdrawn.
func (a *lineMode) prompt(q *question, text string, hidden bool) (string, bool) {
	fmt.Fprint(a.out, ours(lipgloss.NewStyle(), text, a.columns()))
	line, ok := a.readLine(hidden)
	if cause := q.goneBy(); cause != "" {
		a.printOurs("This question is gone: %s.", english.Cause(cause))
		return "", false
	}
	return line, ok
}

// field asks for one field until its value is valid. The line "!" cancels the request.
func (a *lineMode) field(q *question, r *fieldRow, form *schema.Form, before []*fieldRow) bool {
	f := r.field
	a.printOurs("")
	fmt.Fprintln(a.out, peer(strings.Join(nonEmpty(label(f), help(f)), "\n"), a.columns(), spokenBar))
	a.printOurs("(%s)", hint(f))
	for i, l := range choiceLabels(f) {
		a.choice(i+1, l)
	}
	if r.before != nil {
		a.printOurs("  = takes %s", typedBefore(f, r.before))
	}
	for {
		line, ok := a.prompt(q, linePrompt(f), f.Sensitive && f.Kind == schema.Text)
		if !ok || line == "!" {
			return false
		}
		value, wrong := parseLine(f, line)
		if line == "=" && r.before != nil {
			value, wrong = typedValue(f, r.before), ""
		}
		if wrong == "" {
			r.typed = func() (schema.Typed, bool) { return value, line != "" }
			_, problems := checkAnswer(form, append(before[:len(before):len(before)], r))
			wrong = problemOf(problems, f.Name)
		}
		if wrong == "" && isJSON(f) {
			wrong = wrongJSON(line)
		}
		if wrong == "" {
			return true
		}
		a.printOurs("✗ %s", wrong)
	}
}

// choice prints one choice. Its first line begins with its number, and the others with a bar.
func (a *lineMode) choice(number int, label string) {
	const indent = "     "
	lines := wrapped(label, a.columns()-len(indent)-len(spokenBar))
	fmt.Fprintf(a.out, "  %d. %s\n", number, lines[0])
	for _, line := range lines[1:] {
		fmt.Fprintln(a.out, indent+spokenBar+line)
	}
}

// linePrompt returns the text that says what to type, and what an empty line means.
func linePrompt(f *schema.Field) string {
	hint := map[schema.FieldKind]string{schema.Boolean: "yes or no", schema.OneChoice: "a number",
		schema.ManyChoices: "numbers, like 1 3"}[f.Kind]
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

// initialNumber returns the number of the choice that an empty line keeps, 0 for none.
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

// parseLine converts a line to the value that a widget would hold. It understands only the numbers of choices; the form
// interprets every other value.
func parseLine(f *schema.Field, line string) (t schema.Typed, wrong string) {
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

// at returns a pointer as the beginning of a sentence.
func at(pointer string) string {
	if pointer == "" {
		return ""
	}
	return oneLine(clip(pointer, 120)) + ": "
}
