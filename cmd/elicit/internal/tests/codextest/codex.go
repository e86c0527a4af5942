package codextest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// Binary returns the path of Codex below a directory with node_modules, where npm installs one package for each
// system.
func Binary(dir string) (string, error) {
	system, ok := map[string]string{"linux": "linux", "darwin": "darwin"}[runtime.GOOS]
	arch, fits := map[string]string{"amd64": "x64", "arm64": "arm64"}[runtime.GOARCH]
	if !ok || !fits {
		return "", fmt.Errorf("no Codex for %s on %s is known here", runtime.GOOS, runtime.GOARCH)
	}
	found, _ := filepath.Glob(filepath.Join(dir, "node_modules/@openai/codex-"+system+"-"+arch, "vendor/*/*/codex"))
	if len(found) != 1 {
		return "", errors.New("codex is not installed")
	}
	return found[0], nil
}

// Home is a fresh home of Codex with a project beside it.
type Home struct {
	Dir     string // CODEX_HOME
	Project string // a git working tree
	Outside string // a directory that the sandbox does not let Codex write
	Model   *Model
}

// NewHome makes a home whose model is scripted. Settings are lines of config.toml that stand before the first table.
func NewHome(t testing.TB, settings string) *Home {
	t.Helper()
	root := t.TempDir()
	h := &Home{Dir: filepath.Join(root, "home"), Project: filepath.Join(root, "project"),
		Outside: filepath.Join(root, "outside"), Model: NewModel(t)}
	for _, dir := range []string{h.Dir, filepath.Join(h.Project, ".git"), h.Outside, filepath.Join(root, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	text := fmt.Sprintf(`model = "scripted"
model_provider = "loopback"
check_for_update_on_startup = false
%s

[model_providers.loopback]
name = "loopback"
base_url = "%s/v1"
wire_api = "responses"
requires_openai_auth = false
request_max_retries = 0
stream_max_retries = 0

[sandbox_workspace_write] # so that temporary directories are as closed as others
exclude_slash_tmp = true
exclude_tmpdir_env_var = true

[analytics]
enabled = false

[features] # without those that fetch, and with those that ask
plugins = false
apps = false
remote_plugin = false
tool_suggest = false
shell_snapshot = false # a shell of the person's, with ten programs
request_permissions_tool = true
default_mode_request_user_input = true

[projects.%q]
trust_level = "trusted"
`, settings, h.Model.URL(), h.Project)
	h.configure(t, text)
	return h
}

// configure appends to config.toml.
func (h *Home) configure(t testing.TB, text string) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(h.Dir, "config.toml"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = file.WriteString(text)
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Write writes a file below Codex's home.
func (h *Home) Write(t testing.TB, name, text string) {
	t.Helper()
	file := filepath.Join(h.Dir, name)
	err := os.MkdirAll(filepath.Dir(file), 0o700)
	if err == nil {
		err = os.WriteFile(file, []byte(text), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// AddMCPServer makes Codex start an MCP server.
func (h *Home) AddMCPServer(t testing.TB, name string, command ...string) {
	t.Helper()
	var args []string
	for _, a := range command[1:] {
		args = append(args, fmt.Sprintf("%q", a))
	}
	h.configure(t, fmt.Sprintf("\n[mcp_servers.%s]\ncommand = %q\nargs = [%s]\n", name, command[0],
		strings.Join(args, ", ")))
}

// settle gives a home what Codex itself makes in an empty one: its databases and its skills. Making them takes half of
// the time of a short turn, so all homes get copies of what a first Codex made. The command is the one of Start.
func (h *Home) settle(t testing.TB, command []string) {
	t.Helper()
	at := slices.IndexFunc(command, func(word string) bool { return word == "app-server" || word == "mcp-server" })
	if at < 1 {
		return // a front end of a Codex that runs already
	}
	codex := command[at-1 : at+1]
	made := programtest.Shared(t, fmt.Sprintf("codex-%x", crc32.ChecksumIEEE([]byte(strings.Join(codex, " ")))),
		func(dir string) error {
			first := exec.Command(codex[0], codex[1:]...) // ends at once, because it has no input
			first.Env = []string{"CODEX_HOME=" + dir, "HOME=" + dir, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
			if out, err := first.CombinedOutput(); err != nil {
				return fmt.Errorf("%w\n%s", err, out)
			}
			return os.RemoveAll(filepath.Join(dir, ".tmp"))
		})
	if err := os.CopyFS(h.Dir, os.DirFS(made)); err != nil && !errors.Is(err, fs.ErrExist) { // from a Codex before
		t.Fatal(err)
	}
}

// Environ is the environment of Codex: its home, and a proxy for everything that is not on loopback, which leads to
// the model and ends there.
//
// Its programs are those of the test. The program that tells Codex which system it runs on fails, because it is a
// script that starts ten others.
func (h *Home) Environ(t testing.TB) []string {
	t.Helper()
	fails := programtest.Shared(t, "fails", func(dir string) error {
		no, err := exec.LookPath("false")
		return errors.Join(err, os.Mkdir(dir, 0o755), os.Symlink(no, filepath.Join(dir, "lsb_release")))
	})
	env := []string{"CODEX_HOME=" + h.Dir, "HOME=" + h.Dir,
		"PATH=" + fails + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"TMPDIR=" + filepath.Join(filepath.Dir(h.Dir), "tmp"), "LANG=C.UTF-8", "NO_PROXY=127.0.0.1,localhost"}
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"} {
		env = append(env, name+"="+h.Model.URL())
	}
	return env
}

// Running is a started process with a front end.
type Running struct {
	*FrontEnd
	Home *Home
	Cmd  *exec.Cmd
	Done chan struct{} // closed when the process has ended

	notes notes
}

// notes are what a process wrote to stderr.
type notes struct {
	sync.Mutex
	text bytes.Buffer // no embedded one, because io.Copy would go past Write
	more *sync.Cond
}

func (n *notes) Write(b []byte) (int, error) {
	n.Lock()
	defer n.Unlock()
	n.more.Broadcast()
	return n.text.Write(b)
}

// Notes returns what the process wrote to stderr so far.
func (r *Running) Notes() string {
	r.notes.Lock()
	defer r.notes.Unlock()
	return r.notes.text.String()
}

// Noted waits until the process writes a text to stderr, and returns the rest of its line.
func (r *Running) Noted(what, text string) string {
	r.t.Helper()
	late := false
	timer := time.AfterFunc(patience, func() {
		r.notes.Lock()
		defer r.notes.Unlock()
		late = true
		r.notes.more.Broadcast()
	})
	defer timer.Stop()
	r.notes.Lock()
	defer r.notes.Unlock()
	for {
		if _, rest, found := strings.Cut(r.notes.text.String(), text); found {
			if line, _, whole := strings.Cut(rest, "\n"); whole {
				return line
			}
		}
		if late {
			r.t.Fatalf("%s did not come; this came:\n%s", what, r.notes.text.String())
		}
		r.notes.more.Wait()
	}
}

// Start runs a command that ends in the app-server, on stdio, with a front end. The process ends with the test, because
// its input ends.
func (h *Home) Start(t testing.TB, answer func(Message) Answer, command ...string) *Running {
	t.Helper()
	r := &Running{Home: h, Cmd: exec.Command(command[0], command[1:]...), Done: make(chan struct{})}
	r.notes.more = sync.NewCond(&r.notes)
	h.settle(t, command)
	r.Cmd.Dir, r.Cmd.Env, r.Cmd.Stderr = h.Project, h.Environ(t), &r.notes
	in, err := r.Cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := r.Cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	r.FrontEnd = NewFrontEnd(t, in, out, answer)
	go func() {
		<-r.ended // because Wait closes what is read
		r.Cmd.Wait()
		close(r.Done)
	}()
	t.Cleanup(func() {
		r.Close()
		<-r.Done
		if t.Failed() {
			t.Logf("stderr of %s:\n%s", command[0], r.Notes())
		}
	})
	return r
}

// InitializeMCP shakes hands with `codex mcp-server`. All messages that follow have the member "jsonrpc".
func (f *FrontEnd) InitializeMCP() {
	f.t.Helper()
	f.version = "2.0"
	f.Call("initialize", object{"protocolVersion": "2025-06-18", "capabilities": object{"elicitation": object{}},
		"clientInfo": object{"name": "codextest", "version": "1"}})
	f.Notify("notifications/initialized", nil)
}

// Prompt calls a tool of `codex mcp-server`, after which the model takes the steps. It returns the result.
func (r *Running) Prompt(tool string, arguments map[string]any, steps ...Step) json.RawMessage {
	r.t.Helper()
	all := object{"prompt": r.Home.Model.Script(steps...)}
	maps.Copy(all, arguments)
	return r.Call("tools/call", object{"name": tool, "arguments": all})
}

// Initialize shakes hands. Capabilities may be nil.
func (f *FrontEnd) Initialize(capabilities map[string]any) {
	f.t.Helper()
	all := object{"experimentalApi": true}
	maps.Copy(all, capabilities)
	f.Call("initialize", object{"clientInfo": object{"name": "codextest", "version": "1"}, "capabilities": all})
	f.Notify("initialized", nil)
}

// Thread starts a thread and returns its id. The parameters are those of thread/start.
func (f *FrontEnd) Thread(params map[string]any) string {
	f.t.Helper()
	all := object{}
	maps.Copy(all, params)
	return at(f.Call("thread/start", all), "thread.id")
}

// Turn starts a turn in which the model takes the steps, and returns the id of the turn.
func (r *Running) Turn(thread string, steps ...Step) string {
	r.t.Helper()
	return at(r.Call("turn/start", object{"threadId": thread,
		"input": []object{{"type": "text", "text": r.Home.Model.Script(steps...)}}}), "turn.id")
}

// TurnEnds waits for the end of a turn and returns its status, such as completed or interrupted.
func (f *FrontEnd) TurnEnds(turn string) string {
	f.t.Helper()
	return f.Wait("the end of the turn", func(m Message) bool {
		return m.Method == "turn/completed" && m.Param("turn.id") == turn
	}).Param("turn.status")
}
