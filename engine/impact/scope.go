//go:build !browser

package impact

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// value is the value of a variable, if the line tells it.
type value struct {
	text  string
	known bool
	glob  bool // a shell has matched it with names of files, or will
}

// known says that text is the whole value. The zero value is a variable that is set, or not, to anything.
// variables are those that the line sets, the last one of a name counts. The list grows by one binding for each
// assignment and never changes a binding in place, except that doubt clears it. So a mark, which is a length, is enough
// to undo a subshell or to doubt a branch. The price is a search from the end, which get pays for from the budget.
type variables struct {
	list  []binding
	outer int      // before this place are those of a shell that started this one; the line may not hand them on
	fixed []string // readonly: another value is an error, or not
}

// binding is one assignment. The value may be cleared later (doubt), and the name never changes.
type binding struct {
	name string
	value
}

// A readonly variable counts as unknown from its second value on. The assignment fails, but what a shell does then
// differs: dash and a POSIX shell end the script, and Bash goes on with the value from before.
func (v *variables) set(r *reader, name string, to value) {
	// A shell sets these by itself at any time, so a value that the line has given says nothing about the next use.
	if kept[name] || !r.spend(8*len(v.fixed)) || slices.Contains(v.fixed, name) {
		to = value{}
	}
	v.put(r, name, to)
}

// kept are variables that the shell itself sets, whatever the line has assigned to them.
var kept = map[string]bool{"PWD": true, "OLDPWD": true, "_": true, "REPLY": true, "OPTARG": true, "OPTIND": true,
	"FUNCNAME": true, "MAPFILE": true, "BASH_REMATCH": true, "BASH_COMMAND": true, "BASH_SOURCE": true, "DIRSTACK": true,
	"PIPESTATUS": true, "RANDOM": true, "SECONDS": true, "LINENO": true, "GROUPS": true, "UID": true, "EUID": true,
	"PPID": true, "BASH_ARGV": true, "BASH_ARGV0": true, "BASH_SUBSHELL": true, "BASHPID": true, "SHELLOPTS": true,
	"BASHOPTS": true, "EPOCHSECONDS": true, "EPOCHREALTIME": true, "SRANDOM": true, "HISTCMD": true}

// put appends a binding without the tests of set. It serves PWD, which only move may set.
func (v *variables) put(r *reader, name string, to value) {
	// "a=$a$a" doubles a value with each step. Beyond the bound the value is unknown, and the line goes on.
	if len(to.text) > maxValue || !r.spend(len(to.text)) {
		to = value{}
	}
	v.list = append(v.list, binding{name, to})
}

// added is the value after NAME+=VALUE. It is known if both parts are.
func (v *variables) added(r *reader, name string, more value) value {
	had, _ := v.get(r, name)
	return value{had.text + more.text, had.known && more.known, had.glob || more.glob}
}

// move sets the directory. OLDPWD is not followed.
func (v *variables) move(r *reader, to value) { v.put(r, "PWD", to) }

// get returns false for a variable that the line does not set. Below outer stand the variables of the shell around
// "sh -c". This one sees a variable only if it was exported, and the reader does not follow exports. So these are set,
// but unknown. PWD is always handed on.
func (v *variables) get(r *reader, name string) (value, bool) {
	r.spend(len(v.list) / 4)
	for i := len(v.list) - 1; i >= 0; i-- {
		if b := &v.list[i]; b.name == name {
			if i < v.outer && name != "PWD" {
				return value{}, true
			}
			return b.value, true
		}
	}
	return value{}, false
}

// mark is the place to which undo and doubt go back. It is valid as long as the list has not become shorter.
func (v *variables) mark() int { return len(v.list) }

// undo forgets what was set since the mark: a subshell did it. No binding from before the mark has changed, unless
// doubt or forget has cleared it. The loss of a value stays, which is safe.
func (v *variables) undo(mark int) { v.list = v.list[:mark] }

// changed reports whether another variable than one was set since the mark.
func (v *variables) changed(mark int, but string) bool {
	return slices.ContainsFunc(v.list[mark:], func(b binding) bool { return b.name != but })
}

// doubt makes unknown what was set since the mark. The names stay in the list, so get returns true and an unknown
// value. That differs from a variable that the line does not set: its default in ${X:-a} may still count, and its name
// may show a secret of the environment.
func (v *variables) doubt(mark int) {
	for i := mark; i < len(v.list); i++ {
		v.list[i].value = value{}
	}
}

// forget makes every variable unknown. That is for ". ./s" and for an assignment whose name has a hole: export "$N=1".
// A variable that the line has not set before can change too; it is unknown anyway.
func (v *variables) forget() { v.doubt(0) }

