package relay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// codexModel plays both ends of a connection to an app-server and counts what each gets.
type codexModel struct {
	t        *rapid.T
	m        *Machine
	at       int64
	requests map[int]string  // the text of every request
	open     map[int]string  // ids that the app-server waits for, with the turn
	answers  map[int]string  // the answer to an id
	allowed  map[int]bool    // ids that the client has accepted while it had them
	client   map[string]int  // what the client has, by the id that it knows
	over     map[string]bool // ids that the client has heard the end of
	next     int
}

func (c *codexModel) step(ev Event, message string) {
	c.at += 10
	var random [32]byte
	random[0], random[1] = byte(c.at), byte(c.at>>8)
	for _, e := range c.m.Step(Input{At: c.at, Random: random, Event: ev, Message: []byte(message)}) {
		switch e := e.(type) {
		case Send:
			c.sent(e.To, e.Message)
		case Forward:
			c.sent(e.To, []byte(message))
		}
	}
}

func (c *codexModel) sent(to End, text []byte) {
	var msg struct {
		ID     json.RawMessage
		Method string
		Params struct {
			RequestID json.RawMessage
			ItemID    string
		}
		Result struct{ Decision any }
	}
	if err := json.Unmarshal(text, &msg); err != nil {
		c.t.Fatalf("%s: %v", text, err)
	}
	switch {
	case to == Client && msg.Method == "serverRequest/resolved":
		id := string(msg.Params.RequestID)
		if c.over[id] {
			c.t.Fatalf("the client hears again of the end of %s", id)
		}
		c.over[id] = true
		delete(c.client, id)
	case to == Client && strings.HasSuffix(msg.Method, "requestApproval"):
		n := 0
		if _, err := fmt.Sscanf(msg.Params.ItemID, "item%d", &n); err != nil {
			c.t.Fatal(err)
		}
		if _, waits := c.open[n]; !waits {
			c.t.Fatalf("the client is asked too late: %s", text)
		}
		c.client[string(msg.ID)] = n
		delete(c.over, string(msg.ID))
	case to == Server && msg.Method == "" && msg.Result.Decision != nil:
		var id int
		if err := json.Unmarshal(msg.ID, &id); err != nil {
			c.t.Fatal(err)
		}
		if before, again := c.answers[id]; again && before != string(text) {
			c.t.Fatalf("two answers: %s and %s", before, text)
		}
		if _, waits := c.open[id]; !waits {
			c.t.Fatalf("an answer that no one waits for: %s", text)
		}
		c.answers[id] = string(text)
		if msg.Result.Decision == "accept" && !c.allowed[id] {
			c.t.Fatalf("nobody allowed %s", text)
		}
	}
}

// settle ends a request at the app-server, as Codex does after an answer or the end of a turn.
func (c *codexModel) settle(id int) {
	delete(c.open, id)
	c.step(Received{From: Server}, fmt.Sprintf(`{"method":"serverRequest/resolved","params":{"threadId":"t",`+
		`"requestId":%d}}`, id))
}

func (c *codexModel) some(open map[int]string) (int, bool) {
	var ids []int
	for id := range open {
		ids = append(ids, id)
	}
	if slices.Sort(ids); len(ids) == 0 {
		return 0, false
	}
	return rapid.SampledFrom(ids).Draw(c.t, "id"), true
}

func (c *codexModel) pickClient() (string, bool) {
	var ids []string
	for id := range c.client {
		ids = append(ids, id)
	}
	if slices.Sort(ids); len(ids) == 0 {
		return "", false
	}
	return rapid.SampledFrom(ids).Draw(c.t, "asked"), true
}

func (c *codexModel) move() {
	server := func(format string, args ...any) { c.step(Received{From: Server}, fmt.Sprintf(format, args...)) }
	client := func(format string, args ...any) { c.step(Received{From: Client}, fmt.Sprintf(format, args...)) }
	turn := rapid.SampledFrom([]string{"u1", "u2"}).Draw(c.t, "turn")
	switch rapid.SampledFrom([]string{"ask", "ask", "ask", "answer", "answer", "wrong", "again", "settled", "elsewhere",
		"turn", "late", "forge", "noise"}).Draw(c.t, "move") {
	case "ask":
		c.next++
		c.open[c.next] = turn
		c.requests[c.next] = fmt.Sprintf(`{"id":%d,"method":"item/commandExecution/requestApproval","params":{`+
			`"kind":"command","threadId":"t","turnId":%q,"itemId":"item%d","command":"run %d",`+
			`"availableDecisions":["accept","cancel"]}}`, c.next, turn, c.next, c.next)
		server("%s", c.requests[c.next])
	case "answer":
		if id, ok := c.pickClient(); ok {
			decision := rapid.SampledFrom([]string{"accept", "decline", "cancel"}).Draw(c.t, "decision")
			c.allowed[c.client[id]] = decision == "accept"
			delete(c.client, id)
			client(`{"id":%s,"result":{"decision":%q}}`, id, decision)
		}
	case "wrong":
		if id, ok := c.pickClient(); ok {
			delete(c.client, id)
			client(`{"id":%s,%s}`, id, rapid.SampledFrom([]string{`"result":{}`, `"result":null`, `"error":{"code":1,` +
				`"message":"x"}`, `"result":{"decision":"approved"}`, `"result":{"decision":"decline","decision":"accept"}`,
				`"result":{"action":"accept"}`}).Draw(c.t, "wrong"))
		}
	case "again": // thread/resume
		if id, ok := c.some(c.open); ok {
			server("%s", c.requests[id])
		}
	case "settled":
		if id, ok := c.some(c.open); ok && c.answers[id] != "" {
			c.settle(id)
		}
	case "elsewhere": // another client has answered
		if id, ok := c.some(c.open); ok {
			c.settle(id)
		}
	case "turn":
		var ended []int
		for id, of := range c.open {
			if of == turn && c.answers[id] == "" {
				ended = append(ended, id)
				delete(c.open, id)
			}
		}
		slices.Sort(ended)
		server(`{"method":"turn/completed","params":{"threadId":"t","turn":{"id":%q,"status":"interrupted"}}}`, turn)
		for _, id := range ended {
			c.settle(id)
		}
	case "late", "forge":
		id := rapid.IntRange(1, c.next+3).Draw(c.t, "id")
		if _, has := c.client[fmt.Sprint(id)]; !has {
			client(`{"id":%d,"result":{"decision":"accept"}}`, id)
		}
	case "noise":
		server(`{"method":"item/agentMessage/delta","params":{"threadId":"t","delta":"x"}}`)
		client(`{"method":"initialized"}`)
	}
}

