package risk

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/impact"
)

// The words of the line come first, and its impacts only if these show nothing: a download over a file or a variable.
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

// runsInput reports whether a command runs what it reads: a shell or interpreter without a script of its own. "sh" and
// "sh -s x" run their input. "sh a" runs a file, and "python -m json.tool" a module: their input is data.
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
		// A word is a script. Of the flags of an interpreter, only those two leave the input as the program.
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
	// $(curl a.example) as the first word runs what comes back.
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

// interpreter reports a program that runs code of its language, also with a version in its name: python3.12.
func interpreter(program string) bool {
	for _, name := range [...]string{"python", "perl", "ruby", "node", "php", "deno", "bun", "lua", "osascript", "pwsh",
		"powershell"} {
		if rest, ok := strings.CutPrefix(program, name); ok && strings.Trim(rest, "0123456789.") == "" {
			return true
		}
	}
	return false
}
