package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestTourCanBePasted runs the commands of "A tour" in docs/reference/command.md as a reader would, in an empty
// directory.
func TestTourCanBePasted(t *testing.T) {
	_, section, _ := strings.Cut(must.Text(t, "../../docs/reference/command.md"), "\n## A tour\n")
	_, block, _ := strings.Cut(section, "\n```sh\n")
	block, _, ok := strings.Cut(block, "\n```\n")
	if !ok || strings.Count(block, "\nelicit ") < 10 {
		t.Fatalf("docs/reference/command.md has no block of commands below A tour:\n%s", block)
	}
	shell := exec.Command("sh", "-e")
	shell.Dir, shell.Stdin = t.TempDir(), strings.NewReader(block)
	out, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{`{"region":"eu"}`, "untitled_choices", "11 passed, 0 failed", "> user rule no-secrets",
		"“Where to?”  a file of prepared answers decided", "5 records, identical", "0 would differ",
		"my-rules is a guardian"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the commands do not print %q:\n%s", want, out)
		}
	}
}
