//go:build unix

package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/internal/must"
)

// reloaded is the demonstration server behind a proxy whose rules change. What reaches a person is answered with yes.
type reloaded struct {
	t       *testing.T
	dir     string
	cmd     *exec.Cmd
	session *mcp.ClientSession
	notes   *bufio.Scanner
	noted   strings.Builder
}

// reloads starts a proxy in a directory that has the files already.
func reloads(t *testing.T, dir string, flags ...string) *reloaded {
	t.Helper()
	r := &reloaded{t: t, dir: dir}
	server := programtest.DemoServer(t)
	r.write("answers.json", `[{"answer":{"action":"accept"}}]`)
	words := append([]string{"proxy", "--name", "demo", "--grants", r.path("grants.json"), "--ui",
		"answers=" + r.path("answers.json"), "--journal", r.path("run.jsonl")}, flags...)
	r.cmd = exec.Command("elicit", append(words, "--", server)...)
	notes, w := io.Pipe()
	r.cmd.Stderr = w
	r.notes = bufio.NewScanner(notes)
	client := mcp.NewClient(&mcp.Implementation{Name: "reloads", Version: "1"}, nil)
	session, err := client.Connect(context.Background(), &mcp.CommandTransport{Command: r.cmd}, nil)
	must.OK(t, err)
	r.session = session
	t.Cleanup(func() {
		go func() { _, _ = io.Copy(io.Discard, notes) }()
		session.Close()
		w.Close()
	})
	return r
}

func (r *reloaded) path(name string) string { return filepath.Join(r.dir, name) }

// write replaces a file as editors do: it is written under another name, and renamed. It is not young, so nothing but
// the change itself has it read again.
func (r *reloaded) write(name, text string) {
	r.t.Helper()
	must.Write(r.t, text, r.path(name+"~"))
	long := time.Now().Add(-time.Hour)
	must.OK(r.t, os.Chtimes(r.path(name+"~"), long, long))
	must.OK(r.t, os.Rename(r.path(name+"~"), r.path(name)))
}

// hangUp asks for the rules to be read.
func (r *reloaded) hangUp() {
	r.t.Helper()
	must.OK(r.t, r.cmd.Process.Signal(syscall.SIGHUP))
}

// wait reads notes until one holds the text.
func (r *reloaded) wait(text string) {
	r.t.Helper()
	for r.notes.Scan() {
		line := r.notes.Text()
		if r.noted.WriteString(line + "\n"); strings.Contains(line, text) {
			return
		}
	}
	r.t.Fatalf("nobody noted %s in\n%s", text, r.noted.String())
}

// says is what a tool says.
func (r *reloaded) says(tool string) string {
	result, err := r.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool})
	if err != nil {
		return err.Error()
	}
	return result.Content[0].(*mcp.TextContent).Text
}

// call holds what a tool says.
func (r *reloaded) call(tool, want string) {
	r.t.Helper()
	if said := r.says(tool); said != want {
		r.t.Errorf("%s said %q, want %q", tool, said, want)
	}
}

// end ends the run, holds that its journal replays, and returns the history that elicit log prints.
func (r *reloaded) end() string {
	r.t.Helper()
	go func() {
		for r.notes.Scan() {
			continue
		}
	}()
	if err := r.session.Close(); err != nil {
		r.t.Error(err)
	}
	journal := r.path("run.jsonl")
	if out, err := exec.Command("elicit", "replay", journal).CombinedOutput(); err != nil {
		r.t.Errorf("replay: %v\n%s", err, out)
	}
	out, err := exec.Command("elicit", "log", "--verify", journal).CombinedOutput()
	if err != nil {
		r.t.Errorf("log: %v\n%s", err, out)
	}
	return string(out)
}

const (
	deployed  = "Deployed shop to production."
	connected = "Linked the account."
	declined  = "Declined: nothing was done."
	accepts   = `{"version":1,"rules":[{"name":"r","when":{},"then":"accept"}]}`
	declines  = `{"version":1,"rules":[{"name":"r","when":{},"then":"decline"}]}`
)

func contains(t *testing.T, text string, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		if !regexp.MustCompile(pattern).MatchString(text) {
			t.Errorf("%s is not in\n%s", pattern, text)
		}
	}
}