// A function that is declared twice has two entries in bodies and one in funcs. A function without a call is read at
// the end with unknown parameters, because a trap, an alias or a text that the reader does not see may call it.
type function struct {
	name string
	body *shell.Stmt
	// The body may be read long after its script: its text, and with it outer and shift, must still be the one in which
	// it stands. Otherwise its impacts would point into another text.
	outer  span
	shift  int
	called bool
	active bool
}

// declare keeps the body and reads nothing of it. It is read at each call, with the variables of that call, and at the
// end of the line if there was none.
func (r *reader) declare(c *shell.FuncDecl) {
	names := c.Names
	if c.Name != nil {
		names = append(names, c.Name)
	}
	for _, name := range names {
		if r.funcs == nil {
			r.funcs = map[string]*function{}
		}
		f := &function{name: name.Value, body: c.Body, outer: r.outer, shift: r.shift}
		r.funcs[f.name], r.bodies = f, append(r.bodies, f)
	}
}

// uncalled reads the functions that the line does not call: a trap or another text may.
func (r *reader) uncalled() {
	for i := 0; i < len(r.bodies); i++ {
		r.uncalledOne(r.bodies[i])
	}
}

func (r *reader) uncalledOne(f *function) {
	if !f.called {
		r.maybe(func() flow { return r.invoke(f, nil, flow{built: true}, nowhere, false) })
	}
}

// invoke reads the body of a function. Without known parameters, they may be anything.
func (r *reader) invoke(f *function, params []Text, in flow, into int, known bool) flow {
	f.called = true
	// A recursion ends nowhere for the reader. ":(){ :|:& };:" is the shortest example.
	if f.active { // with other parameters, and again and again
		r.unknown(Limit, f.name, r.outer)
		return flow{built: true}
	}
	// f1 calls f2, f2 calls f3 and so on: without the bound, twenty functions with two calls each are a million bodies.
	if r.nested++; r.nested > maxNested {
		r.nested--
		r.unknown(Limit, f.name, r.outer)
		return flow{built: true}
	}
	mark, wrote := r.vars.mark(), len(r.wrote)
	was, inside, outer, jumped, locals := r.params, r.inside, r.outer, r.jumped, r.locals
	shift := r.shift
	r.shift = f.shift
	r.params, r.inside, r.jumped, r.locals, f.active = params, known, false, nil, true
	// A function of a nested text has the place of the word with that text, wherever it is called.
	if f.outer.end > 0 {
		r.outer = f.outer
	}
	out := r.stmt(f.body, in, into, nowhere)
	// After return, the rest of the body was read but may not have run. For example, "f() { return; X=rm; }" leaves X
	// as it was, so X is unknown behind the call.
	if r.jumped {
		r.vars.doubt(mark)
		r.doubt(wrote)
	}
	for _, name := range r.locals { // it has its value from before again, unless the function set that first
		r.vars.set(r, name, value{})
	}
	r.params, r.inside, r.outer, r.jumped, r.locals, f.active = was, inside, outer, jumped, locals, false
	r.shift = shift
	r.nested--
	return out
}

// child reads what a shell of its own reads. params are its parameters from $0 on, nil if nothing is known of them. In
// "bash -c 'rm $1' x /", params are "x" and "/", so $1 is "/". $0 is dropped: no shell expands $@ to it. With params of
// length 0, $1 may be anything, because the reader does not know the parameters of a script.
func (r *reader) child(params []Text, read func() flow) flow {
	mark, wrote := r.vars.mark(), len(r.wrote)
	was, inside, outer := r.params, r.inside, r.vars.outer
	if r.params, r.inside = nil, len(params) > 0; r.inside {
		r.params = params[1:]
	}
	r.vars.outer = mark
	out := read()
	r.vars.undo(mark)
	r.doubt(wrote) // it may have ended early
	r.params, r.inside, r.vars.outer = was, inside, outer
	return out
}

// holds notes what a file holds from now on. A path with a hole or a pattern may be any file, also one that is kept. It
// is not followed: the impact itself is open, so a rule about it may match.
func (r *reader) holds(path Text, out flow) {
	if holed(path.Text) || path.Glob {
		return
	}
	name, _ := r.place(path, "")
	r.keeps(name, out)
}

// keeps notes what a file holds that has a name of the line. Another text may not have replaced the one before: the
// file may be one that nobody may write.
func (r *reader) keeps(name string, out flow) {
	if r.files == nil {
		r.files = map[string]flow{}
	}
	if had, is := r.files[name]; is && had != out && out.edited == "" {
		out = had.and(out).lost()
	}
	if len(r.files) > maxFields {
		r.unknown(Limit, "", span{0, len(r.line)}) // a file that is executed may be one of those that are not kept
		return
	}
	r.files[name] = out
	r.wrote = append(r.wrote, name)
}

