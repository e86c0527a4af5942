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
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/desktop"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/programtest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/internal/must"
)

// unattended runs a tool of the demonstration server behind `elicit proxy` as an MCP client starts it: without a
// terminal. What programs would open is written into a pipe instead.
func unattended(t *testing.T, display string, flags ...string) (
	cmd *exec.Cmd, opened string, out, notes *bytes.Buffer) {
	t.Helper()
	dir := t.TempDir()
	server := programtest.DemoServer(t)
	opened = filepath.Join(dir, "opened")
	must.OK(t, syscall.Mkfifo(opened, 0o600))
	opener := filepath.Join(dir, "opener")
	must.OK(t, os.WriteFile(opener, []byte("#!/bin/sh\ncat \"$1\" >"+opened+"\n"), 0o700))
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
	must.OK(t, cmd.Start())
	page, err := os.ReadFile(opened) // until the question has come and the browser has been given the page
	must.OK(t, err)
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
	runtime := must.ShortDir(t)
	t.Setenv("XDG_RUNTIME_DIR", runtime)
	t.Setenv("TMPDIR", runtime)
	cmd, opened, out, notes := unattended(t, ":99")
	must.OK(t, cmd.Start())
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
	must.OK(t, cmd.Run())
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
	must.OK(v.t, err)
	r.Header.Set("Origin", v.origin)
	r.Header.Set("Content-Type", "application/json")
	answer, err := v.client.Do(r)
	must.OK(v.t, err)
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
	must.OK(v.t, err)
	defer answer.Body.Close()
	lines := bufio.NewScanner(answer.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var in struct{ Question struct{ ID string } }
		if text, is := strings.CutPrefix(lines.Text(), `data: {"question"`); is {
			must.Unmarshal(v.t, `{"question"`+text, &in)
			return in.Question.ID
		}
	}
	v.t.Fatal("no question is before the person")
	return ""
}

// deafServer reads nothing and ends only by a signal.
var deafServer = []string{"sh", "-c", "echo ready >&2; exec sleep 3600"}

func proxyOf(t *testing.T, server []string, flags ...string) *exec.Cmd {
	t.Helper()
	words := append([]string{"proxy", "--ui", "none", "--policy", "none", "--journal", "none"}, flags...)
	return exec.Command(programtest.Built(t, "./cmd/elicit"), append(append(words, "--"), server...)...)
}

// noise is a notification that pads a stream.
func noise(size int) string {
	return `{"jsonrpc":"2.0","method":"notifications/x","params":{"pad":"` + strings.Repeat("x", size) + `"}}` + "\n"
}

// TestTheClientOfADeafServerMayLeave: the proxy ends, although more waits for the server than it reads from a client
// at once.
func TestTheClientOfADeafServerMayLeave(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 200 << 10, 400 << 10, 2 << 20} {
		cmd := proxyOf(t, deafServer, "--grace", "100ms")
		cmd.Stdin = strings.NewReader(strings.Repeat(noise(1000), size/1000))
		if err := cmd.Run(); err == nil { // it ends by a signal, or the test never ends
			t.Errorf("%d bytes: the server ended by itself", size)
		}
	}
}

// TestADeafServerEndsTheSession: a client that stays and sends more and more does not hang either.
func TestADeafServerEndsTheSession(t *testing.T) {
	t.Parallel()
	cmd := proxyOf(t, deafServer, "--grace", "100ms")
	in, err := cmd.StdinPipe()
	must.OK(t, err)
	var notes bytes.Buffer
	cmd.Stderr = &notes
	must.OK(t, cmd.Start())
	for line := noise(64 << 10); err == nil; {
		_, err = io.WriteString(in, line)
	}
	_ = cmd.Wait()
	if !strings.Contains(notes.String(), "the server has read none of its input for 100ms") {
		t.Errorf("stderr does not say why:\n%s", notes.String())
	}
}

// TestAServerEndsWithAKilledProxy: the server holds the error stream, whose end shows that it is gone.
func TestAServerEndsWithAKilledProxy(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells a program that its parent was killed")
	}
	r, w, err := os.Pipe()
	must.OK(t, err)
	cmd := proxyOf(t, deafServer)
	if _, err := cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = w
	must.OK(t, cmd.Start())
	w.Close()
	for said := ""; !strings.Contains(said, "ready"); {
		b := make([]byte, 1000)
		n, err := r.Read(b)
		if said += string(b[:n]); err != nil {
			t.Fatalf("%v after %q", err, said)
		}
	}
	must.OK(t, cmd.Process.Kill())
	_ = cmd.Wait()
	if _, err := io.ReadAll(r); err != nil { // comes to an end, or the test never ends
		t.Error(err)
	}
}

