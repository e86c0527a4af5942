package main_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// spelledClient is a program on one SDK. It calls the given tools and prints what it notices.
type spelledClient struct {
	name    string
	date    string
	missing error
	command []string
}

// spelledClients are the clients of the hostile lines. The slowest is first. The last two are written by hand without
// an SDK, as many clients are.
func (p parts) spelledClients() []spelledClient {
	at := func(elements ...string) string { return filepath.Join(append([]string{p.drivers}, elements...)...) }
	classes := at("java/classes") + string(filepath.ListSeparator) + at("java/lib/*")
	venv, venv1, script := p.stamped("Python", "venv"), p.stamped("Python 1.x", "venv1"), at("hostile/client.py")
	java := []string{"java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-cp", classes,
		"HostileClient"}
	mcpgo, rmcp := p.stamped("mcp-go", "mcpgo/bin"), p.stamped("Rust", "rmcp/target")
	rust := at("rmcp/target/debug/hostile-rmcp")
	return []spelledClient{
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
		{name: "rmcp", date: november, missing: rmcp, command: []string{rust}},
		{name: "rmcp", date: july, missing: rmcp, command: []string{rust}},
		{name: "javascript-lines", date: november, missing: p.node, command: []string{"node", at("hostile/lines.mjs")}},
		{name: "python-lines", date: november, missing: venv,
			command: []string{at("venv/bin/python"), at("hostile/lines.py")}},
	}
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
	file := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(file, []byte(names.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*patience)
	defer stop()
	cmd := exec.CommandContext(ctx, c.command[0], append(append(slices.Clone(c.command[1:]), c.date, file), server...)...)
	cmd.WaitDelay = time.Second
	cmd.Env = append(os.Environ(), "PATIENCE="+strconv.FormatInt((patience/2).Milliseconds(), 10))
	var errs lockedBuffer
	cmd.Stderr = &errs
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
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
