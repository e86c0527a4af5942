package ui

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/terminaltest"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/schema"
	"github.com/elicit-engine/elicit/internal/must"
)

// TestMain is also the program that runs in the terminal of the tests: a Terminal that obeys lines from a pipe.
func TestMain(m *testing.M) {
	if pipe := os.Getenv("UI_TEST_PIPE"); pipe != "" {
		obey(pipe)
		return
	}
	os.Exit(m.Run())
}

// obey reads and performs commands: show ID, withdraw ID, reject ID, late ID, close. It writes answers to pipe.out.
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
	term := NewTerminal().Lasting()
	for lines := bufio.NewScanner(in); lines.Scan(); {
		verb, name, _ := strings.Cut(lines.Text(), " ")
		id := elicit.ID(name)
		switch verb {
		case "show":
			term.Show(effect.Show{ID: id, Server: "server-" + name, Mode: elicit.Form, Message: "question " + name, Form: form},
				func(g Given) { tell(out, name, g) })
		case "confirm":
			bare, _ := schema.Compile([]byte(`{"type":"object","properties":{}}`), schema.Options{})
			term.Show(effect.Show{ID: id, Server: "server-" + name, Mode: elicit.Form, Message: "question " + name, Form: bare,
				Remember: []elicit.Scope{elicit.ForTheSession, elicit.Always}}, func(g Given) { tell(out, name, g) })
		case "suggest":
			full, _ := schema.Compile([]byte(`{"type":"object","properties":{`+
				`"word":{"type":"string","default":"plain"},"yes":{"type":"boolean"},`+
				`"one":{"type":"string","oneOf":[{"const":"a","title":"Ay"},{"const":"b","title":"Bee"}]},`+
				`"some":{"type":"array","items":{"type":"string","enum":["x","y","z"]}},"n":{"type":"integer"},`+
				`"long":{"type":"string","maxLength":500}}}`), schema.Options{})
			var before []effect.Suggestion
			for _, s := range [][2]string{{"word", `"fancy"`}, {"yes", `false`}, {"one", `"b"`},
				{"some", `["x","z"]`}, {"n", `42`}, {"long", `"of old"`}} {
				before = append(before, effect.Suggestion{Field: s[0], Value: []byte(s[1]), At: 1_700_050_000_000})
			}
			term.Show(effect.Show{ID: id, Server: "server-" + name, Mode: elicit.Form, Message: "question " + name, Form: full,
				Suggestions: before}, func(g Given) { tell(out, name, g) })
		case "withdraw":
			term.Withdraw(effect.Withdraw{ID: id, Cause: elicit.ByPeerCancelled})
		case "reject":
			term.Problem(effect.Problem{About: effect.AboutAnswer, ID: id,
				Problems: []elicit.Problem{{Code: "some_code", Pointer: "/word"}}})
		case "late":
			term.Problem(effect.Problem{About: effect.AboutAnswer, ID: id, Outcome: elicit.Cancelled, Cause: elicit.ByTimeout})
		case "close":
			fmt.Fprintf(out, "closed %v\n", term.Close())
			return
		}
	}
}

// tell writes an answer on one line.
func tell(out *os.File, name string, g Given) {
	mute := ""
	if g.Mute {
		mute = "mute"
	}
	fmt.Fprintln(out, strings.Join(nonEmpty(name, string(g.Action), string(g.Content), string(g.Via),
		string(g.Remember), mute), " "))
}

// player is the program in its terminal, with the pipe for commands.
type player struct {
	*terminaltest.Terminal
	t    *testing.T
	pipe *os.File
	out  string
}

func play(t *testing.T) player {
	t.Helper()
	self, err := os.Executable()
	must.OK(t, err)
	path := t.TempDir() + "/p"
	p := terminaltest.Open(t, 80, 24, "mkfifo "+path+"; echo ready; UI_TEST_PIPE="+path+" "+self)
	p.Wait("ready")
	pipe, err := os.OpenFile(path, os.O_WRONLY, 0)
	must.OK(t, err)
	t.Cleanup(func() { pipe.Close() })
	return player{p, t, pipe, path + ".out"}
}

func (p player) do(command string) {
	p.t.Helper()
	if _, err := fmt.Fprintln(p.pipe, command); err != nil {
		p.t.Fatal(err)
	}
}

