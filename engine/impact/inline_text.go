//go:build !browser

package impact

import "strings"

// quoted looks at a text that code of the project may get. Neighbouring texts are one text in Python ("a" "b" is "ab"),
// so the first of them is judged with the others behind it. Without code of the project a text does nothing alone: it
// matters only as an argument, which effects reads. A function of the project may do anything with a text, so the text
// must not be a path elsewhere, a host, or code.
func (c *coder) quoted(i int) {
	text := c.t[i].text
	behind := i + 1
	for ; c.kind(i-1) != isText && c.kind(behind) == isText; behind++ {
		text += c.t[behind].text
	}
	c.lost = c.lost || strings.Contains(text, "{") && strings.Contains(text, ".__") || reaches(text) ||
		text == "{" && c.logs || text == "__annotations__" && c.fields
	if !c.project {
		return
	}
	if c.sign(i+1, "{") && c.t[i].text != "" {
		c.makes(i)
	}
	// A text that is cut may become a path elsewhere: "x/etc/passwd"[1:].
	if c.sign(behind, "[") || c.sign(behind, ".") &&
		(!splitters.has(c.t[behind+1].text) || strings.HasSuffix(c.t[behind+1].text, "strip")) { // it is cut
		for at := range len(text) {
			c.lost = c.lost || text[at] == '/' && c.spend(8) && c.outside(text[at:])
		}
	}
	// With t = "x/etc/passwd", t[1:] is one.
	for at := 1; at < len(text) && !c.hides; at++ {
		c.hides = text[at] == '/' && c.spend(8) && c.outside(text[at:])
	}
	// An absolute path as an argument is looked at by outside. The same text beside a "+" is only a beginning, so
	// nobody knows where the whole one leads.
	path := strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~")
	printed := c.printed(i)
	made := c.sign(i-1, "+") || c.sign(i+1, "+") || c.sign(i+1, "%") || c.sign(i+1, ".") && !splitters.has(c.t[i+2].text)
	if path && !printed && (made || strings.ContainsRune(text, AnyText)) {
		c.lost = true
	}
	called := c.kind(i-2) == isName && !words.has(c.t[i-2].text) || c.sign(i-2, ")") || c.sign(i-2, "]")
	argument := c.sign(i-1, "(") && called || c.sign(i-1, ",") ||
		c.sign(i-1, "=") && (c.sign(i-3, "(") || c.sign(i-3, ","))
	c.roots = c.roots || path && !printed && !argument
	// "a/b".split("/") has a slash that is no path.
	if len(text) == 1 && strings.Contains("/~\\", text) && !(c.sign(i-1, "(") && splitters.has(c.t[max(i-2, 0)].text)) {
		c.lost = true // the beginning of a path that is made
	}
	c.lost = c.lost || c.outside(text) || codeLike(text) || strings.Contains(text, "%c") ||
		strings.Contains(text, `\u00`) || strings.Contains(text, `:\/`) || strings.Contains(text, `\x`)
	// Each URL in the text counts as one that the project visits.
	for rest := text; ; {
		at := strings.Index(rest, "://")
		if at < 0 {
			break
		}
		one := rest[at:min(len(rest), at+maxURL)]
		name, _ := cutAny(one[len("://"):], `/?#\`)
		begin, behind := cutAny(name, " \t\n'\"<>,;|()")
		// With "@" behind, the host depends on where the program ends the URL. Of a long one the host may be cut.
		c.lost = c.lost || strings.Contains(behind, "@") || len("://"+name) == maxURL
		if behind != "" {
			one = "://" + begin
		}
		if !reservedHost(hostOf(one)) {
			w := c.word
			w.Text = one
			c.host(Sends, w)
			c.host(Fetches, w)
		}
		rest = rest[at+3:]
	}
}

// cutAny cuts a text at the first of some bytes.
func cutAny(text, bytes string) (before, after string) {
	at := strings.IndexAny(text+bytes[:1], bytes)
	return text[:at], text[at:]
}

// reservedHost reports whether nothing answers at a host, or only this machine. RFC 2606 and RFC 6761 reserve these
// names, so no one answers there. www.w3.org only names namespaces of XML.
func reservedHost(host string) bool {
	for _, name := range [...]string{"example.com", "example.org", "example.net", "example", "test", "invalid",
		"localhost", "www.w3.org", "127.0.0.1"} {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return host == ""
}

// outside reports whether a text has a path elsewhere. rootNames are the names directly below "/" of common systems,
// such as etc. "/api/users" is no path for it, since "api" is not one of them. A path below the directory of the line
// is inside.
func (c *coder) outside(text string) bool {
	between := func(r rune) bool { return strings.ContainsRune(" \t\n'\"=:,;()<>|&/\\", r) }
	for name := range strings.FieldsFuncSeq(text, between) {
		if sensitive.has(name) || name[0] == '~' {
			return true
		}
	}
	if text == ".." || strings.Contains(text, "../") || strings.Contains(text, "~/") ||
		strings.Contains(text, "$") && strings.Contains(text, "HOME") {
		return true
	}
	for i := range len(text) {
		if text[i] != '/' || i > 0 && strings.IndexByte(" \t\n'\"=:,;([{<>|&", text[i-1]) < 0 {
			continue
		}
		first, _, _ := strings.Cut(text[i+1:], "/")
		first, _ = cutAny(first, " \t\n'\"")
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
		// A text may be code for an evaluator of the project. Such code needs a call, an attribute or an import to do
		// harm.
		called := strings.HasPrefix(next, "(")
		switch {
		case strings.HasPrefix(word, "__") && strings.HasSuffix(word, "__") && !plainDunders.has(word):
			return true
		case (called || from > 0 && text[from-1] == '.') && (denied.has(word) || deniedPrefix(word)),
			called && deniedBare.has(word) || called && (word == "open" || word == "getattr" || word == "setattr"):
			return true
		case (last == "import" || last == "from") && (deniedModules.has(word) || outerModules.has(word)):
			return true
		case deniedModules.has(word) && strings.HasPrefix(next, "."), runners.has(word) && strings.HasPrefix(text[i:], "."):
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
