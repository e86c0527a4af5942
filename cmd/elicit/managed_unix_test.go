//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/internal/must"
)

const ordinary = 65534 // the user nobody

// machine is a machine with an administrator, root, and one ordinary user. The linker sets the place of the managed
// policy, so the test does not touch the files of this system.
type machine struct {
	t                        *testing.T
	program, policy, home    string
	hook, accept, other, yes string // files of the user
}

const (
	managedRules = `{"version":1,"approval_policy":"on-request","rules":[{"name":"no-push",` +
		`"when":{"command":"git push*"},"then":"decline",` +
		`"why":"pushes go through review"},{"name":"no-push-asked","when":{"message":"*push*"},` +
		`"then":"decline"}]}`
	hookOfPush = `{"hook_event_name":"PreToolUse","session_id":"s","cwd":"/","transcript_path":"/t","tool_name":"Bash",` +
		`"tool_input":{"command":"git push"}}`
	acceptAll = `{"version":1,"approval_policy":"never","access":"full","rules":[{"when":{},"then":"accept"}]}`
)

// managedPlace is where a program that newMachine built looks for the managed policy.
func managedPlace(program string) string {
	return filepath.Join(filepath.Dir(program), "machine", "etc", "managed.json")
}

func newMachine(t *testing.T) *machine {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root, which makes the files of an administrator and runs programs as another user")
	}
	program := programtest.Shared(t, "elicit-of-a-machine", func(path string) error {
		build := exec.Command("go", "build", "-ldflags", "-s -w -X "+
			"github.com/elicit-engine/elicit/internal/managed.place="+managedPlace(path), "-o", path, ".")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		return nil
	})
	policy := managedPlace(program)
	dir := filepath.Dir(filepath.Dir(policy))
	t.Cleanup(func() { os.RemoveAll(dir) })
	m := &machine{t: t, program: program, home: filepath.Join(dir, "home"), policy: policy}
	for _, name := range []string{dir, filepath.Dir(m.policy), m.home} {
		must.OK(t, errors.Join(os.MkdirAll(name, 0o755), os.Chmod(name, 0o755)))
	}
	m.write(m.policy, managedRules)
	m.hook, m.accept = m.userFile("hook.json", hookOfPush), m.userFile(".config/elicit/policy.json", acceptAll)
	m.other = m.userFile("managed.json", acceptAll)
	m.yes = m.userFile("yes.json", `[{"answer":{"action":"accept","content":{}}}]`)
	return m
}

func (m *machine) write(path, text string) {
	m.t.Helper()
	os.Remove(path)
	must.OK(m.t, errors.Join(os.WriteFile(path, []byte(text), 0o644), os.Chmod(path, 0o644)))
}

// userFile makes a file of the ordinary user, with its directories.
func (m *machine) userFile(name, text string) string {
	m.t.Helper()
	path := filepath.Join(m.home, name)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		must.OK(m.t, errors.Join(os.MkdirAll(dir, 0o755), os.Chown(dir, ordinary, ordinary)))
		if dir == m.home {
			break
		}
	}
	m.write(path, text)
	must.OK(m.t, errors.Join(os.Chown(path, ordinary, ordinary), os.Chmod(path, 0o600)))
	return path
}

// as runs a command line as the ordinary user. The result is all that it printed, and its exit code.
func (m *machine) as(stdin, dir string, env []string, command ...string) (out string, code int) {
	m.t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: ordinary, Gid: ordinary}, Setsid: true}
	cmd.Env, cmd.Dir = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + m.home}, env...), dir
	in, err := cmd.StdinPipe()
	must.OK(m.t, err)
	var both bytes.Buffer
	cmd.Stdout, cmd.Stderr = &both, &both
	if err := cmd.Start(); err != nil {
		m.t.Fatalf("%v: %v", command, err)
	}
	_, _ = io.WriteString(in, stdin) // a program that does not read its input may be gone
	if command[1] != "proxy" {       // a client stays until its server ends
		in.Close()
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		m.t.Fatalf("%v: %v", command, err)
	}
	return both.String(), cmd.ProcessState.ExitCode()
}

