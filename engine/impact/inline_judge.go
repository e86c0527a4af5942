//go:build !browser

package impact

import (
	"slices"
	"strings"
)

// judge looks at one token, and returns the next one to look at. The result is behind i, so the loop ends. A call whose
// arguments matter is judged by its name; its arguments are judged again as tokens, so a harmful name within them is
// found too.
func (c *coder) judge(i int) int {
	switch t := &c.t[i]; t.kind {
	case isText:
		c.quoted(i)
	case isName:
		return c.named(i)
	// "%" behind a text formats, and "+" beside a text joins. A text in brackets, "abc"[0], is cut.
	case isSign:
		if t.text == "%" && c.kind(i-1) == isText || t.text == "+" && (c.kind(i-1) == isText || c.kind(i+1) == isText) {
			c.makes(i)
		}
		if t.text == "[" && c.kind(i-1) == isText { // some of it
			c.makes(i)
		}
		if strings.HasPrefix(t.text, "+") && c.kind(i-1) != isNumber && c.kind(i+1) != isNumber {
			c.adds = c.adds || !c.printed(i)
		}
		if t.text == "[" && (c.kind(i-1) == isName || c.sign(i-1, ")") || c.sign(i-1, "]")) {
			for k := i + 2; k < t.mate && !c.cuts && c.spend(1); k++ {
				c.cuts = c.sign(k, ":")
			}
		}
	}
	return i + 1
}

// makes notes that the program makes a text of others, unless it only prints it.
func (c *coder) makes(i int) { c.builds = c.builds || !c.printed(i) }

// printed reports whether print gets what stands at i, and nothing else does. print("a" + "b") only shows a text. The
// brackets between print and i must belong to plain calls, as in print(str("a" + b)); a call of another function could
// do more with the text than print it.
func (c *coder) printed(i int) bool {
	if i <= c.apart.at || i >= c.apart.end {
		return false
	}
	for k := c.apart.at + 1; k < i; k++ {
		if !c.spend(1) || c.is(k, "for") || c.is(k, "lambda") || c.sign(k, ":=") {
			return false
		}
		if !c.sign(k, "(") && !c.sign(k, "[") {
			continue
		}
		before := c.t[k-1]
		called := before.kind == isName && !words.has(before.text) && !hasWord(plainCalls, before.text) ||
			c.sign(k-1, ")") || c.sign(k-1, "]")
		if mate := c.t[k].mate; mate < i {
			k = mate
		} else if called {
			return false
		}
	}
	return true
}

// plainCalls give their arguments to nobody else: within print they only change how a text is shown.
const plainCalls = "str repr len type int float format join bool list tuple sorted sum min max"

// named judges a name. The longest prefix that the table knows decides: in os.path.join the names os, os.path and
// os.path.join are tried. A name that the program itself has bound does not hide the one of the library: reads has
// refused that before.
func (c *coder) named(i int) int {
	text := c.t[i].text
	c.lost = c.lost || c.fields && c.makesClass(i)
	switch {
	case c.sign(i-1, "."):
		c.attribute(i)
	case words.has(text):
		c.lost = c.lost || text == "import"
	// f(shell=True) names an argument of a call. Its name can be denied as well, such as preexec_fn.
	case c.sign(i+1, "=") && (c.sign(i-1, "(") || c.sign(i-1, ",")):
		if c.denies(text) {
			c.lost = true
		}
	case c.is(i-1, "def") || c.is(i-1, "class"):
	default:
		return c.free(i)
	}
	return i + 1
}

