//go:build !browser

package impact

import (
	"slices"
	"strings"
)

// isShell reports whether the program reads texts as a shell does.
func (c *run) isShell() bool {
	return c.row == nil || c.row.says("source") ||
		slices.ContainsFunc(c.row, func(item string) bool { return strings.HasSuffix(item, "{script=shell}") })
}

// script notes a file that is executed. The input stands for "-".
func (c *run) script(w Text) {
	switch {
	case w.Text == "-" || w.Text == "/dev/stdin" || w.Text == "/dev/fd/0":
		c.executesInput(w)
	case w.Holds && strings.Trim(w.Text, "\x00\x01") == "": // bash <(…)
		given := flow{built: true}
		if c.cmd >= 0 {
			given = c.report.Commands[c.cmd].given
		}
		c.executesText(given, w)
	default:
		c.executes(w)
	}
}

// executesInput notes that the input is executed. Without any, a person types it.
func (c *run) executesInput(w Text) {
	if c.in != (flow{}) {
		c.executesText(c.in, w)
	}
}

// executes notes that a file is executed. What the line has written into it is read.
func (c *run) executes(w Text) {
	if strings.Contains(w.Text, "://") {
		c.host(Fetches, w)
		c.executesFlow(flow{fetched: shown(hostOf(w.Text))}, span{w.At, w.End})
		return
	}
	name, open := c.reader.place(w, c.base)
	held, written := c.files[name]
	how := File
	if written {
		how = held.how()
	}
	c.add(Impact{Kind: Executes, Target: name, How: how, Program: c.program, Open: open, At: w.At, End: w.End})
	if written && held.known {
		c.reads(held.text, w)
	}
}

// executesText notes that a text is executed that a command made. If the line tells the text, it is read.
func (c *run) executesText(f flow, w Text) {
	if !f.known || f.decoded {
		c.executesFlow(f, span{w.At, w.End})
	}
	if f.known {
		c.reads(f.text, w)
	}
}

func (c *run) executesFlow(f flow, at span) {
	c.add(Impact{Kind: Executes, Target: f.fetched, How: f.how(), Program: c.program,
		Open: strings.Contains(f.fetched, "*"), At: at.at, End: at.end})
}

// how says where a text comes from.
func (f flow) how() How {
	switch {
	case f.fetched != "":
		return Fetched
	case f.decoded:
		return Decoded
	case f.known:
		return Code
	}
	return Built
}

// reads reads a text that the program executes.
func (c *run) reads(text string, w Text) {
	if !c.isShell() {
		c.code(w, text)
		return
	}
	read := func() flow { return c.within(w, text, flow{}, c.cmd) }
	if c.row.says("source") {
		c.out = read()
		return
	}
	c.out = c.child(nil, read)
}

// source notes a file that the shell itself executes. It may set every variable.
func (c *run) source(w Text) {
	c.script(w)
	c.vars.forget()
	c.inside = false
}

// code notes a text for an interpreter. What is simple in it is read, and the rest is Unknown.
func (c *run) code(w Text, text string) {
	c.add(Impact{Kind: Executes, How: Code, Program: c.program, At: w.At, End: w.End})
	known := !holed(text)
	if name, _, _ := strings.Cut(c.key, " "); name == "python" {
		known = known && c.python(w, text)
	} else {
		known = known && harmlessCode(text)
	}
	if !known {
		c.unknown(Code, c.program, span{w.At, w.End})
	}
}