// closes ends the program and compares all answers that it wrote.
func (p player) closes(want ...string) {
	p.t.Helper()
	p.do("close")
	p.Gone("question")
	out := p.answers("closed <nil>")
	if got := strings.Join(out, "|"); got != strings.Join(append(want, "closed <nil>"), "|") {
		p.t.Errorf("answers: got %s, want %s", got, strings.Join(want, "|"))
	}
}

// answers waits for a line and returns all lines so far.
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
	if got := term.Modes(); got != (elicit.Modes{}) {
		t.Errorf("modes: got %v, want none", got)
	}
	answers := make(chan string, 1)
	term.Show(effect.Show{ID: "a"}, func(g Given) { answers <- string(g.Action) + " " + string(g.Via) })
	if got, want := <-answers, "cancel no_ui"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := term.Close(); err != nil {
		t.Error(err)
	}
}

func TestTerminalOffersWhatHoldsForLaterQuestions(t *testing.T) {
	p := play(t)
	p.do("confirm a")
	p.Wait("server-a asks", "Accept for this session", "Accept always", "Decline and mute")
	p.Keys("Right", "Right")
	p.Wait("[Accept for this session]")
	p.Keys("Enter")
	p.answers("a accept {} session")
	p.do("confirm b")
	p.Wait("server-b asks")
	p.Keys("Right", "Right", "Right", "Right", "Right", "Right")
	p.Wait("[Decline and mute]")
	p.Keys("Enter")
	p.answers("b decline mute")
	p.do("show c")
	screen := p.Wait("server-c asks", "Decline and mute")
	if strings.Contains(screen, "Accept for this session") {
		t.Errorf("a form is offered to be remembered:\n%s", screen)
	}
	p.Keys("Escape")
	p.answers("c cancel")
	p.closes("a accept {} session", "b decline mute", "c cancel")
}

func TestTerminalTakesWhatWasTypedBeforeByOneKey(t *testing.T) {
	p := play(t)
	p.do("suggest a")
	p.Wait("server-a asks", "> plain", "ctrl+y takes “fancy”, which you typed on 2023-11-15")
	p.Keys("C-s")
	p.answers(`a accept {"word":"plain"}`) // a suggestion that nobody took is not in the answer
	p.do("suggest b")
	p.Wait("server-b asks")
	for _, shows := range []string{"> fancy", "[No]", "> Bee", "[x] z", "> 42", "of old"} {
		p.Keys("C-y")
		p.Wait(shows)
		p.Keys("Tab")
	}
	p.Keys("C-s")
	p.answers(`b accept {"word":"fancy","yes":false,"one":"b","some":["x","z"],"n":42,"long":"of old"}`)
	p.do("close")
}

func TestLineByLineEndsKeepTheirNumbers(t *testing.T) {
	t.Setenv("ELICIT_ACCESSIBLE", "1")
	p := play(t)
	p.do("confirm a")
	p.Wait("1. Accept", "2. Decline", "3. Cancel", "4. Accept for this session", "5. Accept always",
		"6. Decline and mute", "Your choice:")
	p.Type("5")
	p.Keys("Enter")
	p.answers("a accept {} always")
	p.do("suggest b")
	for _, field := range []string{"fancy", "no", "Bee", "x, z", "42", "of old"} {
		p.Wait("= takes “" + field + "”, which you typed on 2023-11-15")
		p.Type("=")
		p.Keys("Enter")
	}
	p.Wait("1. Submit", "2. Decline", "3. Cancel", "4. Decline and mute")
	p.Type("1")
	p.Keys("Enter")
	p.answers(`b accept {"word":"fancy","yes":false,"one":"b","some":["x","z"],"n":42,"long":"of old"}`)
	p.do("close")
}

// TestWaitingCountsWhatTheEngineKeepsBack: the engine shows one question at a time, and others arrive and end
// meanwhile.
func TestWaitingCountsWhatTheEngineKeepsBack(t *testing.T) {
	term := &Terminal{}
	shown := &effect.Show{Session: "s", Ref: "1"}
	for _, c := range []struct {
		do   func()
		want int
	}{
		{func() {}, 0},
		{func() { term.Asked(elicit.Request{Session: "s", Ref: "1"}) }, 0},
		{func() { term.Asked(elicit.Request{Session: "s", Ref: "2"}) }, 1},
		{func() { term.Asked(elicit.Request{Session: "s", Ref: "3"}) }, 2},
		{func() { term.Over(elicit.Request{Session: "s", Ref: "2"}, nil) }, 1},
	} {
		c.do()
		if got := term.waiting(shown); got != c.want {
			t.Errorf("got %d, want %d", got, c.want)
		}
	}
}

