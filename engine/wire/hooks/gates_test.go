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

// TestGatesOfEvents tells what a caller may do at each event of each host. With C, it can ask in the words of the host.
// With A, it asks a person who is there. With H, a denial holds where nobody is.
func TestGatesOfEvents(t *testing.T) {
	const want = `
claude-code PreToolUse CAH, PermissionRequest C, Elicitation C, ElicitationResult C
codex PreToolUse H, PermissionRequest C
cursor beforeShellExecution CA, beforeMCPExecution CA, preToolUse , beforeReadFile , subagentStart C
copilot preToolUse CAH
vscode PreToolUse CA
gemini BeforeTool AH
qwen PreToolUse CAH, PermissionRequest C
opencode permission.asked C, question.asked C
`
	got := "\n"
	for _, host := range Hosts() {
		for i, event := range Events(host) {
			got += []string{string(host) + " ", ", "}[min(i, 1)] + event + " "
			for i, holds := range []func(Host, string) bool{CanAsk, AsksAttended, HoldsUnattended} {
				if holds(host, event) {
					got += "CAH"[i : i+1]
				}
			}
		}
		got += "\n"
	}
	if got != want {
		t.Errorf("got %s", got)
	}
	for host, want := range map[Host]int{ClaudeCode: 3, Cursor: 1, Copilot: 0, "none": 0} {
		if got := Skips(host); len(got) != want {
			t.Errorf("%s skips %v", host, got)
		}
	}
}
