package relay

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// moves are the next moves, each as often as it is listed here.
var moves = strings.Fields("call call call call ask ask ask answer answer answer answer person person person " +
	"client client client tick tick guardian cancel withdraw request request retry retry stray batch hostile hostile " +
	"notice progress complete late initialize initialize clock break journal end extend")

func (w *world) below(n int) int { return rapid.IntRange(0, n-1).Draw(w.t, "n") }

func (w *world) one(list ...string) string { return list[w.below(len(list))] }

func (w *world) move() {
	w.clock += int64(w.below(800))
	switch rapid.SampledFrom(moves).Draw(w.t, "move") {
	case "call":
		w.fromClient(w.call(w.freshID(Client)))
	case "initialize":
		w.fromClient(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"initialize","params":{"protocolVersion":"%s",`+
			`"capabilities":{%s},"clientInfo":{"name":"%s"}}}`,
			w.freshID(Client), w.one("2025-11-25", "2025-06-18", "2024-11-05", "2026-07-28"),
			w.one(`"elicitation":{"form":{},"url":{}}`, `"elicitation":{}`, ``), w.tag("t")))
	case "ask":
		w.fromServer(w.question(w.freshID(Server)))
	case "answer":
		if id := w.openAt(w.atServer); id != "" {
			w.fromServer(w.result(id))
		}
	case "late":
		if list := w.gone[Server]; len(list) > 0 {
			w.fromServer(w.plain(list[w.below(len(list))]))
		}
		if list := w.gone[Client]; len(list) > 0 {
			w.fromClient(w.clientResult(list[w.below(len(list))], w.atClient))
		}
	case "person":
		w.person()
	case "extend":
		if s, ok := w.onScreen(); ok {
			w.step(event.Extended{Session: s.Session, ID: s.ID, Until: w.clock + 20_000}, nil)
		}
	case "client":
		if id := w.openAt(w.atClient); id != "" {
			w.fromClient(w.clientResult(id, w.atClient))
		}
	case "guardian":
		w.guardian()
	case "tick":
		w.timePasses()
	case "clock":
		w.clock += int64(w.below(200_000)) - 100_000
		w.met["clock jumped"]++
	case "cancel":
		id := w.openAt(w.clientWaits)
		if id == "" || w.below(4) == 0 {
			id = w.anyID(Client)
		}
		w.fromClient(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`)
	case "withdraw":
		id := w.openAt(w.serverWaits)
		if id == "" || w.below(4) == 0 {
			id = w.anyID(Server)
		}
		w.fromServer(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `,"reason":"r"}}`)
	case "request":
		w.fromServer(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":{"n":"%s"}}`, w.freshID(Server),
			w.one("ping", "sampling/createMessage", "roots/list"), w.tag("t")))
	case "retry":
		w.retry()
	case "stray":
		w.fromClient(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"x",`+
			`"arguments":{"n":"%s"},"requestState":"%s","inputResponses":{"k":{"action":"accept","content":{"v":"%s"}}}}}`,
			w.freshID(Client), w.tag("t"), w.one("s1", "", w.m.ids.Prefix+"1"), w.tag("a")))
	case "batch":
		w.batch()
	case "hostile":
		w.hostile()
	case "notice":
		line := w.one(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}`,
			`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x","arguments":{}}}`)
		if w.below(2) == 0 {
			w.fromClient(line)
		} else {
			w.fromServer(line)
		}
	case "progress":
		w.fromServer(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,`+
			`"progress":%d}}`, w.one(`"p1"`, `"p2"`, "7"), w.below(100)))
	case "complete":
		w.fromServer(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/elicitation/complete",`+
			`"params":{"elicitationId":"e%d"}}`, 1+w.below(max(1, w.tags))))
	case "break":
		w.arm, w.armNext = 1+w.below(6), max(0, w.below(8)-4)
	case "journal":
		if w.below(3) == 0 {
			w.fail = 1 + w.below(4)
		}
	case "end":
		if w.below(6) == 0 {
			w.ended([]End{Client, Server, Host}[w.below(3)])
		}
	}
}

func (w *world) fromClient(line string) {
	if !w.clientGone {
		w.receive(Client, line)
	}
}

func (w *world) fromServer(line string) {
	if !w.serverSilent {
		w.receive(Server, line)
	}
}

