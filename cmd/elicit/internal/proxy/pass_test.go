package proxy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// oddLines is what peers send and nobody reads alike: none of it passes.
var oddLines = []string{
	"\n", "\r\n", "garbage\n", "{\"jsonrpc\":\n", "[]\n", "[1,2]\n", "\xff\xfe\n", "{} trailing\r\n", "null\n", "   \n",
	`{"jsonrpc":"2.0","method":"x","method":"y"}` + "\n",
	`{ "id" : 1e0 , "jsonrpc":"2.0", "result":{"a":1.0,"a2":"\u00e4\/"}}` + "\r\n",
	strings.Repeat("[", 100) + strings.Repeat("]", 100) + "\n",
}

// spelledLines is what peers spell in unusual ways and everybody reads alike: it passes as it is.
var spelledLines = []string{
	`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"\ud83d"}}` + "\n",
	`{ "params" : { "a" : 1.0e400, "b":"\u00e4\/" } , "m\u0065thod":"x","jsonrpc":"2.0"}` + "\r\n",
	`{"jsonrpc":"2.0","method":"deep","params":{"a":` + strings.Repeat("[", 500) + strings.Repeat("]", 500) + `}}` + "\n",
	`[{"jsonrpc":"2.0","method":"a"}, {"jsonrpc":"2.0","method":"b"}]` + "\n",
}

func TestPassesBothDirectionsUnchangedAndInOrder(t *testing.T) {
	p := start(t, nil)
	rng := rand.New(rand.NewPCG(1, 2))
	chatter := func(side string) (said, passed string) {
		var b, want strings.Builder
		for i := range 500 {
			b.WriteString(oddLines[rng.IntN(len(oddLines))])
			good := spelledLines[rng.IntN(len(spelledLines))] +
				fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/%s","params":{"n":%d,"pad":"%s"}}`+"\n", side, i,
					strings.Repeat("x", rng.IntN(3000)))
			b.WriteString(good)
			want.WriteString(good)
		}
		return b.String(), want.String()
	}
	up, wantUp := chatter("up")
	down, wantDown := chatter("down")
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
	if got := answersLeftOut(p.server.hear.rest()); got != wantUp {
		t.Errorf("server heard %d bytes, want %d", len(got), len(wantUp))
	}
	<-said
	p.server.exit(7)
	if got := answersLeftOut(p.hear.rest()); got != wantDown {
		t.Errorf("client heard %d bytes, want %d", len(got), len(wantDown))
	}
	if got := p.exit(); got != 7 {
		t.Errorf("exit code: got %d want 7", got)
	}
}

// answersLeftOut is what was heard without the errors that say what was refused.
func answersLeftOut(heard string) string {
	var b strings.Builder
	for l := range strings.Lines(heard) {
		if !strings.Contains(l, `"error":{"code":-32600`) {
			b.WriteString(l)
		}
	}
	return b.String()
}

func TestLastLineWithoutLineEndGetsOneAndHalfALineIsDropped(t *testing.T) {
	p := start(t, nil)
	p.server.say(`{"jsonrpc":"2.0","method":"a"}` + "\n" + `{"jsonrpc":"2.0","method":"b"}`)
	p.server.exit(0)
	if got, want := p.hear.rest(), `{"jsonrpc":"2.0","method":"a"}`+"\n"+
		`{"jsonrpc":"2.0","method":"b"}`+"\n"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	p = start(t, nil)
	p.server.say(`{"jsonrpc":"2.0","method":"a"}` + "\n" + `{"cut`)
	p.server.exit(0)
	if got, want := p.hear.rest(), `{"jsonrpc":"2.0","method":"a"}`+"\n"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
}

func TestPeerThatDoesNotReadStopsTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gone := make(chan struct{})
		defer close(gone)
		p := start(t, func(o *Options) { o.ClientOut, o.Grace = blocked{gone}, 50*time.Millisecond })
		said := make(chan int, 1)
		go func() {
			n := 0
			for range 10_000 {
				k, err := p.server.out.Write([]byte(`{"jsonrpc":"2.0","method":"` + strings.Repeat("y", 9_970) + `"}` + "\n"))
				n += k
				if err != nil {
					break
				}
			}
			said <- n
		}()
		synctest.Wait() // everything is blocked
		select {
		case n := <-said:
			t.Fatalf("the server could say all %d bytes to a client that reads nothing", n)
		default:
		}
		p.server.exit(0)
		if n := <-said; n > 4<<20 {
			t.Errorf("%d bytes were taken from the server while the client read nothing", n)
		}
		p.exit()
	})
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
	p.server.say(marker + "\n")
	p.server.exit(3)
	if got := p.hear.rest(); got != marker+"\n" {
		t.Errorf("got %q want %q", got, marker+"\n")
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

// TestEveryServerRequestGetsExactlyOneReply plays random interleavings of questions, good and bad, answers, calls,
// cancellations and traffic. Whatever the order: one reply to every question that was not taken back, none or one to
// those that were, and everything else passes in order.
func TestEveryServerRequestGetsExactlyOneReply(t *testing.T) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := &chaos{t: t, rng: rand.New(rand.NewPCG(seed, 7)), owed: map[string]bool{}, replies: map[string]int{},
				calls: map[int]bool{}}
			c.p, c.ui = talk(t, nil)
			for range 120 {
				c.act()
			}
			c.end()
		})
	}
}

