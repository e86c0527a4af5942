package policy

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A shell may replace a part of a command before it runs it: a variable, what another command prints, braces, names of
// files. The line does not say what then runs. unclearLine is a second reading of such a line. Each part that the shell
// replaces is a hole. An escape that is rarely written ($'...', a joined line) has its meaning. A rule about commands
// only may match it.

// What a hole may become. No command has these bytes.
const (
	holeWide = '\x00' // any text
	holeWord = '\x01' // any text without a space, because it is quoted
)

const (
	maxReadBytes = 1 << 19
	maxUnclear   = 1 << 18 // steps of matching for each rule; a line that takes more may match
	maxNested    = 3       // lines within quotes within lines
)

// runners run their arguments. readers read one of them as a line of a shell.
var (
	readers = strings.Fields("alias bash busybox dash env eval fish flock ksh sh ssh su trap watch xargs zsh")
	runners = strings.Fields("! -exec -execdir -ok -okdir builtin chroot command coproc do doas else elif exec if " +
		"ionice nice nohup parallel setsid stdbuf strace sudo then time timeout unshare until while")
)

// unclearLine lists the texts at which a command may begin, if the line has parts that commandLine does not read.
type unclearLine struct {
	starts []string
	left   int // how many bytes may still be read; what takes more may be any command
	done   bool
}

func (l *unclearLine) of(line string) *unclearLine {
	if !l.done {
		l.done, l.left = true, maxReadBytes
		if strings.ContainsAny(line, "$`\\*?[{<>'\"") || strings.Contains(line, "alias") {
			l.read(line, 0)
		}
	}
	return l
}

// commandMayHold reports whether what the shell makes of the line may match.
func (t *tally) commandMayHold(c *criterion) bool {
	left, line := maxUnclear, t.texts().unclear.of(t.facts.Command)
	if line.left < 0 {
		return true
	}
	for _, start := range line.starts {
		for i := range c.globs {
			if c.globs[i].mayMatch(start, &left) {
				return true
			}
		}
	}
	return false
}

// unclearReader reads one command after another.
type unclearReader struct {
	text  string
	at    int
	words []unclearWord
	word  []byte
	begun bool
	inner []string // what runs before the command
	file  bool     // the word is the file of a redirection
	wordMarks
}

type wordMarks struct {
	unclear bool // it has a hole, or an escape that commandLine does not read
	files   bool // it has a pattern for names of files
	quotes  bool
}

type unclearWord struct {
	text string
	wordMarks
}

func (l *unclearLine) read(line string, depth int) {
	r := unclearReader{text: l.withoutTexts(line)}
	if l.left -= len(r.text); depth > maxNested {
		return
	}
	for r.at < len(r.text) && l.left >= 0 {
		switch b := r.text[r.at]; {
		case b == '\\' || b == '\'' || b == '"' || b == '$' || b == '`':
			r.escape(false)
		case b == ' ' || b == '\t':
			r.endWord()
			r.at++
		case b == '<' || b == '>' || b == '&' && strings.HasPrefix(r.text[r.at:], "&>"):
			r.redirection()
		case strings.IndexByte(";&|\n()", b) >= 0:
			r.endWord()
			l.end(r.words, depth)
			r.words, r.file, r.at = nil, false, r.at+1
		case b == '{':
			l.left -= r.brace()
		case b == '*' || b == '?' || b == '[' && strings.Contains(firstWord(r.text[r.at:min(len(r.text), r.at+99)]), "]"):
			r.add(holeWide)
			r.files, r.at = true, r.at+1
		case b <= holeWord: // of the line around this one
			r.hole(holeWide)
			r.at++
		default:
			r.add(b)
			r.at++
		}
	}
	r.endWord()
	l.end(r.words, depth)
	for _, inner := range r.inner {
		l.read(inner, depth+1)
	}
}

func firstWord(s string) string {
	if at := strings.IndexAny(s, " \t\n"); at >= 0 {
		return s[:at]
	}
	return s
}

func (r *unclearReader) add(b byte) { r.word, r.begun = append(r.word, b), true }

func (r *unclearReader) hole(kind byte) {
	r.add(kind)
	r.unclear = true
}