// tag makes a text that occurs in only one message.
func (w *world) tag(letter string) string {
	w.tags++
	return fmt.Sprintf("%s%d", letter, w.tags)
}

// anyID returns an id that may be in use, may look like one in use, or may be one of the machine's own.
func (w *world) anyID(from End) string {
	if w.below(12) == 11 {
		w.met["id of the machine"]++
		return fmt.Sprintf(`"%s%d"`, w.m.ids.Prefix, max(1, w.m.ids.Minted+w.below(4)-1))
	}
	return w.one("1", "2", "3", `"1"`, `"a"`, "1.0", "1e0", `"\u0061"`, "-5")
}

func (w *world) freshID(from End) string {
	if w.below(3) == 2 {
		return w.anyID(from)
	}
	return w.newID()
}

// newID returns an unused id.
func (w *world) newID() string {
	w.tags++
	return fmt.Sprint(100 + w.tags)
}

// openAt returns an open id, or "".
func (w *world) openAt(table map[string]request1) string {
	keys := slices.Sorted(maps.Keys(table))
	if len(keys) == 0 {
		return ""
	}
	return table[keys[w.below(len(keys))]].raw
}

const meta2026 = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
	`"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{},"url":{}},"roots":{}}`

func (w *world) meta() string {
	parts := w.one("", "", meta2026, meta2026)
	if token := w.one("", "", `"p1"`, `"p2"`, "7"); token != "" {
		if parts != "" {
			parts += ","
		}
		parts += `"progressToken":` + token
	}
	return `"_meta":{` + parts + `}`
}

func (w *world) call(id string) string {
	method := w.one("tools/call", "tools/call", "prompts/get", "resources/read", "tools/list", "other/method")
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":{"name":"%s","arguments":{"n":"%s"},%s}}`,
		id, method, w.one("x", "y"), w.tag("t"), w.meta())
}

const aSchema = `{"type":"object","properties":{"v":{"type":"string","maxLength":9}},"required":["v"]}`

// asks returns the params of a question.
func (w *world) asks() string {
	q := w.tag("q")
	switch w.below(6) {
	case 0:
		return fmt.Sprintf(`{"mode":"url","message":"%s","url":"https://u.example/%s","elicitationId":"e%d"}`, q, w.one(q,
			"same"), w.tags)
	case 1:
		return fmt.Sprintf(`{"message":"%s","requestedSchema":{"type":"object","properties":{}}}`, q)
	case 2:
		return fmt.Sprintf(`{"message":"%s","requestedSchema":{"type":"array"}}`, q)
	}
	return fmt.Sprintf(`{"mode":"form","message":"%s","requestedSchema":%s}`, q, aSchema)
}

func (w *world) question(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"elicitation/create","params":%s}`, id, w.asks())
}

func (w *world) plain(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"%s"}]}}`, id, w.tag("a"))
}

