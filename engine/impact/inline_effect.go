//go:build !browser

package impact

import "strings"

// effects notes what a name of the standard library does. i is its place, and end the one behind it.
func (c *coder) effects(spec string, i, end int) int {
	switch spec {
	case "environ":
		return c.environ(i, end)
	case "modules": // sys.modules
		literal := c.sign(end, "[") && c.kind(end+1) == isText && c.t[end].mate == end+2
		given := literal && (c.sign(end+3, "=") || !c.standard(c.t[end+1].text))
		c.lost = c.lost || !given && !c.only(i, end)
		return end
	case "syspath":
		return c.searched(end)
	}
	if !c.sign(end, "(") { // it has another name from now on, or is given away
		c.lost = true
		return end
	}
	args := c.args(end)
	for _, a := range args {
		if c.sign(a.from, "*") && spec != "getattr" {
			c.lost = true
		}
	}
	c.calls(spec, args)
	return end
}

// calls notes what a call does.
func (c *coder) calls(spec string, args []argument) {
	switch spec {
	case "open":
		c.takes = true
		c.opens(args)
	case "plain": // options that matter have names, which are judged
		c.lost = c.lost || len(args) > 6 && args[6].name == ""
	case "shell":
		if text, known := c.arg(args, 0); known && !holed(text) && len(args) == 1 {
			c.shells(text)
		} else {
			c.lost = true
		}
	case "run":
		c.starts(args)
	case "getattr":
		if text, known := c.arg(args, 1); !known || !c.plainName(text) {
			c.lost = true
		}
	case "temporary":
		for n, a := range args {
			text, known := c.value(a.from, a.end, 0)
			names := a.name == "prefix" || a.name == "suffix"
			c.lost = c.lost || n > 0 && a.name == "" || a.name == "dir" || a.name == "buffering" || (names || a.name == "") &&
				(!known || strings.Contains(text, "/"))
		}
	case "getenv":
		text, known := c.arg(args, 0)
		c.env(text, known)
	case "import":
		if text, known := c.arg(args, 0); !known || len(args) != 1 || c.imported("", text) != "" {
			c.lost = true
		}
	case "host":
		c.fetches(args)
	case "pickled": // what the program has made itself
		if len(args) != 1 || !c.ownPickle(args[0].from, args[0].end) {
			c.lost = true
		}
	default:
		c.roles(spec, args)
	}
}

// arg is the text of an argument without a name.
func (c *coder) arg(args []argument, n int) (text string, known bool) {
	if n >= len(args) || args[n].name != "" {
		return "", false
	}
	return c.value(args[n].from, args[n].end, 0)
}

// roles notes what a call does with its first arguments: the roles of the table of programs, with "?" where the
// argument may be missing, and with "tree-" where all below the path counts. A tree that a program deletes stays
// Unknown in roles below: "rm -r" says the same, and a rule about rm can judge it.
func (c *coder) roles(spec string, args []argument) {
	n := 0
	for role := range strings.FieldsSeq(spec) {
		role, optional := strings.CutSuffix(role, "?")
		if n >= len(args) && optional {
			break
		}
		text, known := c.arg(args, n)
		c.touches(role, text, known)
		n++
	}
	for _, a := range args[min(n, len(args)):] {
		if a.name == "filename" || strings.HasSuffix(a.name, "dir_fd") || a.name == "path" {
			c.lost = true
		}
	}
}

// touches notes what is done with one path.
func (c *coder) touches(role, text string, known bool) {
	role, tree := strings.CutPrefix(role, "tree-")
	if tree && role == "delete" && !holed(text) { // rm says that more plainly
		c.lost = true
	}
	if role == "linked" { // what is behind the link has other names from now on
		within := text == c.start || strings.HasPrefix(text, strings.TrimSuffix(c.start, "/")+"/")
		c.lost = c.lost || !known || holed(text) || strings.Contains(text, "..") ||
			strings.ContainsAny(text[:min(len(text), 1)], "/~") && (c.start == "" || !within)
		role = "read"
	}
	if !known {
		c.lost = c.lost || role != "read" && role != "text"
		text = string(AnyText)
	}
	w, was := c.word, c.tree
	w.Text, w.Glob, w.Holds, w.Pipe = text, false, false, false
	c.tree = tree
	c.act(role, w)
	if c.tree = was; role != "read" && role != "text" { // what is in it now, nobody has read
		c.holds(w, flow{built: true})
	}
}

