//go:build unix

package desk

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/internal/must"
)

// screen is a user interface that tells what it is asked to do.
type screen struct {
	happened chan string
	do       func(event.Event)

	mu     sync.Mutex
	show   effect.Show
	answer ui.Answer
}

func (s *screen) Modes() elicit.Modes         { return elicit.Modes{Form: true, URL: true} }
func (s *screen) Attend(do func(event.Event)) { s.do = do }
func (s *screen) Asked(r elicit.Request)      { s.happened <- "asked " + r.Server }
func (s *screen) Show(show effect.Show, answer ui.Answer) {
	s.mu.Lock()
	s.show, s.answer = show, answer
	s.mu.Unlock()
	s.happened <- "show " + show.Server
}

// isShown reports whether a question is the one that was shown last.
func (s *screen) isShown(id elicit.ID) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.show.ID == id
}

func (s *screen) Withdraw(w effect.Withdraw) {
	s.happened <- fmt.Sprintf("withdraw %t %s", s.isShown(w.ID), w.Cause)
}

func (s *screen) Over(_ elicit.Request, reply *effect.Reply) {
	if reply == nil {
		s.happened <- "over"
		return
	}
	s.happened <- fmt.Sprintf("over %t %s", s.isShown(reply.ID), reply.Outcome)
}

func (s *screen) Problem(p effect.Problem) {
	s.happened <- fmt.Sprintf("problem %t %s", s.isShown(p.ID), p.Problems[0].Code)
}
func (s *screen) Extend(effect.Extend)   {}
func (s *screen) Resolve(effect.Resolve) {}
func (s *screen) Close() error           { s.happened <- "closed"; return nil }

// rig is one desk with its screen, in a directory of sockets of its own.
type rig struct {
	*testing.T
	*screen
	desk   *Desk
	folder string
	own    chan event.Event // events of the process's own questions
}

func newRig(t *testing.T) *rig {
	t.Helper()
	folder := must.ShortDir(t)
	t.Setenv("XDG_RUNTIME_DIR", folder)
	t.Setenv("TMPDIR", t.TempDir())
	s := &screen{happened: make(chan string, 100)}
	r := &rig{t, s, New(s, func() Rank { return Beside }), filepath.Join(folder, "elicit"), make(chan event.Event, 10)}
	r.desk.Attend(func(ev event.Event) { r.own <- ev })
	must.OK(t, r.desk.Deaf())
	return r
}

// wait waits for what happens on the screen, in this order.
func (r *rig) wait(want ...string) {
	r.Helper()
	for _, w := range want {
		if got := <-r.happened; got != w {
			r.Fatalf("%s happened, want %s", got, w)
		}
	}
}

// ask asks at the only desk.
func (r *rig) ask(q Question) *Asking {
	r.Helper()
	places := Find(Beside)
	if len(places) != 1 {
		r.Fatalf("%d places", len(places))
	}
	a, err := places[0].Ask(q)
	if err != nil {
		r.Fatal(err)
	}
	return a
}

func push() Question {
	return Question{Host: "claude-code", Session: "s1", Server: "claude-code", Tool: "Bash", Kind: elicit.KindApproval,
		Message: "Bash\n\ngit push\n\nIn /w", Does: elicit.DeedCommand,
		Command: "git push", Cwd: "/w", Hosts: []string{"*"},
		Outside: elicit.SaidYes, Parts: []elicit.Part{{Is: elicit.PartText, Lines: 2}, {Is: elicit.PartCommand, Lines: 2},
			{Is: elicit.PartDirectory, Lines: 1}}, Schema: []byte(`{"type":"object","properties":{}}`),
		Findings: []elicit.Finding{{Code: "text_long", Severity: elicit.Low, Args: []elicit.Arg{elicit.Num("bytes", 9)}}},
		Reasons:  []elicit.Reason{{Code: "rule", Layer: "user"}}, Remember: []elicit.Scope{elicit.Always}}
}