// result returns the server's answer to the call under id, valid or not.
func (w *world) result(id string) string {
	if w.atServer[exact([]byte(id))].method == "initialize" {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"%s","capabilities":{},`+
			`"serverInfo":{"name":"%s"}}}`, id,
			w.one("2025-11-25", "2025-11-25", "2025-06-18", "2024-11-05"), w.tag("a"))
	}
	switch w.below(8) {
	case 0:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"%s"}}`, id, w.tag("a"))
	case 1:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"input_required","requestState":"%s"}}`, id,
			w.tag("s"))
	case 2, 3, 4:
		var entries []string
		for i := range 1 + w.below(3) {
			entry := `{"method":"elicitation/create","params":` + w.asks() + `}`
			if w.below(4) == 0 {
				entry = w.one(`{"method":"roots/list"}`, `{"method":"sampling/createMessage","params":{"n":"`+w.tag("t")+`"}}`)
			}
			entries = append(entries, fmt.Sprintf(`"k%d":%s`, i, entry))
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"resultType":"%s","inputRequests":{%s}%s}}`, id,
			w.one("input_required", "input_required", "input_required", "complete"), strings.Join(entries, ","),
			w.one("", `,"requestState":"s"`))
	case 5:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32042,"message":"m","data":{"elicitations":[%s]}}}`, id,
			w.pages())
	}
	return w.plain(id)
}

func (w *world) pages() string {
	var list []string
	for range 1 + w.below(2) {
		q := w.tag("q")
		list = append(list, fmt.Sprintf(`{"mode":"url","message":"%s","url":"https://u.example/%s","elicitationId":"e%d"}`, q,
			w.one(q, q, "same"), w.tags))
	}
	return strings.Join(list, ",")
}

// clientResult returns the client's answer to a request, valid or not.
func (w *world) clientResult(id string, has map[string]request1) string {
	switch n := w.below(8); {
	case n == 0:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32000,"message":"%s"}}`, id, w.tag("a"))
	case n == 1:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"%s"}}`, id, w.one("decline", "cancel", "odd"))
	case has[exact([]byte(id))].question:
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"action":"accept"%s}}`, id,
			w.one(`,"content":{"v":"`+w.tag("a")+`"}`, "", `,"content":{"v":5}`, `,"content":{}`))
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"roots":[],"n":"%s"}}`, id, w.tag("a"))
}

// retry repeats a call with the round that the client has, or with something similar.
func (w *world) retry() {
	if len(w.retries) == 0 || w.clientGone {
		return
	}
	r := w.retries[len(w.retries)-1-w.below(min(3, len(w.retries)))]
	t, tool, id := r.tag, r.tool, w.freshID(Client)
	method, more := r.method, ""
	if w.below(4) == 0 {
		switch w.below(4) {
		case 0:
			t = w.tag("t")
		case 1:
			tool = w.one("x", "y", "z")
		case 2:
			method = w.one("tools/call", "prompts/get")
		case 3:
			more = w.one(`"task":{},`, `"cursor":"c",`)
		}
	}
	var list []string
	for _, key := range slices.Sorted(maps.Keys(r.questions)) {
		q := r.questions[key]
		switch {
		case w.below(5) == 0:
		case q == "":
			list = append(list, fmt.Sprintf(`"%s":{"roots":[]}`, key))
		case w.below(4) == 0:
			list = append(list, fmt.Sprintf(`"%s":{"action":"%s"}`, key, w.one("decline", "cancel", "odd")))
		default:
			a := w.tag("a")
			w.from[a] = q
			list = append(list, fmt.Sprintf(`"%s":{"action":"accept","content":{"v":"%s"}}`, key, a))
		}
	}
	w.met["round resumed"]++
	w.fromClient(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":{"name":"%s","arguments":{"n":"%s"},%s`+
		`"requestState":"%s","inputResponses":{%s},%s}}`,
		id, method, tool, t, more, r.state, strings.Join(list, ","), w.one(`"_meta":{`+meta2026+`}`, w.meta())))
}

// batch sends a few messages of one end at once.
func (w *world) batch() {
	var list []string
	if w.below(2) == 0 {
		for range 1 + w.below(3) {
			list = append(list, w.one(w.call(w.newID()), `{"jsonrpc":"2.0","method":"notifications/message"}`))
		}
		w.fromClient("[" + strings.Join(list, ",") + "]")
		return
	}
	taken := map[string]bool{}
	for range 1 + w.below(3) {
		line := w.one(`{"jsonrpc":"2.0","method":"notifications/message"}`, w.question(w.newID()))
		if id := w.openAt(w.atServer); id != "" && !taken[id] && w.below(2) == 0 {
			taken[id] = true
			line = w.result(id)
		}
		list = append(list, line)
	}
	w.fromServer("[" + strings.Join(list, ",") + "]")
}

// person answers the question on the screen, correctly or not, or one that is no longer there.
func (w *world) person() {
	s, ok := w.onScreen()
	if n := len(w.past); n > 0 && (!ok || w.below(5) == 0) {
		s, ok = w.past[w.below(n)], true
	}
	if !ok {
		s.ID, s.Session = elicit.ID(strings.Repeat("0", 32)), "form"
	}
	w.answerAs(s, elicit.Action(w.one("accept", "accept", "accept", "decline", "cancel")), w.below(4) == 0)
}

func (w *world) answerAs(s effect.Show, action elicit.Action, wrong bool) {
	ev := event.Answered{Session: s.Session, ID: s.ID, Action: action}
	q := questionPattern.FindString(s.Message)
	switch {
	case action != elicit.Accept || s.Mode == elicit.URL:
	case wrong:
		ev.Content = []byte(w.one(`{"v":5}`, `{}`, `{"v":"much too long for it"}`))
	case s.Form != nil && len(s.Form.Fields) == 0:
		ev.Content = []byte(`{}`)
		if held := tagPattern.Find(s.Arguments); held != nil && w.below(2) == 0 {
			ev.Arguments = []byte(`{"n":"` + string(held) + `","edited":true}`)
		}
	default:
		a := w.tag("a")
		ev.Content, w.from[a] = []byte(`{"v":"`+a+`"}`), q
	}
	if _, shown := w.screen[s.ID]; shown {
		w.answered[s.ID] = true
		if action == elicit.Accept {
			w.from["yes "+q] = q
		}
	}
	w.step(ev, nil)
}

