//go:build unix

package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
)

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
		if err := os.WriteFile(opener, []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
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
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
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
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
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