// redirection reads the signs of a redirection. The word after them is a file and no argument.
func (r *unclearReader) redirection() {
	if strings.Trim(string(r.word), "0123456789") == "" {
		r.word, r.begun = r.word[:0], false
	}
	r.endWord()
	if len(r.words) > 0 {
		r.words[0].unclear = true // commandLine takes the signs and the file for words
	}
	r.at += len(r.text[r.at:]) - len(strings.TrimLeft(r.text[r.at:], "<>&|"))
	r.file = true
}

func (r *unclearReader) endWord() {
	if r.begun && r.file {
		r.begun, r.file = false, false
	}
	if r.begun {
		r.words = append(r.words, unclearWord{string(r.word), r.wordMarks})
	}
	r.word, r.begun, r.wordMarks = r.word[:0], false, wordMarks{}
}

// escape reads what begins with a quote, a backslash, a dollar sign or a backtick.
func (r *unclearReader) escape(quoted bool) {
	b, rest := r.text[r.at], r.text[r.at+1:]
	kind := byte(holeWide)
	if quoted {
		kind = holeWord
	}
	switch {
	case b == '\\' && strings.HasPrefix(rest, "\n"):
		r.unclear, r.at = true, r.at+2
	case b == '\\' && rest != "" && (!quoted || strings.IndexByte("\"$`\\", rest[0]) >= 0):
		r.add(rest[0])
		r.quotes, r.at = true, r.at+2
	case b == '\'' && !quoted:
		text, _, _ := strings.Cut(rest, "'")
		r.word, r.begun, r.quotes, r.at = append(r.word, text...), true, true, r.at+len(text)+2
	case b == '"' && !quoted:
		r.begun, r.quotes, r.at = true, true, r.at+1
		for r.at < len(r.text) && r.text[r.at] != '"' {
			if strings.IndexByte("\\$`", r.text[r.at]) >= 0 {
				r.escape(true)
				continue
			}
			r.add(r.text[r.at])
			r.at++
		}
		r.at++
	case b == '$' && !quoted && strings.HasPrefix(rest, "'"):
		r.ansi(rest[1:])
	case b == '$' && !quoted && strings.HasPrefix(rest, `"`):
		r.unclear, r.at = true, r.at+1
	case b == '`':
		text, _, _ := strings.Cut(rest, "`")
		r.hole(kind)
		r.inner, r.at = append(r.inner, text), r.at+len(text)+2
	case b == '$' && rest != "":
		n := sizeOfExpansion(rest)
		if n == 0 {
			r.add(b)
		} else {
			r.hole(kind)
		}
		if n > 1 && (rest[0] == '(' || strings.ContainsAny(rest[:n], "(`")) {
			r.inner = append(r.inner, rest[1:n-1])
		}
		r.at += 1 + n
	default:
		r.add(b)
		r.at++
	}
}

// sizeOfExpansion is the length of what follows a dollar sign: a name, one sign, or what is within brackets.
func sizeOfExpansion(s string) int {
	closing := map[byte]byte{'{': '}', '(': ')'}[s[0]]
	if closing == 0 {
		n := 0
		for n < len(s) && (s[n] == '_' || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'z' || n > 0 && s[n] >= '0' && s[n] <= '9') {
			n++
		}
		if n == 0 && strings.IndexByte("@*#?-$!0123456789", s[0]) >= 0 {
			n = 1
		}
		return n
	}
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case s[0]:
			depth++
		case closing:
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}

// ansi reads the rest of $'...'.
func (r *unclearReader) ansi(s string) {
	r.begun, r.unclear, r.at = true, true, r.at+2
	for s != "" && s[0] != '\'' {
		read, _, rest, err := strconv.UnquoteChar(s, '\'')
		if err != nil { // an escape of the shell that Go does not have, or a broken one
			n := min(2, len(s))
			r.hole(holeWide)
			r.at, s = r.at+n, s[n:]
			continue
		}
		r.word = utf8.AppendRune(r.word, max(read, ' ')) // a control character separates words, at most
		r.at, s = r.at+len(s)-len(rest), rest
	}
	r.at++
}