// These are the places in which a client starts its servers, as the environment of the client and the terminal. Where
// a person is asked on our own surface, the person declines.
const (
	display     = "desktop"         // a display, and no terminal
	ssh         = "terminal"        // a terminal, and no display
	rawDisplay  = "raw, display"    // a terminal that a full-screen client has, and a display
	rawTerminal = "raw, no display" // the same without a display and without tmux
	headless    = "headless"        // neither a terminal nor a display
	ci          = "CI"              // the same in a runner of CI
	forms       = `{"elicitation":{"form":{}}}`
	pages       = `{"elicitation":{"form":{},"url":{}}}`
	nothing     = `{"roots":{}}`
)

// TestWhoIsAsked is the table of docs/proxy.md: what the client declares, and where it runs, say who is asked. The last
// column says who was asked, what the server was told, and what it got.
func TestWhoIsAsked(t *testing.T) {
	t.Parallel()
	const (
		both       = "told form and url, "
		monday     = `accept {"day":"Monday"}`
		byClient   = "the client was asked; "
		onPage     = "page; " // a person declines there
		onTerminal = "terminal; "
		noSurface  = "told form, "
	)
	rows := []struct {
		place, declared, behaves, want string
	}{
		{display, nothing, "accepts", onPage + both + "decline"},
		{display, forms, "accepts", byClient + both + monday},
		{display, pages, "accepts", byClient + both + monday},
		{display, forms, "errs", byClient + onPage + both + "decline"},
		{display, forms, "unfit", byClient + onPage + both + "decline"},
		{ssh, nothing, "accepts", onTerminal + both + "decline"},
		{ssh, forms, "accepts", byClient + both + monday},
		{ssh, forms, "errs", byClient + onTerminal + both + "decline"},
		{rawDisplay, nothing, "accepts", onPage + both + "decline"},
		{rawDisplay, forms, "accepts", byClient + both + monday},
		{rawDisplay, forms, "errs", byClient + onPage + both + "decline"},
		{rawTerminal, nothing, "accepts", "told nothing, did not ask"},
		{rawTerminal, forms, "accepts", byClient + noSurface + monday},
		{rawTerminal, pages, "accepts", byClient + both + monday},
		{rawTerminal, forms, "cancels", byClient + noSurface + "cancel"},
		{rawTerminal, forms, "errs", byClient + noSurface + "cancel"},
		{rawTerminal, forms, "unfit", byClient + noSurface + "cancel"},
		{headless, nothing, "accepts", "told nothing, did not ask"},
		{headless, forms, "accepts", byClient + noSurface + monday},
		{headless, forms, "cancels", byClient + noSurface + "cancel"},
		{headless, forms, "errs", byClient + noSurface + "cancel"},
		{headless, forms, "unfit", byClient + noSurface + "cancel"},
		{ci, nothing, "accepts", "told nothing, did not ask"},
		{ci, forms, "accepts", byClient + noSurface + monday},
		{ci, forms, "cancels", byClient + noSurface + "cancel"},
	}
	// A cancel comes to our surface within a second only. The vectors try that, because they have a clock of their own.
	for _, row := range rows {
		name := row.place + " " + modesOfTest(row.declared) + " " + row.behaves
		name = strings.NewReplacer(" ", "-", ",", "").Replace(name)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := askIn(t, row.place, row.declared, row.behaves); got != row.want {
				t.Errorf("got  %s\nwant %s", got, row.want)
			}
		})
	}
}

func modesOfTest(capabilities string) string {
	var c struct{ Elicitation json.RawMessage }
	_ = json.Unmarshal([]byte(capabilities), &c)
	return modesIn(c.Elicitation)
}

