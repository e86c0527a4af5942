package risk

import (
	"strings"
	"unicode/utf8"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

// dangers collects what one check finds in a command line, and reports the worst of it.
type dangers struct {
	line     *shellLine
	severity elicit.Severity
	kind     string
	at       *shellCommand
	count    int
	names    int // that texts for interpreters hold
}

func (d *dangers) add(severity elicit.Severity, kind string, c *shellCommand) {
	if d.count++; d.at == nil || severity.Rank() > d.severity.Rank() {
		d.severity, d.kind, d.at = severity, kind, c
	}
}

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

// starts reports whether the arguments without flags begin with the words.
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

// upstream reports whether a command that c reads through pipes satisfies is.
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

// inside reports whether the output of a command that satisfies is goes into a word of command c.
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

var commandPipeToShell = check{
	Doc: Doc{
		Code: "command_pipe_to_shell", Title: "A download is run unread", Severity: elicit.High,
		About: "The command downloads a program and runs it at once: curl … | sh, curl -o a … && bash a, iwr … | iex. No " +
			"finding when the download goes to a program that only reads data (jq, python -m json.tool).",
		Spec: "CWE-494: download of code without integrity check",
	},
	command: func(h *hits, l *shellLine) {
		commandCheck(func(d *dangers, c *shellCommand) {
			if impact.HasReader && (c.runsInput() && (l.upstream(c, fetches) || c.piped && l.upstreamFetch(c)) ||
				c.runsWords() && l.inside(c, func(in *shellCommand) bool { return l.fetches(in) })) {
				d.add(elicit.High, "", c)
			}
		}, func(d *dangers) { l.executes(d, impact.Fetched, "") })(h, l)
	},
}

// fetches reports whether a command writes something from the network to its output.
func fetches(c *shellCommand) bool {
	switch c.program {
	case "curl", "wget", "fetch", "http", "https", "xh", "aria2c", "lynx", "iwr", "irm", "invoke-webrequest",
		"invoke-restmethod":
		return true
	}
	return false
}

// fetches reports whether the output of a command comes from the network, also through pipes.
func (l *shellLine) fetches(c *shellCommand) bool { return fetches(c) || l.upstream(c, fetches) }

// upstreamFetch reports whether a command before c in its pipes holds a download in a word: echo "$(curl …)" | sh.
func (l *shellLine) upstreamFetch(c *shellCommand) bool {
	return l.upstream(c, func(before *shellCommand) bool { return l.inside(before, fetches) })
}

// runsInput reports whether a command runs what it reads: a shell or interpreter without a script of its own.
func (c *shellCommand) runsInput() bool {
	switch {
	case c.program == "iex" || c.program == "invoke-expression":
		return true
	case c.program == "source" || c.program == ".":
		return c.has("/dev/stdin")
	case !shells.Has(c.program) && !interpreter(c.program):
		return false
	}
	for i := range c.args {
		text := c.args[i].text
		switch {
		case text == "-" || text == "/dev/stdin" || text == "-s" && shells.Has(c.program):
			return true
		case !strings.HasPrefix(text, "-"), !shells.Has(c.program) && text != "-u" && text != "-B":
			return false
		case isShortFlag(text, 'c'):
			return false
		}
	}
	return true
}

// runsWords reports whether a command runs what its words hold: eval, sh -c, source <(…).
func (c *shellCommand) runsWords() bool {
	switch {
	case c.program == "eval" || c.program == "source" || c.program == "." || c.program == "iex" ||
		c.program == "invoke-expression":
		return true
	case c.name.holds && c.name.open:
		return true
	case shells.Has(c.program) || interpreter(c.program):
		for i := range c.args {
			if text := c.args[i].text; isShortFlag(text, 'c') || isShortFlag(text, 'e') || c.args[i].file {
				return true
			}
		}
	}
	return false
}

func interpreter(program string) bool {
	for _, name := range [...]string{"python", "perl", "ruby", "node", "php", "deno", "bun", "lua", "osascript", "pwsh",
		"powershell"} {
		if rest, ok := strings.CutPrefix(program, name); ok && strings.Trim(rest, "0123456789.") == "" {
			return true
		}
	}
	return false
}

var commandControl = check{
	Doc: Doc{
		Code: "command_control", Title: "Invisible characters in a command", Severity: elicit.High,
		About: "The command contains control characters (terminal escape sequences among them), characters that turn " +
			"the direction of text, or characters of no width. Line breaks and tabs are fine; a carriage return is " +
			"not. Medium for blanks at which no shell splits, such as U+00A0.",
		Spec: "ECMA-48; UAX 9; CWE-451: user interface misrepresentation",
	},
	command: func(h *hits, l *shellLine) {
		first, count, end, blank := -1, 0, 0, false
		for i, r := range l.text {
			hides := r != '\n' && r != '\t' && (isControl(r) || isBidi(r) || isZeroWidth(r) || isPrivate(r))
			if !hides && (r < 0x80 || !isSpace(r)) {
				continue
			}
			if count++; first < 0 || hides && blank {
				first, end, blank = i, i+utf8.RuneLen(r), !hides
			}
		}
		severity := h.doc.Severity
		if blank {
			severity = elicit.Medium
		}
		if first >= 0 {
			h.addAs(severity, l.text, first, end, elicit.Num("count", count))
		}
	},
}
