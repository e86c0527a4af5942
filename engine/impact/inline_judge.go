//go:build !browser

package impact

import "strings"

// judge looks at one token, and returns the next one to look at.
func (c *coder) judge(i int) int {
	switch t := &c.t[i]; t.kind {
	case isText:
		c.quoted(i)
	case isName:
		return c.named(i)
	case isSign:
		if t.text == "%" && c.kind(i-1) == isText || t.text == "+" && (c.kind(i-1) == isText || c.kind(i+1) == isText) {
			c.makes(i)
		}
	}
	return i + 1
}

// makes notes that the program makes a text of others, unless it only prints it.
func (c *coder) makes(i int) { c.builds = c.builds || i >= c.apart }

// named judges a name.
func (c *coder) named(i int) int {
	text := c.t[i].text
	switch {
	case c.sign(i-1, "."):
		return c.attribute(i)
	case words.has(text):
		c.lost = c.lost || text == "import"
		return i + 1
	case c.sign(i+1, "=") && (c.sign(i-1, "(") || c.sign(i-1, ",")):
		if c.denies(text) {
			c.lost = true
		}
		return i + 1 // of a call, or a value
	case c.is(i-1, "def") || c.is(i-1, "class"):
		return i + 1
	}
	full, imported := c.names[text]
	switch {
	case imported && full == "": // of the project
		return c.own(i)
	case !imported && callRow("builtins."+text) != "":
		full = "builtins." + text
	case !imported:
		if c.denies(text) || deniedBare.has(text) {
			c.lost = true
		}
		return c.own(i)
	}
	spec, end := "", i+1
	for next, name := i+1, full; ; next += 2 {
		if what, module := c.does(name); what != "" && !module {
			spec, full, end = what, name, next
		}
		if !c.sign(next, ".") || c.kind(next+1) != isName || next > i+8 {
			break
		}
		name += "." + c.t[next+1].text
	}
	if text == "print" && c.sign(i+1, "(") && !imported {
		c.apart = max(c.apart, c.t[i+1].mate)
	}
	switch {
	case spec == "":
		c.lost = true
	case spec == "ok":
	default:
		return c.effects(spec, i, end)
	}
	return end
}

// own judges a name of the project or of the program.
func (c *coder) own(i int) int {
	switch text := c.t[i].text; {
	case !c.project:
	case evaluators.has(text):
		c.evaluates(i + 1)
	case text == "chr" || text == "unichr":
		c.lost = true
	}
	return i + 1
}

// attribute judges a name behind a dot.
func (c *coder) attribute(i int) int {
	text := c.t[i].text
	switch {
	case text == "__dict__":
		k := i - 1 // only "NAME in x.__dict__" tells no values
		for c.sign(k, ".") && c.kind(k-1) == isName {
			k -= 2
		}
		told := c.sign(i+1, "[") && c.kind(i+2) == isText && c.t[i+1].mate == i+3 && c.plainName(c.t[i+2].text)
		c.lost = c.lost || !told && (!c.is(k, "in") || c.sign(i+1, "[") || c.sign(i+1, "."))
	case c.denies(text):
		c.lost = true
	case makers.has(text):
		c.makes(i)
	}
	if role := callRow("." + text); role != "" {
		return c.method(i, role)
	}
	return c.own(i)
}

// plainName reports whether an attribute may be reached by a text.
func (c *coder) plainName(name string) bool {
	return !c.denies(name) && callRow("."+name) == "" && !evaluators.has(name) && name != "__dict__"
}

// denies reports whether a name may not stand in a program.
func (c *coder) denies(name string) bool {
	if strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
		return !plainDunders.has(name)
	}
	return denied.has(name) || deniedModules.has(name) || deniedPrefix(name)
}

