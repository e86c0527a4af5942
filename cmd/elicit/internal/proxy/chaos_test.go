package proxy

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

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
