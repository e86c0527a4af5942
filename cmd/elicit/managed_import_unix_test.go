//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
)

const requirements = `allowed_sandbox_modes = ["read-only"]
[mcp_servers.ledger]
identity = { url = "https://ledger.example/mcp" }
`

// importer is a machine without a managed policy, and a requirements.toml of its administrator.
type importer struct {
	*machine
	dir, requirements string
}

func newImporter(t *testing.T) *importer {
	t.Helper()
	m := newMachine(t)
	i := &importer{m, filepath.Dir(m.policy), filepath.Join(filepath.Dir(m.program), "requirements.toml")}
	m.write(i.requirements, requirements)
	if err := os.RemoveAll(i.dir); err != nil {
		t.Fatal(err)
	}
	return i
}

// imports runs `elicit policy import` as root, with a mask that hides new files from others.
func (i *importer) imports(args ...string) (out string, code int) {
	i.t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", `umask 077; exec "$@"`, "sh", i.program, "policy", "import"},
		args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + i.home, "CODEX_HOME=" + i.home}
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		i.t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// lies checks the place: the file that is there, "" for none, and that nothing else is.
func (i *importer) lies(what, want string) {
	i.t.Helper()
	text, err := os.ReadFile(i.policy)
	if err != nil && want != "" || !strings.Contains(string(text), want) || want == "" && err == nil {
		i.t.Errorf("%s: the place has %q (%v), want %q", what, text, err, want)
	}
	rest, _ := filepath.Glob(filepath.Join(i.dir, "*"))
	hidden, _ := filepath.Glob(filepath.Join(i.dir, ".*"))
	if rest = append(rest, hidden...); len(rest) > 1 || want == "" && len(rest) > 0 {
		i.t.Errorf("%s: the directory has %q", what, rest)
	}
}

// TestImportWritesTheManagedPolicy: what root writes is in force for every user.
func TestImportWritesTheManagedPolicy(t *testing.T) {
	i := newImporter(t)
	out, code := i.as("", i.home, nil, i.program, "policy", "import", "--requirements", i.requirements, "--managed",
		"--force")
	if code != cli.Failed || !strings.Contains(out, "only an administrator may write "+i.policy) {
		t.Errorf("an ordinary user: exit %d, got %s", code, out)
	}
	i.lies("an ordinary user", "")

	out, code = i.imports("--requirements", i.requirements, "--managed")
	if code != cli.Fine || !strings.Contains(out, "wrote "+i.policy) ||
		!strings.Contains(out, "what runs under the name is not checked") {
		t.Errorf("exit %d, got %s", code, out)
	}
	i.lies("written", "does not list this server")
	for path, want := range map[string]os.FileMode{i.policy: 0o644, i.dir: 0o755} {
		at, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if owner := at.Sys().(*syscall.Stat_t).Uid; at.Mode().Perm() != want || owner != 0 {
			t.Errorf("%s has the mode %v and the owner %d", path, at.Mode(), owner)
		}
	}
	for server, want := range map[string]string{"stranger": "decline\n", "ledger": "accept\n"} {
		out, _ = i.as("", i.home, nil, i.program, "decide",
			`{"kind":"confirm","mode":"form","server":"`+server+`"}`)
		if !strings.HasPrefix(strings.TrimPrefix(out, i.said()), want) {
			t.Errorf("the server %s: got %s", server, out)
		}
	}
	if out, _ = i.as("", i.home, nil, i.program, "doctor"); !strings.Contains(out, "is in force") {
		t.Errorf("doctor: got %s", out)
	}

	i.write(i.requirements, `allowed_approval_policies = ["never"]`)
	out, code = i.imports("--requirements", i.requirements, "--managed")
	if code != cli.Failed || !strings.Contains(out, i.policy+" exists already; overwrite it with --force") {
		t.Errorf("again: exit %d, got %s", code, out)
	}
	i.lies("again", "does not list this server")
	if out, code = i.imports("--requirements", i.requirements, "--managed", "--force"); code != cli.Fine {
		t.Errorf("--force: exit %d, got %s", code, out)
	}
	i.lies("--force", `"approval_policy": "never"`)

	// A link is replaced and not followed.
	if err := errors.Join(os.Remove(i.policy), os.Symlink(i.other, i.policy)); err != nil {
		t.Fatal(err)
	}
	if out, code = i.imports("--requirements", i.requirements, "--managed"); code != cli.Failed {
		t.Errorf("a link: exit %d, got %s", code, out)
	}
	if out, code = i.imports("--requirements", i.requirements, "--managed", "--force"); code != cli.Fine {
		t.Errorf("a link with --force: exit %d, got %s", code, out)
	}
	at, err := os.Lstat(i.policy)
	if kept, _ := os.ReadFile(i.other); err != nil || !at.Mode().IsRegular() || string(kept) != acceptAll {
		t.Errorf("a link with --force: %v, %v, and its target has %q", at, err, kept)
	}

	// A wrong key makes the policy stricter, and it is written.
	i.write(i.requirements, `allowed_approval_policies = ["sometimes"]`)
	if out, code = i.imports("--requirements", i.requirements, "--managed", "--force"); code != cli.Invalid {
		t.Errorf("a wrong key: exit %d, got %s", code, out)
	}
	i.lies("a wrong key", `"unread"`)
}

// TestImportChangesNothing if the policy would not be in force, or the command is wrong.
func TestImportChangesNothing(t *testing.T) {
	i := newImporter(t)
	policies := filepath.Join(filepath.Dir(i.program), "policies")
	config := i.userFile("config.toml", `approval_policy = "never"`)
	i.userFile("user.json", "mine")
	tests := []struct {
		name, want string
		mode       os.FileMode // of the directory; 0 for none
		args       []string
	}{
		{"others may write the directory", "would decline every question", 0o777, []string{"--requirements", i.requirements}},
		{"others may not enter the directory", "other users cannot read", 0o700, []string{"--requirements", i.requirements}},
		{"no requirements", "without a requirements.toml there is no managed policy", 0, []string{"--config", config}},
		{"another file is there", "user.json exists already", 0,
			[]string{"--requirements", i.requirements, "--config", config, "-o", i.home}},
	}
	for _, tt := range tests {
		if err := os.RemoveAll(i.dir); err != nil {
			t.Fatal(err)
		}
		if tt.mode != 0 {
			if err := errors.Join(os.Mkdir(i.dir, 0o755), os.Chmod(i.dir, tt.mode)); err != nil {
				t.Fatal(err)
			}
		}
		out, code := i.imports(append(tt.args, "--managed")...)
		if code != cli.Failed || !strings.Contains(out, tt.want) {
			t.Errorf("%s: exit %d, got %s", tt.name, code, out)
		}
		i.lies(tt.name, "")
	}
	// With -o the user's policy goes into the directory, and the managed one only to the place of the system.
	if err := os.RemoveAll(i.dir); err != nil {
		t.Fatal(err)
	}
	out, code := i.imports("--requirements", i.requirements, "--config", config, "-o", policies, "--managed")
	if code != cli.Fine {
		t.Errorf("with -o: exit %d, got %s", code, out)
	}
	i.lies("with -o", "does not list this server")
	if names, _ := filepath.Glob(filepath.Join(policies, "*")); len(names) != 1 || filepath.Base(names[0]) != "user.json" {
		t.Errorf("with -o: the directory has %q", names)
	}
}
