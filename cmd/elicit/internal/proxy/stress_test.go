package proxy

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/tests/notetest"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// generous limits nothing that a test under load does.
const generous = `{"limits":{"shown":1000,"queue":1000,"burst":60000,"per_minute":60000}}`

func unlimited(o *Options) { o.Config, o.Verbose = []byte(generous), false }

// heard is what a test reads of a message.
type heard struct {
	ID     json.RawMessage
	Method string
	Params struct{ Message, Name string }
	Result struct {
		Action  string
		Content struct{ Name string }
	}
	Error *struct{ Code int }
}

func parse(t *testing.T, l string) (h heard) {
	t.Helper()
	if err := json.Unmarshal([]byte(l), &h); err != nil {
		t.Errorf("%v: %s", err, l)
	}
	return h
}

const (
	manyRequests  = 10_000
	manyQuestions = 200 // open at once, under the ids of requests of the client
)

func askNamed(n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"elicitation/create",`+
		`"params":{"message":"n%d","requestedSchema":{"type":"object",`+
		`"properties":{"name":{"type":"string"}},"required":["name"]}}}`+"\n", n, n)
}

// TestTenThousandRequestsAndTwoHundredQuestionsAtOnce holds every question open until all are, answers them in any
// order, and wants every answer under the id of its own question and everything else in order.
func TestTenThousandRequestsAndTwoHundredQuestionsAtOnce(t *testing.T) {
	t.Run("ours", func(t *testing.T) {
		l := newLoad(t, func(o *Options) {})
		l.run(func() {
			var open []shown
			for range manyQuestions {
				open = append(open, next(t, l.someone.shown))
			}
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
			for _, q := range open {
				q.answer(elicit.Accept, []byte(`{"name":"`+q.Message+`"}`), event.ViaPerson)
			}
		}, true)
	})
	t.Run("client", func(t *testing.T) {
		l := newLoad(t, func(o *Options) { o.UI, o.ForwardToClient = nil, true })
		l.run(func() {
			var open []heard
			for range manyQuestions {
				open = append(open, next(t, l.asked))
			}
			rand.New(rand.NewPCG(1, 1)).Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
			for _, q := range open {
				l.p.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept","content":{"name":"%s"}}}`, q.ID,
					q.Params.Message))
			}
		}, true)
	})
	t.Run("file", func(t *testing.T) {
		answers := []byte(`[{"answer":{"action":"accept","content":{"name":"x"}}}]`)
		script, problems := ui.ReadScript(answers, &notetest.Notes{})
		if problems != nil {
			t.Fatal(problems)
		}
		newLoad(t, func(o *Options) { o.UI = script }).run(func() {}, false)
	})
}

// load is a client that makes many requests and a server that asks under the ids of some of them.
type load struct {
	t       *testing.T
	p       *peers
	someone *someone
	asked   chan heard // questions that reached the client
}

func newLoad(t *testing.T, set func(*Options)) *load {
	l := &load{t: t, someone: newSomeone(), asked: make(chan heard, manyQuestions)}
	l.p = start(t, func(o *Options) {
		unlimited(o)
		o.UI = l.someone
		set(o)
	})
	l.p.client(strings.Replace(initialize, `"roots":{}`, `"elicitation":{"form":{},"url":{}}`, 1))
	l.p.server.hear.line()
	l.p.server.say(initialized + "\n")
	l.p.hear.line()
	return l
}

// run lets everything happen at once; named says that every answer names its question.
func (l *load) run(answer func(), named bool) {
	begun := time.Now()
	go func() {
		for i := range manyRequests {
			l.p.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/read","params":{"uri":"a:%d"}}`, i, i))
		}
	}()
	replies := make(chan map[string]int)
	go func() { replies <- l.serve(named) }()
	go answer()
	for i := range manyRequests {
		h := parse(l.t, l.p.hear.line())
		for ; h.Method != ""; h = parse(l.t, l.p.hear.line()) {
			l.asked <- h
		}
		if string(h.ID) != strconv.Itoa(i) {
			l.t.Fatalf("the client heard the answer to %s, want %d", h.ID, i)
		}
		if i == manyRequests-1 {
			l.t.Logf("%.0f requests/s beside %d questions", manyRequests/time.Since(begun).Seconds(), manyQuestions)
		}
	}
	got := next(l.t, replies)
	for id, n := range got {
		if n != 1 {
			l.t.Errorf("question %s got %d replies", id, n)
		}
	}
	if len(got) != manyQuestions {
		l.t.Errorf("%d questions got a reply, want %d", len(got), manyQuestions)
	}
}