// TestNoUserLeavesTheManagedPolicyOut: an ordinary user starts each command in many ways, and the rule of the
// administrator decides in each.
func TestNoUserLeavesTheManagedPolicyOut(t *testing.T) {
	m := newMachine(t)
	link := filepath.Join(m.home, "link.json")
	copied, linked := filepath.Join(m.home, "copied"), filepath.Join(m.home, "linked")
	program, err := os.ReadFile(m.program)
	if err := errors.Join(err, os.Symlink(m.policy, link), os.Symlink(m.program, linked),
		os.WriteFile(copied, program, 0o755)); err != nil {
		t.Fatal(err)
	}
	broken := m.userFile("broken.json", `{"version":1,"rules":[`)
	m.userFile("elicit/managed.json", acceptAll)
	m.userFile("etc/elicit/managed.json", acceptAll)
	m.userFile("Elicit/managed.json", acceptAll)
	ways := []struct {
		name  string
		flags []string
		env   []string
	}{
		{"no flag", nil, nil},
		{"another HOME", nil, []string{"HOME=/"}},
		{"an empty HOME", nil, []string{"HOME="}},
		{"another XDG_CONFIG_HOME", nil, []string{"XDG_CONFIG_HOME=" + m.home}},
		{"another XDG_CONFIG_DIRS", nil, []string{"XDG_CONFIG_DIRS=" + m.home, "XDG_STATE_HOME=" + m.home}},
		{"variables of ours that do not exist", nil, []string{"ELICIT_MANAGED=" + m.other, "ELICIT_MANAGED_POLICY=none",
			"ELICIT_POLICY=none", "ELICIT_CONFIG=" + m.home, "ELICIT_HOME=" + m.home, "ELICIT_ETC=" + m.home}},
		{"variables of Windows", nil, []string{"ProgramData=" + m.home, "ALLUSERSPROFILE=" + m.home}},
		{"--policy none", []string{"--policy", "none"}, nil},
		{"--user none", []string{"--user", "none"}, nil},
		{"--policy that accepts", []string{"--policy", m.accept}, nil},
		{"--project that accepts", []string{"--project", m.accept}, nil},
		{"--session that accepts", []string{"--session", m.accept}, nil},
		{"--managed that accepts", []string{"--managed", m.other}, nil},
		{"--managed none", []string{"--managed", "none"}, nil},
		{"--managed empty", []string{"--managed", ""}, nil},
		{"--managed /dev/null", []string{"--managed", "/dev/null"}, nil},
		{"--managed, a link to the managed policy", []string{"--managed", link}, nil},
		{"a policy that is broken", []string{"--policy", broken}, nil},
		{"a policy that is missing", []string{"--policy", m.home + "/missing.json"}, nil},
		{"a relative policy", []string{"--policy", ".config/elicit/policy.json"}, nil},
	}
	declined := 0
	for _, way := range ways {
		for _, program := range []string{m.program, copied, linked} {
			out, code := m.as(hookOfPush, m.home, way.env, append(append([]string{program, "hook", "--ui", "host",
				"--on-failure", "ask"}, way.flags...), "claude-code")...)
			if code != cli.Invalid && !strings.Contains(out, `"permissionDecision":"deny"`) {
				t.Errorf("hook, %s: exit %d, got %s", way.name, code, out)
			}
		}
		out, code := m.as("", m.home, way.env, append([]string{m.program, "ask", "--message", "Please push", "--answers",
			m.yes, "--json"}, way.flags...)...)
		if code == cli.Fine || gjson.Get(out, "outcome").Str == "accept" {
			t.Errorf("ask, %s: exit %d, got %s", way.name, code, out)
		}
		out, code = m.as("", m.home, way.env, append([]string{m.program, "decide",
			`{"kind":"confirm","mode":"form","message":"push"}`}, way.flags...)...)
		if code == cli.Fine && !strings.HasPrefix(strings.TrimPrefix(out, m.said()), "decline\n") {
			t.Errorf("decide, %s: exit %d, got %s", way.name, code, out)
		}
		switch got := m.proxied(way.env, way.flags...); {
		case got == "decline":
			declined++
		case got != "": // else the proxy did not start
			t.Errorf("proxy, %s: the server got %s", way.name, got)
		}
	}
	if declined < 10 {
		t.Errorf("only %d of %d proxies started", declined, len(ways))
	}
	hook := []string{m.program, "hook", "--ui", "host", "claude-code"}
	for _, around := range [][]string{{"sh", "-c", `ulimit -n 6; exec "$@"`, "sh"}, {"unshare", "-Ur"},
		{"sh", "-c", `ulimit -f 0; exec "$@"`, "sh"}, {"nohup"}, {"env", "-i"}} {
		if out, code := m.as("", m.home, nil, append(around, "true")...); code != cli.Fine {
			t.Logf("not tried: %v: %s", around, out)
			continue
		}
		out, code := m.as(hookOfPush, m.home, nil, append(around, hook...)...)
		if code != cli.Invalid && !strings.Contains(out, `"permissionDecision":"deny"`) {
			t.Errorf("%v: exit %d, got %s", around, code, out)
		}
	}
	out, _ := m.as("", m.home, nil, m.program, "log", "--verify")
	if !strings.Contains(out, "the managed policy is that of "+m.policy) {
		t.Errorf("the log does not say where the managed policy is: %s", out)
	}
	// Without the administrator's file the policy of the user accepts, so the test can fail.
	must.OK(t, os.Remove(m.policy))
	if got := m.proxied(nil); got != "accept" {
		t.Errorf("without a managed policy the server got %q", got)
	}
}

