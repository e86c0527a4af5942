//go:build unix

package main

import (
	"bytes"
	"net"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/cli"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

// pushHook is what Claude Code gives to its hook before `git push`.
const pushHook = `{"hook_event_name":"PermissionRequest","cwd":"/srv/app","tool_name":"Bash","session_id":"s1",` +
	`"tool_input":{"command":"git push"}}`

// useDesks gives a test its own directories for sockets, grants, policies and journals.
func useDesks(t *testing.T, policy string) (dir string) {
	t.Helper()
	dir = must.ShortDir(t)
	for _, name := range []string{"XDG_RUNTIME_DIR", "TMPDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"} {
		t.Setenv(name, dir)
	}
	must.OK(t, os.Mkdir(filepath.Join(dir, "elicit"), 0o700))
	must.Write(t, policy, dir, "elicit", "policy.json")
	return dir
}

// hookProcess is a hook as its host runs it.
type hookProcess struct {
	*exec.Cmd
	out, notes bytes.Buffer
}

func startHook(t *testing.T, in string, args ...string) *hookProcess {
	t.Helper()
	h := &hookProcess{Cmd: exec.Command("elicit", append([]string{"hook"}, args...)...)}
	h.Stdin, h.Stdout, h.Stderr = strings.NewReader(in), &h.out, &h.notes
	must.OK(t, h.Start())
	return h
}

// says waits for the end of a hook and looks for words in its answer.
func (h *hookProcess) says(t *testing.T, want string) {
	t.Helper()
	if err := h.Wait(); err != nil || !strings.Contains(h.out.String(), want) {
		t.Errorf("%v: the hook says %s%s, want %s", err, &h.out, &h.notes, want)
	}
}

// log returns the newest story of the journals.
func hookLog(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("elicit", "log", "--verify").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return string(out)
}

const asksAboutAll = `{"version":1,"grants":"always","approval_policy":"on-request"}`

func TestHookAsksOnATerminal(t *testing.T) {
	useDesks(t, asksAboutAll)
	p := terminaltest.Open(t, 90, 40, "elicit answer")
	p.Wait("Questions of hooks appear here")
	hook := startHook(t, pushHook, "claude-code")
	p.Wait("claude-code asks, running Bash", "git push", "Accept     Accept always     Decline")
	p.Keys("y", "Enter")
	hook.says(t, `"behavior":"allow"`)
	hook = startHook(t, pushHook, "claude-code")
	p.Wait("claude-code asks, running Bash")
	p.Keys("C-x")
	hook.says(t, `{"behavior":"deny","message":"Elicit: the person decided"}`)
	// A question to a server is answered with content, and an answer that does not fit is asked again.
	hook = startHook(t, `{"hook_event_name":"Elicitation","mcp_server_name":"files","message":"Who?","requested_schema":`+
		`{"type":"object","properties":{"name":{"type":"string","minLength":3}},"required":["name"]}}`, "claude-code")
	p.Wait("files in claude-code asks", "Who?")
	p.Type("Ada")
	p.Keys("C-s")
	hook.says(t, `"action":"accept","content":{"name":"Ada"}`)
	log := hookLog(t)
	for _, want := range []string{"the question is on the screen", "the person answers accept",
		"replied decline: the person decided"} {
		if !strings.Contains(log, want) {
			t.Errorf("the log does not say %q:\n%s", want, log)
		}
	}
}

// TestHookAmongLiars: sockets that answer nonsense or nothing do not keep a hook from its host, and a long edit is
// shown without its text.
func TestHookAmongLiars(t *testing.T) {
	dir := useDesks(t, `{"version":1,"rules":[{"when":{},"then":"ask"}]}`)
	for name, text := range map[string]string{"silent": "", "garbage": "\x1b[2J\xff{\n",
		"liar": `{"Protocol":1,"Rank":9}` + "\n" + `{"Answer":{"Action":"accept","Via":"policy"}}` + "\n"} {
		l, err := net.Listen("unix", filepath.Join(dir, "elicit", "desk-"+name))
		must.OK(t, err)
		defer l.Close()
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				_, _ = c.Write([]byte(text))
				defer c.Close()
			}
		}()
	}
	startHook(t, pushHook, "claude-code").says(t, "{}\n")
	edit := func(text string) string {
		return `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"file_path":"/srv/app/x","new_string":"` +
			text + `"}}`
	}
	p := terminaltest.Open(t, 90, 40, "elicit answer")
	p.Wait("Questions of hooks appear here")
	hook := startHook(t, edit(strings.Repeat("x", 3<<20)), "claude-code")
	if screen := p.Wait("claude-code asks, running Edit", "Edit: /srv/app/x"); strings.Contains(screen, "xxx") {
		t.Errorf("the text is shown:\n%s", screen)
	}
	p.Keys("y", "Enter")
	hook.says(t, `"permissionDecision":"allow"`)
	for name, in := range map[string]string{"5 MB": edit(strings.Repeat("x", 5<<20)), "half": pushHook[:len(pushHook)/2]} {
		hook := startHook(t, in, "claude-code")
		if err := hook.Wait(); err == nil || hook.ProcessState.ExitCode() != cli.Invalid || hook.out.Len() > 0 {
			t.Errorf("%s: %v, %s%s", name, err, &hook.out, &hook.notes)
		}
	}
}

