package proxy

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// oddLines is what peers send besides well-formed messages.
var oddLines = []string{
	"\n", "\r\n", "garbage\n", "{\"jsonrpc\":\n", "[]\n", "[1,2]\n", "\xff\xfe\n", "{} trailing\r\n", "null\n", "   \n",
	`{"jsonrpc":"2.0","method":"x","method":"y"}` + "\n",
	`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]` + "\n",
	`{ "id" : 1e0 , "jsonrpc":"2.0", "result":{"a":1.0,"a2":"\u00e4\/"}}` + "\r\n",
	`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}` + "\n",
	strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n",
}

func TestPassesBothDirectionsUnchangedAndInOrder(t *testing.T) {
	p := start(t, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	chatter := func(side string) string {
		var b strings.Builder
		for i := range 500 {
			b.WriteString(oddLines[rng.IntN(len(oddLines))])
			fmt.Fprintf(&b, `{"jsonrpc":"2.0","method":"notifications/%s","params":{"n":%d,"pad":"%s"}}`+"\n", side, i, strings.Repeat("x", rng.IntN(3000)))
		}
		return b.String()
	}
	up, down := chatter("up"), chatter("down")
	go func() {
		for rest := up; rest != ""; {
			n := min(len(rest), 1+rng.IntN(2000))
			_, _ = p.say.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		p.say.Close()
	}()
	said := make(chan struct{})
	go func() { p.server.say(down); close(said) }()
	if got := p.server.hear.rest(); got != up {
		t.Errorf("server heard %d bytes, client said %d", len(got), len(up))
	}
	<-said
	p.server.exit(7)
	if got := p.hear.rest(); got != down {
		t.Errorf("client heard %d bytes, server said %d", len(got), len(down))
	}
	if got := p.exit(); got != 7 {
		t.Errorf("exit code: got %d want 7", got)
	}
}

func TestLastLineWithoutLineEndPasses(t *testing.T) {
	p := start(t, nil)
	p.server.say(`{"jsonrpc":"2.0","method":"a"}` + "\n" + `{"cut`)
	p.server.exit(0)
	if got, want := p.hear.rest(), `{"jsonrpc":"2.0","method":"a"}`+"\n"+`{"cut`; got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestPeerThatDoesNotReadStopsTheOther(t *testing.T) {
	p := start(t, func(o *Options) {
		o.ClientOut = blocked{make(chan struct{})}
		o.Grace = 50 * time.Millisecond
	})
	said := make(chan int)
	go func() {
		n := 0
		for range 10_000 {
			k, err := p.server.out.Write([]byte(strings.Repeat("y", 9_999) + "\n"))
			n += k
			if err != nil {
				break
			}
		}
		said <- n
	}()
	select {
	case n := <-said:
		t.Fatalf("the server could say all %d bytes to a client that reads nothing", n)
	case <-time.After(300 * time.Millisecond):
	}
	p.server.exit(0)
	if n := <-said; n > 4<<20 {
		t.Errorf("%d bytes were taken from the server while the client read nothing", n)
	}
}

// blocked is a client that never reads.
type blocked struct{ gone chan struct{} }

func (b blocked) Write([]byte) (int, error) { <-b.gone; return 0, os.ErrClosed }
func (b blocked) Close() error              { return nil }

func TestClientDeathClosesServerInputThenSignalsThenKills(t *testing.T) {
	p := start(t, func(o *Options) { o.Grace = 20 * time.Millisecond })
	p.server.deaf = true
	p.say.Close()
	if got := p.server.hear.line(); got != "" {
		t.Errorf("server heard %q, want the end of its input", got)
	}
	if got := <-p.server.signals; got != syscall.SIGTERM {
		t.Errorf("signal: got %v want SIGTERM", got)
	}
	if got := p.exit(); got != 137 {
		t.Errorf("exit code: got %d want 137 (killed)", got)
	}
	if !strings.Contains(p.notes.String(), "was killed") {
		t.Errorf("notes do not say that the server was killed: %q", p.notes)
	}
}

func TestServerMayFinishAfterClientDeath(t *testing.T) {
	p := start(t, nil)
	p.say.Close()
	p.server.hear.line()
	p.server.say("late\n")
	p.server.exit(3)
	if got := p.hear.rest(); got != "late\n" {
		t.Errorf("got %q want %q", got, "late\n")
	}
	if got := p.exit(); got != 3 {
		t.Errorf("exit code: got %d want 3", got)
	}
}

func TestSignalIsPassedOn(t *testing.T) {
	signals := make(chan os.Signal, 1)
	p := start(t, func(o *Options) { o.Signals = signals })
	signals <- syscall.SIGINT
	if got := <-p.server.signals; got != syscall.SIGINT {
		t.Errorf("signal: got %v want SIGINT", got)
	}
	if got := p.exit(); got != 143 {
		t.Errorf("exit code: got %d want the server's 143", got)
	}
}

func TestSignalAfterTheClientIsGoneIsPassedOnAndASecondOneKills(t *testing.T) {
	signals := make(chan os.Signal)
	p := start(t, func(o *Options) { o.Signals, o.Grace = signals, time.Hour })
	p.server.deaf = true
	p.say.Close()
	p.server.hear.line()
	signals <- syscall.SIGHUP
	if got := <-p.server.signals; got != syscall.SIGHUP {
		t.Errorf("signal: got %v want SIGHUP", got)
	}
	signals <- syscall.SIGHUP
	if got := p.exit(); got != 137 {
		t.Errorf("exit code: got %d want 137 (killed)", got)
	}
}