// TestReloadOfAPolicy changes a policy, breaks it, puts it back and removes it. The last one that was right holds.
func TestReloadOfAPolicy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	r.write("policy.json", accepts)
	r = reloads(t, dir, "--policy", r.path("policy.json"), "--reload", "signal")
	r.call("deploy", deployed)
	r.write("policy.json", declines)
	r.call("deploy", deployed) // nobody has asked yet
	r.hangUp()
	r.wait("new rules are in force")
	r.wait("policy user " + digestOfText(accepts) + " → " + digestOfText(declines))
	r.call("deploy", declined)
	r.write("policy.json", `{"version":1,"rules":[{"when":{},"then":"yes"}]}`)
	r.hangUp()
	r.wait("the new rules are refused")
	r.wait("policy.json:1:")
	r.call("deploy", declined)
	r.write("policy.json", declines)
	r.hangUp()
	r.wait("nothing has changed")
	must.OK(t, os.Chmod(r.path("policy.json"), 0o666))
	r.hangUp()
	r.wait("the new rules are refused") // anybody could have written it
	must.OK(t, os.Remove(r.path("policy.json")))
	r.hangUp()
	r.wait("there is no file")
	r.call("deploy", declined)
	contains(t, r.end(), `configured anew\n      configuration [0-9a-f]{64} → [0-9a-f]{64}\n      policy user `+
		digestOfText(accepts)+` → `+digestOfText(declines),
		`another configuration was refused\n +not accepted\n +✗ .*policy.json:1:`)
}

// TestReloadOfAChangedFile changes files and sends no signal.
func TestReloadOfAChangedFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	r.write("policy.json", accepts)
	r = reloads(t, dir, "--policy", r.path("policy.json"))
	r.call("deploy", deployed)
	r.write("policy.json", declines)
	r.wait("new rules are in force")
	r.call("deploy", declined)
	r.write("policy.json", "{")
	r.wait("the new rules are refused")
	r.call("deploy", declined)
	r.write("policy.json", accepts)
	r.wait("new rules are in force")
	r.call("deploy", deployed)
	r.end()
}

// guest copies a module of the tests, and returns its digest.
func (r *reloaded) guest(name, as string) string {
	r.t.Helper()
	module := must.Read(r.t, "../../testdata/guests/"+name+".wasm")
	r.write(as, string(module))
	return guardian.Digest(module)
}

// TestReloadOfAModule puts another module in the place of one, first under a permit that pins no module, then under one
// that does.
func TestReloadOfAModule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	wary := r.guest("wary", "g.wasm")
	permit := `{"name":"g","module":"g.wasm","reads":["/request/mode","/request/url"]%s}`
	r.write("guards.json", fmt.Sprintf(permit, ""))
	r = reloads(t, dir, "--guardian", r.path("guards.json"))
	r.call("connect", connected)
	noLinks := r.guest("no-links", "g.wasm")
	r.wait("guardian g " + wary + " → " + noLinks)
	r.call("connect", declined)
	r.guest("wary", "h.wasm")
	r.write("guards.json", strings.Replace(fmt.Sprintf(permit, ""), "g.wasm", "h.wasm", 1))
	r.wait("guardian g " + noLinks + " → " + wary)
	r.guest("no-links", "h.wasm") // a file that the first rules did not name
	r.wait("guardian g " + wary + " → " + noLinks)
	r.write("guards.json", fmt.Sprintf(permit, `,"digest":"`+noLinks+`"`))
	r.guest("wary", "g.wasm")
	r.wait("is not the module that")
	r.call("connect", declined)
	r.write("g.wasm", "\x00asm is not all there is to it")
	r.wait("cannot be used as a guardian")
	r.call("connect", declined)
	history := r.end()
	contains(t, history, `guardian g `+wary+` → `+noLinks,
		`another configuration was refused\n.*\n +✗ .*is not the module that .*guards.json pins; its digest is `+wary)
	out, err := exec.Command("elicit", "log", "--json", r.path("run.jsonl")).Output()
	must.OK(t, err)
	contains(t, string(out), `"changes":\[\{"what":"configuration","from":"[0-9a-f]{64}","to":"[0-9a-f]{64}"\},`+
		`\{"what":"guardian","name":"g","from":"`+wary+`","to":"`+noLinks+`"\}\]`)
	// A refusal takes no permit away from what a replay knows of the guardians.
	again := exec.Command("elicit", "replay", r.path("run.jsonl"), "--guardian", r.path("h.wasm"), "--as", "g")
	out, err = again.CombinedOutput()
	if err != nil {
		t.Errorf("replay: %v\n%s", err, out)
	}
	contains(t, string(out), "repeats its 3 recorded verdicts")
}

