//go:build !browser

package impact

import "strings"

// act notes what a word of a role means.
func (c *run) act(role string, w Text) {
	switch role {
	case "read":
		if strings.HasPrefix(w.Text, "@") && strings.Contains(" gcc ld as ar objcopy strip javac rustc ", " "+c.key+" ") {
			c.unknown(Option, c.program, span{w.At, w.End}) // the file has options
		}
		c.file(Reads, w)
	case "write":
		c.file(Writes, w)
	case "edit":
		c.file(Reads, w)
		c.file(Writes, w)
	case "delete":
		c.file(Deletes, w)
	case "move":
		c.file(Reads, w)
		c.file(Deletes, w)
	case "mode":
		c.path(Writes, w, c.how(Mode), c.program, c.base)
	case "fetch":
		c.host(Fetches, w)
	case "send":
		c.host(Sends, w)
	case "host":
		c.host(Sends, w)
		c.host(Fetches, w)
	case "from", "to", "take":
		c.remote(role, w)
	case "push", "pull":
		c.repository(role, w)
	case "data", "header":
		if file, is := strings.CutPrefix(w.Text, "@"); is {
			w.Text = file
			c.file(Reads, w)
		}
	case "setting":
		c.setting(w)
	case "script":
		c.script(w)
	case "source":
		c.source(w)
	case "suffix": // GNU sed puts a copy where a suffix with a slash says
		if w.Glob = strings.Contains(w.Text, "*"); strings.Contains(w.Text, "/") || holed(w.Text) {
			c.file(Writes, w)
		}
	case "code":
		c.code(w, w.Text)
	case "clock":
		if !strings.HasPrefix(w.Text, "+") {
			c.effect("changes=setting")
		}
	case "bits":
		if setsUser, _ := ModeOf(w.Text); setsUser {
			c.effect("changes=permission")
		}
	case "filter":
		c.filter(w)
	case "mount":
		c.mount(w)
	case "object":
		c.object(w)
	case "goal":
		c.goal(w)
	case "suite":
		for rest := w.Text; rest != ""; { // a list of places, or FILE::TEST
			var one string
			one, rest, _ = strings.Cut(rest, ":")
			if strings.HasPrefix(one, "/") || strings.HasPrefix(one, "~") || strings.HasPrefix(one, "..") {
				w.Text = one
				c.executes(w)
			}
		}
	case "index":
		c.indexed(w)
	case "warnings":
		c.warned(w)
	case "variable":
		c.changes(w)
	case "assign":
		c.hijacks([]Text{w})
	case "text":
		if len(c.effects) > 0 {
			c.names(w)
		}
	case "pypi", "npm", "crate", "gem", "module", "image":
		c.installs(role, w)
	default:
		c.named(role, w)
	}
}

// object notes the file that REVISION:PATH of git names, or a path outside the directory.
func (c *run) object(w Text) {
	_, file, is := strings.Cut(w.Text, ":")
	if text := w.Text; !is && (strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~") ||
		strings.HasPrefix(text, "../")) {
		file = text
	}
	if w.Text = file; file != "" {
		c.file(Reads, w)
	}
}

// changes notes that a variable gets a value, or none.
func (c *run) changes(w Text) {
	name, _, _ := strings.Cut(w.Text, "=")
	c.indexed(w)
	if holed(name) {
		c.vars.forget()
	}
	c.vars.set(c.reader, strings.TrimSuffix(name, "+"), value{})
}

// how is a word about paths, or Tree if the command takes all below them. Tree hides Mode in "chmod -R", because a rule
// about a file below must see it.
func (c *run) how(how How) How {
	if c.tree {
		return Tree
	}
	return how
}

// file notes an impact on a path. A URL in its place is fetched.
func (c *run) file(kind Kind, w Text) {
	if kind == Reads && strings.Contains(w.Text, "://") {
		c.host(Fetches, w)
		return
	}
	c.path(kind, w, c.how(""), c.program, c.base)
}