// TestEveryRequestOfCodexHasOneAnswer plays events in any order. Every request gets one answer while Codex waits for
// it, nothing is accepted that the client did not accept, and the client hears once of the end of what it has seen.
func TestEveryRequestOfCodexHasOneAnswer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, _, problems := New(Config{Server: "codex", Protocol: Codex, Ask: AskClient}, Input{At: 1})
		if problems != nil {
			t.Fatal(problems)
		}
		c := &codexModel{t: t, m: m, at: 1, requests: map[int]string{}, open: map[int]string{}, answers: map[int]string{},
			allowed: map[int]bool{}, client: map[string]int{}, over: map[string]bool{}}
		for range rapid.IntRange(1, 60).Draw(t, "moves") {
			c.move()
		}
		c.step(Ended{Client}, "")
		if m.decider.Open() != 0 || len(m.client.withUser) != 0 {
			t.Fatalf("%d questions and %d requests are left", m.decider.Open(), len(m.client.withUser))
		}
	})
}

// codexTraffic is what passes between an app-server and its front end: a call with its result, a part of the agent's
// text, and the end of a command.
func codexTraffic(size int) (call, result, delta, done []byte) {
	text := strings.Repeat(`12:00 copied \"/var/lib\" `, 1+size/25)
	return []byte(`{"id":7,"method":"turn/steer","params":{"threadId":"t","expectedTurnId":"u"}}`),
		[]byte(`{"id":7,"result":{"text":"` + text + `"}}`),
		[]byte(`{"method":"item/agentMessage/delta","params":{"threadId":"t","delta":"` + text + `"},"emittedAtMs":5}`),
		[]byte(`{"method":"item/completed","params":{"threadId":"t","turnId":"u","item":{"type":"commandExecution",` +
			`"id":"i","aggregatedOutput":"` + text + `"}},"emittedAtMs":5}`)
}

func newCodexPasser(tb testing.TB) *passer {
	p := &passer{fromClient: Received{From: Client}, fromServer: Received{From: Server}}
	m, _, problems := New(Config{Server: "codex", Protocol: Codex, Ask: AskClient}, Input{At: 1})
	if problems != nil {
		tb.Fatal(problems)
	}
	p.m = m
	return p
}

// TestPassingCodexAllocatesNothing checks that a message of an app-server that only passes causes no allocation.
func TestPassingCodexAllocatesNothing(t *testing.T) {
	p := newCodexPasser(t)
	call, result, delta, done := codexTraffic(1000)
	for what, pass := range map[string]func(){
		"a call and its result":   func() { p.step(p.fromClient, call); p.step(p.fromServer, result) },
		"a part of a text":        func() { p.step(p.fromServer, delta) },
		"the end of another item": func() { p.step(p.fromServer, done) },
	} {
		pass()
		if n := testing.AllocsPerRun(200, pass); n != 0 {
			t.Errorf("%s costs %v allocations", what, n)
		}
		if p.wrong > 0 {
			t.Fatalf("%s is not forwarded", what)
		}
	}
}

func BenchmarkForwardCodex(b *testing.B) {
	call, result, delta, done := codexTraffic(1000)
	for name, messages := range map[string][]struct {
		from    End
		message []byte
	}{
		"delta": {{Server, delta}}, "call+result": {{Client, call}, {Server, result}}, "item": {{Server, done}},
	} {
		b.Run(name+"/1KB", func(b *testing.B) {
			p := newCodexPasser(b)
			b.ReportAllocs()
			for b.Loop() {
				for _, one := range messages {
					if one.from == Client {
						p.step(p.fromClient, one.message)
					} else {
						p.step(p.fromServer, one.message)
					}
				}
			}
			p.check(b)
		})
	}
}
