//go:build !browser

package impact

import (
	"maps"
	"path"
	"slices"
	"strings"
)

// A program in the line (python -c, a here-document, a file that the line has just written) is split into tokens, and
// every name in it is judged wherever it stands, also where it is no call. A name of the language or of its standard
// library must be in the table, with what it does. Code of the project and of other packages may do what a test does:
// its names must not be those of the denied list, and texts for it must not be paths elsewhere, addresses or code.
// Paths, commands and hosts of what has an impact must be told by the program. All else is Unknown.

// coder reads one program. The judgement is one of names and not of values: a name that may do harm makes the program
// Unknown wherever it stands, also in a function that nothing calls. Thus no flow of objects through the program must
// be followed. Three examples:
//
//	import os; os.remove("a")       deletes a
//	f = open; f("a", "w")           is Unknown: open is given away under another name
//	import mypkg; mypkg.run("a")    executes code of the project, and is read otherwise
//
// The flags are collected while the tokens are judged, and reads combines them at the end. Some are harmless alone: a
// program may make texts (builds), and it may give texts to an evaluator of its project (runs), but not both.
type coder struct {
	*run
	word    Text
	file    string // in which it stands, if it stands in one
	t       []token
	names   map[string]string // what an import gives a name: "os.path", or "" for code of the project
	stores  map[string]int    // how often a name gets a value
	given   map[string]int    // how often an import gives it
	changed []string          // names before a dot whose attribute gets a value
	values  map[string]span   // the tokens of the value, for names with one
	project bool              // it uses code of the project
	paths   bool              // it imports pathlib
	logs    bool              // it imports logging, which may read fields in texts
	fields  bool              // it imports dataclasses, which make code of the names of fields
	star    bool              // it takes all names of a module of the project
	builds  bool              // it makes texts of others
	adds    bool              // it adds what may be texts
	roots   bool              // it has the beginning of a path from the root, which is no argument
	runs    bool              // it gives a text that it does not tell to what reads texts as code
	parts   []string          // of the names of modules of the project
	takes   bool              // it takes texts from elsewhere
	decodes bool              // it makes texts of what does not show them
	apart   span              // between these tokens, texts that are made are only printed
	located bool              // it knows where a module lies, and does not only print that
	saves   bool              // it calls what writes a file, by a name of other packages
	cuts    bool              // it takes what is behind the beginning of a text or list
	hides   bool              // it has a text that is a path elsewhere without its beginning
	deep    int               // texts of code within texts
	lost    bool              // something of it cannot be read
}

// These bound the work for a program.
const (
	maxInline  = 4        // programs within texts of programs
	maxProgram = 32 << 10 // bytes
	maxURL     = 1 << 8   // bytes of a URL that matter
)

// python reads a program of Python. It returns false if some of it cannot be read. The program stands in the file w,
// unless it stands in the word itself or comes from the input.
func (c *run) python(w Text, text string) bool {
	p := coder{run: c, word: w}
	if w.Text != text && w.Text != "-" {
		p.file, _ = c.place(w, "")
	}
	return p.reads(text)
}

// It returns false if anything is lost; impacts that were found by then stay in the report. Python decodes a source as
// UTF-8, and only ASCII outside of texts is read, so no other spelling of a name is possible (lexer.python).
func (c *coder) reads(text string) bool {
	// A return ends a comment, too.
	if len(text) > maxProgram || !c.spend(4*len(text)) || strings.IndexByte(text, '\r') >= 0 {
		return false
	}
	l := lexer{text: text, out: make([]token, 0, len(text)/4+8)}
	l.python()
	if l.bad || len(l.open) > 0 {
		return false
	}
	l.put(isEnd, "\n") // of the last statement
	c.t = l.out
	c.names, c.stores, c.values = map[string]string{}, map[string]int{}, map[string]span{}
	c.given = map[string]int{}
	c.collect()
	for name, full := range c.names { // the names of the library must stay what they are
		c.lost = c.lost || full != "" && (c.stores[name] > c.given[name] || slices.Contains(c.changed, name))
		c.paths = c.paths || strings.HasPrefix(full, "pathlib")
		c.logs = c.logs || strings.HasPrefix(full, "logging")
		c.fields = c.fields || strings.HasPrefix(full, "dataclasses")
	}
	for i := 0; i < len(c.t) && !c.lost; {
		i = c.judge(i)
	}
	c.written()
	if c.project {
		c.add(Impact{Kind: Executes, How: Project, Program: c.run.program, At: c.word.At, End: c.word.End})
	}
	c.lost = c.lost || c.located && c.saves || c.cuts && c.hides
	// A text that is made, taken from elsewhere or decoded cannot be looked at. It must not reach what reads it as code
	// or as a path from the root. "print" is the exception that makers and builds already leave out.
	made := c.runs && (c.builds || c.takes) || c.roots && (c.builds || c.adds)
	return !c.lost && !made && !(c.project && c.decodes)
}

// sign reports whether a token is an operator or a bracket.
func (c *coder) sign(i int, text string) bool {
	return c.kind(i) == isSign && c.t[i].text == text
}

func (c *coder) is(i int, name string) bool {
	return c.kind(i) == isName && c.t[i].text == name
}

func (c *coder) kind(i int) byte {
	if i < 0 || i >= len(c.t) {
		return isEnd
	}
	return c.t[i].kind
}

// written reads modules that the line itself has written.
// "echo 'import os; os.remove(\"a\")' > m.py; python3 -c 'import m'" deletes a. A file with the name of a module of the
// library, such as json.py, takes its place in an import, so it is read too or the program is Unknown.
func (c *coder) written() {
	for _, file := range slices.Sorted(maps.Keys(c.files)) {
		name := strings.TrimSuffix(file, "/__init__.py")
		name = strings.TrimSuffix(name[strings.LastIndexByte(name, '/')+1:], ".py")
		held := c.files[file]
		// sitecustomize and usercustomize are imported by Python itself at its start.
		used := slices.Contains(c.parts, name) || c.deep == 0 && strings.HasSuffix(file, ".py") &&
			(held.known && c.project || (held.known || c.beside(file)) && (standardModules.has(name) ||
				outerModules.has(name) || name == "sitecustomize" || name == "usercustomize"))
		if file != c.file && used {
			c.lost = c.lost || !held.known || held.loose || !c.inner(held.text, file)
		}
	}
}

// beside reports whether a module stands where Python looks for one before it looks into its library.
func (c *coder) beside(file string) bool {
	here, _ := c.place(Text{Text: "."}, "")
	dir, main := path.Dir(strings.TrimSuffix(file, "/__init__.py")), path.Dir(c.file)
	return dir == path.Clean(here) || c.file != "" && dir == main
}

// edited is what a file holds that sed has changed, and the line has not written. It returns the words of sed as the
// edit. They are the only new text that the file can have, except parts of itself.
func (c *run) edited(file string, from int, out flow) flow {
	was, written := c.files[file]
	if c.program != "sed" || c.swapped("read") != "edit" || written && was.edited == "" || len(was.edited) > maxValue {
		return out
	}
	for _, at := range c.noted[from:] {
		if in := c.report.Impacts[at]; in.Kind == Reads && in.Target == file {
			out.edited = was.edited
			for _, v := range c.values {
				out.edited += "\n" + v.word.Text
			}
			break
		}
	}
	return out
}
