package policy

import (
	"cmp"
	"path"
	"strings"
)

// A command line may hold several commands, and a shell reads much of it in ways that a pattern does not see. Rules
// therefore match it in two ways. A rule that accepts matches a command only if every command in the line matches, and
// the line has nothing but words, quotes and separators. A rule that tightens matches more: also when one of the
// commands matches, without its quotes, or what a word in it may start (sudo, env, sh -c).

// commandLine is a command as deciding reads it. Its parts are made when a rule first needs them.
type commandLine struct {
	parts  []string // the commands of the line, each as it is spelled
	words  []string // the same without quotes and with single spaces
	starts [][]int  // where words begin in words, without the first
	plain  bool     // there is nothing in it that a shell replaces or redirects
	done   bool
}

func (l *commandLine) of(text string) *commandLine {
	if !l.done {
		*l = readCommandLine(text)
	}
	return l
}

// commandHolds reports whether the whole line surely matches.
func (t *tally) commandHolds(c *criterion) bool {
	line := t.facts.Command
	if line == "" {
		return false
	}
	for i := range c.globs {
		if g := &c.globs[i]; g.sort == globAny || g.sort == globExact && g.text == line {
			return true
		}
	}
	l := t.texts().command.of(line)
	if !l.plain || len(l.parts) == 0 {
		return false
	}
	for _, part := range l.parts {
		if !c.any(part) {
			return false
		}
	}
	return true
}

// commandResembles reports whether any part of the line matches, in any reading of it. Of a command that is not known,
// the candidate is such a reading.
func (t *tally) commandResembles(c *criterion) bool {
	line := cmp.Or(t.facts.Command, t.facts.CommandCandidate)
	if line == "" {
		return false
	}
	l := t.texts().command.of(line)
	if c.any(strings.TrimSpace(line)) {
		return true
	}
	for i, part := range l.parts {
		if c.any(part) || c.startsIn(l.words[i], l.starts[i]) {
			return true
		}
	}
	return false
}

// maxStartBytes bounds the work of startsIn for one pattern, because a peer chooses the command.
const maxStartBytes = 1 << 20

// startsIn reports whether the pattern matches from the beginning of some word to the end. The first word is also read
// without its directory.
func (c *criterion) startsIn(words string, starts []int) bool {
	if c.any(words) {
		return true
	}
	first, _, _ := strings.Cut(words, " ")
	if at := strings.LastIndexByte(first, '/'); at >= 0 && c.any(words[at+1:]) {
		return true
	}
	for left, i := maxStartBytes, 0; i < len(starts) && left > 0; i++ {
		if left -= len(words) - starts[i]; c.any(words[starts[i]:]) {
			return true
		}
	}
	return false
}

// startsOf lists where words begin, also those inside quotes.
func startsOf(words string) (list []int) {
	for at := 0; at < len(words); at++ {
		if strings.IndexByte(" ;|&\n\t(", words[at]) >= 0 {
			list = append(list, at+1)
		}
	}
	return list
}

// cwdHolds reports whether the directory is known and matches. A path with ".." may lie elsewhere.
func (t *tally) cwdHolds(c *criterion) bool {
	return !t.cwdUnclear() && c.any(t.facts.Cwd)
}

// cwdResembles reports whether the directory matches as it is spelled, or that of a command without "." and "..".
func (t *tally) cwdResembles(c *criterion) bool {
	f := t.facts
	return f.Cwd != "" && (c.any(f.Cwd) || f.Command != "" && c.any(path.Clean(f.Cwd)))
}

func (t *tally) cwdUnclear() bool {
	return t.facts.Cwd == "" || strings.Contains(t.facts.Cwd, "..")
}

// lineReader reads a command line as far as it is plain.
type lineReader struct {
	commandLine
	text  string
	start int // of the command that is being read
	word  []byte
	begun bool // a word has begun; it may be empty quotes
	blank bool // a space is due before the next word
}

func readCommandLine(text string) commandLine {
	r := lineReader{text: text, commandLine: commandLine{plain: true, done: true}}
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b == '\'' || b == '"':
			i = r.quoted(i)
		case b == '\\':
			r.plain = false
			if i++; i < len(text) {
				r.add(text[i])
			}
		case b == ' ' || b == '\t':
			r.begun, r.blank = false, len(r.word) > 0
		case strings.IndexByte(";&|\n", b) >= 0:
			r.end(i)
		case strings.IndexByte("(){}`", b) >= 0: // what is in them may be a command of its own
			r.plain = false
			r.end(i)
		default:
			r.plain = r.plain && plainByte(b, r.begun)
			r.add(b)
		}
	}
	r.end(len(text))
	return r.commandLine
}

// plainByte reports whether a shell takes the byte as it is, outside quotes.
func plainByte(b byte, inWord bool) bool {
	switch {
	case b < ' ' || b >= 0x7f, strings.IndexByte("$<>*?[]", b) >= 0:
		return false
	case strings.IndexByte("~#!=", b) >= 0:
		return inWord
	}
	return true
}

// quoted reads a quoted text and returns the place of its end.
func (r *lineReader) quoted(i int) int {
	quote := r.text[i]
	r.space()
	r.begun = true
	for i++; i < len(r.text) && r.text[i] != quote; i++ {
		b := r.text[i]
		if b < ' ' || b >= 0x7f || quote == '"' && strings.IndexByte("$`\\!", b) >= 0 {
			r.plain = false
		}
		if b == '\\' && quote == '"' && i+1 < len(r.text) {
			i++
			b = r.text[i]
		}
		r.word = append(r.word, b)
	}
	if i >= len(r.text) {
		r.plain = false
	}
	return i
}

func (r *lineReader) add(b byte) {
	r.space()
	r.begun = true
	r.word = append(r.word, b)
}

func (r *lineReader) space() {
	if r.blank {
		r.word, r.blank = append(r.word, ' '), false
	}
}

// end ends a command before the byte at i.
func (r *lineReader) end(i int) {
	if part := strings.Trim(r.text[r.start:i], " \t"); part != "" {
		r.parts, r.words = append(r.parts, part), append(r.words, string(r.word))
		r.starts = append(r.starts, startsOf(string(r.word)))
	}
	r.word, r.begun, r.blank, r.start = r.word[:0], false, false, i+1
}