// TestHookIsGone: a question of a hook that its host kills, or whose time is up, leaves the screen. The second one is
// the host's to ask.
func TestHookIsGone(t *testing.T) {
	useDesks(t, asksAboutAll)
	p := terminaltest.Open(t, 90, 40, "elicit answer")
	p.Wait("Questions of hooks appear here")
	for _, how := range []os.Signal{os.Kill, syscall.SIGTERM} {
		hook := startHook(t, pushHook, "claude-code")
		p.Wait("claude-code asks, running Bash")
		must.OK(t, hook.Process.Signal(how))
		if err := hook.Wait(); err == nil || hook.out.Len() > 0 {
			t.Errorf("a hook that is ended by %v says %s, %v", how, &hook.out, err)
		}
		p.Wait("This question is gone")
		p.Gone("git push")
		p.KeysNow("Enter")
		if log := hookLog(t); strings.Contains(log, "replied") {
			t.Errorf("the log of a hook that is ended by %v:\n%s", how, log)
		}
	}
	hook := startHook(t, pushHook, "--answer-within", "1s", "claude-code")
	hook.says(t, "{}\n")
	p.Wait("This question is gone: the agent asks the person itself.")
	p.KeysNow("Enter")
	// A desk that ends gives the question back at once.
	hook = startHook(t, pushHook, "--answer-within", "10m", "claude-code")
	p.Wait("claude-code asks, running Bash")
	p.Close()
	hook.says(t, "{}\n")
	if log := hookLog(t); strings.Count(log, "the agent asks the person itself") != 2 {
		t.Errorf("the log:\n%s", log)
	}
}

// TestHookRemembers: "Accept always" holds for the same command of the same host in the same directory, and can be
// revoked.
func TestHookRemembers(t *testing.T) {
	useDesks(t, asksAboutAll)
	p := terminaltest.Open(t, 90, 40, "elicit answer")
	p.Wait("Questions of hooks appear here")
	hook := startHook(t, pushHook, "claude-code")
	p.Wait("Accept     Accept always     Decline")
	p.Keys("Right", "Right")
	p.Wait("[Accept always]")
	p.Keys("Enter")
	hook.says(t, `"behavior":"allow"`)
	hook = startHook(t, pushHook, "--ui", "host", "claude-code")
	hook.says(t, `"behavior":"allow"`)
	for name, in := range map[string]string{"directory": strings.Replace(pushHook, "/srv/app", "/srv/other", 1),
		"command": strings.Replace(pushHook, "git push", "git push -f", 1)} {
		if hook = startHook(t, in, "--ui", "host", "claude-code"); hook.Wait() != nil || hook.out.String() != "{}\n" {
			t.Errorf("another %s: %s%s", name, &hook.out, &hook.notes)
		}
	}
	startHook(t, pushHook, "--ui", "host", "codex").says(t, "{}\n")
	out, err := exec.Command("elicit", "grants", "list").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "claude-code/Bash  always  Bash  git push  In /srv/app") ||
		!strings.Contains(string(out), "answers only elicit hook claude-code") {
		t.Errorf("%v: %s", err, out)
	}
	must.Run(t, exec.Command("elicit", "grants", "revoke", "--all"))
	startHook(t, pushHook, "--ui", "host", "claude-code").says(t, "{}\n")
	// The name of a server in a host is only a label, so a yes to its tool holds once.
	hook = startHook(t, `{"hook_event_name":"PermissionRequest","tool_name":"mcp__files__write","tool_input":{"a":1}}`,
		"claude-code")
	if screen := p.Wait("files in claude-code asks, running write"); strings.Contains(screen, "Accept always") {
		t.Errorf("a tool of a server is offered:\n%s", screen)
	}
	p.Keys("C-x")
	hook.says(t, `"behavior":"deny"`)
}