// path notes an impact on a path.
func (r *reader) path(kind Kind, w Text, how How, program, base string) {
	if w.Text == "-" || w.Pipe {
		return
	}
	switch below := strings.TrimSuffix(w.found.below, "/") + "/"; {
	case kind == Reads && w.found.names != "":
		w.Text, w.Glob = below+w.found.names, true
	case w.found != (found{}) && w.Text == string(AnyText):
		w.Text = below + string(AnyText)
	}
	if strings.HasPrefix(w.Text, "/dev/") {
		if host, is := Connection(w.Text); is {
			r.address(Text{Text: host, At: w.At, End: w.End})
			r.add(Impact{Kind: Sends, Target: host, Program: program, Open: holed(w.Text), At: w.At, End: w.End})
			r.add(Impact{Kind: Fetches, Target: host, Program: program, Open: holed(w.Text), At: w.At, End: w.End})
			return
		}
		switch rest := w.Text[len("/dev/"):]; rest {
		case "null", "stdin", "stdout", "stderr", "tty", "zero", "urandom", "random", "full":
			if kind != Deletes && how != Mode && how != Tree {
				return
			}
		default:
			if strings.HasPrefix(rest, "fd/") {
				return
			}
		}
	}
	target, open := r.place(w, base)
	r.add(Impact{Kind: kind, Target: target, How: how, Program: program, Open: open,
		Free: open && (holed(w.Text) || strings.HasPrefix(target, "*/") || target == "*" && !w.Glob), At: w.At, End: w.End})
}

// place is a path as impacts name it, and whether it is a pattern.
func (r *reader) place(w Text, base string) (target string, open bool) {
	if w.Text == "" {
		return "", false
	}
	text, open := shown(w.Text), w.Glob || holed(w.Text)
	if dir, _ := r.vars.get(r, "PWD"); base == "" && dir.known {
		base = dir.text
	} else if base == "" {
		base = "*"
	}
	if text[0] == '*' && !holed(w.Text) && (!w.Glob || base != "*" && base != "" && base != r.start) {
		text = "./" + text // a name with a star, or a pattern of names in a directory to which the line has moved
	}
	if len(r.links) > 0 {
		target = r.followed(text, base)
	} else {
		target = placed(text, base)
	}
	lost := strings.HasPrefix(target, "*/") || target == "*" && base == "*"
	return target, open || lost && !strings.HasPrefix(text, "*")
}

// moves notes the directory to which the paths of the command belong.
func (c *run) moves(w Text) {
	if w.Text != "" { // else it stays
		c.base, _ = c.place(w, c.base)
	}
}

// host notes an impact on the host of a URL, or of a word that names one.
func (c *run) host(kind Kind, w Text) {
	text := w.Text
	switch {
	case strings.HasPrefix(text, "file://"):
		w.Text = strings.TrimPrefix(text, "file://")
		c.path(Reads, w, "", c.program, c.base)
		return
	case text == "" || text == "-":
		return
	}
	host := hostOf(text)
	if at := strings.LastIndexByte(text, '/'); kind == Fetches && at > 0 && (c.program == "curl" || c.program == "wget") {
		w.Text, _, _ = strings.Cut(text[at+1:], "?") // the file that it writes, with curl -O
		if name, _ := c.place(w, c.base); w.Text != "" && !holed(name) {
			c.keeps(name, flow{fetched: shown(host)})
		}
		w.Text = text
	}
	c.address(w)
	c.add(Impact{Kind: kind, Target: shown(host), Program: c.program, Open: holed(host), At: w.At, End: w.End})
}

// address notes where a program sends to or fetches from.
func (r *reader) address(w Text) {
	list := r.report.Addresses
	if len(list) >= maxImpacts || len(w.Text) > maxTarget {
		r.unknown(Limit, "", span{w.At, w.End})
		return
	}
	for i := range list {
		if list[i].At == w.At && list[i].Text == w.Text {
			return
		}
	}
	r.report.Addresses = append(list, w)
}

// names notes a URL in a word that the table takes for text: of a setting, or behind an option.
func (r *reader) names(w Text) {
	at := strings.Index(w.Text, "://")
	if at <= 0 || strings.ContainsAny(w.Text, " \n") {
		return
	}
	from := at
	for from > 0 && (letter(w.Text[from-1]) || strings.IndexByte("+.-", w.Text[from-1]) >= 0) {
		from--
	}
	if from == 0 || w.Text[from-1] == '=' {
		w.Text = w.Text[from:]
		r.address(w)
	}
}

// installs notes a package or an image. Before an image may stand the host of its registry.
func (c *run) installs(registry string, w Text) {
	if len(c.report.Packages) >= maxImpacts {
		c.unknown(Limit, "", span{w.At, w.End})
		return
	}
	c.report.Packages = append(c.report.Packages, Package{registry, w})
	c.names(w)
	if host, _, is := strings.Cut(w.Text, "/"); registry == "image" && is && strings.ContainsAny(host, ".:") {
		w.Text = host
		c.address(w)
	}
}

