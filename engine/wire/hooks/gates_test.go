package hooks

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of docs/hooks.md")

// The lines around the table of docs/hooks.md.
const (
	page  = "../../../docs/hooks.md"
	start = "<!-- gates: go test ./engine/wire/hooks -run TestGatesPage -update -->\n"
	end   = "<!-- end of gates -->\n"
)

// gatesTable is the table as the page has it.
func gatesTable() string {
	var b strings.Builder
	b.WriteString("\n| host | event | somebody there | allow | deny | ask | silence | late | crash | missing | broken |" +
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
	return b.String() + "\n"
}

// The page has the table that the code follows.
func TestGatesPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := bytes.Cut(text, []byte(start))
	_, after, ends := bytes.Cut(rest, []byte(end))
	if !found || !ends {
		t.Fatalf("%s has no place for the table", page)
	}
	fresh := []byte(string(before) + start + gatesTable() + end + string(after))
	switch {
	case bytes.Equal(text, fresh):
	case *update:
		if err := os.WriteFile(page, fresh, 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s is stale; run go test ./engine/wire/hooks -run TestGatesPage -update", page)
	}
}