// TestHookAsksOnThePageOfAProxy: a proxy that asks in a browser shows the question of a hook beside its own.
func TestHookAsksOnThePageOfAProxy(t *testing.T) {
	server := programtest.DemoServer(t) // before useDesks, because other tests share it and TMPDIR goes with this one
	useDesks(t, asksAboutAll)
	proxy := exec.Command("elicit", "proxy", "--name", "demo", "--ui", "browser", "--no-open", "--", server)
	notes, err := proxy.StderrPipe()
	must.OK(t, err)
	in, out := must.Start(t, proxy)
	defer func() { in.Close(); _ = proxy.Wait() }()
	if _, err := in.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil { // the proxy is at work when an answer comes
		t.Fatal(err)
	}
	person := visit(t, readLink(t, notes))
	hook := startHook(t, pushHook, "claude-code")
	id := person.question()
	person.post("receipt", `{"id":"`+id+`","what":"shown"}`)
	person.post("answer", `{"id":"`+id+`","action":"accept","content":{}}`)
	hook.says(t, `"behavior":"allow"`)
	if log := hookLog(t); !strings.Contains(log, "the question is on the screen") {
		t.Errorf("the log:\n%s", log)
	}
	hook = startHook(t, strings.Replace(pushHook, "git push", `git \u001b[2Jpush\u202e`, 1), "claude-code")
	id = person.question()
	person.post("answer", `{"id":"`+id+`","action":"decline"}`)
	hook.says(t, `"behavior":"deny"`)
}

// TestAnswerOnAPage: `elicit answer` shows a form on a page. An answer that does not fit is sent back to the person.
func TestAnswerOnAPage(t *testing.T) {
	useDesks(t, asksAboutAll)
	answering := exec.Command("elicit", "answer", "--ui", "browser", "--no-open")
	notes, err := answering.StderrPipe()
	must.OK(t, err)
	out, err := answering.StdoutPipe()
	must.OK(t, err)
	must.OK(t, answering.Start())
	person := visit(t, readLink(t, notes))
	if _, err := out.Read(make([]byte, 1)); err != nil { // it says that hooks can find it
		t.Fatal(err)
	}
	hook := startHook(t, `{"hook_event_name":"Elicitation","mcp_server_name":"files","message":"Who?","requested_schema":`+
		`{"type":"object","properties":{"name":{"type":"string","minLength":3}},"required":["name"]}}`, "claude-code")
	id := person.question()
	person.post("answer", `{"id":"`+id+`","action":"accept","content":{"name":"A"}}`)
	person.post("answer", `{"id":"`+id+`","action":"accept","content":{"name":"Ada"}}`)
	hook.says(t, `"action":"accept","content":{"name":"Ada"}`)
	if log := hookLog(t); !strings.Contains(log, "✗ /name at least 3 characters; 1 now") {
		t.Errorf("the log does not tell of the answer that did not fit:\n%s", log)
	}
	must.OK(t, answering.Process.Signal(os.Interrupt))
	if err := answering.Wait(); err != nil {
		t.Errorf("it ends with %v", err)
	}
}

// visit enters a page by its link.
func visit(t *testing.T, link []string) visitor {
	t.Helper()
	person := visitor{t, link[1], link[1] + link[2], &http.Client{Timeout: 30 * time.Second}}
	person.client.Jar, _ = cookiejar.New(nil)
	person.post("enter", `{"token":"`+link[3]+`"}`)
	return person
}

// readLink reads the link to a page from the notes of a proxy: its origin, its path and its token.
func readLink(t *testing.T, notes interface{ Read([]byte) (int, error) }) []string {
	t.Helper()
	var said []byte
	for piece := make([]byte, 4096); ; {
		n, err := notes.Read(piece)
		said = append(said, piece[:n]...)
		if link := regexp.MustCompile(`(http://127\.0\.0\.1:\d+)(/\w+/)#(\w+)\n`).FindSubmatch(said); link != nil {
			return []string{string(link[0]), string(link[1]), string(link[2]), string(link[3])}
		}
		if err != nil {
			t.Fatalf("no link: %s", said)
		}
	}
}
