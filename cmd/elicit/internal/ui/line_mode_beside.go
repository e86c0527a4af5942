package ui

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/effect"
)

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