// doubt makes unknown what files hold that were written since a mark.
func (r *reader) doubt(mark int) {
	for i := mark; i < len(r.wrote) && r.spend(1); i++ {
		r.files[r.wrote[i]] = r.files[r.wrote[i]].lost()
	}
}

// races marks the files that one part of a pipe has written since a mark. Another part may read such a file before or
// after. before has the impacts of the parts on the left. One that executes the file may get the new text.
func (r *reader) races(mark int, before []int) {
	for _, name := range r.wrote[mark:] {
		if !r.spend(1 + len(before)) {
			return
		}
		f := r.files[name]
		f.loose = true
		r.files[name] = f
		for _, at := range before {
			if in := r.report.Impacts[at]; in.How == File && in.Target == name { // only what is executed is a file
				if in.How = f.how(); in.How == Code {
					in.How = Built
				}
				r.add(in)
			}
		}
	}
}

// remains notes that a command goes on beside the statements that follow, as in "sh s &". Its impacts begin at first.
// behind has where they begin and end, and how many files were written until then.
func (r *reader) remains(first int) {
	r.behind = append(r.behind, [3]int{first, len(r.noted), len(r.wrote)})
}

// racesBehind marks what was written beside a command that goes on, when all is read: "sh s & echo x > s".
func (r *reader) racesBehind() {
	for _, b := range r.behind {
		r.races(b[2], r.noted[b[0]:b[1]])
	}
}

// settles takes the marks of races away: all parts of the pipe have ended.
func (r *reader) settles(mark int) {
	for i := mark; i < len(r.wrote) && r.spend(1); i++ {
		f := r.files[r.wrote[i]]
		f.loose = false
		r.files[r.wrote[i]] = f
	}
}

// link is a link that the line makes. Links on the disk are for the host. These are links of the line itself, which no
// host can resolve before it runs: "ln -s / r; rm -rf r/etc" deletes /etc.
type link struct {
	name, to string
	inside   string // the name of the link in it, if it may be a directory
}

// linked notes the links that ln makes. Whether the last operand is a directory is not known. So "ln -s a b" makes both
// links, b and b/a, and each path that begins with one of them is followed. A link that cannot be named, or one too
// many, makes the line Unknown, because any later path may go through it.
func (c *run) linked() {
	var from []Text
	to, directory := Text{Text: "."}, false
	for _, v := range c.values {
		switch v.orElse(c.swapped(v.role)) {
		case "read":
			from = append(from, v.word)
		case "write":
			to, directory = v.word, v.option
		}
	}
	// "ln -s a" makes a link with the name of a in the directory.
	if len(from) == 0 {
		from, to = []Text{to}, Text{Text: "."}
	}
	name, _ := c.place(to, c.base)
	dir, _ := c.place(Text{Text: "."}, c.base)
	directory = directory || len(from) > 1 || strings.HasSuffix(to.Text, "/")
	for _, f := range from {
		if len(c.links) >= maxFields || holed(name) {
			c.unknown(Limit, c.program, span{f.At, f.End})
			return
		}
		// A link cannot have the name of the directory itself or of one above it, because that is there already.
		inside := path.Base(f.Text)
		if !directory && name != "." && !strings.HasPrefix(dir+"/", name+"/") {
			c.links = append(c.links, link{name, placed(shown(f.Text), path.Dir(name)), inside})
		}
		c.links = append(c.links, link{name + "/" + inside, placed(shown(f.Text), name), ""})
	}
}

// followed is a clean path, with the links of the line replaced by what they lead to before ".." is. The kernel
// resolves a link before it applies "..": with a link r to /a/b, "r/.." is /a and not the directory of r. Each
// segment is therefore placed alone. left bounds links that lead to each other, as the limit of 40 does in Linux.
func (r *reader) followed(text, dir string) string {
	if !r.spend(len(text) * len(r.links) / 16) {
		return ""
	}
	at, left := placed(".", dir), 32
	// An absolute path begins at its own root, and not in dir.
	if text[0] == '/' || text[0] == '~' || text[0] == '*' || Drive(text) {
		at = placed(text[:indexOr(text, '/')], "")
		text = text[indexOr(text, '/'):]
		at = cmp.Or(at, "/")
	}
	segments := strings.FieldsFunc(text, func(b rune) bool { return b == '/' })
	for n, segment := range segments {
		at = placed(segment, at)
		for i := len(r.links) - 1; i >= 0 && left > 0; i-- {
			l := r.links[i]
			if l.name != at && l.name != "./"+at {
				continue
			}
			if at, i = l.to, len(r.links); n+1 < len(segments) && segments[n+1] == l.inside {
				at = "*" // it may be the link, or the directory with the link
			}
			left--
		}
	}
	return at
}

// indexOr is the place of a byte, or the length.
func indexOr(s string, b byte) int {
	if i := strings.IndexByte(s, b); i >= 0 {
		return i
	}
	return len(s)
}
