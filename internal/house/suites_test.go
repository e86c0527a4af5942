package house

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/internal/must"
)

// TestSuitesCountEverything runs suites that pass, fail and break off as build.sh runs its own. One that breaks off
// counts as a failure, wherever it stopped.
func TestSuitesCountEverything(t *testing.T) {
	out, problems, err := bash(t, `
good_suite() { passed=3 skipped=1; }
bad_suite() { passed=5 failed=2; }
fails_suite() { fail "there is no compiler"; }
breaks_suite() { false; passed=9; }
suites good bad fails breaks
echo "$passed $failed $skipped"
suites breaks good
`)
	if err != nil || out != "8 4 1\n" {
		t.Errorf("%v: %q, want 8 passed, 4 failed, 1 skipped\n%s", err, out, problems)
	}
	for _, told := range []string{"bad: 2", "fails: 1", "breaks: 1", "fails: build.sh: there is no compiler"} {
		if !strings.Contains(problems, told) {
			t.Errorf("%q is not told:\n%s", told, problems)
		}
	}
}

// TestBuildsStopAtAFailure: nothing is tested when one of the builds fails, also if it was built before.
func TestBuildsStopAtAFailure(t *testing.T) {
	out, problems, err := bash(t, `
good_build() { echo made >made; }
bad_build() { [ ! -e made ]; }
builds bad
echo once
builds good
builds good bad
echo twice
`)
	if err == nil || out != "once\n" || !strings.Contains(problems, "bad is not built") {
		t.Errorf("%v: %q\n%s", err, out, problems)
	}
}

// TestNeedTriesWhatIsThere: a program, a module or a compiler counts as there only if it does what the tests need. The
// compiler of the second call has no headers of its sanitizer.
func TestNeedTriesWhatIsThere(t *testing.T) {
	out, problems, err := bash(t, `
install_packages() { echo "install $*"; }
clang() { cat >/dev/null; }
python3() { [ "$*" = "-c import there" ]; }
need bash=bash clang:-fsanitize=fuzzer,address=libclang python:there=venv
clang() { echo "asan_interface.h: No such file" >&2; return 1; }
need bash=bash nosuch=package clang:-fsanitize=fuzzer,address=libclang python:missing=venv
`)
	if err != nil || out != "install package libclang venv\n" {
		t.Errorf("%v: %q\n%s", err, out, problems)
	}
}

// bash runs a script with the functions of build.sh that it needs, in a directory of its own.
func bash(t *testing.T, script string) (out, problems string, err error) {
	whole := "set -euo pipefail\n"
	for _, name := range []string{"setup.sh", "suites.sh"} {
		whole += must.Text(t, "scripts", name)
	}
	run := exec.Command("bash", "-c", whole+script)
	run.Dir = t.TempDir()
	var told strings.Builder
	run.Stderr = &told
	said, err := run.Output()
	return string(said), told.String(), err
}
