package ui

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"

	"charm.land/bubbles/v2/textarea"
	tea "charm.land/bubbletea/v2"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
)

// beside is what a person writes beside the content of an answer.
type beside struct {
	note      string
	arguments string // the edited arguments as typed; "" for none
}

// writing is the editor for a note or for arguments. It covers the form while it is open.
type writing struct {
	area      textarea.Model
	arguments bool
	wrong     string
}

// takesNote reports whether a note reaches whoever asked, with any answer.
func takesNote(q *effect.Show) bool {
	return q.Takes&(elicit.TakesDeclineNote|elicit.TakesAcceptNote) != 0
}

func takesEdit(q *effect.Show) bool { return q.Takes&elicit.TakesEdit != 0 }

// noteHint says who reads a note, and when.
func noteHint(q *effect.Show) string {
	who := "whoever asked"
	if q.Arguments != nil {
		who = "the model"
	}
	switch t := q.Takes; {
	case t&elicit.TakesAcceptNote == 0:
		return who + " reads it if you decline"
	case t&elicit.TakesDeclineNote == 0:
		return who + " reads it if you accept"
	}
	return who + " reads it with your answer"
}

// spread is a JSON object over several lines. A character that a terminal must not get is written as an escape of JSON.
func spread(object []byte) string {
	var text bytes.Buffer
	if json.Indent(&text, object, "", "  ") != nil {
		return ""
	}
	var safe strings.Builder
	for _, r := range text.String() {
		if r == '\n' || Plain(string(r)) == string(r) {
			safe.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&safe, "\\u%04x", unit)
		}
	}
	return safe.String()
}

// readObject returns a typed JSON object on one line, or why it is none.
func readObject(text string) ([]byte, error) {
	var object map[string]json.RawMessage
	err := json.Unmarshal([]byte(text), &object)
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		line := 1 + strings.Count(text[:min(int(syntax.Offset), len(text))], "\n")
		return nil, fmt.Errorf("line %d is not JSON: %s", line, strings.TrimPrefix(syntax.Error(), "json: "))
	case err != nil || object == nil:
		return nil, errors.New("the arguments must be one JSON object: {…}")
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(text)); err != nil {
		return nil, err
	}
	return compact.Bytes(), nil
}

// put puts what was written into an answer.
func (b *beside) put(given Given) Given {
	if given.Action == elicit.Cancel {
		return given
	}
	given.Note = strings.TrimSpace(b.note)
	if given.Action == elicit.Accept && b.arguments != "" {
		given.Arguments, _ = readObject(b.arguments) // the editor has read it before
	}
	return given
}

// write opens an editor over the form.
func (s *screen) write(arguments bool) tea.Cmd {
	w := &writing{area: textarea.New(), arguments: arguments}
	w.area.ShowLineNumbers, w.area.Prompt = false, "│ "
	w.area.CharLimit, w.area.MaxHeight = 0, 0
	text := s.beside.note
	if arguments {
		if text = s.beside.arguments; text == "" {
			text = spread(s.q.Arguments)
		}
	}
	if w.area.SetValue(text); w.area.Value() != text {
		s.status = "too long to be edited here"
		return s.layout()
	}
	s.writing = w
	s.sizeWriting()
	return w.area.Focus()
}

func (s *screen) sizeWriting() {
	if s.writing != nil {
		s.writing.area.SetWidth(s.columns())
		s.writing.area.SetHeight(max(s.height-6, 2))
	}
}

// updateWriting handles a message while the editor is open.
func (s *screen) updateWriting(msg tea.Msg) tea.Cmd {
	w := s.writing
	if key, pressed := msg.(tea.KeyPressMsg); pressed {
		switch key.String() {
		case "ctrl+s":
			return s.keepWritten()
		case "esc", "ctrl+c":
			s.writing = nil
			return s.layout()
		}
		w.wrong = ""
	}
	area, cmd := w.area.Update(msg)
	w.area = area
	return cmd
}

