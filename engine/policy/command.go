package policy

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/impact"
	"github.com/elicit-engine/elicit/engine/internal/guarded"
)

// A command line may hold several commands, and a shell reads much of it in ways that a pattern does not see. Rules
// therefore match it in three ways. A rule that accepts matches a command only if every command in the line matches,
// also those in texts for another shell, and the line has nothing but words, quotes and separators. A rule that
// tightens matches more: also when one of the commands matches, without its quotes, or what it runs in the end (sudo,
// env, find -exec), or the rest of it from some word on. A rule only may match what the line leaves open: variables,
// what another command prints, names of files.

// commandLine is a command as deciding reads it. Its parts are made when a rule first needs them. For
// "sudo git push && X=1 ls", parts has "sudo git push" and "X=1 ls", and texts has "sudo git push", "git push" and
// "ls". A rule that accepts looks at parts, as they are written. A rule that tightens looks at both lists.
type commandLine struct {
	// parts keep quotes and assignments. texts have neither, and begin has one list for each of texts.
	parts []string // the commands of the line, each as it is spelled
	texts []string // the same, and what they run, without quotes and with single spaces
	begin [][]int  // where words begin in texts, also in those in quotes
	open  []string // those of texts in which the shell replaces something; see mayMatch
	whole bool     // parts has all commands
	plain bool     // there is nothing in the line that a shell replaces or redirects
	lost  bool     // the line cannot be read to its end: it may be any command
	done  bool
}

// of takes the line apart. read is what was read of it. A line with a fault of syntax, or beyond the limits, is lost.
// Every rule that tightens by a command may match it then.
func (l *commandLine) of(text string, read *impact.Report) *commandLine {
	if l.done {
		return l
	}
	*l = commandLine{plain: read.Plain, whole: true, done: true}
	for _, in := range read.Impacts {
		l.lost = l.lost || in.Kind == impact.Unknown && (in.How == impact.Syntax || in.How == impact.Limit)
	}
	for i := range read.Commands {
		c := &read.Commands[i]
		if !c.Nested {
			l.parts = append(l.parts, strings.TrimSpace(text[c.At:c.End]))
		}
		l.add(c.Words, c.Nested)
		for _, words := range c.Runs {
			l.add(words, false)
		}
	}
	return l
}

// add adds the words of a command, and the same without the directory of its program. "/bin/git push" stands in texts
// twice, with and without /bin/. A text for another shell has no spelling in the line that a rule could accept, so its
// parts are its words.
func (l *commandLine) add(words []impact.Text, nested bool) {
	if len(words) == 0 {
		return
	}
	text, open := joined(words)
	name := text[strings.LastIndexByte(text[:len(firstOf(text))], '/')+1:]
	// Both are equal if the program has no directory, and one of them is enough then.
	for _, one := range slices.Compact([]string{text, name}) {
		l.texts, l.begin = append(l.texts, one), append(l.begin, startsOf(one))
		if open {
			l.open = append(l.open, one)
		}
	}
	if nested {
		l.parts = append(l.parts, text)
		l.plain = l.plain && !open
	}
}

// firstOf is the program of a joined command: its first word.
func firstOf(text string) string {
	first, _, _ := strings.Cut(text, " ")
	return first
}

// joined is a command with single spaces. In a word that the shell matches with names of files, any text stands for the
// pattern. open says that the shell replaces something. "g?t push" becomes "g\x01t push", so a rule about "git *" may
// match it.
func joined(words []impact.Text) (text string, open bool) {
	var out strings.Builder
	for i := range words {
		if i > 0 {
			out.WriteByte(' ')
		}
		w := &words[i]
		if open = open || w.Glob || strings.IndexByte(w.Text, impact.AnyText) >= 0 ||
			strings.IndexByte(w.Text, impact.AnyWord) >= 0; !w.Glob {
			out.WriteString(w.Text)
			continue
		}
		for j := 0; j < len(w.Text); j++ {
			switch b := w.Text[j]; b {
			case '*', '?', '[':
				if b == '[' {
					end, _ := guarded.SetEnd(w.Text[j:])
					j += max(end, 1) - 1
				}
				out.WriteByte(impact.AnyWord)
			default:
				out.WriteByte(b)
			}
		}
	}
	return out.String(), open
}

