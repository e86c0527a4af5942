//go:build !browser

package impact

import (
	"strings"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// begin notes a command. It returns its place, or -1 if there are too many. Above maxCommands the whole reading ends,
// because a report without the last commands would be one that hides them: left is below zero, and every later call of
// spend returns false.
func (r *reader) begin(at span, into, after int) int {
	if len(r.report.Commands) >= maxCommands {
		r.unknown(Limit, "", at)
		r.left = -1
		return -1
	}
	r.report.Commands = append(r.report.Commands, Command{Into: into, After: after, Nested: r.outer.end > 0,
		At: at.at, End: at.end})
	return len(r.report.Commands) - 1
}

// call reads a plain command. c is nil for a line that only has redirections, such as "> f". The redirections are read
// first, then the assignments, then the words. POSIX XCU 2.9.1 has another order, but the reports of all of them are
// the same set.
func (r *reader) call(c *shell.CallExpr, redirs []*shell.Redirect, in flow, into, after int) flow {
	at := span{}
	switch {
	case c != nil:
		at = r.span(c)
	case len(redirs) > 0:
		at = r.span(redirs[0])
	}
	for _, d := range redirs {
		if d.Word != nil {
			at = span{min(at.at, r.span(d).at), max(at.end, r.span(d.Word).end)}
		}
	}
	place := r.begin(at, into, after)
	if place < 0 {
		return flow{built: true}
	}
	was := in
	in, outputs := r.redirections(place, redirs, in)
	run := run{reader: r, cmd: place, in: in}
	if c == nil {
		r.writes(outputs, flow{})
		if in == was { // else the output of $(<FILE)
			in = flow{known: true}
		}
		return in
	}
	mark := r.vars.mark()
	for _, a := range c.Assigns {
		r.assign(a, place, len(c.Args) == 0)
	}
	// other is the command with the words that stand for an unset variable: for "${X:-rm} a", words has a hole in the
	// first place, and other is "rm a". Both are read, because the line does not tell whether X is set.
	words, other := make([]Text, 0, len(c.Args)), []Text(nil)
	for i, w := range c.Args {
		list, instead := r.fieldsOr(w, place)
		words = append(words, list...)
		if i == 0 {
			other = instead
		} else if other != nil {
			other = append(other, list...)
		}
	}
	command := &r.report.Commands[place]
	command.Words = words
	run.hijacks(command.Assigns)
	// Before a program, X=1 lasts for that program. Before a special builtin, a POSIX shell keeps the value, and Bash
	// does not. Before a function, shells differ too. The reader takes the value for unknown.
	if len(words) > 0 && (inShell[words[0].Text] || r.funcs[words[0].Text] != nil) {
		for _, a := range c.Assigns { // some shells keep the value
			if a.Name != nil {
				r.vars.set(r, a.Name.Value, value{})
			}
		}
	}
	out := r.unlessFails(redirs, func() flow { return run.words(words) })
	// "exec < f" without a program changes the input of all commands that follow.
	r.fed = r.fed || in != was && len(words) > 0 && words[len(words)-1].Text == "exec"
	if len(words) > 0 && holed(words[0].Text) && len(other) > 0 {
		out = out.and(run.words(other))
	}
	if fallible(redirs) > 0 { // some shells assign all the same
		r.vars.doubt(mark)
	}
	return r.redirected(out, outputs)
}

// inShell are commands of the shell that may read a variable, or keep one, that is set before them.
var inShell = map[string]bool{"eval": true, ".": true, "source": true, ":": true, "export": true, "set": true,
	"unset": true, "shift": true, "exec": true, "trap": true, "return": true, "readonly": true, "times": true,
	"break": true, "continue": true, "exit": true, "command": true, "builtin": true, "cd": true, "pushd": true}

// assign reads NAME=VALUE. It lasts if no command follows.
func (r *reader) assign(a *shell.Assign, place int, lasts bool) {
	// X=a before a program keeps the line plain: the words of the program are still what it gets.
	if a.Value == nil || a.Append || a.Index != nil || a.Naked {
		r.report.Plain = false
	}
	if a.Name == nil {
		r.touch(a.Value)
		return
	}
	name := a.Name.Value
	var v value
	at := r.span(a)
	text := Text{Text: name + "=", At: at.at, End: at.end}
	r.arithm(a.Index)
	switch {
	// The elements may hold commands, as in a=($(rm x)). Their values are not kept, because an array is not followed.
	case a.Array != nil:
		for _, elem := range a.Array.Elems {
			r.arithm(elem.Index)
			r.touch(elem.Value)
		}
		text.Text += string(AnyText)
	case a.Value != nil:
		one := r.one(a.Value, place)
		v = value{text: one.Text, known: !holed(one.Text), glob: one.Glob}
		text.Text += one.Text
		text.Holds = one.Holds
	default:
		v = value{known: !a.Naked}
	}
	// a[1]=b changes one element, and with it what $a is.
	if a.Append || a.Index != nil {
		v = r.vars.added(r, name, v)
		v.known = v.known && a.Index == nil
	}
	if !a.Naked && place >= 0 {
		command := &r.report.Commands[place]
		command.Assigns = append(command.Assigns, text)
	}
	if lasts {
		r.vars.set(r, name, v)
	}
	// The directory of the process stays, so a path behind it belongs to a directory that the reader no longer knows.
	if name == "PWD" { // that is no cd
		r.vars.move(r, value{})
	}
}

// declares reads export, local, declare and their relatives.
func (r *reader) declares(c *shell.DeclClause, into, after int) flow {
	place := r.begin(r.span(c), into, after)
	if place < 0 {
		return flow{}
	}
	at := r.span(c.Variant)
	words := []Text{{Text: c.Variant.Value, At: at.at, End: at.end}}
	prints := true
	for _, a := range c.Args {
		if a.Name == nil { // an option
			options := r.fields(a.Value, place)
			words = append(words, options...)
			for _, w := range options {
				// A second name would make every later value wrong: after "declare -n r=x", r=1 sets x. For export, -n only
				// takes the mark of an export away.
				if strings.HasPrefix(w.Text, "-") {
					if strings.Contains(w.Text, "n") && c.Variant.Value != "export" {
						r.unknown(Option, c.Variant.Value, at)
					}
				} else if r.quoted(c.Variant.Value, words, w, place) {
					prints = false
				}
			}
			continue
		}
		prints = false
		from := len(r.report.Commands[place].Assigns)
		r.assign(a, place, !a.Naked)
		r.declared(c.Variant.Value, words, a.Name.Value, a.Naked)
		if assigned := r.report.Commands[place].Assigns; len(assigned) > from {
			words = append(words, assigned[from])
		} else {
			at := r.span(a)
			words = append(words, Text{Text: a.Name.Value, At: at.at, End: at.end})
		}
	}
	command := &r.report.Commands[place]
	command.Words = words
	run := run{reader: r, cmd: place}
	run.hijacks(command.Assigns)
	command.Assigns = nil
	if prints {
		r.add(Impact{Kind: Reads, Target: "env:*", Open: true, Program: c.Variant.Value, At: at.at, End: at.end})
	}
	return flow{built: true}
}

// quoted reads a word of a declaration whose name or "=" the parser does not see: export "X=a", export "$N=a". It
// returns false if the line does not tell the name.
func (r *reader) quoted(word string, words []Text, w Text, place int) bool {
	name, text, gives := strings.Cut(w.Text, "=")
	name, more := strings.CutSuffix(name, "+")
	if asleep(name) {
		r.unknown(Built, word, span{w.At, w.End})
	}
	if holed(name) { // it may be any variable, also one that names a program
		r.vars.forget()
		if gives {
			r.unknown(Option, word, span{w.At, w.End})
		}
		return false
	}
	if strings.HasPrefix(text, "(") { // an array
		r.wakes(index)
		text = string(AnyText)
	}
	if gives {
		v := value{text, !holed(text), w.Glob}
		if more {
			v = r.vars.added(r, name, v)
		}
		r.vars.set(r, name, v)
		command := &r.report.Commands[place]
		command.Assigns = append(command.Assigns, Text{Text: name + "=" + text, At: w.At, End: w.End, Holds: w.Holds})
	}
	r.declared(word, words, name, !gives)
	return true
}

// declared notes what a declaration says about a variable besides its value.
func (r *reader) declared(word string, options []Text, name string, naked bool) {
	flags := ""
	for _, w := range options {
		if strings.HasPrefix(w.Text, "-") || strings.HasPrefix(w.Text, "+") {
			flags += w.Text
		}
	}
	local := word == "local" || (word == "declare" || word == "typeset") && !strings.Contains(flags, "g")
	if local {
		r.locals = append(r.locals, name)
	}
	if strings.Contains(flags, "i") {
		r.wakes(index)
	}
	// -u, -l and -c change the letters of each value, -i computes it, and -a and -A make it a list.
	if local && naked || strings.ContainsAny(flags, "ulcaAi") {
		r.vars.set(r, name, value{})
	}
	if word == "readonly" || strings.Contains(flags, "r") {
		r.vars.fixed = append(r.vars.fixed, name)
	}
}
