package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// callTable adds up the profiles of evaluations, by function and as one tree.
type callTable struct {
	names map[int]string // of functions, where the compiler left some
	root  *host.Call
}

// functionCost is what one function took, wherever it was called from.
type functionCost struct {
	index       int
	calls       int64
	fuel, total int64 // its own instructions; with what it called
}

func newCallTable(names map[int]string) *callTable {
	return &callTable{names: names, root: &host.Call{Function: -1}}
}

// add takes one more profile, nil for none.
func (c *callTable) add(profile *host.Call) {
	if profile != nil {
		merge(c.root, profile)
	}
}

func merge(into, from *host.Call) {
	into.Count += from.Count
	into.Fuel += from.Fuel
	for _, call := range from.Calls {
		at := slices.IndexFunc(into.Calls, func(c *host.Call) bool { return c.Function == call.Function })
		if at < 0 {
			into.Calls = append(into.Calls, &host.Call{Function: call.Function})
			at = len(into.Calls) - 1
		}
		merge(into.Calls[at], call)
	}
}

// name is what a function is called, its number when nobody says.
func (c *callTable) name(index int) string {
	if name := c.names[index]; name != "" {
		return name
	}
	return fmt.Sprint("function ", index)
}

// costs are the functions that were called, the dearest first.
func (c *callTable) costs() []functionCost {
	by := map[int]*functionCost{}
	under := map[int]bool{} // functions on the way down, whose total already counts what is below
	var walk func(call *host.Call)
	walk = func(call *host.Call) {
		f := by[call.Function]
		if f == nil {
			f = &functionCost{index: call.Function}
			by[call.Function] = f
		}
		f.calls += call.Count
		f.fuel += call.Fuel
		first := !under[call.Function]
		if first {
			f.total += call.Total()
			under[call.Function] = true
		}
		for _, inner := range call.Calls {
			walk(inner)
		}
		if first {
			delete(under, call.Function)
		}
	}
	for _, call := range c.root.Calls {
		walk(call)
	}
	var list []functionCost
	for _, f := range by {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b functionCost) int {
		if a.fuel != b.fuel {
			return int(max(min(b.fuel-a.fuel, 1), -1))
		}
		return a.index - b.index
	})
	return list
}

// tell writes the dearest functions, most of them at most, 0 for all.
func (c *callTable) tell(w io.Writer, most int) {
	list := c.costs()
	whole := max(c.root.Total(), 1)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FUEL\tOF ALL\tWITH CALLS\tCALLS\tFUNCTION")
	for i, f := range list {
		if most > 0 && i == most {
			break
		}
		fmt.Fprintf(table, "%d\t%.1f%%\t%.1f%%\t%d\t%s\n", f.fuel, 100*float64(f.fuel)/float64(whole), 100*float64(f.total)/float64(whole), f.calls, cell(c.name(f.index)))
	}
	table.Flush()
	if c.root.Fuel > 0 {
		fmt.Fprintf(w, "Making the instances took %d fuel, %.1f%% of all.\n", c.root.Fuel, 100*float64(c.root.Fuel)/float64(whole))
	}
	if more := len(list) - most; most > 0 && more > 0 {
		fmt.Fprintf(w, "and %d more; --all lists them\n", more)
	}
	if len(c.names) == 0 {
		fmt.Fprintln(w, "The module has no names for its functions: its name section was stripped.")
	}
}

// tellNever says which functions of the module were never called. Of a Go program only those of its own package count:
// it brings a runtime of thousands.
func (c *callTable) tellNever(w io.Writer, m *guest.Module) {
	called := map[int]bool{}
	for _, f := range c.costs() {
		called[f.index] = true
	}
	own := func(string) bool { return true }
	for _, name := range c.names {
		if strings.HasPrefix(name, "main.") {
			own = func(name string) bool { return strings.HasPrefix(name, "main.") }
			break
		}
	}
	var never []string
	all := 0
	for index := len(m.Imports); index < len(m.Imports)+m.Sizes.Functions; index++ {
		if name := c.name(index); own(name) {
			if all++; !called[index] {
				never = append(never, cell(name))
			}
		}
	}
	fmt.Fprintf(w, "%d of %d functions were called\n", all-len(never), all)
	const most = 40
	if len(never) > 0 {
		fmt.Fprintf(w, "no case calls: %s", strings.Join(never[:min(most, len(never))], ", "))
		if more := len(never) - most; more > 0 {
			fmt.Fprintf(w, " and %d more", more)
		}
		fmt.Fprintln(w)
	}
}

// appendJSON appends [{"index","name"?,"calls","fuel","total"}…], the dearest first.
func (c *callTable) appendJSON(dst []byte) []byte {
	dst = append(dst, '[')
	for i, f := range c.costs() {
		if i > 0 {
			dst = append(dst, ',')
		}
		members := []elicit.Arg{elicit.Num("index", f.index)}
		if name := c.names[f.index]; name != "" {
			members = append(members, elicit.Str("name", name))
		}
		dst = appendObject(dst, append(members, elicit.Num("calls", int(f.calls)), elicit.Num("fuel", int(f.fuel)), elicit.Num("total", int(f.total))))
	}
	return append(dst, ']')
}
