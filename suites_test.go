package elicit_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuitesCountEverything runs suites that pass, fail and break off as build.sh runs its own. One that breaks off
// counts as a failure, wherever it stopped.
func TestSuitesCountEverything(t *testing.T) {
	setup, suites := readScript(t, "setup.sh"), readScript(t, "suites.sh")
	script := "set -euo pipefail\n" + setup + suites + `
good_suite() { passed=3 skipped=1; }
bad_suite() { passed=5 failed=2; }
fails_suite() { fail "there is no compiler"; }
breaks_suite() { false; passed=9; }
suites good bad fails breaks
echo "$passed $failed $skipped"
`
	run := exec.Command("bash", "-c", script)
	run.Dir = t.TempDir()
	var problems strings.Builder
	run.Stderr = &problems
	out, err := run.Output()
	if err != nil || string(out) != "8 4 1\n" {
		t.Errorf("%v: %q, want 8 passed, 4 failed, 1 skipped\n%s", err, out, problems.String())
	}
	for _, name := range []string{"bad: 2", "fails: 1", "breaks: 1", "fails: build.sh: there is no compiler"} {
		if !strings.Contains(problems.String(), name) {
			t.Errorf("%q is not told:\n%s", name, problems.String())
		}
	}
}

func readScript(t *testing.T, name string) string {
	text, err := os.ReadFile(filepath.Join("scripts", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
