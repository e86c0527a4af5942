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

// has reports whether an argument is one of the words.
func (c *shellCommand) has(words ...string) bool {
	for i := range c.args {
		for _, w := range words {
			if c.args[i].text == w {
				return true
			}
		}
	}
	return false
}

// starts reports whether the arguments without flags begin with the words. "aws --profile x s3 rm" does not begin with
// s3: the value of a flag looks like a word. The check misses that spelling.
func (c *shellCommand) starts(words ...string) bool {
	for i := range c.args {
		if len(words) == 0 {
			break
		}
		switch text := c.args[i].text; {
		case text == words[0]:
			words = words[1:]
		case !strings.HasPrefix(text, "-"):
			return false
		}
	}
	return len(words) == 0
}

// flag reports whether a short or long flag is given: -r, -rf, --recursive.
func (c *shellCommand) flag(letters, long string) bool {
	for i := range c.args {
		text := c.args[i].text
		if long != "" && text == long || len(text) > 1 && text[0] == '-' && text[1] != '-' &&
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
