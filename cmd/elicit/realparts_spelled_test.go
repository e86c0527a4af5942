package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/notetest"
	"github.com/elicit-engine/elicit/internal/must"
	"github.com/elicit-engine/elicit/internal/vectors"
)

// spelledClient is a program on one SDK. It calls the given tools and prints what it notices.
type spelledClient struct {
	name    string
	date    string
	missing error
	command []string
}

// spelledClients are the clients of the hostile lines. The slowest is first. Two are written by hand without an SDK, as
// many clients are. Those in Rust come at night, because they take minutes to compile.
func (p parts) spelledClients() []spelledClient {
	at := func(elements ...string) string { return filepath.Join(append([]string{p.drivers}, elements...)...) }
	classes := at("java/classes") + string(filepath.ListSeparator) + at("java/lib/*")
	venv, venv1, script := p.stamped("Python", "venv"), p.stamped("Python 1.x", "venv1"), at("hostile/client.py")
	java := []string{"java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", classes,
		"HostileClient"}
	mcpgo, rmcp := p.stamped("mcp-go", "mcpgo/bin"), p.stamped("Rust", "rmcp/target")
	rust := at("rmcp/target/debug/hostile-rmcp")
	list := []spelledClient{
		{name: "java", date: november, missing: p.stamped("Java", "java/lib"), command: java},
		{name: "go-sdk", date: november, missing: nil, command: []string{p.goClient}},
		{name: "go-sdk", date: july, missing: nil, command: []string{p.goClient}},
		{name: "typescript-1", date: november, missing: p.node, command: []string{"node", at("hostile/client1.mjs")}},
		{name: "typescript-2", date: november, missing: p.node, command: []string{"node", at("hostile/client2.mjs")}},
		{name: "typescript-2", date: july, missing: p.node, command: []string{"node", at("hostile/client2.mjs")}},
		{name: "python-1", date: november, missing: venv1, command: []string{at("venv1/bin/python"), script}},
		{name: "python-2", date: november, missing: venv, command: []string{at("venv/bin/python"), script}},
		{name: "python-2", date: july, missing: venv, command: []string{at("venv/bin/python"), script}},
		{name: "mcp-go", date: november, missing: mcpgo, command: []string{at("mcpgo/bin/mcpgo")}},
		{name: "mcp-go", date: july, missing: mcpgo, command: []string{at("mcpgo/bin/mcpgo")}},
		{name: "javascript-lines", date: november, missing: p.node, command: []string{"node", at("hostile/lines.mjs")}},
		{name: "python-lines", date: november, missing: venv,
			command: []string{at("venv/bin/python"), at("hostile/lines.py")}},
	}
	if vectors.Nightly() {
		list = append(list, spelledClient{name: "rmcp", date: november, missing: rmcp, command: []string{rust}},
			spelledClient{name: "rmcp", date: july, missing: rmcp, command: []string{rust}})
	}
	return list
}

// noticed is what a client did with the lines, by their names.
type noticed struct {
	acted   map[string]bool   // its handler ran, or it got the address
	outcome map[string]string // of the call
	broke   []string          // lines after which the test had to start it again
}

// evil is in every address that no client may get.
const evil = "https://evil.example/"

// visit sends lines to the client, and starts the client again when a line ends it.
func (c spelledClient) visit(t *testing.T, server []string, list []spelling) noticed {
	t.Helper()
	n := noticed{acted: map[string]bool{}, outcome: map[string]string{}}
	for len(list) > 0 {
		list = c.play(t, server, list, &n)
	}
	return n
}

// play runs the client once and returns the lines that it did not get. It interrupts a client that is at rest after its
// first output, because that client waits for an answer that cannot come. An interrupt ends most clients; those that
// start slowly open a new session. A client that starts may sleep for its own reasons.
func (c spelledClient) play(t *testing.T, server []string, list []spelling, n *noticed) []spelling {
	t.Helper()
	var names strings.Builder
	for _, s := range list {
		names.WriteString(s.name + "\n")
	}
	file := must.Write(t, names.String(), t.TempDir(), "names")
	ctx, stop := context.WithTimeout(t.Context(), 2*patience)
	defer stop()
	cmd := exec.CommandContext(ctx, c.command[0], append(append(slices.Clone(c.command[1:]), c.date, file), server...)...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "PATIENCE="+strconv.FormatInt((patience/2).Milliseconds(), 10))
	var errs notetest.Notes
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.OK(t, err)
	ended := make(chan struct{})
	defer close(ended)
	var watch sync.Once
	var heard atomic.Int64
	lines := bufio.NewScanner(out)
	for lines.Buffer(nil, 1<<24); lines.Scan(); {
		var e struct{ Asked, Done, Outcome, Alive, Broke, Connect string }
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			continue // an SDK that prints to standard output
		}
		heard.Add(1)
		watch.Do(func() { go endAtRest(cmd.Process, &heard, ended) })
		switch {
		case e.Connect != "":
			t.Fatalf("no session: %s\n%s", clip(e.Connect), clip(errs.String()))
		case e.Asked != "":
			n.acted[e.Asked] = true
		case e.Done != "":
			n.outcome[e.Done] = e.Outcome
			if strings.Contains(e.Outcome, evil) {
				n.acted[e.Done] = true
			}
		case e.Alive != "":
			list = list[1:]
		case e.Broke != "":
			n.broke, list = append(n.broke, e.Broke), list[1:]
		}
	}
	if err := cmd.Wait(); len(n.outcome) == 0 {
		t.Fatalf("%s said nothing: %v\n%s", c.name, err, clip(errs.String()))
	}
	if len(list) > 0 {
		n.broke = append(n.broke, list[0].name)
		list = list[1:]
	}
	return list
}

