package hooks

import (
	"cmp"
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/pages"
)

var update = flag.Bool("update", false, "write the table of docs/hooks.md")

// gatesTable is the table as the page has it.
func gatesTable() string {
	var b strings.Builder
	b.WriteString("| host | event | somebody there | allow | deny | ask | silence | late | crash | missing | broken |" +
		" seen in |\n")
	b.WriteString("|---|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, g := range Gates() {
		there := "yes"
		if g.Unattended {
			there = "no"
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", g.Host, g.Event, there,
			g.Allow, g.Deny, g.Ask, g.Silence, g.Late, g.Crash, g.Missing, g.Broken,
			cmp.Or(g.Program, "not run here; its pages"))
	}
	b.WriteString("\n| host | modes in which it starts no hook |\n|---|---|\n")
	for _, host := range Hosts() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", host, cmp.Or(strings.Join(Skips(host), "; "), "none is known"))
	}
	return b.String()
}

// TestGatesPage: docs/hooks.md has the table that the code follows.
func TestGatesPage(t *testing.T) {
	pages.Section(t, "../../../docs/hooks.md", "gates", "go test ./engine/wire/hooks -run TestGatesPage -update",
		gatesTable(), *update)
}
