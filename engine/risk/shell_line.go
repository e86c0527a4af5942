package risk

import "strings"

// shellLine is a command line as a POSIX shell reads it, as far as the checks of commands need: its plain commands,
// with those in substitutions, in scripts that it gives to another shell, and in here-documents for one.
type shellLine struct {
	text     string
	commands []shellCommand
	nested   int  // scripts in scripts
	words    int  // words read so far
	cut      bool // the line holds more than the limits let through
}

// shellCommand is one plain command. program and args are its words without what only wraps it: assignments, sudo, env.
type shellCommand struct {
	words      []shellWord
	to         []shellWord // targets of redirections of output
	start, end int         // its bytes in the line; those of the outer word for a command of a nested script
	at         int         // its place in the line
	filled     bool        // the output of another command goes into it
	piped      bool        // it reads the output of the command before it
	into       int         // the command whose word has its output, or -1
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
	variables  int  // expansions outside of single quotes
	escapes    int  // characters spelled as \x41 or \101 in $'…'
	holds      bool // it holds the output of another command
}

// These bound the work for a hostile line.
const (
	maxShellDepth    = 16
	maxShellCommands = 512
	maxShellWords    = 8192
	maxNestedScripts = 8
	maxPipes         = 16 // how far a check follows the output of a command
)

func readShellLine(text string) *shellLine {
	l := &shellLine{text: text, commands: make([]shellCommand, 0, 4)}
	r := shellReader{line: l, text: text}
	r.list(0, 0, -1, 0)
	for i := 0; i < len(l.commands); i++ {
		c := &l.commands[i]
		c.unwrap()
		l.readScript(i)
	}
	return l
}

// readScript reads what a command gives to a shell as a script: sh -c TEXT, eval TEXT, a here-document.
func (l *shellLine) readScript(at int) {
	c := &l.commands[at]
	script := ""
	switch {
	case c.program == "eval":
		for _, w := range c.args {
			script += w.text + " "
		}
	case shells[c.program]:
		script = c.stdin
		for i, w := range c.args {
			if isShortFlag(w.text, 'c') && i+1 < len(c.args) {
				script = c.args[i+1].text
				break
			}
		}
	}
	if script == "" {
		return
	}
	if l.nested == maxNestedScripts {
		l.cut = true
		return
	}
	l.nested++
	r := shellReader{line: l, text: script, outer: c}
	r.list(0, 0, at, 0)
}

// isShortFlag reports whether a word is a group of short flags with the letter: -c, -lc.
func isShortFlag(word string, letter byte) bool {
	return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.IndexByte(word, letter) > 0
}

// shellReader reads one script. All positions are those of outer when it is set.
type shellReader struct {
	line    *shellLine
	text    string
	outer   *shellCommand
	ticks   int // open backticks
	pending []heredoc
}

type heredoc struct {
	command int
	end     string
	tabs    bool
}

func (r *shellReader) begin(at, into int, piped bool) int {
	if len(r.line.commands) < maxShellCommands {
		r.line.commands = append(r.line.commands, shellCommand{start: at, end: at, into: into, piped: piped,
			at: len(r.line.commands)})
		if into >= 0 {
			r.line.commands[into].filled = true
		}
	} else {
		r.line.cut = true
	}
	return len(r.line.commands) - 1
}

// list reads commands up to the closing byte, and returns the place behind it.
func (r *shellReader) list(i int, closer byte, into, level int) int {
	c := r.begin(i, into, false)
	next := func(piped bool) { c = r.begin(i, into, piped) }
	for i < len(r.text) && !r.line.cut {
		switch b := r.text[i]; {
		case b == closer && closer != 0:
			return i + 1
		case b == '`' && r.ticks > 0:
			return i // the end of the list around this one
		case b == ' ' || b == '\t' || b == '\r':
			i++
		case b == '\\' && i+1 < len(r.text) && r.text[i+1] == '\n':
			i += 2
		case b == '#':
			i += indexAny(r.text[i:], "\n")
		case b == '\n':
			i = r.heredocs(i + 1)
			next(false)
		case b == '|' && i+1 < len(r.text) && r.text[i+1] == '|', b == '&' && i+1 < len(r.text) && r.text[i+1] == '&':
			i += 2
			next(false)
		case b == '|':
			i++
			if i < len(r.text) && r.text[i] == '&' {
				i++
			}
			next(true)
		case b == '&' && i+1 < len(r.text) && r.text[i+1] == '>':
			i = r.redirect(i+1, c, level)
		case b == ';' || b == '&':
			i++
			next(false)
		case b == '(' && level < maxShellDepth:
			i = r.list(i+1, ')', into, level+1)
			next(false)
		case (b == '<' || b == '>') && !(i+1 < len(r.text) && r.text[i+1] == '('):
			i = r.redirect(i, c, level)
		case b == '(' || b == ')':
			i++
		default:
			var w shellWord
			w, i = r.word(i, c, level)
			if i < len(r.text) && (r.text[i] == '>' || r.text[i] == '<') && allDigits(w.text) {
				continue // the number of a file descriptor
			}
			r.add(c, w)
		}
	}
	return i
}

func (r *shellReader) add(c int, w shellWord) {
	command := &r.line.commands[c]
	if r.line.words++; r.line.words > maxShellWords {
		r.line.cut = true
		return
	}
	if r.outer != nil {
		w.start, w.end = r.outer.start, r.outer.end
	}
	if len(command.words) == 0 {
		command.words = make([]shellWord, 0, 4)
		command.start = w.start
	}
	command.words, command.end = append(command.words, w), w.end
}

// redirect reads a redirection.
func (r *shellReader) redirect(i, c, level int) int {
	from := i
	for i < len(r.text) && (r.text[i] == '<' || r.text[i] == '>' || r.text[i] == '&' || r.text[i] == '|') && i-from < 3 {
		i++
	}
	operator := r.text[from:i]
	tabs := operator == "<<" && i < len(r.text) && r.text[i] == '-'
	if tabs {
		i++
	}
	for i < len(r.text) && (r.text[i] == ' ' || r.text[i] == '\t') {
		i++
	}
	if i >= len(r.text) || strings.IndexByte(";|&\n<>)", r.text[i]) >= 0 {
		return i
	}
	w, i := r.word(i, c, level)
	if r.outer != nil {
		w.start, w.end = r.outer.start, r.outer.end
	}
	switch command := &r.line.commands[c]; {
	case operator == "<<":
		r.pending = append(r.pending, heredoc{c, w.text, tabs})
	case operator == "<<<":
		command.stdin = w.text
	default:
		command.to, command.end = append(command.to, w), max(command.end, w.end)
	}
	return i
}

// heredocs reads the here-documents that begin at the line at i.
func (r *shellReader) heredocs(i int) int {
	for _, h := range r.pending {
		from := i
		for i < len(r.text) {
			end := i + indexAny(r.text[i:], "\n")
			line := r.text[i:end]
			if h.tabs {
				line = strings.TrimLeft(line, "\t")
			}
			if line == h.end {
				r.line.commands[h.command].stdin = r.text[from:i]
				i = min(end+1, len(r.text))
				break
			}
			i = min(end+1, len(r.text))
		}
	}
	r.pending = r.pending[:0]
	return i
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}