func deniedPrefix(name string) bool {
	for _, prefix := range [...]string{"spawn", "popen", "Popen", "posix_spawn", "subprocess", "create_subprocess"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// does is what the table says about a name of the standard library: "" if that is nothing good.
func (c *coder) does(full string) (what string, module bool) {
	if what = callRow(full); what != "" {
		return what, false
	}
	if moduleRow(full) != "" {
		return "module", true
	}
	at := strings.LastIndexByte(full, '.')
	if at < 0 {
		return "", false
	}
	home, name := full[:at], full[at+1:]
	row := moduleRow(home)
	switch {
	case strings.HasPrefix(name, "_"):
		if !plainDunders.has(name) || !c.standard(home) {
			return "", false
		}
	case strings.HasPrefix(row, "*"):
		same := name == home[strings.LastIndexByte(home, '.')+1:] // datetime.datetime
		if !same && c.standard(name) || c.denies(name) || hasWord(row, "-"+name) {
			return "", false
		}
	case row == "" || !hasWord(row, name):
		return "", false
	}
	return "ok", false
}

// evaluates reads a text that code of the project reads as code.
func (c *coder) evaluates(i int) {
	if !c.sign(i, "(") { // it may get another name
		c.runs = c.runs || !c.sign(i, ".")
		return
	}
	args := c.args(i)
	for _, a := range args[:min(len(args), 1)] {
		switch text, known := c.value(a.from, a.end, 0); {
		case !known:
			c.runs = c.runs || c.kind(a.from) != isNumber || a.end > a.from+1
		case !c.inner(text, c.file):
			c.lost = true
		}
	}
}

// inner reads a program in a text of the program.
func (c *coder) inner(text, file string) bool {
	if holed(text) || c.deep >= maxInline {
		return false
	}
	p := coder{run: c.run, word: c.word, file: file, deep: c.deep + 1}
	return p.reads(text)
}

// quoted looks at a text that code of the project may get.
func (c *coder) quoted(i int) {
	text := c.t[i].text
	c.lost = c.lost || strings.Contains(text, "{") && strings.Contains(text, ".__")
	if !c.project {
		return
	}
	if c.sign(i+1, "{") && c.t[i].text != "" {
		c.makes(i)
	}
	for k := i + 1; c.kind(i-1) != isText && c.kind(k) == isText; k++ {
		text += c.t[k].text
	}
	path := strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~")
	made := c.sign(i-1, "+") || c.sign(i+1, "+") || c.sign(i+1, "%") || c.sign(i+1, ".") && !splitters.has(c.t[i+2].text)
	if path && i >= c.apart && (made || strings.IndexByte(text, AnyText) >= 0) {
		c.lost = true
	}
	argument := c.sign(i-1, "(") || c.sign(i-1, ",") || c.sign(i-1, "=") && (c.sign(i-3, "(") || c.sign(i-3, ","))
	c.roots = c.roots || path && i >= c.apart && !argument
	if len(text) == 1 && strings.Contains("/~\\", text) && !(c.sign(i-1, "(") && splitters.has(c.t[max(i-2, 0)].text)) {
		c.lost = true // the beginning of a path that is made
	}
	c.lost = c.lost || c.outside(text) || codeLike(text) || strings.Contains(text, "%c") ||
		strings.Contains(text, `\u00`) || strings.Contains(text, `\x`)
	for rest := text; ; {
		at := strings.Index(rest, "://")
		if at < 0 {
			break
		}
		if host := hostOf(rest[at:min(len(rest), at+maxURL)]); !reservedHost(host) {
			w := c.word
			w.Text = rest[at:min(len(rest), at+maxURL)]
			c.host(Sends, w)
			c.host(Fetches, w)
		}
		rest = rest[at+3:]
	}
}

// reservedHost reports whether nothing answers at a host, or only this machine.
func reservedHost(host string) bool {
	for _, name := range [...]string{"example.com", "example.org", "example.net", "example", "test", "invalid",
		"localhost", "www.w3.org", "127.0.0.1"} {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return host == ""
}

// outside reports whether a text has a path elsewhere.
func (c *coder) outside(text string) bool {
	between := func(r rune) bool { return strings.ContainsRune(" \t\n'\"=:,;()<>|&/\\", r) }
	for name := range strings.FieldsFuncSeq(text, between) {
		if sensitive.has(name) || name[0] == '~' {
			return true
		}
	}
	if text == ".." || strings.Contains(text, "../") || strings.Contains(text, "~/") || strings.HasPrefix(text, "~") ||
		strings.Contains(text, "$") && strings.Contains(text, "HOME") {
		return true
	}
	for i := range len(text) {
		if text[i] != '/' || i > 0 && strings.IndexByte(" \t\n'\"=:,;([{<>|&", text[i-1]) < 0 {
			continue
		}
		first, _, _ := strings.Cut(text[i+1:], "/")
		if end := strings.IndexAny(first, " \t\n'\""); end >= 0 {
			first = first[:end]
		}
		if !rootNames.has(first) {
			continue
		}
		path, cwd := text[i:], strings.TrimSuffix(c.start, "/")
		if cwd == "" || path != cwd && !strings.HasPrefix(path, cwd+"/") {
			return true
		}
	}
	return false
}

// codeLike reports whether a text names what code must not: x.system, system(, __import__, import os.
func codeLike(text string) bool {
	last := ""
	for i := 0; i < len(text); i++ {
		if !letter(text[i]) {
			continue
		}
		from := i
		for i < len(text) && (letter(text[i]) || text[i] >= '0' && text[i] <= '9') {
			i++
		}
		word, next := text[from:i], strings.TrimLeft(text[i:], " ")
		called := strings.HasPrefix(next, "(")
		switch {
		case strings.HasPrefix(word, "__") && strings.HasSuffix(word, "__") && !plainDunders.has(word):
			return true
		case (called || from > 0 && text[from-1] == '.') && (denied.has(word) || deniedPrefix(word)),
			called && deniedBare.has(word) || called && (word == "open" || word == "getattr" || word == "setattr"):
			return true
		case (last == "import" || last == "from") && (deniedModules.has(word) || outerModules.has(word)):
			return true
		case deniedModules.has(word) && strings.HasPrefix(next, "."):
			return true
		}
		last = word
	}
	return false
}

// powerful reports whether a text has a name that no program may have, wherever that stands.
func powerful(text string) bool {
	other := func(r rune) bool { return r != '_' && (r < '0' || r > '9') && (r|0x20 < 'a' || r|0x20 > 'z') }
	for word := range strings.FieldsFuncSeq(text, other) {
		if denied.has(word) || deniedBare.has(word) || deniedModules.has(word) || deniedPrefix(word) ||
			word == "open" || word == "getattr" || strings.HasPrefix(word, "__") && !plainDunders.has(word) {
			return true
		}
	}
	return codeLike(text)
}