type chaos struct {
	t       *testing.T
	rng     *rand.Rand
	p       *peers
	ui      *someone
	owed    map[string]bool // questions by id; true while a reply is certain
	replies map[string]int
	calls   map[int]bool // calls of the client without an answer
	nextID  int
	down    []string // passing traffic, in the order the server said it
	open    []shown
}

func (c *chaos) act() {
	switch c.rng.IntN(8) {
	case 0, 1:
		c.nextID++
		id := fmt.Sprint(c.nextID)
		questions := []string{askDeploy, askName,
			`{"jsonrpc":"2.0","id":1,"method":"elicitation/create",` +
				`"params":{"mode":"url","message":"U","url":"https://u.example/","elicitationId":"l` + id + `"}}`,
			`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"mode":"odd"}}`,
			`{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"a","message":"b"}}`,
		}
		q := questions[c.rng.IntN(len(questions))]
		at := strings.Index(q, `"id":`)
		c.owed[id] = true
		c.p.server.say(q[:at+5] + id + q[at+6:] + "\n")
	case 2:
		if id, ok := pick(c.rng, c.owed); ok { // perhaps of a question already answered
			c.owed[id] = false
			c.p.server.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}` + "\n")
		}
	case 3, 4:
		c.collect()
		if len(c.open) > 0 {
			q := c.open[c.rng.IntN(len(c.open))] // perhaps answered before
			action := []elicit.Action{elicit.Accept, elicit.Decline, elicit.Cancel}[c.rng.IntN(3)]
			q.answer(action, []byte(`{"name":"x"}`), event.ViaClient)
		}
	case 5:
		c.nextID++
		c.calls[c.nextID] = true
		call := strings.Replace(callDeploy, `"id":7`, fmt.Sprintf(`"id":%d`, c.nextID), 1)
		c.p.client(call)
		for l := c.p.server.hear.line(); l != call+"\n"; l = c.p.server.hear.line() { // it is answered only once it is there
			c.count(l)
		}
	case 6:
		id, ok := pick(c.rng, c.calls)
		delete(c.calls, id)
		switch {
		case !ok:
		case c.rng.IntN(2) == 0:
			c.p.client(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`, id))
		default:
			c.pass(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`, id))
		}
	case 7:
		c.nextID++
		c.p.server.say("garbage\n") // never passes
		c.pass([]string{`{"jsonrpc":"2.0","method":"notifications/x"}`,
			fmt.Sprintf(`{"jsonrpc":"2.0","id":"s%d","method":"roots/list"}`, c.nextID)}[c.rng.IntN(2)])
	}
}

// pick takes any key, the same one for the same seed.
func pick[K cmp.Ordered](rng *rand.Rand, from map[K]bool) (key K, ok bool) {
	keys := slices.Sorted(maps.Keys(from))
	if len(keys) == 0 {
		return key, false
	}
	return keys[rng.IntN(len(keys))], true
}

func (c *chaos) pass(l string) {
	c.down = append(c.down, l)
	c.p.server.say(l + "\n")
}

func (c *chaos) collect() {
	for {
		select {
		case q := <-c.ui.shown:
			c.open = append(c.open, q)
		default:
			return
		}
	}
}

// count notes a reply that the server hears.
func (c *chaos) count(l string) {
	var m struct {
		ID     json.RawMessage
		Method string
	}
	if json.Unmarshal([]byte(l), &m) == nil && m.Method == "" {
		c.replies[string(m.ID)]++
	}
}

// end lets everything settle by taking the client away, and counts.
func (c *chaos) end() {
	c.pass(marker)
	for _, want := range c.down {
		c.p.hear.want(want)
	}
	c.p.say.Close()
	for l := c.p.server.hear.line(); l != ""; l = c.p.server.hear.line() {
		c.count(l)
	}
	c.p.server.exit(0)
	c.p.exit()
	for id, certain := range c.owed {
		n := c.replies[id]
		if n > 1 || n == 0 && certain {
			c.t.Errorf("question %s got %d replies", id, n)
		}
		delete(c.replies, id)
	}
	if len(c.replies) > 0 {
		c.t.Errorf("replies to nothing: %v", c.replies)
	}
}
