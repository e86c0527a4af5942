//go:build !browser

package impact

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// maybe reads what may not run. The variables that it changes are unknown afterwards.
//
// Files that it writes are doubted too. After "if a; then echo ls > s; fi", s may hold its text from before. Impacts
// are noted as ever, because they say what may happen. Values stay known until read returns: "cd a && rm b" deletes
// a/b, because the second command runs only if the first one did.
func (r *reader) maybe(read func() flow) flow {
	mark, wrote := r.vars.mark(), len(r.wrote)
	out := read()
	r.vars.doubt(mark)
	r.doubt(wrote)
	return out
}

// loop reads what may run again: with what the first round has changed, and with anything in its place. The variable
// over changes by itself. A loop has no count that the reader could know. So the first round sees the values from
// before the loop. If it sets something, a second round sees these values, and a third one sees unknown values in their
// places. Each further round of the shell is covered by the third one, because an unknown value stands for all values.
// For example:
//
//	while :; do $X -rf /; X=rm; done
//
// The first round runs an unknown program, and the second one runs rm. The commands of a round that says nothing new
// are dropped again, so Commands does not grow with the rounds. Impacts are added once anyway.
func (r *reader) loop(over string, read func() flow) flow {
	mark, from, inside, wrote := r.vars.mark(), len(r.report.Commands), r.inside, len(r.wrote)
	out := read()
	if r.vars.changed(mark, over) || inside != r.inside || len(r.wrote) > wrote {
		first := len(r.report.Commands)
		read()
		r.forgetEqual(from, first)
		r.vars.doubt(mark)
		first = len(r.report.Commands)
		read()
		r.forgetEqual(from, first)
	}
	r.vars.doubt(mark)
	r.doubt(wrote)
	out.known = false
	return out
}

// forgetEqual forgets the commands of a round that are those of the first. Only the words are compared, because risk
// and policy look at them. A round with more commands, or with other words, is kept whole. A command that refers to a
// dropped one by After or Into is in the same round, so it is dropped too.
func (r *reader) forgetEqual(from, second int) {
	list := r.report.Commands
	n := len(list) - second
	if n > second-from {
		return
	}
	for i := range n {
		if !slices.EqualFunc(list[from+i].Words, list[second+i].Words, func(a, b Text) bool { return a.Text == b.Text }) {
			return
		}
	}
	r.report.Commands = list[:second]
}

// branches reads if, elif and else. The first condition runs for sure, and all else may run. A branch does not see what
// another branch sets, because the variables of each are unknown behind it (maybe). The output is never known, because
// one of the branches has not run.
func (r *reader) branches(c *shell.IfClause, in flow, into int) (out flow) {
	out = r.list(c.Cond, in, into)
	r.maybe(func() flow { // the condition of elif may not run either
		// The parser holds elif and else as a further clause, and Cond is empty for else. A loop takes the place of a
		// recursion, because a hostile line has thousands of them.
		for ; c != nil; c = c.Else {
			out = out.and(r.maybe(func() flow { return r.list(c.Then, in, into) }))
			if c.Else != nil {
				out = out.and(r.list(c.Else.Cond, in, into))
			}
		}
		return out
	})
	out.known = false
	return out
}

// forLoop reads "for NAME in WORDS", select, and the loop of C. Up to four words that the line tells are read one after
// the other, so that "for d in a b" deletes a and b by name. More words, a hole, or select, where a person chooses,
// make the variable unknown. The bound also limits nested loops, whose inner bodies are read once for each combination.
//
// Without words, the loop runs over the parameters, which the reader does not count as known.
func (r *reader) forLoop(c *shell.ForClause, in flow, into int) flow {
	body := func() flow { return r.list(c.Do, in, into) }
	switch loop := c.Loop.(type) {
	case *shell.WordIter:
		var items []Text
		for _, w := range loop.Items {
			items = append(items, r.fields(w, -1)...)
		}
		known := len(items) > 0 && len(items) <= 4 && !c.Select
		for i := range items {
			known = known && !holed(items[i].Text)
		}
		name, out := loop.Name.Value, flow{}
		if !known {
			r.vars.set(r, name, value{})
			return r.loop(name, body)
		}
		// name may change without a further round: the body runs with each item in every round of this function.
		return r.loop(name, func() flow {
			for i := range items {
				r.vars.set(r, name, value{items[i].Text, true, items[i].Glob})
				out = out.and(body())
			}
			return out
		})
	case *shell.CStyleLoop:
		// The three expressions can hold commands, as in for ((i=$(rm x);;)). The variables that they set become
		// unknown.
		r.arithm(loop.Init)
		r.arithm(loop.Cond)
		r.arithm(loop.Post)
	}
	return r.loop("", body)
}

// unlessFails reads a command that does not run if one of its redirections fails. With two of them, one may change its
// file although the command does not run. For example, no shell runs the braces in "{ X=ls; } < f" if f cannot be
// opened, so X may have its value from before. With "> s < f", a shell has emptied s before it finds that f is missing.
func (r *reader) unlessFails(redirs []*shell.Redirect, read func() flow) flow {
	fails := fallible(redirs)
	if fails == 0 {
		return read()
	}
	out := r.maybe(read)
	if fails > 1 {
		out = out.lost()
	}
	return out
}

// fallible counts the redirections that may fail.
func fallible(redirs []*shell.Redirect) (n int) {
	for _, d := range redirs {
		if d.Hdoc == nil && d.Word != nil && d.Op != shell.WordHdoc && !certain[d.Word.Lit()] {
			n++
		}
	}
	return n
}

// certain are files and descriptors that any command can open. A descriptor of these three could be closed, but then
// the command has no output that a later one could read.
var certain = map[string]bool{"/dev/null": true, "0": true, "1": true, "2": true, "-": true}
