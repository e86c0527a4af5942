package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// dangers collects what one check finds in a command line, and reports the worst of it. One check gives at most one
// finding for a line: the first of the worst dangers, with the number of all. Ten deletions in one line are one thing
// to tell a person.
type dangers struct {
	line     *shellLine
	severity elicit.Severity
	kind     string
	at       *shellCommand
	count    int
	names    int // that texts for interpreters hold
}

// add counts a danger. kind is an argument of the sentence, and "" for a check with one kind.
func (d *dangers) add(severity elicit.Severity, kind string, c *shellCommand) {
	// Only a worse danger replaces the first one, so of equals the first in the line is shown.
	if d.count++; d.at == nil || severity.Rank() > d.severity.Rank() {
		d.severity, d.kind, d.at = severity, kind, c
	}
}

// dangers reports what was collected, if anything. The evidence is the command with the worst danger.
func (h *hits) dangers(d *dangers) {
	if d.at != nil {
		args := []elicit.Arg{elicit.Num("count", d.count)}
		if d.kind != "" {
			args = append(args, elicit.Str("kind", d.kind))
		}
		h.addAs(d.severity, d.line.text, min(d.at.start, d.at.end), d.at.end, args...)
	}
}

// commandCheck makes the function of a check that looks at each plain command, and then, if it has found nothing, at
// the whole line.
func commandCheck(look func(d *dangers, c *shellCommand), line ...func(d *dangers)) func(*hits, *shellLine) {
	return func(h *hits, l *shellLine) {
		d := dangers{line: l}
		for i := range l.commands {
			look(&d, &l.commands[i])
		}
		for _, look := range line {
			// The functions for the whole line follow data through it, which is dear, so a line that has a severe
			// danger is spared.
			if d.severity.Rank() < elicit.High.Rank() || d.at == nil {
				look(&d)
			}
		}
		h.dangers(&d)
	}
}

// has reports whether an argument is one of the words, or a long flag among them that is shortened.
func (c *shellCommand) has(words ...string) bool {
	for i := range c.args {
		for _, w := range words {
			if c.args[i].text == w || shortened(c.args[i].text, w) {
				return true
			}
		}
	}
	return false
}

// starts reports whether the arguments without flags begin with the words. The word behind a flag may be its value or
// not, so both are tried: "aws --profile x s3 rm" begins with s3 and rm, and so does "aws --debug s3 rm".
func (c *shellCommand) starts(words ...string) bool {
	found := 1 // bit n says that the arguments so far may be n of the words
	for i := range c.args {
		text, behind := c.args[i].text, i > 0 && valued(c.args[i-1].text)
		if strings.HasPrefix(text, "-") {
			continue
		}
		next := 0
		for n, word := range words {
			if text == word {
				next |= found & (1 << n) << 1
			}
		}
		if behind {
			next |= found
		}
		if found = next; found>>len(words) > 0 || found == 0 {
			break
		}
	}
	return found>>len(words) > 0
}

// valued reports whether the word behind a flag may be its value.
func valued(flag string) bool { return strings.HasPrefix(flag, "-") && !strings.Contains(flag, "=") }

// shortened reports whether a text is a long flag without its end. git and the programs of GNU take "--mirr" for
// --mirror. A beginning that several flags of the program share is an error of the command, so it counts too.
func shortened(text, flag string) bool {
	return len(text) > len("--") && strings.HasPrefix(text, "--") && strings.HasPrefix(flag, text)
}

// flag reports whether a short or long flag is given: -r, -rf, --recursive.
func (c *shellCommand) flag(letters, long string) bool {
	for i := range c.args {
		text := c.args[i].text
		if shortened(text, long) || len(text) > 1 && text[0] == '-' && text[1] != '-' &&
			strings.ContainsAny(text[1:], letters) {
			return true
		}
	}
	return false
}

// upstream reports whether a command that c reads through pipes satisfies is. "curl a.example | tee log | sh": both
// curl and tee are upstream of sh. maxPipes bounds the walk.
func (l *shellLine) upstream(c *shellCommand, is func(*shellCommand) bool) bool {
	if !c.piped {
		return false
	}
	i := c.at
	for range maxPipes {
		if i = l.commands[i].after; i < 0 {
			return false
		}
		if is(&l.commands[i]) {
			return true
		}
	}
	return false
}

// inside reports whether the output of a command that satisfies is goes into a word of command c. In eval
// "$(curl a.example)", curl is inside of eval.
func (l *shellLine) inside(c *shellCommand, is func(*shellCommand) bool) bool {
	if !c.filled {
		return false
	}
	for i := range l.commands {
		if in := &l.commands[i]; in.into == c.at && is(in) {
			return true
		}
	}
	return false
}