// said is what `elicit decide` says on standard error first.
func (m *machine) said() string {
	return fmt.Sprintf("with the managed policy of this machine, %s\n", m.policy)
}

// proxied is the answer of a proxy, whose person says yes to everything, to a server that asks whether to push. It is
// "" if the proxy does not start.
func (m *machine) proxied(env []string, flags ...string) string {
	m.t.Helper()
	got := filepath.Join(m.home, "got")
	os.Remove(got)
	server := m.userFile("server.sh", `read -r line
echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","capabilities":{},`+
		`"serverInfo":{"name":"s","version":"1"}}}'
read -r line
echo '{"jsonrpc":"2.0","id":7,"method":"elicitation/create","params":{"message":"Please push",`+
		`"requestedSchema":{"type":"object","properties":{}}}}'
read -r line
echo "$line" > `+got+"\n")
	client := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":` +
		`{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	out, code := m.as(client, m.home, env, append(append([]string{m.program, "proxy", "--ui", "answers=" + m.yes},
		flags...), "--", "sh", server)...)
	text, err := os.ReadFile(got)
	if err != nil && code == cli.Fine {
		m.t.Errorf("the server got no answer; the proxy said %s", out)
	}
	return gjson.GetBytes(text, "result.action").Str
}

// TestAManagedPolicyThatCannotBeUsed closes every question, and says why. Without a file nothing changes.
func TestAManagedPolicyThatCannotBeUsed(t *testing.T) {
	m := newMachine(t)
	dir := filepath.Dir(m.policy)
	tests := []struct {
		name, want string
		make       func() error
	}{
		{"others may write it", "has the mode 0666", func() error { return os.Chmod(m.policy, 0o666) }},
		{"a group may write it", "has the mode 0664", func() error { return os.Chmod(m.policy, 0o664) }},
		{"of the user", "belongs to user 65534", func() error { return os.Chown(m.policy, ordinary, ordinary) }},
		{"not readable", "cannot be read by this user", func() error { return os.Chmod(m.policy, 0o600) }},
		{"a closed directory", "cannot be read by this user", func() error { return os.Chmod(dir, 0o700) }},
		{"a directory that others may write", "other users can replace", func() error { return os.Chmod(dir, 0o777) }},
		{"a directory of the user", "who can replace", func() error { return os.Chown(dir, ordinary, ordinary) }},
		{"a link", "is a symbolic link", func() error {
			return errors.Join(os.Remove(m.policy), os.Symlink(m.other, m.policy))
		}},
		{"a link to nothing", "is a symbolic link", func() error {
			return errors.Join(os.Remove(m.policy), os.Symlink("/missing", m.policy))
		}},
		{"two names", "hard links", func() error { return os.Link(m.policy, m.policy+".2") }},
		{"a directory in its place", "is not a regular file", func() error {
			return errors.Join(os.Remove(m.policy), os.Mkdir(m.policy, 0o755))
		}},
		{"a pipe", "is not a regular file", func() error {
			return errors.Join(os.Remove(m.policy), syscall.Mkfifo(m.policy, 0o644))
		}},
		{"empty", "has problems", func() error { return os.WriteFile(m.policy, nil, 0o644) }},
		{"cut", "has problems", func() error { return os.WriteFile(m.policy, []byte(managedRules[:99]), 0o644) }},
		{"a misspelt member", "has problems", func() error {
			return os.WriteFile(m.policy, []byte(`{"version":1,"approval_polcy":"never"}`), 0o644)
		}},
		{"another encoding", "has problems", func() error { return os.WriteFile(m.policy, []byte("\xff\xfe{"), 0o644) }},
	}
	for _, tt := range tests {
		must.OK(t, errors.Join(os.RemoveAll(dir), os.Mkdir(dir, 0o755)))
		m.write(m.policy, managedRules)
		must.OK(t, tt.make())
		status := strings.ReplaceAll(hookOfPush, "git push", "git status")
		out, _ := m.as(status, m.home, nil, m.program, "hook", "--ui", "host", "--on-failure", "ask", "claude-code")
		if !strings.Contains(out, `"permissionDecision":"deny"`) || !strings.Contains(out, tt.want) ||
			!strings.Contains(out, dir) {
			t.Errorf("hook, %s: got %s", tt.name, out)
		}
		out, code := m.as("", m.home, nil, m.program, "ask", "--message", "Go on?", "--answers", m.yes)
		if code != cli.Declined || !strings.Contains(out, tt.want) {
			t.Errorf("ask, %s: exit %d, got %s", tt.name, code, out)
		}
		out, _ = m.as(`{"op":"decide","input":{"policy":{"user":`+acceptAll+`},"facts":{"kind":"confirm","mode":"form"}}}`+
			"\n", m.home, nil, m.program, "--stdio")
		if gjson.Get(out, "output.outcome").Str != "decline" || !strings.Contains(out, tt.want) {
			t.Errorf("--stdio, %s: got %s", tt.name, out)
		}
		if got := m.proxied(nil, "--journal", "none"); got != "decline" {
			t.Errorf("proxy, %s: the server got %s", tt.name, got)
		}
		out, code = m.as("", m.home, nil, m.program, "doctor")
		if code != cli.Invalid || !strings.Contains(out, tt.want) {
			t.Errorf("doctor, %s: exit %d, got %s", tt.name, code, out)
		}
	}
	must.OK(t, os.RemoveAll(dir))
	if out, code := m.as("", m.home, nil, m.program, "ask", "--message", "Go on?", "--answers", m.yes); code != cli.Fine {
		t.Errorf("without a file: exit %d, got %s", code, out)
	}
}

// TestTheManagedPolicyIsWhereTheSystemHasIt tries the program as it is shipped, in a mount namespace with another /etc.
func TestTheManagedPolicyIsWhereTheSystemHasIt(t *testing.T) {
	m := newMachine(t)
	etc := filepath.Join(filepath.Dir(m.home), "other-etc")
	must.OK(t, os.MkdirAll(filepath.Join(etc, "elicit"), 0o755))
	m.write(filepath.Join(etc, "elicit", "managed.json"), managedRules)
	if out, err := exec.Command("unshare", "-m", "mount", "--bind", etc, "/etc").CombinedOutput(); err != nil {
		t.Skipf("no mount namespace can be made here: %v: %s", err, out)
	}
	run := exec.Command("unshare", "-m", "sh", "-c", `mount --bind "$1" /etc && exec "$2" hook --ui host --policy none `+
		`--journal none claude-code`, "sh", etc, programtest.Built(t, "./cmd/elicit"))
	run.Stdin = strings.NewReader(hookOfPush)
	out, err := run.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "administrator's rule no-push") {
		t.Errorf("got %v: %s", err, out)
	}
}

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
	i := &importer{m, filepath.Dir(m.policy), filepath.Join(filepath.Dir(m.home), "requirements.toml")}
	m.write(i.requirements, requirements)
	must.OK(t, os.RemoveAll(i.dir))
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
		must.OK(t, err)
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
	must.OK(t, errors.Join(os.Remove(i.policy), os.Symlink(i.other, i.policy)))
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
		must.OK(t, os.RemoveAll(i.dir))
		if tt.mode != 0 {
			must.OK(t, errors.Join(os.Mkdir(i.dir, 0o755), os.Chmod(i.dir, tt.mode)))
		}
		out, code := i.imports(append(tt.args, "--managed")...)
		if code != cli.Failed || !strings.Contains(out, tt.want) {
			t.Errorf("%s: exit %d, got %s", tt.name, code, out)
		}
		i.lies(tt.name, "")
	}
	// With -o the user's policy goes into the directory, and the managed one only to the place of the system.
	must.OK(t, os.RemoveAll(i.dir))
	out, code := i.imports("--requirements", i.requirements, "--config", config, "-o", policies, "--managed")
	if code != cli.Fine {
		t.Errorf("with -o: exit %d, got %s", code, out)
	}
	i.lies("with -o", "does not list this server")
	if names, _ := filepath.Glob(filepath.Join(policies, "*")); len(names) != 1 || filepath.Base(names[0]) != "user.json" {
		t.Errorf("with -o: the directory has %q", names)
	}
}
