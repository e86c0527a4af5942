//go:build unix

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
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

	"github.com/elicit-engine/elicit/cmd/elicit/internal/desktop"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
)

// unattended runs a tool of the demonstration server behind `elicit proxy` as an MCP client starts it: without a
// terminal. What programs would open is written into a pipe instead.
func unattended(t *testing.T, display string, flags ...string) (
	cmd *exec.Cmd, opened string, out, notes *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	server := programtest.DemoServer(t)
	opened = filepath.Join(dir, "opened")
	if err := syscall.Mkfifo(opened, 0o600); err != nil {
		t.Fatal(err)
	}
	opener := filepath.Join(dir, "opener")
	if err := os.WriteFile(opener, []byte("#!/bin/sh\ncat \"$1\" >"+opened+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd = exec.Command("calltool",
		append(append([]string{"deploy", "elicit", "proxy", "--name", "demo"}, flags...), "--", server)...)
	cmd.Env = append(os.Environ(), "DISPLAY="+display, "WAYLAND_DISPLAY=", "ELICIT_TTY=", "ELICIT_BROWSER="+opener)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no controlling terminal
	out, notes = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, notes
	return cmd, opened, out, notes
}

func TestProxyAsksOnAPageWhereThereIsNoTerminalButADisplay(t *testing.T) {
	cmd, opened, out, notes := unattended(t, ":99")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(opened) // until the question has come and the browser has been given the page
	if err != nil {
		t.Fatal(err)
	}
	link := regexp.MustCompile(`url=(http://127\.0\.0\.1:\d+)(/\w+/)#(\w+)"`).FindStringSubmatch(string(page))
	if link == nil {
		t.Fatalf("the browser was given %s", page)
	}
	declineOn(t, link)
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "said: Declined: nothing was done.") {
		t.Errorf("%v; the tool said %s\n%s", err, out, notes)
	}
}

// TestPagePrintsAFreshLink: the browser that was opened never comes, and the person asks for a link.
func TestPagePrintsAFreshLink(t *testing.T) {
	runtime, err := os.MkdirTemp("", "r") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(runtime)
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	t.Setenv("TMPDIR", runtime)
	cmd, opened, out, notes := unattended(t, ":99")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.ReadFile(opened); err != nil {
		t.Fatal(err)
	}
	printed, err := exec.Command("elicit", "page", "demo").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, printed)
	}
	link := regexp.MustCompile(`^demo \(process \d+\): 1 question waits, no browser has the page open\n` +
		`  (http://127\.0\.0\.1:\d+)(/\w+/)#(\w+)\n$`).FindStringSubmatch(string(printed))
	if link == nil {
		t.Fatalf("it printed %s", printed)
	}
	declineOn(t, link)
	if err := cmd.Wait(); err != nil || !strings.Contains(out.String(), "said: Declined: nothing was done.") {
		t.Errorf("%v; the tool said %s\n%s", err, out, notes)
	}
	if printed, err = exec.Command("elicit", "page").CombinedOutput(); err == nil ||
		!strings.Contains(string(printed), "no running proxy of yours asks in a browser") {
		t.Errorf("after the end: %v: %s", err, printed)
	}
}

// declineOn enters by a link, of which it gets the origin, the path and the token, and declines the question there.
func declineOn(t *testing.T, link []string) {
	t.Helper()
	person := visitor{t, link[1], link[1] + link[2], &http.Client{Timeout: 30 * time.Second}}
	person.client.Jar, _ = cookiejar.New(nil)
	person.post("enter", `{"token":"`+link[3]+`"}`)
	person.post("answer", `{"id":"`+person.question()+`","action":"decline"}`)
}

func TestProxyAsksNobodyWhereThereIsNeitherTerminalNorDisplay(t *testing.T) {
	if desktop.HasDisplay() {
		t.Setenv("SSH_CONNECTION", "x") // a desktop that is not one of X or Wayland
	}
	cmd, _, _, notes := unattended(t, "")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(notes.String(), "neither a terminal nor a display") {
		t.Errorf("it noted %s", notes)
	}
}

// visitor is the page's part, played by the test.
type visitor struct {
	t            *testing.T
	origin, base string
	client       *http.Client
}

func (v visitor) post(name, body string) {
	v.t.Helper()
	r, err := http.NewRequest(http.MethodPost, v.base+name, strings.NewReader(body))
	if err != nil {
		v.t.Fatal(err)
	}
	r.Header.Set("Origin", v.origin)
	r.Header.Set("Content-Type", "application/json")
	answer, err := v.client.Do(r)
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		text, _ := io.ReadAll(answer.Body)
		v.t.Fatalf("%s: %s %s", name, answer.Status, text)
	}
}

// question is the id of the question before the person.
func (v visitor) question() string {
	v.t.Helper()
	answer, err := v.client.Get(v.base + "events")
	if err != nil {
		v.t.Fatal(err)
	}
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var in struct{ Question struct{ ID string } }
		if text, is := strings.CutPrefix(lines.Text(), `data: {"question"`); is {
			if err := json.Unmarshal([]byte(`{"question"`+text), &in); err != nil {
				v.t.Fatal(err)
			}
			return in.Question.ID
		}
	}
	v.t.Fatal("no question is before the person")
	return ""
}
