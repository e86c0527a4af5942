package ui

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/pane"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/schema"
)

// TestMain lets the test binary play the program inside a pane: a Terminal that obeys lines from a pipe.
func TestMain(m *testing.M) {
	if pipe := os.Getenv("UI_TEST_PIPE"); pipe != "" {
		obey(pipe)
		return
	}
	os.Exit(m.Run())
}

// obey reads commands: show ID, withdraw ID, reject ID, late ID, close. Answers go to the file pipe.out.
func obey(pipe string) {
	in, err := os.Open(pipe)
	if err != nil {
		panic(err)
	}
	out, err := os.OpenFile(pipe+".out", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		panic(err)
	}
	form, _ := schema.Compile([]byte(`{"type":"object","properties":{"word":{"type":"string"}}}`), schema.Options{})
	term := NewTerminal()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		verb, name, _ := strings.Cut(lines.Text(), " ")
		id := elicit.ID(name)
		switch verb {
		case "show":
			term.Show(engine.Show{ID: id, Server: "server-" + name, Mode: elicit.Form, Message: "question " + name, Form: form},
				func(a elicit.Action, content []byte, via engine.Via) {
					fmt.Fprintln(out, strings.Join(nonEmpty(name, string(a), string(content), string(via)), " "))
				})
		case "withdraw":
			term.Withdraw(engine.Withdraw{ID: id, Cause: elicit.ByPeerCancelled})
		case "reject":
			term.Problem(engine.Problem{ID: id, Problems: []elicit.Problem{{Code: "some_code", Pointer: "/word"}}})
		case "late":
			term.Problem(engine.Problem{ID: id, Outcome: elicit.Cancelled, Cause: elicit.ByTimeout})
		case "close":
			fmt.Fprintf(out, "closed %v\n", term.Close())
			return
		}
	}
}

// player is the program in its pane, and the pipe that commands it.
type player struct {
	*pane.Pane
	t    *testing.T
	pipe *os.File
	out  string
}

func play(t *testing.T) player {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/p"
	p := pane.Open(t, 80, 24, "mkfifo "+path+"; echo ready; UI_TEST_PIPE="+path+" "+self)
	p.Wait("ready")
	pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pipe.Close() })
	return player{p, t, pipe, path + ".out"}
}

func (p player) do(command string) {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.pipe, command); err != nil {
		p.t.Fatal(err)
	}
}

// closes ends the program and compares the answers it gave.
func (p player) closes(want ...string) {
	p.t.Helper()
	p.do("close")
	p.Gone("question")
	out := p.answers("closed <nil>")
	if got := strings.Join(out, "|"); got != strings.Join(append(want, "closed <nil>"), "|") {
		p.t.Errorf("answers: got %s, want %s", got, strings.Join(want, "|"))
	}
}

// answers waits for a line and returns all so far.
func (p player) answers(last string) (lines []string) {
	p.t.Helper()
	p.Until("after which the answers have "+last, func(string) bool {
		doc, _ := os.ReadFile(p.out)
		lines = strings.Split(strings.TrimSpace(string(doc)), "\n")
		return lines[len(lines)-1] == last
	})
	return lines
}

func TestTerminalAsksOneAfterTheOther(t *testing.T) {
	p := play(t)
	p.do("show a")
	p.Wait("server-a asks")
	p.do("show b")
	p.do("show c")
	p.Wait("server-a asks", "2 more waiting")
	p.do("withdraw b")
	p.Wait("1 more waiting")
	p.Type("one")
	p.Keys("C-s")
	p.Wait("server-c asks")
	p.Keys("C-x")
	p.answers("c decline")
	p.closes(`a accept {"word":"one"}`, "c decline")
}

func TestTerminalTellsOfAWithdrawal(t *testing.T) {
	p := play(t)
	p.do("show a")
	p.do("show b")
	p.Wait("server-a asks")
	p.Type("half a wo")
	p.Wait("> half a wo")
	p.do("withdraw a")
	p.Wait("This question is gone: the server withdrew the request.", "Nothing was answered.")
	p.Keys("Enter")
	p.Wait("server-b asks")
	p.Keys("Escape")
	p.answers("b cancel")
	p.Wait("elicit: the question of server-a is gone: the server withdrew the request")
	p.do("close")
	p.answers("closed <nil>")
}

func TestTerminalComesBackWithARejectedAnswer(t *testing.T) {
	p := play(t)
	p.do("show a")
	p.Wait("server-a asks")
	p.Type("one")
	p.Keys("C-s")
	p.answers(`a accept {"word":"one"}`)
	p.do("reject a")
	p.Wait("one answer needs your attention", "✗ some code", "> one")
	p.Type("s")
	p.Keys("C-s")
	p.answers(`a accept {"word":"ones"}`)
	p.do("late a")
	p.Wait("your answer to server-a came too late: nobody answered in time")
	p.closes(`a accept {"word":"one"}`, `a accept {"word":"ones"}`)
}

func TestTerminalClosesWhileAsking(t *testing.T) {
	p := play(t)
	p.do("show a")
	p.Wait("server-a asks")
	p.closes()
}

func TestNoTerminalIsNobody(t *testing.T) {
	t.Setenv("ELICIT_TTY", "/nowhere/tty")
	term := NewTerminal()
	if got := term.Modes(); got != (engine.Modes{}) {
		t.Errorf("modes: got %v, want none", got)
	}
	answers := make(chan string, 1)
	term.Show(engine.Show{ID: "a"}, func(a elicit.Action, _ []byte, via engine.Via) { answers <- string(a) + " " + string(via) })
	if got, want := <-answers, "cancel no_ui"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := term.Close(); err != nil {
		t.Error(err)
	}
}