func TestAnswer(t *testing.T) {
	r := newRig(t)
	a := r.ask(push())
	r.wait("asked claude-code", "show claude-code")
	if s := r.show; s.Message != push().Message || s.Form == nil || len(s.Findings) != 1 || len(s.Remember) != 1 ||
		len(s.Parts) != 3 || s.Command != "git push" || s.Cwd != "/w" || s.Does != elicit.DeedCommand ||
		len(s.Hosts) != 1 || s.Outside != elicit.SaidYes {
		t.Errorf("shown: %+v", s)
	}
	r.do(event.Noted{Session: r.show.Session, ID: r.show.ID, Receipt: event.ReceiptShown})
	if said := <-a.Said; said.Receipt != event.ReceiptShown || said.Answer != nil {
		t.Errorf("said: %+v", said)
	}
	r.do(event.Extended{Session: r.show.Session, ID: r.show.ID, Until: 1}) // goes nowhere
	r.do(event.Noted{Session: "own", Receipt: event.ReceiptShown})
	if ev := <-r.own; ev.(event.Noted).Session != "own" {
		t.Errorf("the process got %+v", ev)
	}
	r.answer(ui.Given{Action: elicit.Accept, Content: []byte(`{"a":1}`), Via: event.ViaPerson, Remember: elicit.Always})
	said := <-a.Said
	if g := said.Answer; g == nil || string(g.Content) != `{"a":1}` || g.Remember != elicit.Always {
		t.Fatalf("said: %+v", said)
	}
	a.Reject([]elicit.Problem{{Code: "unknown_field", Pointer: "/a"}})
	r.wait("problem true unknown_field")
	r.answer(ui.Given{Action: elicit.Accept, Content: []byte(`{}`), Via: event.ViaPerson})
	<-a.Said
	a.Close(&effect.Reply{Outcome: elicit.Accepted, Cause: elicit.ByUser, ID: "an id of the other process"})
	r.wait("over true accept")
	if _, open := <-a.Said; open {
		t.Error("more is said after the end")
	}
	must.OK(t, r.desk.Close())
	r.wait("closed")
	if left, _ := os.ReadDir(r.folder); len(left) > 0 || len(Find(Beside)) > 0 {
		t.Errorf("the socket is left: %v", left)
	}
}

// TestWithdrawn: a process that ends, or that asks nobody any longer, takes its question off the screen.
func TestWithdrawn(t *testing.T) {
	r := newRig(t)
	a := r.ask(push())
	r.wait("asked claude-code", "show claude-code")
	a.line.Conn.Close() // as when the process is killed
	r.wait("withdraw true peer_cancelled", "over")
	a = r.ask(push())
	r.wait("asked claude-code", "show claude-code")
	a.Close(&effect.Reply{Outcome: elicit.Cancelled, Cause: elicit.ByHandedOver})
	r.wait("withdraw true handed_over", "over")
	a = r.ask(push())
	r.wait("asked claude-code", "show claude-code")
	go r.desk.Close()
	if _, open := <-a.Said; open {
		t.Error("a closed desk says something")
	}
	r.wait("withdraw true peer_cancelled", "over", "closed")
}

// TestNobodyIsThere: a question that cannot be drawn, or that the person wants no more of, is given back.
func TestNobodyIsThere(t *testing.T) {
	r := newRig(t)
	a := r.ask(push())
	r.wait("asked claude-code", "show claude-code")
	r.answer(ui.Given{Action: elicit.Cancel, Via: event.ViaNoUI})
	if said, open := <-a.Said; open {
		t.Errorf("said: %+v", said)
	}
	a.Close(nil)
	r.wait("withdraw true peer_cancelled", "over")
	a = r.ask(push())
	r.wait("asked claude-code", "show claude-code")
	r.answer(ui.Given{Action: elicit.Decline, Via: event.ViaPerson, Mute: true})
	<-a.Said
	a.Close(&effect.Reply{Outcome: elicit.Declined, Cause: elicit.ByUser})
	r.wait("over true decline")
	if _, open := <-r.ask(push()).Said; open {
		t.Error("a muted question is shown")
	}
	other := push()
	other.Session = "s2"
	a = r.ask(other)
	r.wait("asked claude-code", "show claude-code")
	a.Close(nil)
	r.wait("withdraw true peer_cancelled", "over")
}

