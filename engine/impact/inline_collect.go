//go:build !browser

package impact

import (
	"slices"
	"strings"
)

// collect notes what the program imports, and which names get values. Names in functions count as those outside.
// collect goes over all tokens before one of them is judged, because a name can get its value below its use: a function
// above may use what is bound later.
func (c *coder) collect() {
	head, depth, from := 0, 0, 0
	for i := range c.t {
		switch t := &c.t[i]; {
		case t.kind == isName:
			c.binds(i)
		case t.kind == isSign && strings.Contains("([{", t.text):
			depth++
		case t.kind == isSign && strings.Contains(")]}", t.text):
			depth--
		case depth > 0:
		case t.kind == isEnd, t.text == ";", t.text == ":" && t.kind == isSign && c.blocks(head, i):
			c.statement(from, i)
			from, head = i+1, i+1
		}
	}
}

// blockWords may begin a statement whose colon begins a block, so the statement ends at that colon.
const blockWords = "if elif else for while try except finally with def class async match case"

// blocks reports whether the colon at i begins a block. match and case may be names, too.
func (c *coder) blocks(head, i int) bool {
	return hasWord(blockWords, c.t[head].text) && (i > head+1 || !c.is(head, "match") && !c.is(head, "case"))
}

// binds notes the names that get a value at a word. Each syntax of Python that binds a name stands here: for, lambda,
// as, def, class, case and ":=". Assignments and imports are statements, which statement reads. A name that is bound
// twice has no known value (stores above 1).
func (c *coder) binds(i int) {
	switch c.t[i].text {
	case "for":
		for k := i + 1; !c.is(k, "in") && c.kind(k) != isEnd && !c.lost; k++ {
			c.store(k)
		}
	case "lambda":
		c.storeHead(i + 1)
	// "with TemporaryDirectory() as d" gives d the value of the call, which is a path among the temporary files.
	case "as":
		c.lost = c.lost || c.sign(i+2, ".") // a value of another one
		c.storeAll(i + 1)
		if k := i + 2; c.kind(i+1) == isName { // a directory for temporary files
			if c.sign(i-1, ")") && c.is(c.t[i-1].mate-1, "TemporaryDirectory") {
				open := c.t[i-1].mate - 1
				for ; c.sign(open-1, ".") && c.kind(open-2) == isName; open -= 2 {
				}
				if !c.sign(open-1, ".") { // else a method of any object
					c.values[c.t[k-1].text] = span{open, i}
				}
			}
		}
	// The names of parameters count as names with a value, so a default does not make them known.
	case "def":
		c.store(i + 1)
		k := i + 2
		if c.sign(k, "[") { // its types
			k = c.t[k].mate + 1
		}
		c.storeAll(k)
	case "class":
		c.store(i + 1)
	case "case":
		c.storeHead(i + 1)
	}
	if c.sign(i+1, ":=") {
		c.store(i)
	}
}

// For an attribute, as in "os.path = x", the first name counts as changed: the library must stay what the table says.
// The streams of sys and sys.argv may be replaced, since tests do that and nothing trusts them.
func (c *coder) store(i int) {
	c.lost = c.lost || !c.spend(2)
	if c.kind(i) != isName {
		return
	}
	if !c.sign(i-1, ".") {
		c.stores[c.t[i].text]++
		return
	}
	c.lost = c.lost || c.sign(i+1, "[") && hasWord("environ modules path", c.t[i].text)
	first := i
	for c.sign(first-1, ".") && c.kind(first-2) == isName && c.spend(2) {
		first -= 2
	}
	name := c.t[first].text
	stream := c.is(i, "stdout") || c.is(i, "stderr") || c.is(i, "stdin") || c.is(i, "argv")
	if stream || c.sign(i+1, "(") || c.sign(i+1, "[") || c.sign(i+1, ".") || slices.Contains(c.changed, name) {
		return
	}
	c.changed = append(c.changed, name)
	c.lost = c.lost || len(c.changed) > maxFields
}

// storeHead stores all names before a colon. One in brackets does not end them, as in case {"a": p}.
func (c *coder) storeHead(i int) {
	inside := i - 1
	for ; c.kind(i) != isEnd && (i <= inside || !c.sign(i, ":")) && !c.lost; i++ {
		inside = max(inside, c.t[i].mate)
		c.store(i)
	}
}

// storeAll stores a name, or all in brackets.
func (c *coder) storeAll(i int) {
	end := i
	if c.sign(i, "(") || c.sign(i, "[") {
		end = c.t[i].mate
	}
	for ; i <= end && !c.lost; i++ {
		c.store(i)
	}
}