// hostOf is the host of URL, HOST:PATH, HOST::MODULE or USER@HOST, in small letters.
func hostOf(text string) string {
	url := false
	if at := strings.Index(text, "://"); at >= 0 {
		text, url = text[at+3:], true
	}
	if at := strings.IndexAny(text, `/?#\`); at >= 0 {
		text = text[:at]
	}
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		text = text[at+1:]
	}
	if strings.HasPrefix(text, "[") {
		if at := strings.IndexByte(text, ']'); at > 0 {
			return text[1:at]
		}
	}
	number, _, _ := strings.Cut(text, "%") // without the zone
	number = strings.Trim(number, "0123456789abcdefABCDEF:.")
	if at := strings.IndexByte(text, ':'); at >= 0 && (url || number != "" || strings.Count(text, ":") == 1) {
		text = text[:at]
	}
	return strings.TrimSuffix(lowered(text), ".")
}

// remote notes a path, or HOST:PATH. "h:x" is a host on Unix, and may be a drive on Windows, so it is noted as both.
func (c *run) remote(role string, w Text) {
	there := Remote(w.Text) || strings.Contains(w.Text, "://")
	over, here := Sends, Writes
	if role != "to" {
		over, here = Fetches, Reads
	}
	if role == "take" && !there {
		c.file(Deletes, w)
	}
	if there {
		c.host(over, w)
	}
	if !there || Drive(w.Text) {
		c.file(here, w)
	}
}

// mount notes the directory of this machine that a container gets: SOURCE:TARGET[:ro], or type=bind,source=…
func (c *run) mount(w Text) {
	text := w.Text
	only := strings.HasSuffix(text, ":ro") || strings.Contains(text, "readonly")
	for part := range strings.SplitSeq(text, ",") {
		name, value, is := strings.Cut(part, "=")
		if is && (name == "source" || name == "src") {
			text = value
		}
	}
	text, _, _ = strings.Cut(text, ":")
	if text == "" || strings.IndexAny(text, "/.~\x00\x01") != 0 {
		return // a volume with a name
	}
	w.Text = text
	c.tree = true
	c.file(Reads, w)
	if !only {
		c.file(Writes, w)
	}
}

// setting reads a setting of ssh. Some settings are commands.
func (c *run) setting(w Text) {
	// ssh skips blanks and a "=" before the name too, and the name may stand in quotes.
	name, text := cutAny(strings.TrimLeft(w.Text, "\"= \t\r\n"), "\"= \t\r\n")
	text = strings.TrimLeft(strings.TrimPrefix(text, `"`), "= \t\r\n")
	switch lowered(name) {
	case "proxycommand", "localcommand", "knownhostscommand":
		c.shell(w, text, nil)
	case "include", "match", "pkcs11provider", "securitykeyprovider", "proxyusefdpass":
		c.unknown(Option, c.program, span{w.At, w.End})
	default:
		if holed(name) {
			c.unknown(Option, c.program, span{w.At, w.End})
		}
	}
}

// effect notes an impact that a row or an option names.
func (c *run) effect(e string) {
	name, value, _ := strings.Cut(e, "=")
	in := Impact{Target: value, Program: c.program, At: c.name.At, End: c.name.End}
	switch name {
	case "unknown":
		in.Kind, in.How, in.Target, in.Program = Unknown, Option, c.program, ""
	case "changes", "publishes", "fetches", "sends":
		in.Kind, in.Open = Kind(name), value == "*"
	case "executes":
		in.Kind, in.How, in.Target = Executes, How(value), ""
		if in.How == Project { // of another place than the one in which the line begins
			in.Target, in.Open = c.place(Text{Text: "."}, c.base)
			away := c.start == "" && (strings.HasPrefix(in.Target, "..") || strings.ContainsAny(in.Target[:1], "/~*")) ||
				c.start != "" && in.Target != c.start &&
					!strings.HasPrefix(in.Target, strings.TrimSuffix(c.start, "/")+"/")
			if away {
				in.How = File
			} else {
				in.Target, in.Open = "", false
			}
		}
	case "reads", "writes", "deletes":
		in.Kind = Kind(name)
		if strings.HasPrefix(value, "env:") {
			if c.wraps { // it shows its environment only when it runs nothing
				return
			}
			in.Open = strings.HasSuffix(value, "*")
			break
		}
		c.path(in.Kind, Text{Text: value, At: in.At, End: in.End}, c.how(""), c.program, c.base)
		return
	case "stdin", "idle", "shell":
		if name == "idle" && c.busy() || name == "shell" && c.started() {
			return
		}
		c.executesInput(Text{At: in.At, End: in.End})
		return
	default:
		return
	}
	c.add(in)
}