// free judges a name that stands for itself.
func (c *coder) free(i int) int {
	text := c.t[i].text
	full, imported := c.names[text]
	switch {
	// A name of the project may do what the project's tests may do, within the bounds of function own.
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
	spec, end := "", i
	// At most four dots are followed, which is more than names of the table have.
	for next, name := i+1, full; ; next += 2 {
		if what, module := c.does(name); what != "" && !module {
			spec, full, end = what, name, next
		}
		if !c.sign(next, ".") || c.kind(next+1) != isName || next > i+8 {
			break
		}
		name += "." + c.t[next+1].text
	}
	if text == "print" && c.sign(i+1, "(") && !imported && c.stores[text] == 0 && i >= c.apart.end {
		c.apart = span{i + 1, c.t[i+1].mate}
	}
	last := full[strings.LastIndexByte(full, '.')+1:]
	c.located = c.located || locators.has(last) && !c.printed(i)
	c.lost = c.lost || c.fields && hasWord(classMakers, last)
	c.decodes = c.decodes || decoders.has(last) || full == "codecs.decode"
	c.takes = c.takes || full == "sys.argv" || full == "sys.stdin"
	if makers.has(last) {
		c.makes(i)
	}
	// os.getcwd()[0] is "/", the beginning of any path.
	if c.project && full == "os.getcwd" && c.sign(end, "(") && c.sign(end+2, "[") {
		c.lost = true // a path elsewhere
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
func (c *coder) own(i int) (next int) {
	text := c.t[i].text
	c.located = c.located || locators.has(text) && c.sign(i-1, ".") && !c.printed(i)
	c.saves = c.saves || savers.has(text)
	if called := c.sign(i+1, "(") && c.kind(i+2) != isText; called && (text == "bytes" || text == "bytearray") {
		c.makes(i)
		c.decodes = c.decodes || c.sign(i+2, "[")
	}
	switch {
	case !c.project:
	// unittest.main(module=x) runs the module that a text names.
	case text == "main" && c.sign(i+1, "(") && c.t[i+1].mate > i+2 && slices.Contains(c.parts, "unittest"):
		c.runs = true
	case evaluators.has(text):
		c.evaluates(i + 1)
	case text == "chr" || text == "unichr":
		c.lost = true
	}
	return i + 1
}

const classMakers = "ABCMeta EnumMeta EnumType TypedDict __annotations__ metaclass new_class"

// makesClass reports whether a name may make a class of values, or give one other fields. dataclasses makes code of the
// names of fields, so a text in them would run. The name of a type, and a comparison with one, make no class.
func (c *coder) makesClass(i int) bool {
	end := i + 1
	switch c.t[i].text {
	case "type":
		if c.sign(i-1, ".") { // of a field
			return false
		}
		if !c.sign(end, "(") || len(c.args(end)) != 1 {
			return true
		}
		if end = c.t[end].mate + 1; c.printed(i) && c.sign(end, ")") {
			return false
		}
	case "__class__":
	default:
		return hasWord(classMakers, c.t[i].text)
	}
	compares := c.sign(end, "==") || c.sign(end, "!=") || c.is(end, "is") || c.is(end, "in")
	return !compares && !(c.sign(end, ".") && c.is(end+1, "__name__"))
}

// attribute judges a name behind a dot. Behind a dot the object is not known, so the name alone is judged: x.system is
// refused for every x.
func (c *coder) attribute(i int) {
	text := c.t[i].text
	switch {
	case text == "__dict__":
		k := i - 1 // only "NAME in x.__dict__" tells no values
		for c.sign(k, ".") && c.kind(k-1) == isName {
			k -= 2
		}
		told := c.sign(i+1, "[") && c.kind(i+2) == isText && c.t[i+1].mate == i+3 && c.plainName(c.t[i+2].text)
		c.lost = c.lost || !told && !c.only(k+1, i+1)
	// The list has names that lead out of any object, such as __globals__, gi_frame and tb_frame.
	case c.denies(text):
		c.lost = true
	case text == "__file__" && c.sign(i+1, "="): // inspect reads what it names
		c.lost = true
	case c.project && (text == "parents" || text == "anchor" || text == "home") && c.paths:
		c.lost = true
	case text == "format" || text == "format_map":
		c.formats(i)
		c.makes(i)
	case makers.has(text):
		c.makes(i)
	}
	c.decodes = c.decodes || decoders.has(text)
	if role := callRow("." + text); role != "" {
		c.method(i, role)
	} else {
		c.own(i)
	}
}

// formats judges a text with fields, which may reach attributes. "{0.__class__}".format(x) reads attributes by a text,
// so it can reach any object. The fields of f"{x}" are tokens, which are judged one by one.
func (c *coder) formats(i int) {
	if c.kind(i-2) == isText { // quoted judges it
		return
	}
	if text, known := c.before(i - 1); known {
		c.lost = c.lost || reaches(text)
		return
	}
	c.lost = c.lost || c.sign(i+1, "(")
	c.takes, c.runs = true, c.runs || c.builds
}

// reaches reports whether a field of a text reaches an attribute that leads elsewhere.
func reaches(text string) bool {
	for _, field := range strings.Split(text, "{")[1:] {
		field, _, _ = strings.Cut(field, "}")
		if strings.Contains(field, "._") || strings.Contains(field, "[_") || strings.Contains(field, ".f_") {
			return true
		}
	}
	return false
}

// plainName reports whether an attribute may be reached by a text.
func (c *coder) plainName(name string) bool {
	c.located = c.located || locators.has(name)
	c.lost = c.lost || c.fields && name == "__annotations__"
	return !c.denies(name) && callRow("."+name) == "" && !evaluators.has(name) && name != "__dict__"
}

// denies reports whether a name may not stand in a program. Names with two underscores on both sides are refused unless
// the list has them: __name__ and __init__ are harmless, and __globals__, __subclasses__ and the like lead to every
// module.
func (c *coder) denies(name string) bool {
	if strings.HasPrefix(name, "__") && strings.HasSuffix(name, "__") {
		return !plainDunders.has(name)
	}
	return denied.has(name) || deniedModules.has(name) || deniedPrefix(name)
}

// deniedPrefix reports the families os.spawnl, os.popen, subprocess32, asyncio.create_subprocess_shell and the like.
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
		at, module := c.does(home)
		tells := hasWord("__doc__ __file__ __name__ __path__ __version__", name) && c.standard(home)
		if !plainDunders.has(name) || at != "ok" && !module && !tells { // os.system.__call__
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

// evaluates reads a text that code of the project reads as code. An evaluator is a function of a package that reads a
// text as code or as the name of code, as eval of pandas and patch of unittest.mock do. Its first argument must be a
// text that the program tells, and that text is read as a program of its own.
func (c *coder) evaluates(i int) {
	name := c.t[i-1].text
	if c.sign(i, ".") && c.sign(i+2, "(") && (c.is(i+1, "dict") || c.is(i+1, "multiple")) { // of patch
		i += 2
	}
	if !c.sign(i, "(") { // it may get another name
		c.runs = c.runs || !c.sign(i, ".")
		return
	}
	args := c.args(i)
	for _, a := range args[:min(len(args), 1)] {
		switch text, known := c.value(a.from, a.end, 0); {
		case !known:
			c.runs = c.runs || c.kind(a.from) != isNumber || a.end > a.from+1
		case (strings.Contains(name, "import") || name == "load_object" || name == "patch" || name == "dict") &&
			c.standard(text) && moduleRow(strings.Split(text, ".")[0]) == "":
			c.lost = true
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
	p := coder{run: c.run, word: c.word, file: file, deep: c.deep + 1, project: c.project}
	return p.reads(text)
}
