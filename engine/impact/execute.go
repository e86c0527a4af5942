//go:build !browser

package impact

import (
	"slices"
	"strings"
)

// isShell reports whether the program reads texts as a shell does. For "echo rm x | sh" the text is read as a script.
// For "echo … | python3" it goes to code. A row is nil while the variables before a command are read: BASH_ENV=s names
// a script.
func (c *run) isShell() bool {
	shell := func(item string) bool {
		return strings.HasSuffix(item, "{script=shell}") || strings.Contains(item, "!shell")
	}
	return c.row == nil || c.row.says("source") ||
		slices.ContainsFunc(c.row, shell) || slices.ContainsFunc(c.sub, shell)
}

// StartsShell reports whether a program starts a shell if it gets no command, as chroot does. Its input is a script.
func StartsShell(program string) bool {
	row, _, _ := rowOf(program)
	return slices.ContainsFunc(row, func(item string) bool { return strings.Contains(item, "!shell") })
}

// busy reports whether a program has operands or a subcommand.
func (c *run) busy() bool {
	return c.sub != nil || slices.ContainsFunc(c.values, func(v given) bool { return !v.option })
}

// started reports whether a program that starts a shell has a command or a script for it, so that it is not the shell
// that reads the input.
func (c *run) started() bool {
	return c.wraps || slices.ContainsFunc(c.values, func(v given) bool {
		return v.role == "shell" || v.role == "script" && !v.option
	})
}

// script notes a file that is executed. The input stands for "-". Four spellings stand for a text and not for a file:
// "-", /dev/stdin, a descriptor that the shell has opened, and <(…). The reader must not report them as files, because
// a rule about a directory would then say that the file lies outside or inside of it. That would hide where the text
// comes from.
func (c *run) script(w Text) {
	switch {
	case w.Text == "-" || w.Text == "/dev/stdin" || w.Text == "/dev/fd/0":
		c.executesInput(w)
	// A descriptor besides 0 is one that another command has opened. /proc/self/fd/0 is another name for the input.
	case strings.HasPrefix(w.Text, "/dev/fd/") || strings.HasPrefix(w.Text, "/proc/"):
		c.executesText(flow{built: true}, w)
	case w.Holds && strings.Trim(w.Text, "\x00\x01") == "": // bash <(…)
		given := flow{built: true}
		if c.cmd >= 0 {
			given = c.report.Commands[c.cmd].given
		}
		c.executesText(given, w)
	// bash <(echo rm x) runs "rm x".
	case w.Pipe && !holed(w.Text): // the line tells what the command prints
		c.executesText(flow{known: true, text: w.Text}, w)
	case w.Pipe:
		c.executesText(flow{built: true}, w)
	default:
		c.executes(w)
	}
}

// executesInput notes that the input is executed. Without any, a person types it. in.file names a file that the input
// comes from, as in "sh < s": then the file is executed. The commands of a text share its input: in "sh <<E" with a
// further "sh" among its lines, the inner one reads the lines that follow. The reader cannot tell which ones, so the
// input is built while it reads the text.
func (c *run) executesInput(w Text) {
	switch {
	case c.in.file != "":
		c.executes(Text{Text: c.in.file, At: w.At, End: w.End})
	case c.fed || c.in != (flow{}):
		text := c.in
		c.in = c.in.lost() // what the text leaves of it
		c.executesText(text, w)
	}
}

// executes notes that a file is executed. What the line has written into it is read. After "curl -o s URL", s is
// executed with How Fetched, so a rule about fetched texts also holds for the detour over a file. After "cat > s <<E",
// the text of s is read as if it stood in the line.
func (c *run) executes(w Text) {
	if strings.Contains(w.Text, "://") {
		c.host(Fetches, w)
		c.executesFlow(flow{fetched: shown(hostOf(w.Text))}, span{w.At, w.End})
		return
	}
	// "go run example.org/cmd@latest" fetches the module and runs it. Without "@", the word is a package of the
	// project.
	if c.program == "go" && strings.Contains(w.Text, "@") { // a version of a module
		c.effect("fetches=proxy.golang.org")
		c.executesFlow(flow{fetched: "proxy.golang.org"}, span{w.At, w.End})
		return
	}
	name, open := c.reader.place(w, c.base)
	held, written := c.files[name]
	// File means an ordinary file that the line has not made. A rule can accept it by its place.
	how := File
	// An agent often mends a program by sed -i and runs it. If the words of sed have no name that could do harm, the
	// file counts as the file of the project that it was.
	if written && held.edited != "" && c.key == "python" && !holed(held.edited) && !powerful(held.edited) {
		written = false // it is mostly what it was
	}
	if written {
		how = held.how()
	}
	c.add(Impact{Kind: Executes, Target: name, How: how, Program: c.program, Open: open, At: w.At, End: w.End})
	if written && held.loose && how == Code {
		c.add(Impact{Kind: Executes, Target: name, How: Built, Program: c.program, Open: open, At: w.At, End: w.End})
	}
	if written && held.known {
		c.reads(held.text, w)
	}
}