// TestNonsenseOfAnAsker: what cannot be shown is not shown, and the desk goes on.
func TestNonsenseOfAnAsker(t *testing.T) {
	r := newRig(t)
	bad := func(change func(*Question)) Question { q := push(); change(&q); return q }
	for name, q := range map[string]Question{
		"no host":      bad(func(q *Question) { q.Host = "" }),
		"no server":    bad(func(q *Question) { q.Server = "" }),
		"kind":         bad(func(q *Question) { q.Kind = elicit.KindURL }),
		"no schema":    bad(func(q *Question) { q.Schema = nil }),
		"schema":       bad(func(q *Question) { q.Schema = []byte(`{"type":"object","properties":{"a":{"type":"x"}}}`) }),
		"scope":        bad(func(q *Question) { q.Remember = []elicit.Scope{elicit.ForTheSession} }),
		"figure":       bad(func(q *Question) { q.Findings[0].Args = []elicit.Arg{elicit.Raw("a", `{`)} }),
		"reason":       bad(func(q *Question) { q.Reasons[0].Args = []elicit.Arg{elicit.Raw("a", `[1]`)} }),
		"deed":         bad(func(q *Question) { q.Does = "anything" }),
		"outside":      bad(func(q *Question) { q.Outside = 9 }),
		"reach":        bad(func(q *Question) { q.Paths = make([]string, elicit.MaxReach+1) }),
		"parts":        bad(func(q *Question) { q.Parts = q.Parts[1:] }),
		"many reasons": bad(func(q *Question) { q.Reasons = make([]elicit.Reason, mostNews+1) }),
	} {
		if said, open := <-r.ask(q).Said; open {
			t.Errorf("%s: said %+v", name, said)
		}
	}
	for name, text := range map[string]string{"half": `{"Question":{"Host":"a`, "list": "[]\n", "empty": "\n",
		"other": "{}\n", "binary": "\xff\xfe\x00\n", "endless": strings.Repeat("x", mostLine+2),
		"answer": `{"Problems":[{"Code":"a"}]}` + "\n"} {
		c := Find(Beside)[0].line.Conn
		_, _ = c.Write([]byte(text)) // fails when the desk has hung up before the end
		_ = c.(*net.UnixConn).CloseWrite()
		if n, err := c.Read(make([]byte, 100)); err == nil {
			t.Errorf("%s: it answers with %d bytes", name, n)
		}
		c.Close()
	}
	select {
	case what := <-r.happened:
		t.Errorf("%s happened", what)
	default:
	}
	a := r.ask(push())
	r.wait("asked claude-code", "show claude-code")
	unreadable := []elicit.Problem{{Code: "a", Args: []elicit.Arg{{Name: "a", Raw: "?"}}}}
	must.OK(t, a.line.send(toDesk{Problems: unreadable}))
	r.wait("withdraw true peer_cancelled", "over")
}