// opens notes which file open opens, and how.
func (c *coder) opens(args []argument) {
	mode, path, known := "r", "", false
	for n, a := range args {
		text, told := c.value(a.from, a.end, 0)
		switch {
		case n == 0 && a.name == "" || a.name == "file":
			if c.kind(a.from) == isNumber && a.end == a.from+1 {
				return // a file that is open
			}
			path, known = text, told
		case n == 1 && a.name == "" || a.name == "mode":
			if mode = text; !told {
				mode = "r+"
			}
		case a.name == "" && n == 2 || a.name == "buffering": // without a buffer, its type opens any path
			c.lost = c.lost || c.kind(a.from) != isNumber || strings.Trim(c.t[a.from].text, "0_xXoObB") == "" ||
				a.end != a.from+1
		case a.name == "" && n > 4:
			c.lost = true
		}
	}
	if strings.ContainsAny(mode, "r+") {
		c.touches("read", path, known)
	}
	if strings.ContainsAny(mode, "wax+") {
		c.touches("write", path, known)
	}
}

// shells reads a command for a shell. A program that needs a shell for it is asked about all the same.
func (c *coder) shells(text string) {
	c.lost = true
	c.child(nil, func() flow { return c.within(c.word, text, flow{built: true}, c.cmd) })
}

// starts reads what subprocess starts: a text for a shell, or a list of words.
func (c *coder) starts(args []argument) {
	shell := false
	for n, a := range args {
		switch {
		case n == 0 && a.name == "":
		case a.name == "shell":
			shell = !(c.is(a.from, "False") && a.end == a.from+1)
		case !startOptions.has(a.name):
			c.lost = true
			return
		}
	}
	if len(args) == 0 || args[0].name != "" {
		c.lost = true
		return
	}
	from := args[0].from
	if c.sign(from, "[") && c.t[from].mate == args[0].end-1 && !shell {
		var list []Text
		for _, a := range c.args(from) {
			text, known := c.value(a.from, a.end, 0)
			if c.is(a.from, "sys") && c.names["sys"] == "sys" && c.is(a.from+2, "executable") && a.end == a.from+3 {
				text, known = "python3", true
			}
			if !known || holed(text) || a.name != "" {
				c.lost = true
				return
			}
			w := c.word
			w.Text, w.Glob = text, false
			list = append(list, w)
		}
		inner := run{reader: c.reader, cmd: c.cmd, in: flow{built: true}, depth: c.depth + 1, apart: true}
		inner.words(list)
		return
	}
	text, known := c.arg(args, 0)
	if !known || holed(text) || !shell && strings.ContainsAny(text, " \t\n'\"\\$`;&|<>*?") {
		c.lost = true
		return
	}
	c.shells(text)
}

// only reports whether the program only looks at the keys of what stands from i to end: NAME in it. With a comma, it
// stands in a tuple.
func (c *coder) only(i, end int) bool {
	return c.is(i-1, "in") && !c.sign(end, ".") && !c.sign(end, "[") && !c.sign(end, ",")
}

// environ reads what the program does with the variables of the environment.
func (c *coder) environ(i, end int) int {
	switch {
	case c.only(i, end):
	case c.sign(end, "["):
		name, known := c.value(end+1, c.t[end].mate, 0)
		if next := c.t[end].mate + 1; c.sign(next, "=") {
			c.sets(name, known, next+1)
		} else {
			c.lost = c.lost || c.kind(next) == isSign && len(c.t[next].text) == 2 && c.t[next].text != "==" &&
				c.t[next].text != "!="
			c.env(name, known)
		}
	case c.sign(end, ".") && c.sign(end+2, "(") && (c.is(end+1, "get") || c.is(end+1, "setdefault") ||
		c.is(end+1, "pop")):
		args := c.args(end + 2)
		name, known := c.arg(args, 0)
		if !c.is(end+1, "setdefault") {
			c.env(name, known)
		} else if len(args) == 2 {
			c.sets(name, known, args[1].from)
		} else {
			c.lost = true
		}
		return end + 2
	default:
		c.lost = true
	}
	return end
}