// askIn runs the client in a place and tells who was asked, and what the tool said.
func askIn(t *testing.T, place, capabilities, behaves string) string {
	t.Helper()
	dir := t.TempDir()
	env := []string{"XDG_CONFIG_HOME=" + dir, "XDG_STATE_HOME=" + dir, "ELICIT_TTY=", "DISPLAY=", "WAYLAND_DISPLAY=",
		"SSH_CONNECTION=1", "TMUX=", "TMUX_PANE="}
	var opened string
	if place == display || place == rawDisplay {
		opened = filepath.Join(dir, "opened")
		opener := filepath.Join(dir, "opener")
		script := "#!/bin/sh\ncat \"$1\" >" + opened + ".part\nmv " + opened + ".part " + opened + "\n"
		must.OK(t, os.WriteFile(opener, []byte(script), 0o700))
		env = append(env, "DISPLAY=:99", "SSH_CONNECTION=", "ELICIT_BROWSER="+opener)
	}
	if place == ci {
		env = append(env, "CI=true")
	}
	command := []string{"declares", capabilities, behaves, "elicit", "proxy", "--name", "s", "--", "asksiftold"}
	if place == ssh || place == rawDisplay || place == rawTerminal {
		return askInTerminal(t, place, env, command, opened)
	}
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no controlling terminal
	var out, notes strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &notes
	must.OK(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	onPage, err := declineOpened(t, opened, ended)
	if err != nil {
		t.Fatalf("%v\n%s", err, notes.String())
	}
	return toldBy(out.String(), onPage)
}

// declineOpened declines the question on the page that a browser is given, unless the command ends without one.
func declineOpened(t *testing.T, opened string, ended chan error) (onPage string, err error) {
	t.Helper()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case err = <-ended:
			return onPage, err
		case <-look.C:
		}
		if page, missing := os.ReadFile(opened); onPage == "" && missing == nil {
			declineOn(t, linkIn(t, page))
			onPage = "page; "
		}
	}
}

func linkIn(t *testing.T, page []byte) []string {
	t.Helper()
	link := regexp.MustCompile(`url=(http://127\.0\.0\.1:\d+)(/\w+/)#(\w+)"`).FindStringSubmatch(string(page))
	if link == nil {
		t.Fatalf("the browser was given %s", page)
	}
	return link
}

func askInTerminal(t *testing.T, place string, env, command []string, opened string) string {
	t.Helper()
	words := []string{"unset TMUX TMUX_PANE; export"}
	for _, variable := range env {
		words = append(words, "'"+variable+"'")
	}
	line := strings.Join(words, " ") + "; unset TMUX TMUX_PANE;"
	if place != ssh {
		line += " stty -icanon -echo;"
	}
	for _, word := range command {
		line += " '" + word + "'"
	}
	p := terminaltest.Open(t, 120, 40, line+" 2>"+filepath.Join(t.TempDir(), "notes")+"; echo ended")
	where := ""
	p.Until("asks or ends", func(screen string) bool {
		page, err := os.ReadFile(opened)
		switch {
		case strings.Contains(screen, "s asks"):
			where = "terminal; "
			return true
		case opened != "" && err == nil && where == "":
			declineOn(t, linkIn(t, page))
			where = "page; "
		}
		return strings.Contains(screen, "\nended")
	})
	if where == "terminal; " {
		p.Keys("C-x")
	}
	return toldBy(p.Wait("said:", "ended"), where)
}

// toldBy sums up what the client printed.
func toldBy(printed, where string) string {
	lines := strings.Split(printed, "\n")
	i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "said: ") })
	if i < 0 {
		return "the tool said nothing: " + printed
	}
	said := strings.TrimSpace(strings.TrimPrefix(lines[i], "said: "))
	if slices.Contains(lines, "the client was asked") {
		where = "the client was asked; " + where
	}
	return where + said
}

// TestTheLogTellsWhoWasAsked reads the journal of a question that the client cancelled unseen.
func TestTheLogTellsWhoWasAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	journal := filepath.Join(dir, "journal")
	cmd := exec.Command("declares", forms, "cancels", "elicit", "proxy", "--journal", journal, "--name", "s", "--",
		"asksiftold")
	cmd.Env = append(os.Environ(), "DISPLAY=", "WAYLAND_DISPLAY=", "SSH_CONNECTION=1", "ELICIT_TTY=",
		"XDG_CONFIG_HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // no controlling terminal
	must.Run(t, cmd)
	out, err := exec.Command("elicit", "log", "--verify", journal).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "given to the client, which draws it") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestAPopupTakesWhatTheClientShowsToNobody is the row of the full-screen client in tmux.
func TestAPopupTakesWhatTheClientShowsToNobody(t *testing.T) {
	t.Parallel()
	for behaves, asks := range map[string]bool{"accepts": false, "errs": true} {
		t.Run(behaves, func(t *testing.T) {
			t.Parallel()
			p, _ := insideTmux(t, "stty -icanon -echo; declares '{\\\"elicitation\\\":{}}' "+behaves+
				" elicit proxy --name s -- asksiftold")
			if asks {
				p.Wait("s asks", "Which day?", "│")
				p.Keys("C-x")
				p.Wait("said: told form and url, decline")
				return
			}
			p.Wait("the client was asked", `said: told form and url, accept {"day":"Monday"}`)
		})
	}
}