// executesText notes that a text is executed that a command made. If the line tells the text, it is read. A text that
// was decoded is reported as Decoded even if the line tells it, because its author has hidden it.
func (c *run) executesText(f flow, w Text) {
	if !f.known || f.decoded {
		c.executesFlow(f, span{w.At, w.End})
	}
	if f.known {
		c.reads(f.text, w)
	}
}

// executesFlow notes the execution of a text that is not read. Its target is the host of a fetched text, or "".
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

// reads reads a text that the program executes. "." and eval share the variables of this shell. sh -c and a script do
// not: child undoes what they set.
func (c *run) reads(text string, w Text) {
	if !c.isShell() {
		c.code(w, text)
		return
	}
	read := func() flow { return c.within(w, text, c.in, c.cmd) }
	if c.row.says("source") {
		c.out = read()
		return
	}
	c.out = c.child(nil, read)
}

// source notes a file that the shell itself executes. It may set every variable. Even if the line tells the file, it
// may set every variable and every parameter, so all of them are forgotten.
func (c *run) source(w Text) {
	c.script(w)
	c.vars.forget()
	c.inside = false
}

// code notes a text for an interpreter. What is simple in it is read, and the rest is Unknown. Executes with Code is
// always there. A rule can refuse each program in the line by it, also one that is read as a whole.
func (c *run) code(w Text, text string) {
	c.add(Impact{Kind: Executes, How: Code, Program: c.program, At: w.At, End: w.End})
	known := !holed(text)
	// Only Python has a reader of its own, because agents write most of their programs in it.
	if name, _, _ := strings.Cut(c.key, " "); name == "python" {
		known = known && c.python(w, text)
	} else {
		known = known && harmlessCode(text)
	}
	if !known {
		c.unknown(Code, c.program, span{w.At, w.End})
	}
}

// hijacks looks at variables that decide which code a program loads, or where it writes, or that name a program. The
// list has NAME=VALUE words from before a command, from export, env and sudo. The kind of the name decides how the
// value is read: as a file that is executed, a text for a shell, options, hosts, or a place for writes. Examples:
//
//	LD_PRELOAD=./x.so ls         executes x.so
//	PAGER='rm x' git log         runs rm, deletes x
//	GOPROXY=https://a.example go get x    fetches a.example
//	NODE_OPTIONS='--require ./x.js' node a.js    is Unknown
//	TMPDIR=/x ls                 writes /x
//
// An empty value does nothing, and an unset variable is no danger.
func (c *run) hijacks(list []Text) {
	for _, w := range list {
		name, text, _ := strings.Cut(w.Text, "=")
		name = strings.TrimSuffix(name, "+")
		if text == "" {
			continue
		}
		value := w
		value.Text = text
		// Prompts are texts too in which Bash replaces commands, and so is a name of a file in ENV or BASH_ENV.
		kind := hijacker(name)
		if (kind == "file" || name == "PS1" || name == "PS2") && strings.ContainsAny(text, "$`") {
			c.unknown(Built, name, span{w.At, w.End}) // a shell replaces it
		}
		// The loader obeys LD_ names for every program, so a directory of the system is no excuse: /usr/lib may have a
		// library whose constructor does what the author wants.
		if (kind == "file" || kind == "path") && !strings.HasPrefix(name, "LD_") && ofSystem(text) {
			continue
		}
		switch kind {
		case "file":
			c.executes(value)
		// TMPDIR=1 and LESSHISTFILE=- are no paths. TMPDIR=$(mktemp -d) names a place of its own for temporary files.
		case "write":
			if strings.ContainsAny(text, "/~\x00\x01") && // else a number, or a word for yes
				!(text[0] <= AnyWord && strings.HasPrefix(name, "T")) { // TMPDIR=$(mktemp -d)
				c.file(Writes, value)
			}
		case "option":
			if name == "PYTHONWARNINGS" {
				c.warned(value)
			}
			if !safeOptions(name, text) {
				c.unknown(Option, name, span{w.At, w.End})
			}
		case "shell":
			switch text {
			case "cat", "true", "false", "none", "less", ":", "0", "1":
			default:
				c.shell(value, text, nil)
			}
		// A directory in PATH, PYTHONPATH or LD_LIBRARY_PATH decides which code is found first, so its files count as
		// executed.
		case "path":
			c.add(Impact{Kind: Executes, Target: shown(text), How: File, Program: name, Open: holed(text),
				At: w.At, End: w.End})
		// A list for Go has "," or "|" between its entries, and "direct" and "off" are no hosts.
		case "hosts":
			for _, one := range strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == '|' || r == ' ' }) {
				if value.Text = one; one != "off" && one != "direct" {
					c.host(Fetches, value)
				}
			}
		case "proxy":
			c.act("host", value)
		}
	}
}

