package guardian

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/plugins/guest"
	"github.com/elicit-engine/elicit/plugins/host"
)

// callTable adds up the profiles of many evaluations in one tree of calls. The root is the host, whose fuel is that of
// making the instances.
type callTable struct {
	names map[int]string // of functions by index, empty when the module has no name section
	root  *host.Call
}

// functionCost is the cost of one function over all its callers.
type functionCost struct {
	Index int    `json:"index"`
	Name  string `json:"name,omitempty"` // as the module names it
	Calls int64  `json:"calls"`
	Fuel  int64  `json:"fuel"`  // of its own instructions
	Total int64  `json:"total"` // with the functions that it called
}

func newCallTable(names map[int]string) *callTable {
	return &callTable{names: names, root: &host.Call{Function: -1}}
}

// add adds one profile; nil adds nothing.
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

// name returns a function's name, or its index when the module does not name it.
func (c *callTable) name(index int) string {
	if name := c.names[index]; name != "" {
		return name
	}
	return fmt.Sprint("function ", index)
}

// appendStacks appends a line for every stack that used fuel: its functions from the outermost, with semicolons between
// them, a space, and the fuel of the last. stack is that of call.
func (c *callTable) appendStacks(dst []byte, stack string, call *host.Call) []byte {
	if call.Fuel > 0 {
		dst = fmt.Appendf(dst, "%s %d\n", stack, call.Fuel)
	}
	for _, inner := range call.Calls {
		name := strings.ReplaceAll(cli.Cell(c.name(inner.Function)), ";", ":")
		dst = c.appendStacks(dst, stack+";"+name, inner)
	}
	return dst
}

// costs lists the functions that were called. The function with the most fuel of its own comes first.
func (c *callTable) costs() []functionCost {
	by := map[int]*functionCost{}
	under := map[int]bool{} // the callers of this call; their totals already count it, also when they recurse
	var walk func(call *host.Call)
	walk = func(call *host.Call) {
		f := by[call.Function]
		if f == nil {
			f = &functionCost{Index: call.Function, Name: c.names[call.Function]}
			by[call.Function] = f
		}
		f.Calls += call.Count
		f.Fuel += call.Fuel
		first := !under[call.Function]
		if first {
			f.Total += call.Total()
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
	list := []functionCost{}
	for _, f := range by {
		list = append(list, *f)
	}
	slices.SortFunc(list, func(a, b functionCost) int {
		return cmp.Or(cmp.Compare(b.Fuel, a.Fuel), cmp.Compare(a.Index, b.Index))
	})
	return list
}

// print writes at most `most` functions, those with the most fuel first; 0 means all.
func (c *callTable) print(w io.Writer, most int) {
	list := c.costs()
	whole := max(c.root.Total(), 1)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "FUEL\tOF ALL\tWITH CALLS\tCALLS\tFUNCTION")
	for i, f := range list {
		if most > 0 && i == most {
			break
		}
		fmt.Fprintf(table, "%d\t%.1f%%\t%.1f%%\t%d\t%s\n", f.Fuel, 100*float64(f.Fuel)/float64(whole),
			100*float64(f.Total)/float64(whole), f.Calls, cli.Cell(c.name(f.Index)))
	}
	table.Flush()
	if c.root.Fuel > 0 {
		fmt.Fprintf(w, "Making the instances took %d fuel, %.1f%% of all.\n",
			c.root.Fuel, 100*float64(c.root.Fuel)/float64(whole))
	}
	if more := len(list) - most; most > 0 && more > 0 {
		fmt.Fprintf(w, "and %d more; --all lists them\n", more)
	}
	if len(c.names) == 0 {
		fmt.Fprintln(w, "The module has no names for its functions: its name section was stripped.")
	}
}

// printUncalled prints which functions of the module were never called. For a Go program it counts only the functions
// of package main, because Go's runtime adds thousands.
func (c *callTable) printUncalled(w io.Writer, m *guest.Module) {
	called := map[int]bool{}
	for _, f := range c.costs() {
		called[f.Index] = true
	}
	inMain := func(name string) bool { return strings.HasPrefix(name, "main.") }
	isGo := slices.ContainsFunc(slices.Collect(maps.Values(c.names)), inMain)
	var never []string
	all := 0
	for index := len(m.Imports); index < len(m.Imports)+m.Sizes.Functions; index++ {
		if name := c.name(index); !isGo || inMain(name) {
			if all++; !called[index] {
				never = append(never, cli.Cell(name))
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