// serve answers every request at once, asks beside every fiftieth, and counts the replies until all have come.
func (l *load) serve(named bool) map[string]int {
	replies, requests := map[string]int{}, 0
	for requests < manyRequests || len(replies) < manyQuestions {
		said := l.p.server.hear.line()
		if said == "" {
			break
		}
		h := parse(l.t, said)
		if h.Method == "" {
			id := string(h.ID)
			if replies[id]++; h.Result.Action != "accept" || named && h.Result.Content.Name != "n"+id {
				l.t.Errorf("reply to %s: %+v", id, h)
			}
			continue
		}
		if requests%(manyRequests/manyQuestions) == 0 {
			l.p.server.say(askNamed(requests))
		}
		l.p.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"contents":[]}}`+"\n", h.ID))
		requests++
	}
	return replies
}

// TestServerThatDiesLeavesNoCallOpen lets servers die with many calls and questions open, while those are being
// answered and taken back: the client gets one answer to every call, and the proxy the server's end.
func TestServerThatDiesLeavesNoCallOpen(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 11))
			p, ui := talk(t, unlimited)
			ui.withdrawn = make(chan effect.Withdraw, 10_000)
			const calls = 60
			go func() {
				for i := range calls {
					p.client(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"t","arguments":{}}}`,
						100+i))
				}
			}()
			for i := range calls {
				p.server.hear.line()
				p.server.say(askNamed(i))
			}
			go func() {
				for range calls {
					q := <-ui.shown
					if action := []elicit.Action{elicit.Accept, elicit.Decline,
						""}[int(q.Message[1]+q.Message[len(q.Message)-1])%3]; action != "" {
						q.answer(action, []byte(`{"name":"x"}`), event.ViaPerson)
					}
				}
			}()
			done := map[int]bool{}
			for range rng.IntN(40) {
				n := rng.IntN(calls)
				switch rng.IntN(3) {
				case 0:
					p.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", n))
				case 1: // an answer before that of the question, and never a second one
					if !done[n] {
						p.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", 100+n))
					}
					done[n] = true
				case 2:
					p.server.say(`{"jsonrpc":"2.0","method":"notifications/x"}` + "\n")
				}
			}
			p.server.exit(9)
			answers := map[string]int{}
			for l := p.hear.line(); l != ""; l = p.hear.line() {
				if h := parse(t, l); h.Method == "" {
					answers[string(h.ID)]++
				}
			}
			if got := p.exit(); got != 9 {
				t.Errorf("exit code: got %d want the server's 9", got)
			}
			for i := range calls {
				if n := answers[strconv.Itoa(100+i)]; n != 1 {
					t.Errorf("call %d got %d answers", 100+i, n)
				}
			}
		})
	}
}

// TestEveryServerRequestGetsExactlyOneReplyUnderLoad is the same game with thousands of moves, so that questions fill
// the screen and the queue.
func TestEveryServerRequestGetsExactlyOneReplyUnderLoad(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := &chaos{t: t, rng: rand.New(rand.NewPCG(seed, 13)), owed: map[string]bool{}, replies: map[string]int{},
				calls: map[int]bool{}}
			c.p, c.ui = talk(t, func(o *Options) { o.Verbose = false })
			over := make(chan struct{})
			defer close(over)
			go func() {
				for {
					select {
					case <-c.ui.withdrawn:
					case <-c.ui.problems:
					case <-over:
						return
					}
				}
			}()
			for range 3_000 {
				c.act()
			}
			c.end()
		})
	}
}