// endAtRest interrupts a process when it is at rest, until ended is closed. It kills a process that is at rest again
// and has said nothing since.
func endAtRest(process *os.Process, heard *atomic.Int64, ended <-chan struct{}) {
	rest, looks := restWatch{pid: process.Pid}, time.NewTicker(lookEvery)
	defer looks.Stop()
	for before := int64(-1); ; {
		select {
		case <-ended:
			return
		case <-looks.C:
			if !rest.look() {
				continue
			}
			if now := heard.Load(); now == before {
				_ = process.Kill()
				return
			} else if before = now; process.Signal(os.Interrupt) != nil {
				return
			}
			rest.asleep = 0
		}
	}
}

var updateActs = flag.Bool("update-acts", false, "write testdata/hostile/acts.json anew")

// label names a client in acts.json.
func (c spelledClient) label() string {
	if c.date == july {
		return c.name + " (rounds)"
	}
	return c.name
}

// TestHostileLines sends every spelling of a question, and of an answer that asks for more, to clients on all SDKs.
// Behind the proxy, with a policy that declines everything, no client acts on any, and each continues to work. Without
// the proxy some client acts on most of them: acts.json lists which, and at night the test fails when that changes.
func TestHostileLines(t *testing.T) {
	takesLong(t, "hostile lines take a minute")
	p := build(t)
	list := slices.Concat(spellings(t, "questions"), spellings(t, "answers"))
	seen := readActs(t, "clients")
	t.Run("clients", func(t *testing.T) {
		for _, c := range p.spelledClients() {
			t.Run("direct/"+c.label(), func(t *testing.T) {
				vectors.Night(t)
				t.Parallel()
				needs(t, c.missing)
				n := c.visit(t, []string{p.raw, hostileScript(t, c.date, list, 20, true)}, seen.worth(c.label(), list))
				seen.add(c.label(), n.acted)
			})
			t.Run("proxied/"+c.label(), func(t *testing.T) {
				t.Parallel()
				needs(t, c.missing)
				p.spelledProxied(t, c, list)
			})
		}
	})
	seen.check(t, list)
}

// spelledProxied sends the lines through a proxy whose policy declines everything.
func (p parts) spelledProxied(t *testing.T, c spelledClient, list []spelling) {
	t.Helper()
	journal := filepath.Join(t.TempDir(), "journal.jsonl")
	policy := must.Write(t, `{"version":1,"rules":[{"when":{},"then":"decline"}]}`, t.TempDir(), "policy.json")
	server := []string{p.raw, hostileScript(t, c.date, list, 2, true)}
	n := c.visit(t, p.behind("none", server, "--policy", policy, "--journal", journal, "--completion-wait", "10ms"), list)
	if len(n.acted) > 0 {
		t.Errorf("acted on %q", slices.Sorted(maps.Keys(n.acted)))
	}
	if len(n.broke) > 0 {
		t.Errorf("did not go on after %q", n.broke)
	}
	if len(n.outcome) != len(list) {
		t.Errorf("%d calls of %d came back", len(n.outcome), len(list))
	}
	text := journalText(t, journal)
	if strings.Contains(text, `"accept"`) || !strings.Contains(text, `"decline"`) {
		t.Error("the journal has an accept, or no decline")
	}
}

// journalText returns the text of all journals of a proxy, because a client may start the proxy twice.
func journalText(t *testing.T, journal string) string {
	t.Helper()
	files, err := filepath.Glob(journal + "*")
	if err != nil || len(files) == 0 {
		t.Fatalf("no journal: %v", err)
	}
	var all strings.Builder
	for _, file := range files {
		all.Write(must.Read(t, file))
	}
	return all.String()
}

// acts records which program acts on which line without the proxy.
type acts struct {
	mu   sync.Mutex
	kind string
	kept map[string]map[string][]string // acts.json: by kind and line
	ran  []string
	told map[string][]string // programs by line
}

func readActs(t *testing.T, kind string) *acts {
	t.Helper()
	a := &acts{kind: kind, kept: map[string]map[string][]string{}, told: map[string][]string{}}
	raw, err := os.ReadFile(filepath.Join(hostileDir, "acts.json"))
	if err == nil {
		err = json.Unmarshal(raw, &a.kept)
	}
	must.OK(t, err)
	return a
}