// hijacks looks at variables that decide which code a program loads, or that name a program.
func (c *run) hijacks(list []Text) {
	for _, w := range list {
		name, text, _ := strings.Cut(w.Text, "=")
		name = strings.TrimSuffix(name, "+")
		value := w
		value.Text = text
		switch kind := hijackers[name]; kind {
		case "file":
			c.executes(value)
		case "write":
			if strings.ContainsAny(text, "/~\x00\x01") { // else a number, or a word for yes
				c.file(Writes, value)
			}
		case "option":
			if !strings.HasPrefix(text, "--max-old-space-size=") || strings.Contains(text, " ") {
				c.unknown(Option, name, span{w.At, w.End})
			}
		case "shell":
			c.shell(value, text, nil)
		case "path":
			if text != "" {
				c.add(Impact{Kind: Executes, Target: shown(text), How: File, Program: name, Open: holed(text),
					At: w.At, End: w.End})
			}
		case "":
			switch low := lowered(name); {
			case text == "" || low == "no_proxy":
			case strings.HasSuffix(low, "_proxy"), name == "DOCKER_HOST":
				c.act("host", value)
			case strings.HasPrefix(name, "GIT_TRACE"):
				c.hijacks([]Text{{Text: "HISTFILE=" + text, At: w.At, End: w.End}})
			case strings.HasSuffix(name, "PAGER"), strings.HasSuffix(name, "EDITOR"), strings.HasSuffix(name, "_WRAPPER"),
				strings.HasSuffix(name, "_COMMAND"):
				c.shell(value, text, nil)
			case strings.HasSuffix(name, "_OPTS"), strings.HasSuffix(name, "_OPTIONS"), strings.HasPrefix(low, "npm_config_"):
				c.unknown(Option, name, span{w.At, w.End})
			}
			if strings.HasPrefix(name, "GIT_CONFIG") || name == "TAR_OPTIONS" || strings.HasPrefix(name, "DYLD_") ||
				strings.HasPrefix(name, "BASH_FUNC_") {
				c.unknown(Option, name, span{w.At, w.End})
			}
		}
	}
}

// hijackers are variables whose value is a file or a text that programs execute, or a place where they look for code.
var hijackers = map[string]string{
	"LD_PRELOAD": "file", "LD_AUDIT": "file", "BASH_ENV": "file", "ENV": "file", "PYTHONSTARTUP": "file",
	"PERL5DB": "shell", "PROMPT_COMMAND": "shell", "GIT_SSH_COMMAND": "shell", "GIT_PAGER": "shell", "PAGER": "shell",
	"EDITOR": "shell", "VISUAL": "shell", "GIT_EDITOR": "shell", "GIT_SEQUENCE_EDITOR": "shell", "LESSOPEN": "shell",
	"MANPAGER": "shell", "GIT_EXTERNAL_DIFF": "shell", "GIT_SSH": "file", "GIT_ASKPASS": "file", "SSH_ASKPASS": "file",
	"LD_LIBRARY_PATH": "path", "PYTHONPATH": "path", "PYTHONHOME": "path", "PERL5LIB": "path", "RUBYLIB": "path",
	"NODE_PATH": "path", "NODE_OPTIONS": "option", "RUBYOPT": "option", "PERL5OPT": "option", "PATH": "path",
	"TAPE": "option", "RSH": "option", "TAR_RSH": "option", "RSYNC_RSH": "shell", "LESS": "option", "MORE": "option",
	"LESSEDIT": "option", "LESSCLOSE": "shell", "PS4": "option", "PS0": "option", "MAKEFLAGS": "option",
	"GNUMAKEFLAGS": "option", "VIMINIT": "option", "EXINIT": "option", "PYTEST_ADDOPTS": "option",
	"GOFLAGS": "option", "BASH_ALIASES": "option", "CC": "shell", "CXX": "shell", "RUSTC": "shell", "ZIPOPT": "option",
	"UNZIP": "option", "HISTFILE": "write", "NODE_V8_COVERAGE": "write", "GIT_INDEX_FILE": "write",
	"GIT_OBJECT_DIRECTORY": "write", "GIT_WORK_TREE": "write", "DEPENDENCIES_OUTPUT": "write",
	"PYTHONPYCACHEPREFIX": "write", "PYTHONINSPECT": "option", "_JAVA_OPTIONS": "option", "MAKEFILES": "file",
	"JAVA_TOOL_OPTIONS": "option", "GIT_EXEC_PATH": "path", "CLASSPATH": "path",
}
