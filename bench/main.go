// Command bench measures the engine and its rivals in one run. It prints every budget and the measured figure.
//
// It is a module of its own, so that users of the engine do not download the rivals. Absolute figures depend on the
// machine and the time of day. Ratios are computed between adjacent batches, and the result is their median over all
// rounds.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
	"unicode/utf8"
)

// batch is the time that one line runs in its turn, and batches the number of its turns in a round.
const (
	batch   = 10 * time.Millisecond
	batches = 15
)

func main() {
	if len(os.Args) == 2 && os.Args[1] == "-serve" {
		serve()
		return
	}
	rounds := flag.Int("rounds", 3, "rounds; the median over them is printed")
	only := flag.String("only", "", "run only the parts whose name contains this: "+strings.Join(partNames(), ", "))
	flag.Parse()
	start := time.Now()
	var contests []*contest
	var rows []row
	for _, p := range parts {
		if !strings.Contains(p.name, *only) {
			continue
		}
		fmt.Fprintf(os.Stderr, "setting up %s\n", p.name)
		c, r := p.open()
		contests, rows = append(contests, c...), append(rows, r...)
	}
	for i := range *rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", i+1, *rounds)
		for _, c := range contests {
			runtime.GC()
			c.round()
		}
	}
	for _, c := range contests {
		if c.close != nil {
			c.close()
		}
	}
	missed := show(rows)
	fmt.Printf("\n%d budgets, %d missed; %d rounds in %s; %s %s/%s\n", len(rows), missed, *rounds,
		time.Since(start).Round(time.Second), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// part is one area of the budgets.
type part struct {
	name string
	open func() ([]*contest, []row)
}

var parts = []part{{"answers", answers}, {"policy", decisions}, {"whole", whole}, {"pending", pendings},
	{"growth", growth}, {"wasm", wasm}, {"interfaces", interfaces}, {"hosts", otherHosts},
	{"guardians", guardians}, {"metering", metering}, {"bounds", bounds}, {"operators", operators}, {"proxy", proxies},
	{"asking", asking}, {"hooks", commandHooks}}

func partNames() (names []string) {
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names
}

// show prints the table for a Markdown page, and counts the missed budgets.
func show(rows []row) (missed int) {
	cells := [][5]string{{"path", "hold", "measured", "", "against"}}
	for _, r := range rows {
		cells = append(cells, r.cells())
		if !r.holds() {
			missed++
		}
	}
	var width [5]int
	for _, c := range cells {
		for i := range c {
			width[i] = max(width[i], utf8.RuneCountInString(c[i]))
		}
	}
	for at, c := range cells {
		for i := range c {
			fmt.Printf("| %s%s ", c[i], strings.Repeat(" ", width[i]-utf8.RuneCountInString(c[i])))
		}
		fmt.Println("|")
		if at == 0 {
			for i := range c {
				fmt.Print("|", strings.Repeat("-", width[i]+2))
			}
			fmt.Println("|")
		}
	}
	return missed
}
