package main_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// lines writes and reads lines in place of a client, so that a test sees the bytes and can break a session.
type lines struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	heard  chan string // closed at the end of the server's output
	exited chan int
	errs   *lockedBuffer
}

func openLines(t *testing.T, server []string) *lines {
	t.Helper()
	return openLinesAs(t, server, nil)
}

// openLinesAs starts the server as another user.
func openLinesAs(t *testing.T, server []string, as *syscall.SysProcAttr) *lines {
	t.Helper()
	l := &lines{t: t, cmd: exec.Command(server[0], server[1:]...),
		heard: make(chan string, 64), exited: make(chan int, 1), errs: &lockedBuffer{}}
	l.cmd.Stderr = l.errs
	l.cmd.SysProcAttr = as
	l.cmd.WaitDelay = time.Second
	in, err := l.cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := l.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := l.cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