// warned reads filters of warnings of Python: a category with a dot is a module, which Python imports. The third field
// of a filter is the category. Python imports its module at the start: "-W ignore::a.b" runs a.py of the directory.
func (c *run) warned(w Text) {
	for filter := range strings.SplitSeq(w.Text, ",") {
		if parts := strings.Split(filter, ":"); holed(filter) || len(parts) > 2 && strings.Contains(parts[2], ".") {
			c.add(Impact{Kind: Executes, How: Project, Program: c.program, At: w.At, End: w.End})
			return
		}
	}
}

// ofSystem reports whether all places of a list lie where only the system writes. An empty entry of such a list is the
// current directory, so it counts as one that others may write.
func ofSystem(list string) bool {
	for one := range strings.SplitSeq(list, ":") {
		if !strings.HasPrefix(one, "/usr/") && !strings.HasPrefix(one, "/bin/") || strings.Contains(one, "..") || holed(one) {
			return false
		}
	}
	return true
}

// inSystem reports whether a program lies where a system keeps its programs. A program elsewhere may have the name of a
// known one: "/tmp/rm x" runs a file that only looks like rm. So it counts as the execution of a file, and its row is
// read besides.
func inSystem(path string) bool {
	dir := path[:strings.LastIndexByte(path, '/')]
	switch dir {
	case "/bin", "/usr/bin", "/usr/local/bin", "/sbin", "/usr/sbin", "/usr/local/sbin", "/opt/homebrew/bin", "/snap/bin":
		return true
	}
	return false
}

// hijacker says what a variable is for the programs that read it. The table is searched first, by whole names. Then
// come families of names, such as HTTPS_PROXY, GIT_TRACE_CURL and CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_LINKER, in any
// case of letters. "" means that no program is known that obeys it.
func hijacker(name string) (kind string) {
	for _, row := range &hijackers {
		if at := strings.Index(row[1], name); at >= 0 {
			for rest := row[1]; rest != ""; {
				var one string
				if one, rest, _ = strings.Cut(rest, " "); one == name {
					return row[0]
				}
			}
		}
	}
	low := lowered(name)
	ends := func(list ...string) bool {
		return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(low, end) })
	}
	begins := func(list ...string) bool {
		return slices.ContainsFunc(list, func(begin string) bool { return strings.HasPrefix(low, begin) })
	}
	switch {
	case low == "no_proxy":
	case ends("_proxy"):
		return "proxy"
	// GIT_TRACE=/path writes there; a number or a word for yes is sorted out by the caller.
	case begins("git_trace"):
		return "write"
	// GIT_CONFIG_KEY_0 sets any setting of git, DYLD_INSERT_LIBRARIES loads a library, and BASH_FUNC_ls%% defines a
	// function.
	case begins("git_config", "dyld_", "bash_func_"), ends("_opts", "_options", "rustflags"):
		return "option"
	case ends("_index_url", "_registry", "_registry_server"), begins("cargo_registries_") && ends("_index"):
		return "hosts"
	case begins("npm_config_"):
		return "option"
	// RUSTC_WRAPPER and CMAKE_C_COMPILER_LAUNCHER name a program that runs in place of another one.
	case ends("pager", "editor", "_wrapper", "_command", "_linker", "_runner", "_launcher"):
		return "shell"
	}
	return ""
}

// safeOptions reports whether a value has only options that neither execute nor write elsewhere. An option that takes
// its value as the next field passes only with each value listed, such as "warnings" behind -D. A quote in the value
// ends nothing here: the whole field must be on the list, so one with a quote is refused.
func safeOptions(name, text string) bool {
	safe, low := "", lowered(name)
	for _, row := range &safeValues {
		end, open := strings.CutPrefix(row[0], "*")
		if open && strings.HasSuffix(name, end) || strings.Contains(row[0], " "+name+" ") {
			safe = row[1]
		}
	}
	if strings.HasPrefix(low, "npm_config_") {
		return strings.Contains(" loglevel fund audit progress color yes offline prefer_offline update_notifier ",
			" "+low[len("npm_config_"):]+" ")
	}
	for field := range strings.FieldsSeq(text) {
		if !slices.ContainsFunc(strings.Fields(safe), func(one string) bool {
			begin, open := strings.CutSuffix(one, "*")
			return one == field || open && strings.HasPrefix(field, begin)
		}) {
			return false
		}
	}
	return true
}
