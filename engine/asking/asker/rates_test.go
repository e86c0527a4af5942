package asker_test

import (
	"fmt"
	"testing"

	"github.com/elicit-engine/elicit/engine/asking"
	"github.com/elicit-engine/elicit/engine/asking/asker"
	"github.com/elicit-engine/elicit/engine/asking/site"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// limited is a process whose principals are asked once a minute.
type limited struct {
	m     *asker.Machine
	calls int
	state []byte // of the allowance in the store
}

func newLimited(t *testing.T, store bool) *limited {
	m, problems := asker.New(asker.Config{Store: store, Asking: asking.Config{Server: "bot",
		Engine: []byte(`{"limits":{"per_minute":1,"burst":1}}`)}})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &limited{m: m}
}

// refused asks once more, and reports whether that was too often.
func (l *limited) refused(at, elapsed int64) (refused bool) {
	l.calls++
	call, client := fmt.Sprint("c", l.calls), asker.Client{Version: "2026-07-28", Principal: "ann"}
	client.Declared.Form = true
	todo := []asker.Event{asker.Called{Call: call, Client: client, Target: "t"}, asker.Posed{Ref: "q" + call, Call: call,
		Question: asking.Question{Mode: elicit.Form, Message: "Go on?", Schema: []byte(`{"type":"object"}`)}}}
	for ; len(todo) > 0; todo = todo[1:] {
		in := asker.Input{At: at, Elapsed: elapsed, Random: [32]byte{byte(l.calls)}, Event: todo[0]}
		for _, next := range l.m.Step(in) {
			switch ef := next.(type) {
			case asker.Load:
				if l.state == nil {
					todo = append(todo, asker.Missing(ef))
				} else {
					todo = append(todo, asker.Loaded{Session: ef.Session, Version: 1, State: l.state})
				}
			case asker.Commit:
				if ef.Next == 0 { // not of a question
					l.state = ef.State
					todo = append(todo, asker.Committed{Session: ef.Session, Version: 1})
				}
			case asker.Reply:
				refused = refused || ef.Settle != nil && ef.Settle.Cause == elicit.ByRateLimit
			}
		}
	}
	return refused
}

// TestRateOfAClockThatJumps lets the clock of a process jump. Alone, it counts the time that has passed. With a store,
// a clock that was far ahead stops nobody for longer than clocks may differ.
func TestRateOfAClockThatJumps(t *testing.T) {
	const minute = 60_000
	var one *limited
	for _, c := range []struct {
		store       bool
		at, elapsed int64
		refused     bool
	}{
		{false, 1000 * minute, 1, false}, {false, 1005 * minute, 2, true}, {false, 995 * minute, 2 + minute, false},
		{false, 996 * minute, 3 + minute, true},
		{true, 1009 * minute, 1, false}, {true, 1000 * minute, 2, true}, {true, 900 * minute, 3, false},
		{true, 900 * minute, 4, true}, {true, 901 * minute, 5, false},
	} {
		if c.elapsed == 1 {
			one = newLimited(t, c.store)
		}
		if got := one.refused(c.at, c.elapsed); got != c.refused {
			t.Errorf("store %v, minute %d after %d ms: refused %v", c.store, c.at/minute, c.elapsed, got)
		}
	}
}

// TestRequestsAreBounded: requests beyond the limit are refused at once, so that a flood does not reach the store.
// Those within it get their answers, and make room.
func TestRequestsAreBounded(t *testing.T) {
	c := asking.Config{Server: "bot", Page: "https://bot.example/#/"}
	m, problems := asker.New(asker.Config{Store: true, Asking: c})
	if problems != nil {
		t.Fatal(problems)
	}
	at := int64(0)
	request := func(n int) []asker.Effect {
		at++
		token := fmt.Sprintf("s%d.x", n)
		base, _ := site.New("https://bot.example/#/", "bot", "")
		q := site.Request{Method: "POST", Host: "bot.example", Path: "/open", Body: []byte(`{"token":"` + token + `"}`),
			Headers: [][2]string{{"Origin", "https://bot.example"}, {"Content-Type", "application/json"}}}
		_, p := base.Begin(q, "secret", 0)
		q.Headers = append(q.Headers, [2]string{"Cookie", p.Headers[len(p.Headers)-1][1]})
		return m.Step(asker.Input{At: at, Event: asker.Requested{Ref: token, Request: q}})
	}
	status := func(effects []asker.Effect) int {
		for _, next := range effects {
			if r, is := next.(asker.Reply); is {
				return r.Response.Status
			}
		}
		return 0
	}
	for n := range 64 {
		if got := status(request(n)); got != 0 {
			t.Fatalf("request %d got %d", n, got)
		}
	}
	if got := status(request(64)); got != 503 {
		t.Errorf("one request too many got %d", got)
	}
	for n := range 64 {
		if got := status(m.Step(asker.Input{At: at, Event: asker.Missing{Session: fmt.Sprintf("s%d", n)}})); got != 404 {
			t.Errorf("request %d got %d", n, got)
		}
	}
	if got := status(request(0)); got != 0 {
		t.Errorf("after the others, a request got %d", got)
	}
}