// command is the line of the request.
func (t *tally) command(text string) *commandLine {
	return t.texts().command.of(text, t.impacts())
}

// commandHolds reports whether the whole line surely matches. "*" alone and a pattern that is the whole line accept
// every line, since their author has seen it or wants everything. All other patterns need a plain line. {"command":
// "git *"} accepts "git add . && git status", and not "git log > x".
func (t *tally) commandHolds(c *criterion) bool {
	line := t.facts.Command
	if line == "" {
		return false
	}
	for i := range c.globs {
		// These two need no reading: the author wrote the whole line, or accepts any.
		if g := &c.globs[i]; g.sort == globAny || g.sort == globExact && g.text == line {
			return true
		}
	}
	l := t.command(line)
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
// the candidate is such a reading. Each word may be the beginning of what really runs: {"command": "rm *"} finds
// "rm -rf /" in "nice -n 5 rm -rf /".
func (t *tally) commandResembles(c *criterion) bool {
	line := cmp.Or(t.facts.Command, t.facts.CommandCandidate)
	if line == "" {
		return false
	}
	l := t.command(line)
	if c.any(strings.TrimSpace(line)) {
		return true
	}
	if slices.ContainsFunc(l.parts, c.any) {
		return true
	}
	left := maxStartBytes
	for i, text := range l.texts {
		if c.startsIn(text, l.begin[i], &left) {
			return true
		}
	}
	return false
}

// commandMayHold reports whether what the shell makes of the line may match.
func (t *tally) commandMayHold(c *criterion) bool {
	if t.facts.Command == "" {
		return false
	}
	l, left := t.command(t.facts.Command), maxUnclear
	// Nobody can tell where the commands of such a line begin.
	if l.lost {
		return true
	}
	for _, text := range l.open {
		for i := range c.globs {
			if c.globs[i].mayMatch(text, &left) {
				return true
			}
		}
	}
	return false
}

// These bound the work for one pattern, because a peer chooses the command. A line of 128 KiB has up to 64,000 words,
// and each of them begins a text of that length. maxStartBytes ends this: beyond it, only the commands as a whole are
// compared.
const (
	maxStartBytes = 1 << 20 // of startsIn
	maxUnclear    = 1 << 18 // steps of mayMatch; a line that takes more may match
)

// startsIn reports whether the pattern matches from one of the places to the end.
func (c *criterion) startsIn(text string, begin []int, left *int) bool {
	for _, at := range begin {
		if *left -= len(text) - at; *left < 0 {
			break
		}
		if c.any(text[at:]) {
			return true
		}
	}
	return false
}

// startsOf lists where words begin, also those inside quotes. The places behind a separator count also within quotes,
// because another shell may read the quoted text.
func startsOf(text string) (list []int) {
	list = append(list, 0)
	for at := range len(text) {
		if strings.IndexByte(" ;|&\n\t(", text[at]) >= 0 {
			list = append(list, at+1)
		}
	}
	return list
}

// cwdHolds reports whether the directory is known and matches. A path with ".." may lie elsewhere.
func (t *tally) cwdHolds(c *criterion) bool { return !t.cwdUnclear() && c.any(t.facts.Cwd) }

// cwdResembles reports whether the directory matches as it is spelled, or that of a command without "." and "..".
func (t *tally) cwdResembles(c *criterion) bool {
	f := t.facts
	return f.Cwd != "" && (c.any(f.Cwd) || f.Command != "" && c.any(path.Clean(f.Cwd)))
}

// cwdUnclear reports whether the directory is not known, or may be another one by a link before "..".
func (t *tally) cwdUnclear() bool { return t.facts.Cwd == "" || strings.Contains(t.facts.Cwd, "..") }