// statement notes what one does: it imports, or gives names values.
func (c *coder) statement(from, end int) {
	switch {
	case c.is(from, "import") || c.is(from, "from"):
		c.imports(from, end)
		return
	case c.kind(from) == isName && c.sign(from+1, "="):
		c.values[c.t[from].text] = span{from + 2, end}
	}
	last := -1
	for i := from; i < end; i++ {
		if c.t[i].kind != isSign {
			continue
		}
		switch text := c.t[i].text; text {
		case "(", "[", "{":
			i = c.t[i].mate
		case "==", "!=", "<=", ">=":
		default:
			shift := (text == "<" || text == ">") && (c.sign(i+1, "<=") || c.sign(i+1, ">="))
			if text == "=" || len(text) == 2 || shift || text == ":" { // x += y, x >>= y, x: int = y
				last = i
			}
		}
	}
	for i := from; i < last; i++ {
		plain := c.sign(i+1, "[") && c.t[i+1].mate == last-1 && c.sign(last, "=") // effects looks at it
		if !c.sign(i+1, ".") && !c.sign(i+1, "(") && !plain {
			c.store(i)
		}
	}
}

// imports reads one statement, and takes its tokens away. The tokens become isDone, so that judge does not take the
// names of modules for uses. An import that cannot be read, as "from a import" without a name, loses the program.
func (c *coder) imports(from, end int) {
	i, module := from+1, ""
	dotted := func() (name string) {
		for ; i < end && (c.kind(i) == isName && !c.is(i, "import") && !c.is(i, "as") || c.sign(i, ".")); i++ {
			name += c.t[i].text
		}
		return name
	}
	give := func(name, what string) {
		// try: import a except: import b as a. The name may be either, so both must be harmless, and nothing is known
		// of it.
		if had, is := c.names[name]; is && had != what { // an import instead of another that fails
			c.lost = c.lost || !c.plain(had) || !c.plain(what)
			what = ""
		}
		c.given[name]++
		if len(c.names) < 1<<10 {
			c.names[name] = what
		} else {
			c.lost = true
		}
	}
	one := c.is(from, "import")
	if !one {
		module = dotted()
		if !c.is(i, "import") {
			c.lost = true
		}
		i++
		if c.sign(i, "(") {
			end = min(end, c.t[i].mate)
			i++
		}
	}
	for i < end && !c.lost {
		if !one && c.sign(i, "*") {
			c.starred(module)
			i++
		} else {
			name := dotted()
			c.lost = c.lost || name == ""
			as := name
			if c.is(i, "as") { // binds has counted it
				as = c.t[min(i+1, len(c.t)-1)].text
				i += 2
			} else {
				if one {
					// "import os.path" gives the name os.
					as, _, _ = strings.Cut(name, ".")
				}
				c.stores[as]++
			}
			what := c.imported(module, name)
			c.runs = c.runs || as != name && evaluators.has(name)
			if one && what != "" && !strings.Contains(as, ".") && strings.HasPrefix(name, as+".") {
				what = as // import a.b gives a
			}
			give(as, what)
		}
		for c.sign(i, ",") || c.kind(i) == isEnd && i < end {
			i++
		}
		if i < end && c.kind(i) != isName {
			c.lost = true
		}
	}
	for k := from; k < i && k < len(c.t); k++ {
		c.t[k].kind = isDone
	}
}

// imported is what a module, or a name of it, is in the table: "" for code of the project. full is a name of the table,
// such as "os.path.join". Code of the project has "", and its parts are kept: written looks whether the line has made a
// module of that name. A denied name loses the program, because "from mypkg import system" may hand on that of os.
func (c *coder) imported(module, name string) string {
	full := name
	if module != "" {
		full = module + "." + name
	}
	if strings.HasPrefix(module, ".") || !c.standard(full) {
		c.project = true
		for part := range strings.SplitSeq(full, ".") {
			if part != "" && c.denies(part) {
				c.lost = true
			}
			c.parts = append(c.parts, part)
		}
		c.lost = c.lost || module != "" && deniedBare.has(name) || callRow("builtins."+name) != "" && module != ""
		return ""
	}
	if module == "" {
		top, _, _ := strings.Cut(full, ".")
		c.lost = c.lost || moduleRow(full) == "" && !outerModules.has(top)
	} else if what, _ := c.does(full); what == "" {
		c.lost = true
	}
	return full
}

// plain reports whether an imported name does nothing that matters, or is of the project.
func (c *coder) plain(full string) bool {
	what, _ := c.does(full)
	return full == "" || what == "ok"
}

// standard reports whether a module is one of the language, or one of others that reaches beyond the project. A few of
// the language call what texts name, and count as code of the project.
func (c *coder) standard(full string) bool {
	top, _, _ := strings.Cut(full, ".")
	return moduleRow(top) != "project" && (standardModules.has(top) || outerModules.has(top) || moduleRow(top) != "" ||
		strings.HasPrefix(top, "_") && top != "_pytest")
}

// "from os import *" would bind names that no list here has. Only a module whose row is "*", all of it harmless,
// passes.
func (c *coder) starred(module string) {
	c.fields = c.fields || module == "dataclasses"
	switch {
	case strings.HasPrefix(module, ".") || !c.standard(module):
		c.imported("", module)
		c.star = true
	case moduleRow(module) != "*":
		c.lost = true
	}
}