// TestNonsenseOfADesk: an asker passes over what does not greet, and leaves a desk that answers nonsense.
func TestNonsenseOfADesk(t *testing.T) {
	r := newRig(t)
	conversations := map[string]string{"garbage": "?", "other-version": `{"Protocol":2,"Rank":9}` + "\n",
		"endless": strings.Repeat("x", mostLine+2)}
	for name, text := range conversations {
		liar, err := net.Listen("unix", filepath.Join(r.folder, socketPrefix+name))
		must.OK(t, err)
		defer liar.Close()
		go func() {
			if c, err := liar.Accept(); err == nil {
				_, _ = c.Write([]byte(text))
				c.Close()
			}
		}()
	}
	mute, err := net.Listen("unix", filepath.Join(r.folder, socketPrefix+"mute")) // a stopped process
	must.OK(t, err)
	defer mute.Close()
	killed, err := net.Listen("unix", filepath.Join(r.folder, socketPrefix+"killed"))
	must.OK(t, err)
	killed.(*net.UnixListener).SetUnlinkOnClose(false)
	killed.Close()
	if places := Find(Beside); len(places) != 1 || places[0].rank != Beside {
		t.Errorf("found %d", len(places))
	}
	if _, err := os.Lstat(filepath.Join(r.folder, socketPrefix+"killed")); !os.IsNotExist(err) {
		t.Errorf("the socket of a killed process is left: %v", err)
	}
	for name, text := range map[string]string{"half": `{"Answer":{"Act`, "no member": "{}\n",
		"action":  `{"Answer":{"Action":"allow","Via":"person"}}` + "\n",
		"a file":  `{"Answer":{"Action":"accept","Via":"script"}}` + "\n",
		"nobody":  `{"Answer":{"Action":"accept","Via":"no_ui"}}` + "\n",
		"receipt": `{"Receipt":"signed"}` + "\n", "endless": strings.Repeat("x", mostLine+2)} {
		here, there := net.Pipe()
		a, err := func() (*Asking, error) {
			go func() {
				_, _ = there.Read(make([]byte, 1<<16))
				_, _ = there.Write([]byte(text))
				there.Close()
			}()
			return (&Place{line: newLine(here)}).Ask(push())
		}()
		must.OK(t, err)
		if said, open := <-a.Said; open {
			t.Errorf("%s: said %+v", name, said)
		}
		a.Close(nil)
	}
}

// TestOrder: what the person has started for this is asked first, then an open page, then the youngest.
func TestOrder(t *testing.T) {
	r := newRig(t)
	for i, rank := range []Rank{Watched, Dedicated, Beside} {
		s := &screen{happened: make(chan string, 100)}
		d := New(s, func() Rank { return rank })
		d.Attend(func(event.Event) {})
		defer d.Close()
		if i == 2 {
			name := d.socket.Addr().String()
			must.OK(t, os.Chtimes(name, time.Unix(1, 0), time.Unix(1, 0)))
		}
	}
	var ranks []Rank
	places := Find(Beside)
	for _, p := range places {
		ranks = append(ranks, p.rank)
		p.Close()
	}
	if fmt.Sprint(ranks) != fmt.Sprint([]Rank{Dedicated, Watched, Beside, Beside}) ||
		places[3].since.Unix() != 1 {
		t.Errorf("got %v", ranks)
	}
	r.desk.Close()
}

// TestBetterPlace: where there is a runtime directory, nobody is believed in the one for temporary files, which
// programs in a sandbox can often write.
func TestBetterPlace(t *testing.T) {
	r := newRig(t)
	other := filepath.Join(r.folder, "..", "t")
	must.OK(t, os.Mkdir(other, 0o700))
	t.Setenv("TMPDIR", other)
	folder := filepath.Join(other, fmt.Sprintf("elicit-%d", os.Geteuid()))
	must.OK(t, os.Mkdir(folder, 0o700))
	l, err := net.Listen("unix", filepath.Join(folder, socketPrefix+"sandbox"))
	must.OK(t, err)
	defer l.Close()
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_ = newLine(c).send(hello{protocol, Dedicated})
			defer c.Close()
		}
	}()
	if places := Find(Beside); len(places) != 1 || places[0].rank != Beside {
		t.Errorf("found %d", len(places))
	}
	t.Setenv("XDG_RUNTIME_DIR", filepath.Join(other, "nothing"))
	if places := Find(Beside); len(places) != 1 || places[0].rank != Dedicated {
		t.Errorf("without a runtime directory: found %d", len(places))
	}
}

// TestFlood: more questions than a desk can show are turned away, and later ones are taken again.
func TestFlood(t *testing.T) {
	r := newRig(t)
	var open []*Asking
	for range mostQuestions {
		open = append(open, r.ask(push()))
		r.wait("asked claude-code", "show claude-code")
	}
	if places := Find(Beside); len(places) != 0 {
		t.Errorf("one more is taken")
	}
	for i, a := range open {
		a.Close(nil)
		r.wait(fmt.Sprintf("withdraw %t peer_cancelled", i == mostQuestions-1), "over")
	}
	r.ask(push()).Close(nil)
	r.wait("asked claude-code", "show claude-code", "withdraw true peer_cancelled", "over")
}
