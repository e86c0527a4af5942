//go:build !browser

package impact

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/internal/shell"
)

// maybe reads what may not run. The variables that it changes are unknown afterwards.
func (r *reader) maybe(read func() flow) flow {
	mark := r.vars.mark()
	r.unsure++
	out := read()
	r.unsure--
	r.vars.doubt(mark)
	return out
}

// loop reads what may run again: with what the first round has changed, and with anything in its place. The variable
// over changes by itself.
func (r *reader) loop(over string, read func() flow) flow {
	mark, from, inside := r.vars.mark(), len(r.report.Commands), r.inside
	r.unsure++
	defer func() { r.unsure-- }()
	out := read()
	if r.vars.changed(mark, over) || inside != r.inside {
		first := len(r.report.Commands)
		read()
		r.forgetEqual(from, first)
		r.vars.doubt(mark)
		first = len(r.report.Commands)
		read()
		r.forgetEqual(from, first)
	}
	r.vars.doubt(mark)
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
	for c != nil {
		if out = out.and(r.list(c.Cond, in, into)); out.known {
			out.known = false
		}
		out = out.and(r.maybe(func() flow { return r.list(c.Then, in, into) }))
		c = c.Else
	}
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