// guarded has a directory of guardians with one in it, for a proxy to come.
func guarded(t *testing.T) *reloaded {
	t.Helper()
	r := &reloaded{t: t, dir: t.TempDir()}
	must.OK(t, os.Mkdir(r.path("guards"), 0o700))
	r.guest("wary", "guards/wary.wasm")
	return r
}

// TestReloadOfADirectory adds a module to a directory of guardians, and takes it away.
func TestReloadOfADirectory(t *testing.T) {
	t.Parallel()
	r := guarded(t)
	r = reloads(t, r.dir, "--guardian", r.path("guards"))
	r.call("connect", connected)
	module := r.guest("no-links", "guards/no-links.wasm")
	r.wait("guardian no-links is new: " + module)
	r.call("connect", declined)
	must.OK(t, os.Remove(r.path("guards/no-links.wasm")))
	r.wait("guardian no-links is gone: " + module)
	r.call("connect", connected)
	must.OK(t, os.Remove(r.path("guards/wary.wasm")))
	r.wait("--guardian names no guardian")
	r.end()
}

// TestReloadWhileAGuardianThinks replaces a program that has been asked. Its word counts, and the next question goes to
// the other.
func TestReloadWhileAGuardianThinks(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	for _, name := range []string{"begun", "go"} {
		must.OK(t, syscall.Mkfifo(r.path(name), 0o600))
	}
	program := `{"name":"slow","phases":["before_show"],"deadline_ms":600000,"command":["sh","-c",%q]}`
	r.write("guards.json", fmt.Sprintf(program, "cat >/dev/null; echo >"+r.path("begun")+"; read x <"+r.path("go")+
		`; echo '{"v":1,"decision":"deny"}'`))
	r = reloads(t, dir, "--guardian", r.path("guards.json"), "--reload", "signal")
	said := make(chan string)
	go func() { said <- r.says("deploy") }()
	if _, err := os.ReadFile(r.path("begun")); err != nil {
		t.Fatal(err)
	}
	r.write("guards.json", fmt.Sprintf(program, `cat >/dev/null; echo '{"v":1,"decision":"pass"}'`))
	r.hangUp()
	r.wait("guardian slow is another command now")
	must.OK(t, os.WriteFile(r.path("go"), []byte("on\n"), 0))
	if got := <-said; got != declined {
		t.Errorf("the program that was asked denied, and the tool said %q", got)
	}
	r.call("deploy", deployed)
	r.end()
}

// TestHangUp sends SIGHUP while the terminal is there, which reads the rules, and closes the terminal, which ends the
// proxy although its client goes on.
func TestHangUp(t *testing.T) {
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	r.write("policy.json", accepts)
	for _, name := range []string{"in", "out"} {
		must.OK(t, syscall.Mkfifo(r.path(name), 0o600))
	}
	in, err := os.OpenFile(r.path("in"), os.O_RDWR, 0)
	must.OK(t, err)
	defer in.Close()
	p := terminaltest.Open(t, 200, 40, "cd "+dir+"; sh -c 'echo $$ >pid; exec elicit proxy --ui none "+
		"--policy policy.json --reload signal --journal run.jsonl -- cat <in >out'")
	out, err := os.Open(r.path("out"))
	must.OK(t, err)
	defer out.Close()
	lines := bufio.NewReader(out)
	passes := func(message string) {
		t.Helper()
		if _, err := io.WriteString(in, message+"\n"); err != nil {
			t.Fatal(err)
		}
		if line, err := lines.ReadString('\n'); line != message+"\n" {
			t.Fatalf("the client heard %q, %v", line, err)
		}
	}
	passes(`{"jsonrpc":"2.0","method":"first"}`)
	pid := must.Text(t, r.path("pid"))
	r.write("policy.json", declines)
	must.Run(t, exec.Command("kill", "-HUP", strings.TrimSpace(pid)))
	p.Wait("new rules are in force")
	passes(`{"jsonrpc":"2.0","method":"second"}`)
	p.Close()
	if rest, err := io.ReadAll(lines); err != nil || len(rest) > 0 {
		t.Errorf("the client heard %q, %v", rest, err)
	}
	history, err := exec.Command("elicit", "log", "--verify", r.path("run.jsonl")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, history)
	}
	contains(t, string(history), "configured anew", "2 records, unbroken")
}

func digestOfText(text string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(text))) }

