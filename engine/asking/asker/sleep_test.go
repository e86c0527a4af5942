package asker

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// SleepAtOnce lets each machine sleep as soon as it has nothing to do. See twins in world_test.go.
func (m *Machine) SleepAtOnce() { m.sessions.most = 0 }

// crowd is a machine with many clients, each of which is asked.
type crowd struct {
	*Machine
	steps   int
	sent    []string         // requests, in order
	replies map[string]Reply // by who waits
	loads   int
}

func (c *crowd) step(ev Event) {
	c.steps++
	in := Input{At: 1_000_000 + int64(c.steps), Elapsed: int64(c.steps), Event: ev}
	in.Random = [32]byte{byte(c.steps), byte(c.steps >> 8), byte(c.steps >> 16)}
	for _, next := range c.Step(in) {
		switch ef := next.(type) {
		case Send:
			c.sent = append(c.sent, ef.Ref)
		case Reply:
			c.replies[ef.To] = ef
		case Load:
			c.loads++
		}
	}
}

func newCrowd(t *testing.T, clients int) *crowd {
	m, problems := New(Config{Asking: asking.Config{Server: "bot"}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	c := &crowd{Machine: m, replies: map[string]Reply{}}
	for i := range clients {
		call := fmt.Sprint("c", i)
		c.step(Called{Call: call, Client: Client{Session: fmt.Sprint("s", i), Version: "2025-11-25", Requests: true,
			Declared: elicit.Modes{Form: true}}})
		c.step(Posed{Ref: "q" + call, Call: call, Question: asking.Question{Mode: elicit.Form, Message: "Go on?",
			Schema: []byte(`{"type":"object","properties":{"n":{"type":"integer"}}}`)}})
	}
	if len(c.sent) != clients {
		t.Fatal(len(c.sent), "requests")
	}
	return c
}

// TestMostSessionsSleep holds how many machines are awake, and that nothing stays of sessions that were closed.
func TestMostSessionsSleep(t *testing.T) {
	const clients = 3 * mostAwake
	c := newCrowd(t, clients)
	awake := 0
	for _, s := range c.sessions.byName {
		if s.machine != nil {
			awake++
		}
	}
	if awake != mostAwake {
		t.Errorf("%d machines are awake", awake)
	}
	for i, ref := range c.sent {
		call := fmt.Sprint("c", i)
		c.step(Responded{Ref: ref, Result: []byte(`{"action":"accept","content":{"n":3}}`)})
		if r := c.replies["q"+call]; r.Settle == nil || r.Settle.Outcome != elicit.Accepted {
			t.Fatalf("%d: %+v", i, r)
		}
		c.step(Returned{Call: call})
		c.step(Closed{Ref: "x" + call, Session: fmt.Sprint("s", i)})
	}
	m := &c.sessions
	if left := len(m.byName) + len(m.asks) + len(m.sends) + len(m.resting) + len(m.ticks.at) + len(c.calls); left > 0 {
		t.Errorf("%d things are left", left)
	}
}

// TestSleepThatCannotBeRead ends a session whose bytes were changed: without a store, nobody else knows it.
// With one, it is loaded.
func TestSleepThatCannotBeRead(t *testing.T) {
	for _, garbled := range []string{"", "{}", `{"asking":1,"engine":{}}`} {
		for _, stored := range []bool{false, true} {
			c := newCrowd(t, mostAwake+1)
			c.sessions.config.Store = stored
			s := c.sessions.byName[c.sessionName("s0")]
			if s.asleep == nil {
				t.Fatal("the first session is awake")
			}
			s.asleep = []byte(garbled)
			c.step(Responded{Ref: c.sent[0], Result: []byte(`{"action":"accept","content":{"n":3}}`)})
			r := c.replies["qc0"]
			if ended := r.Settle != nil && r.Settle.Cause == elicit.BySessionClosed; ended == stored || c.loads > 0 != stored {
				t.Errorf("%q, %v: %+v, %d loads", garbled, stored, r, c.loads)
			}
		}
	}
}