// env notes that the program reads a variable.
func (c *coder) env(name string, known bool) {
	if !known {
		c.lost = true
		return
	}
	c.add(Impact{Kind: Reads, Target: "env:" + shown(name), Program: c.run.program, At: c.word.At, End: c.word.End})
}

// sets notes that a variable gets a value, which what the program starts may obey.
func (c *coder) sets(name string, known bool, from int) {
	end := from
	for c.kind(end) != isEnd && !c.sign(end, ")") && !c.sign(end, ";") {
		end++
	}
	value, told := c.value(from, end, 0)
	if !told {
		value = string(AnyText)
	}
	if !known || name == "PATH" || name == "HOME" || name == "PWD" {
		c.lost = true
		return
	}
	w := c.word
	w.Text = name + "=" + value
	c.hijacks([]Text{w})
}

// searched notes a place where Python looks for modules from now on.
func (c *coder) searched(end int) int {
	n := 0
	switch {
	case c.sign(end, ".") && c.is(end+1, "insert"):
		n = 1
	case c.sign(end, ".") && c.is(end+1, "append"):
	case c.sign(end, "[") && !c.sign(c.t[end].mate+1, "="), c.sign(end, ")"), c.kind(end) == isEnd, c.sign(end, ":"):
		return end
	default:
		c.lost = true
		return end
	}
	if !c.sign(end+2, "(") {
		c.lost = true
		return end
	}
	text, known := c.arg(c.args(end+2), n)
	if !known {
		c.lost = true
		return end
	}
	w := c.word
	w.Text = text
	if text == "" {
		w.Text = "."
	}
	c.executes(w)
	return end + 2
}

// fetches notes the host of a URL.
func (c *coder) fetches(args []argument) {
	text, known := c.arg(args, 0)
	if !known || !strings.Contains(text, "://") {
		c.lost = true
		return
	}
	for _, a := range args[1:] { // another host may get it
		c.lost = c.lost || a.name == "proxies" || a.name == "cert" || a.name == "hooks"
	}
	w := c.word
	w.Text = text
	c.host(Sends, w)
	c.host(Fetches, w)
}

// ownPickle reports whether an expression is a pickle that the program has made in the same place.
func (c *coder) ownPickle(from, end int) bool {
	if name := c.t[from].text; c.kind(from) == isName && end == from+1 && c.stores[name] == 1 {
		at, is := c.values[name]
		return is && c.ownPickle(at.at, at.end)
	}
	full := c.names[c.t[from].text]
	at := from + 1
	if c.sign(at, ".") {
		full += "." + c.t[at+1].text
		at += 2
	}
	return full == "pickle.dumps" && c.sign(at, "(") && c.t[at].mate == end-1
}

// method notes what a method does with the file that stands before it.
func (c *coder) method(i int, role string) {
	role, always := strings.CutSuffix(role, "!")
	if !c.paths && !always {
		return
	}
	called := c.sign(i+1, "(")
	if role == "replace" { // of a path, and no text
		if called && len(c.args(i+1)) == 2 {
			c.makes(i)
			return
		}
		role = "move"
	}
	text, known := c.before(i - 1)
	switch {
	case role == "copy" && (!called || c.t[i+1].mate == i+2): // of a dictionary
	case !called:
		c.lost = true
	case role == "open":
		if !known {
			if args := c.args(i + 1); len(args) > 0 && !c.paths { // of a module of the project
				text, known = c.arg(args, 0)
			}
			c.lost = c.lost || !known || strings.Trim(text, "rbt") == "" || strings.Trim(text, "wax+bt") == ""
			return
		}
		mode := "r"
		if args := c.args(i + 1); len(args) > 0 {
			mode = "r+"
			if told, ok := c.arg(args, 0); ok {
				mode = told
			}
		}
		if c.touches("read", text, true); strings.ContainsAny(mode, "wax+") {
			c.touches("write", text, true)
		}
	case role == "move" || role == "copy" || role == "link":
		from, to := "move", "write"
		if role == "copy" {
			from = "read"
		} else if role == "link" {
			from, to = "write", "linked"
		}
		other, told := c.arg(c.args(i+1), 0)
		c.touches(from, text, known)
		c.touches(to, other, told)
	default:
		c.touches(role, text, known)
	}
}
