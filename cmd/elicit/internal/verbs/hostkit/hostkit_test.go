package hostkit

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/internal/hostscript"
)

func run(args ...string) (string, error) {
	cmd, out := NewCommand(), new(bytes.Buffer)
	cmd.SetOut(out)
	cmd.SetErr(out)
	cmd.SetArgs(args)
	err := cmd.Execute()
	return out.String(), err
}

// TestScenarios: each scenario has a name and a sentence, and no two have the same name.
func TestScenarios(t *testing.T) {
	out, err := run("--list")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil || len(lines) < 80 {
		t.Fatalf("%d scenarios: %v", len(lines), err)
	}
	seen := map[string]bool{}
	for _, s := range hostscript.Scenarios() {
		if seen[s.Name] || s.About == "" || len(s.Steps) < 2 {
			t.Errorf("%q is there twice, says nothing or does nothing", s.Name)
		}
		seen[s.Name] = true
	}
	if out, err = run("--list", "--only", "lone-surrogates"); err != nil || strings.Count(out, "\n") != 1 {
		t.Errorf("%v: %s", err, out)
	}
}

// TestNoHost: a program that does not speak like a host, or that there is none, is named.
func TestNoHost(t *testing.T) {
	for _, args := range [][]string{{}, {"--exec", "cat"}, {"--exec", "/nowhere/host"},
		{"--only", "none", "--exec", "cat"}} {
		if out, err := run(args...); err == nil {
			t.Errorf("%q passed: %s", args, out)
		}
	}
}

// TestStuckHost: a program that never answers is ended, also if it leaves a child, and the scenario is named.
func TestStuckHost(t *testing.T) {
	scripts := hostscript.Scenarios()
	pid := filepath.Join(t.TempDir(), "pid")
	child := "sleep 300 2>/dev/null & echo $! >" + pid + "; "
	t.Cleanup(func() { _ = exec.Command("sh", "-c", "kill $(cat "+pid+")").Run() })
	for _, program := range []string{"exec cat >/dev/null", child + "exec cat >/dev/null"} {
		_, err := hostscript.Certify(scripts, []string{"sh", "-c", program}, 100*time.Millisecond)
		if err == nil || !strings.Contains(err.Error(), scripts[0].Name) {
			t.Errorf("%s: %v", program, err)
		}
	}
}

// TestTell: a mistake gives the exit code 3, and no badge.
func TestTell(t *testing.T) {
	good := hostscript.Report{Host: "h", Scripts: 2, Passed: 2, Failed: []string{}}
	bad := hostscript.Report{Host: "h", Scripts: 2, Passed: 1, Failed: []string{"x"}}
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		if err := tell(&out, good, asJSON, true); err != nil || !strings.Contains(out.String(), "2") {
			t.Errorf("%v: %s", err, out.String())
		}
		out.Reset()
		if err := tell(&out, bad, asJSON, true); err == nil || strings.Contains(out.String(), "github.com") {
			t.Errorf("%v: %s", err, out.String())
		}
	}
}
