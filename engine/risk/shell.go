package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// shellLine is a command line as engine/impact reads it, in the form that the checks of commands look at: its plain
// commands, with those in substitutions and in texts that it gives to another shell. It copies what package impact has
// read into a form with the words that matter for checks. cut says that the line was not read to its end, which is
// itself a finding (command_obfuscated, endless).
type shellLine struct {
	text     string
	report   *impact.Report
	commands []shellCommand
	impacts  []impact.Impact
	cut      bool // the line holds more than the limits let through
}

// shellCommand is one plain command. program and args are its words without what only runs it: sudo, env.
type shellCommand struct {
	words      []shellWord
	to         []shellWord // targets of redirections of output
	start, end int         // its bytes in the line; those of the outer word for a command of a nested text
	at         int         // its place in the line
	filled     bool        // the output of another command goes into it
	piped      bool        // it reads the output of another command
	into       int         // the command whose word has its output, or -1
	after      int         // the command whose output it reads, or -1
	stdin      string      // a here-document or here-string

	program string // without its directory, in small letters
	name    shellWord
	args    []shellWord
}

// shellWord is one word without its quotes.
type shellWord struct {
	text       string
	start, end int
	broken     bool // quotes or backslashes inside of it, where no space needs them
	variables  int  // expansions of variables
	escapes    int  // characters spelled as \x41 or \101 in $'…'
	holds      bool // it holds the output of another command
	file       bool // it stands for a file with that output: <(…)
	open       bool // the line does not tell all of it
}

// maxPipes is how far a check follows the output of a command.
const maxPipes = 16

// readShellLine reads a line. read is what is known of it, if it was read before.
func readShellLine(text string, read *impact.Report) *shellLine {
	if read == nil {
		report := impact.Read(text, impact.Options{})
		read = &report
	}
	l := &shellLine{text: text, report: read, commands: make([]shellCommand, len(read.Commands)),
		impacts: read.Impacts}
	for _, in := range read.Impacts {
		l.cut = l.cut || in.Kind == impact.Unknown && in.How == impact.Limit
	}
	for i := range read.Commands {
		from, c := &read.Commands[i], &l.commands[i]
		*c = shellCommand{words: shellWords(from.Words), to: shellWords(from.To), start: from.At, end: from.End, at: i,
			into: from.Into, after: from.After, piped: from.After >= 0, stdin: from.Stdin, filled: c.filled}
		inner := c.words
		if from.Inner != nil {
			inner = shellWords(from.Inner)
		}
		if len(inner) > 0 {
			c.name, c.args = inner[0], inner[1:]
			c.program = programName(c.name.text)
		}
		if from.Into >= 0 {
			l.commands[from.Into].filled = true
		}
	}
	return l
}

func shellWords(list []impact.Text) []shellWord {
	words := make([]shellWord, len(list))
	for i, w := range list {
		words[i] = shellWord{text: w.Text, start: w.At, end: w.End, broken: w.Broken, variables: w.Variables,
			escapes: w.Escapes, holds: w.Holds, file: w.Pipe, open: strings.ContainsAny(w.Text, "\x00\x01")}
	}
	return words
}

// spelled is a word as the line spells it.
func (l *shellLine) spelled(w *shellWord) string { return l.text[w.start:w.end] }

// isShortFlag reports whether a word is a group of short flags with the letter: -c, -lc.
func isShortFlag(word string, letter byte) bool {
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.IndexByte(word, letter) > 0
}

// programName is a program without its directory, in small letters. "/bin/RM" and "rm.exe" are rm: Windows and macOS do
// not distinguish letters.
func programName(word string) string {
	if at := strings.LastIndexAny(word, `/\`); at >= 0 && at+1 < len(word) {
		word = word[at+1:]
	}
	return strings.TrimSuffix(lowerASCII(word), ".exe")
}

var shells = guarded.Words("sh bash zsh dash ksh fish ash mksh csh tcsh")