// onScreen returns a question that the person has not answered.
func (w *world) onScreen() (effect.Show, bool) {
	var open []elicit.ID
	for id := range w.screen {
		if !w.answered[id] {
			open = append(open, id)
		}
	}
	if len(open) == 0 {
		return effect.Show{}, false
	}
	slices.Sort(open)
	return w.screen[open[w.below(len(open))]], true
}

func (w *world) guardian() {
	if len(w.consults) == 0 {
		return
	}
	i := w.below(len(w.consults))
	c := w.consults[i]
	if w.below(6) > 0 {
		w.consults = slices.Delete(w.consults, i, i+1)
	}
	said := event.Consulted{Output: w.one(`{"v":1,"decision":"pass"}`, `{"v":1,"decision":"pass"}`,
		`{"v":1,"decision":"deny"}`, `{`)}
	switch {
	case w.below(6) == 0:
		said = event.Consulted{Fault: guardian.Fault("trap")}
	case secondPerson(c):
		said.Output = w.one(`{"v":1,"decision":"allow"}`, `{"v":1,"decision":"allow"}`, `{"v":1,"decision":"deny"}`, `{`)
		said.Principal = w.one("bob", "bob", "") // the connection names no principal, so bob is another person
	case c.Guardian == "pairs", c.Phase == guardian.BeforeSend && w.below(2) == 0:
		said.Output = demandsTwo
	}
	w.approves(c, said)
	w.step(c.Answer(said), nil)
}

const demandsTwo = `{"v":1,"decision":"pass","obligations":[{"do":"second_person"}]}`

func secondPerson(c effect.Consult) bool { return c.Phase == effect.SecondPerson }

// agrees is what a guardian says that finds nothing, or another person who says yes.
func (p *peers) agrees(c effect.Consult) event.Consulted {
	said := event.Consulted{Output: `{"v":1,"decision":"pass"}`}
	switch {
	case secondPerson(c):
		said = event.Consulted{Output: `{"v":1,"decision":"allow"}`, Principal: "bob"}
	case c.Guardian == "pairs":
		said.Output = demandsTwo
	}
	p.approves(c, said)
	return said
}

// approves notes that another person than the principal has said yes.
func (p *peers) approves(c effect.Consult, said event.Consulted) {
	if secondPerson(c) && said.Fault == "" && said.Principal == "bob" &&
		strings.Contains(said.Output, `"allow"`) {
		delete(p.needsTwo, c.ID)
		p.met["second person approved"]++
	}
}

// keepsTwo checks that a record accepts nothing that still needs another person.
func (p *peers) keepsTwo(record []byte) {
	for _, e := range gjson.GetBytes(record, `effects.#(effect=="reply")#`).Array() {
		id := elicit.ID(e.Get("id").Str)
		if _, needed := p.needsTwo[id]; !needed {
			continue
		}
		if e.Get("outcome").Str == "accept" {
			p.wrong("accepted without another person: %s", record)
		}
		delete(p.needsTwo, id)
		p.met["second person missing"]++
	}
}

// asksAgain forgets who wanted another person: another engine asks the open questions again. Only "pairs" wants the
// same of the new answer, while it is configured.
func (p *peers) asksAgain() {
	for id, by := range p.needsTwo {
		if by == "pairs" {
			p.needsTwo[id] = "again"
		} else if by != "again" {
			delete(p.needsTwo, id)
		}
	}
	p.configured(p.pairs)
}

// configured notes whether the guardian "pairs" is there.
func (p *peers) configured(pairs bool) {
	p.pairs = pairs
	maps.DeleteFunc(p.needsTwo, func(_ elicit.ID, by string) bool { return by == "again" && !pairs })
}

// timePasses sends the tick of the timer on time or late, or one that is early.
func (w *world) timePasses() {
	if w.timer > w.clock && w.below(4) > 0 {
		w.clock = w.timer + int64(w.below(3)*w.below(10_000))
	}
	w.tick()
}