// worth returns the lines for a program that starts slowly: those that it acts on. Other lines end the program, and a
// new start for each of them would take minutes; -update-acts does that.
func (a *acts) worth(who string, list []spelling) []spelling {
	if *updateActs || who != "java" {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(s spelling) bool {
		return !slices.Contains(a.kept[a.kind][s.name], who)
	})
}

func (a *acts) add(who string, lines map[string]bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ran = append(a.ran, who)
	for line := range lines {
		a.told[line] = append(a.told[line], who)
	}
}

// check compares the observations with acts.json, for the programs that are installed.
func (a *acts) check(t *testing.T, list []spelling) {
	t.Helper()
	for _, who := range a.told {
		slices.Sort(who)
	}
	if *updateActs {
		a.kept[a.kind] = a.told
		raw, err := json.MarshalIndent(a.kept, "", " ")
		if err == nil {
			err = os.WriteFile(filepath.Join(hostileDir, "acts.json"), append(raw, '\n'), 0o600)
		}
		must.OK(t, err)
		return
	}
	dangerous := 0
	for _, s := range list {
		want := slices.DeleteFunc(slices.Clone(a.kept[a.kind][s.name]), func(who string) bool {
			return !slices.Contains(a.ran, who)
		})
		if got := a.told[s.name]; !slices.Equal(got, want) {
			t.Errorf("%s: %q act on it, acts.json says %q", s.name, got, want)
		}
		if len(want) > 0 {
			dangerous++
		}
	}
	t.Logf("of %d lines %d are acted on by %d programs", len(list), dangerous, len(a.ran))
}

// lines writes and reads lines in place of a client, so that a test sees the bytes and can break a session.
type lines struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	heard  chan string // closed at the end of the server's output
	exited chan int
	errs   *notetest.Notes
}

func openLines(t *testing.T, server []string) *lines {
	t.Helper()
	return openLinesAs(t, server, nil)
}

// openLinesAs starts the server as another user.
func openLinesAs(t *testing.T, server []string, as *syscall.SysProcAttr) *lines {
	t.Helper()
	l := &lines{t: t, cmd: exec.Command(server[0], server[1:]...),
		heard: make(chan string, 64), exited: make(chan int, 1), errs: &notetest.Notes{}}
	l.cmd.Stderr = l.errs
	l.cmd.SysProcAttr = as
	l.cmd.WaitDelay = time.Second
	in, out := must.Start(t, l.cmd)
	l.in = in
	go func() {
		r := bufio.NewReaderSize(out, 1<<20)
		for {
			line, err := r.ReadString('\n')
			if line != "" {
				l.heard <- strings.TrimSuffix(line, "\n")
			}
			if err != nil {
				break
			}
		}
		close(l.heard)
		_ = l.cmd.Wait()
		l.exited <- l.cmd.ProcessState.ExitCode()
	}()
	t.Cleanup(func() {
		_ = l.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("stderr: %s", clip(l.errs.String()))
		}
	})
	return l
}

func (l *lines) say(messages ...string) {
	l.t.Helper()
	for _, m := range messages {
		if _, err := io.WriteString(l.in, m+"\n"); err != nil {
			l.t.Fatalf("writing %s: %v", clip(m), err)
		}
	}
}

// next returns the next line, and fails the test when there is none.
func (l *lines) next() string {
	l.t.Helper()
	select {
	case line, open := <-l.heard:
		if !open {
			l.t.Fatal("the output ended while a line was awaited")
		}
		return line
	case <-time.After(patience / 2):
		l.t.Fatal("no line came")
	}
	return ""
}

// until reads lines up to the response to an id. It returns the response and the lines before it.
func (l *lines) until(id string) (response string, before []string) {
	l.t.Helper()
	for {
		line := l.next()
		var m struct {
			ID     json.RawMessage
			Method string
		}
		if json.Unmarshal([]byte(line), &m) == nil && m.Method == "" && string(m.ID) == id {
			return line, before
		}
		before = append(before, line)
	}
}

// end waits for the process and returns its exit code and the last lines.
func (l *lines) end() (code int, rest []string) {
	l.t.Helper()
	deadline := time.After(patience / 2)
	for {
		select {
		case line, open := <-l.heard:
			if open {
				rest = append(rest, line)
				continue
			}
			select {
			case code := <-l.exited:
				return code, rest
			case <-deadline:
				l.t.Fatal("the output ended, but the process did not")
			}
		case <-deadline:
			l.t.Fatal("the process did not end")
		}
	}
}

const (
	helloNone = `{"jsonrpc":"2.0","id":"hello","method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"lines","version":"1"}}}`
	helloForm = `{"jsonrpc":"2.0","id":"hello","method":"initialize",` +
		`"params":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}}},` +
		`"clientInfo":{"name":"lines","version":"1"}}}`
	ready = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

// greet opens a session of 2025-11-25.
func (l *lines) greet(hello string) {
	l.t.Helper()
	l.say(hello)
	l.until(`"hello"`)
	l.say(ready)
}

func callTool(id, tool string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{}}}`
}

// newCall is a call of 2026-07-28: no session before it, everything in _meta.
func newCall(id, tool string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":{},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
}
