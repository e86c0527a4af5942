//go:build !browser

package impact

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// maybe reads what may not run. The variables that it changes are unknown afterwards.
func (r *reader) maybe(read func() flow) flow {
	mark, wrote := r.vars.mark(), len(r.wrote)
	out := read()
	r.vars.doubt(mark)
	r.doubt(wrote)
	return out
}

// loop reads what may run again: with what the first round has changed, and with anything in its place. The variable
// over changes by itself.
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

// forgetEqual forgets the commands of a round that are those of the first.
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

func (r *reader) branches(c *shell.IfClause, in flow, into int) (out flow) {
	out = r.list(c.Cond, in, into)
	r.maybe(func() flow { // the condition of elif may not run either
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
		return r.loop(name, func() flow {
			for i := range items {
				r.vars.set(r, name, value{items[i].Text, true, items[i].Glob})
				out = out.and(body())
			}
			return out
		})
	case *shell.CStyleLoop:
		r.arithm(loop.Init)
		r.arithm(loop.Cond)
		r.arithm(loop.Post)
	}
	return r.loop("", body)
}

// unlessFails reads a command that does not run if one of its redirections fails. With two of them, one may change its
// file although the command does not run.
func (r *reader) unlessFails(redirs []*shell.Redirect, read func() flow) flow {
	fails := fallible(redirs)
	if fails == 0 {
		return read()
	}
	out := r.maybe(read)
	if fails > 1 {
		out.text, out.known, out.built = "", false, true
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

// certain are files and descriptors that any command can open.
var certain = map[string]bool{"/dev/null": true, "0": true, "1": true, "2": true, "-": true}