// TestMoreTimeIsAddedToTheDeadline, or to the present when the deadline has passed.
func TestMoreTimeIsAddedToTheDeadline(t *testing.T) {
	events := make(chan event.Event, 1)
	term := &Terminal{clock: func() time.Time { return time.UnixMilli(1_000_000) }}
	if term.moreTime() != nil {
		t.Error("nobody listens, and it offers more time")
	}
	term.Attend(func(ev event.Event) { events <- ev })
	for deadline, want := range map[int64]int64{2_000_000: 2_300_000, 500_000: 1_300_000} {
		term.moreTime()(&effect.Show{Session: "s", ID: "a", Deadline: deadline})
		if got := <-events; got != (event.Extended{Session: "s", ID: "a", Until: want}) {
			t.Errorf("got %v, want until %d", got, want)
		}
	}
}

// TestReceipts: each receipt goes out once, and a question that waited for the screen gets the time that it waited.
func TestReceipts(t *testing.T) {
	for _, c := range []struct {
		name     string
		waited   time.Duration
		deadline int64
		extended int64 // 0 for not at all
	}{
		{"drawn at once", 0, 100_000, 0},
		{"drawn after half a second", 500 * time.Millisecond, 100_000, 0},
		{"drawn after a minute", time.Minute, 100_000, 160_000},
		{"without a deadline", time.Minute, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			now := time.UnixMilli(10_000)
			term := &Terminal{clock: func() time.Time { return now }}
			var got []event.Event
			term.Attend(func(ev event.Event) { got = append(got, ev) })
			q := &question{show: effect.Show{Session: "s", ID: "a", Deadline: c.deadline}, came: now}
			now = now.Add(c.waited)
			receipt := term.receipts(q)
			receipt(event.ReceiptShown)
			receipt(event.ReceiptFirstInput)
			receipt(event.ReceiptFirstInput)
			term.receipts(q)(event.ReceiptShown) // drawn again with the problems of its answer
			want := []event.Event{event.Noted{Session: "s", ID: "a", Receipt: event.ReceiptShown}}
			if c.extended > 0 {
				want = append(want, event.Extended{Session: "s", ID: "a", Until: c.extended})
			}
			want = append(want, event.Noted{Session: "s", ID: "a", Receipt: event.ReceiptFirstInput})
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}

func TestLinesOfOthersWaitForTheQuestion(t *testing.T) {
	var screen strings.Builder
	terminal := &Terminal{}
	server, ours := terminal.Beside(&screen, true), terminal.Beside(&screen, false)
	say := func(w io.Writer, text string) {
		if n, err := io.WriteString(w, text); n != len(text) || err != nil {
			t.Fatalf("writing %q: %d, %v", text, n, err)
		}
	}
	expect := func(when, want string) {
		t.Helper()
		if got := screen.String(); got != want {
			t.Errorf("%s: got %q, want %q", when, got, want)
		}
		screen.Reset()
	}
	say(server, "\x1b[32mready\x1b[0m\r\nhalf a ")
	say(ours, "elicit: a note\n")
	say(server, "line\x1b[2J\n\n")
	expect("before", "▌ ready\nelicit: a note\n▌ half a line<U+001B>[2J\n▌ \n")

	terminal.hold(true)
	say(server, "Save a backup copy first?\n")
	say(ours, "elicit: another note\n")
	say(server, strings.Repeat(strings.Repeat("x", 3000)+"\n", 30))
	expect("during", "")
	terminal.hold(false)
	got := screen.String()
	for _, want := range []string{"▌ Save a backup copy first?\n", "elicit: another note\n",
		"elicit: 9 more lines were left out while"} {
		if !strings.Contains(got, want) {
			t.Errorf("after: no %q in %d bytes", want, len(got))
		}
	}
	screen.Reset()

	say(server, strings.Repeat("y", mostLine+1)+"\nthe end")
	if long := screen.String(); strings.Count(long, "▌ ") != 2 || !strings.HasSuffix(long, "\n▌ y\n") {
		t.Errorf("a long line became %d lines", strings.Count(long, "\n"))
	}
	screen.Reset()
	terminal.beside[0].close()
	expect("at the end", "▌ the end\n")
}