// TestReloadOfData changes the data document of a guardian, also to one that the guardian does not take.
func TestReloadOfData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := &reloaded{t: t, dir: dir}
	clerk := must.Read(t, "../../testdata/guests/clerk.wasm")
	r.write("clerk.wasm", string(clerk))
	r.write("clerk.json", `{"module":"clerk.wasm","reads":[],"data":"list.txt"}`)
	r.write("list.txt", "pass")
	r = reloads(t, dir, "--guardian", r.path("clerk.json"), "--reload", "signal")
	r.call("deploy", deployed)
	r.write("list.txt", "deny")
	r.call("deploy", deployed) // nobody has asked yet
	r.hangUp()
	r.wait("new rules are in force")
	r.wait("guardian clerk has another permit")
	r.call("deploy", declined)
	r.write("list.txt", "x")
	r.hangUp()
	r.wait("the new rules are refused")
	r.wait("the document begins with x")
	r.call("deploy", declined)
	r.write("list.txt", "pass")
	r.hangUp()
	r.wait("new rules are in force")
	r.call("deploy", deployed)
	contains(t, r.end(), `configured anew\n      configuration [0-9a-f]{64} → [0-9a-f]{64}\n`+
		`      guardian clerk has another permit`)
}

// irregular makes each kind of file that a guardian must not be read from, in the place of a file.
var irregular = map[string]func(t *testing.T, path string){
	"a pipe": func(t *testing.T, path string) { must.OK(t, syscall.Mkfifo(path, 0o600)) },
	"a link to a pipe": func(t *testing.T, path string) {
		pipe := filepath.Join(t.TempDir(), "pipe")
		must.OK(t, syscall.Mkfifo(pipe, 0o600))
		must.OK(t, os.Symlink(pipe, path))
	},
	"a link to a device": func(t *testing.T, path string) { must.OK(t, os.Symlink("/dev/zero", path)) },
	"a directory":        func(t *testing.T, path string) { must.OK(t, os.Mkdir(path, 0o700)) },
	"a socket": func(t *testing.T, path string) {
		dir := must.ShortDir(t)
		l, err := net.Listen("unix", filepath.Join(dir, "s"))
		must.OK(t, err)
		t.Cleanup(func() { l.Close() })
		must.OK(t, os.Symlink(filepath.Join(dir, "s"), path))
	},
}

// TestOnlyRegularFilesAreGuardians gives each kind of file in each place where a guardian is read from. Nothing waits,
// and the file is named.
func TestOnlyRegularFilesAreGuardians(t *testing.T) {
	t.Parallel()
	for kind, make := range irregular {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			module, permits := filepath.Join(dir, "x.wasm"), filepath.Join(dir, "p.json")
			make(t, module)
			must.Write(t, `{"name":"x","module":"x.wasm"}`, permits)
			data := filepath.Join(dir, "data.json")
			keeper, err := filepath.Abs("../../testdata/guests/keeper.wasm")
			must.OK(t, err)
			must.OK(t, os.WriteFile(data, []byte(`{"name":"k","module":`+cli.Quoted(keeper)+`,"data":"x.wasm"}`), 0o600))
			asked := func(path string) []string {
				return []string{"ask", "--url", "https://example.com/", "--message", "Go on?", "--guardian", path}
			}
			for _, words := range [][]string{asked(dir), asked(module), asked(permits), asked(data),
				{"guardian", "inspect", module}, {"guardian", "check", dir}, {"guardian", "pin", module},
				{"guardian", "run", module, "{}"}} {
				var out, stderr strings.Builder
				code := run(words, strings.NewReader(""), &out, &stderr)
				want := "x.wasm is not a regular file"
				if kind == "a directory" && words[0] == "ask" && words[len(words)-1] == module {
					want = "--guardian names no guardian" // it may hold some
				}
				if code == cli.Fine || !strings.Contains(stderr.String(), want) {
					t.Errorf("%s: exit %d: %s", words, code, stderr.String())
				}
			}
		})
	}
}

// TestReloadPastAPipe puts a pipe among the guardians of a proxy. The proxy names it and keeps its rules. A tighter
// policy is in force as soon as the pipe is gone.
func TestReloadPastAPipe(t *testing.T) {
	t.Parallel()
	r := guarded(t)
	r.write("policy.json", accepts)
	r = reloads(t, r.dir, "--guardian", r.path("guards"), "--policy", r.path("policy.json"))
	r.call("deploy", deployed)
	must.OK(t, syscall.Mkfifo(r.path("guards/x.wasm"), 0o600))
	r.wait("guards/x.wasm is not a regular file")
	r.write("policy.json", declines)
	r.hangUp()
	r.wait("guards/x.wasm is not a regular file")
	r.call("deploy", deployed)
	must.OK(t, os.Remove(r.path("guards/x.wasm")))
	r.wait("new rules are in force")
	r.call("deploy", declined)
	r.end()
}