// brace reads a brace that may be an expansion, such as {a,b}, which makes several words. It returns how far it looked.
func (r *unclearReader) brace() int {
	inside, _, closed := strings.Cut(r.text[r.at+1:], "}")
	if closed && (strings.Contains(inside, ",") || strings.Contains(inside, "..")) {
		r.hole(holeWide)
		r.at += len(inside) + 2
		return 0
	}
	if r.begun || !strings.HasPrefix(inside, " ") {
		r.add('{')
	}
	r.at++
	return len(inside) / 8
}

// end notes where commands may begin in the words of one. Within another line, a word in quotes is unclear too.
func (l *unclearLine) end(words []unclearWord, depth int) {
	for len(words) > 0 && assigns(words[0].text) { // variables that are set before the command
		words = words[1:]
	}
	last := len(words) - 1 // unclear word
	for last >= 0 && !words[last].unclear && !(depth > 0 && words[last].quotes) {
		last--
	}
	runs, runner, reader, option := true, false, false, false // runs: the next word may begin a command
	for i, w := range words {
		name := w.text[strings.LastIndexByte(w.text, '/')+1:]
		if l.left >= 0 && (w.unclear && !holed(w.text) || runs && (i <= last || w.files)) {
			text := joined(words[i:])
			l.left -= len(text)
			l.starts = append(l.starts, text, text[len(w.text)-len(name):])
		}
		if _, value, is := strings.Cut(w.text, "="); is && words[0].text == "alias" {
			l.starts = append(l.starts, value+string(holeWide))
		}
		if reader && (w.quotes || w.unclear) {
			l.read(w.text, depth+1)
		}
		reader = reader || slices.Contains(readers, name)
		starts := isRunner(name)
		runner = runner || starts
		before := option
		option = strings.HasPrefix(w.text, "-") || assigns(w.text) || w.text != "" && w.text[0] <= '9'
		runs = starts || runs && runner && (option || before)
	}
}

// joined is a command with single spaces.
func joined(words []unclearWord) string {
	var out strings.Builder
	for i, w := range words {
		if i > 0 {
			out.WriteByte(' ')
		}
		out.WriteString(w.text)
	}
	return out.String()
}

func holed(text string) bool { return strings.ContainsAny(text, "\x00\x01") }

// assigns reports whether a word before a command gives a variable a value.
func assigns(word string) bool {
	name, _, is := strings.Cut(word, "=")
	return is && name != "" && sizeOfExpansion(name) == len(name)
}

// withoutTexts leaves out the text of here-documents that no shell reads as commands.
func (l *unclearLine) withoutTexts(line string) string {
	if !strings.Contains(line, "<<") {
		return line
	}
	var out strings.Builder
	for line != "" && l.left >= 0 {
		first, rest, _ := strings.Cut(line, "\n")
		out.WriteString(first + "\n")
		line = rest
		_, mark, is := strings.Cut(first, "<<")
		mark = strings.TrimLeft(mark, "- ")
		end := strings.Trim(firstWord(mark), "'\"\\;&|)")
		if !is || end == "" || slices.ContainsFunc(strings.FieldsFunc(first, blankOrSign), isReader) {
			continue
		}
		at := 0
		for at < len(rest) {
			one, _, _ := strings.Cut(rest[at:], "\n")
			if at = min(len(rest), at+len(one)+1); strings.TrimLeft(one, "\t") == end {
				break
			}
		}
		l.left -= at
		text := rest[:at]
		if strings.IndexByte("'\"\\", mark[0]) >= 0 || !strings.Contains(text, "$(") && !strings.Contains(text, "`") {
			line = rest[at:]
		}
	}
	return out.String()
}

func blankOrSign(r rune) bool { return strings.ContainsRune(" \t\n;&|(){}<>'\"`$", r) }

func isReader(word string) bool {
	return slices.Contains(readers, word[strings.LastIndexByte(word, '/')+1:])
}

func isRunner(word string) bool {
	word = word[strings.LastIndexByte(word, '/')+1:]
	return slices.Contains(runners, word) || slices.Contains(readers, word)
}