// keepWritten closes the editor with its text, if that is well-formed.
func (s *screen) keepWritten() tea.Cmd {
	w, text := s.writing, s.writing.area.Value()
	if !w.arguments {
		s.beside.note = text
	} else {
		if _, err := readObject(text); err != nil {
			w.wrong = oneLine(err.Error())
			return nil
		}
		if s.beside.arguments = text; text == spread(s.q.Arguments) {
			s.beside.arguments = ""
		}
	}
	s.writing, s.typed, s.status = nil, true, ""
	return s.layout()
}

// viewWriting draws the editor.
func (s *screen) viewWriting() string {
	w := s.writing
	heading, hint := "Note", noteHint(s.q)
	if w.arguments {
		heading, hint = "Arguments of the call", "the call goes on with these if you accept"
	}
	lines := []string{s.title(), "", bold.Render(heading) + palette.faint.Render("  "+hint), w.area.View()}
	wrong := ""
	if w.wrong != "" {
		wrong = palette.bad.Render("✗ " + cut(w.wrong, s.columns()-2))
	}
	return strings.Join(append(lines, wrong, palette.faint.Render("ctrl+s keep · esc back without changes")), "\n")
}

// mostBeside is the most lines of edited arguments beside the buttons.
const mostBeside = 8

// written draws what the person has written, before the buttons.
func (s *screen) written() (lines []string) {
	if note := strings.TrimSpace(s.beside.note); note != "" {
		lines = append(lines, cut("✎ note: "+strings.ReplaceAll(Plain(note), "\n", " ⏎ "), s.columns()))
	}
	if s.beside.arguments != "" {
		lines = append(lines, "✎ edited arguments:")
		text := strings.Split(Plain(s.beside.arguments), "\n")
		for i, line := range text {
			if i == mostBeside {
				lines = append(lines, fmt.Sprintf("  … %d more lines", len(text)-i))
				break
			}
			lines = append(lines, cut("  "+line, s.columns()))
		}
	}
	if lines != nil {
		lines = append(lines, "")
	}
	return lines
}

// problemWords is a problem as a sentence, with the part of the answer that it is about.
func problemWords(p elicit.Problem) string {
	switch p.In {
	case elicit.InNote:
		return "note: " + oneLine(english.Problem(p))
	case elicit.InArguments:
		return "arguments: " + at(p.Pointer) + oneLine(english.Problem(p))
	}
	return oneLine(english.Problem(p))
}

// offerBeside lists what a person can write beside an answer.
func (a *lineMode) offerBeside(s *effect.Show) {
	if takesNote(s) {
		a.printOurs("n. Write a note: %s", noteHint(s))
	}
	if takesEdit(s) {
		a.printOurs("e. Edit the arguments of the call")
	}
}

// wantsBeside reports whether the line chooses one of these.
func (a *lineMode) wantsBeside(s *effect.Show, line string) bool {
	return line == "n" && takesNote(s) || line == "e" && takesEdit(s)
}

// write reads a note or arguments. It returns false when the person has ended the request.
func (a *lineMode) write(q *question, written *beside, what string) bool {
	if what == "n" {
		a.printOurs("Type the note. An empty line ends it.")
		lines, ok := a.readLines(q)
		written.note = strings.Join(lines, "\n")
		return ok
	}
	a.printOurs("The arguments are:")
	for line := range strings.SplitSeq(peer(spread(q.show.Arguments), a.columns(), spokenBar), "\n") {
		a.printOurs("%s", line)
	}
	for {
		a.printOurs("Type all arguments as a JSON object. An empty line ends it; nothing keeps them as they are.")
		lines, ok := a.readLines(q)
		text := strings.Join(lines, "\n")
		if !ok || text == "" {
			written.arguments = ""
			return ok
		}
		_, err := readObject(text)
		if err == nil {
			written.arguments = text
			return true
		}
		a.printOurs("✗ %s", oneLine(err.Error()))
	}
}

// readLines reads lines up to an empty one.
func (a *lineMode) readLines(q *question) (lines []string, ok bool) {
	for {
		line, ok := a.prompt(q, "> ", false)
		if !ok || line == "" {
			return lines, ok
		}
		lines = append(lines, line)
	}
}
