package relay

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// agents are the two ends of a connection to an agent, in ACP or Codex, in place of the peers of MCP. They take the
// same host, person, guardians, clock, journal and faults from the world.
type agents struct {
	*world
	open    map[int]*agentAsk // requests of the agent without an answer
	asked   map[int]*agentAsk // all of them
	client  map[string]int    // what the client was asked, by the id that it knows
	resumed map[int]string    // answers that the agent got, for a request that it sends again
	over    map[string]bool   // ids of which the client has heard the end
	next    int
	v2      bool
}

// agentAsk is one request of the agent.
type agentAsk struct {
	id                  int
	text, session, kind string
}

func (k *agentAsk) tag() string { return fmt.Sprint("q", k.id) }

// agentConfig draws a connection to an agent.
func agentConfig(t *rapid.T, protocol Protocol, engine []byte) Config {
	c := Config{Server: "s", Protocol: protocol, Engine: engine, MaxMessage: 1 << 16,
		Ask:   rapid.SampledFrom([]Asker{AskHost, AskClient, AskClient, AskPolicy, AskNobody}).Draw(t, "ask"),
		Modes: elicit.Modes{Form: rapid.IntRange(0, 3).Draw(t, "form") < 3}}
	if protocol == ACP {
		c.Session = &Session{Version: rapid.SampledFrom([]string{"1", "2"}).Draw(t, "version"),
			Declared: elicit.Modes{Form: true}}
		c.ACPChain = rapid.IntRange(0, 3).Draw(t, "chain") == 3
	}
	return c
}

func newAgents(t *rapid.T, config Config, met map[string]int) *agents {
	a := &agents{open: map[int]*agentAsk{}, asked: map[int]*agentAsk{}, client: map[string]int{},
		resumed: map[int]string{}, over: map[string]bool{}, v2: config.Session != nil && config.Session.Version == "2"}
	a.world = newWorld(t, config, met)
	a.peers.agents = a
	return a
}

// playAgents plays one connection to an agent from its beginning to its end. It returns the number of steps.
func playAgents(t *rapid.T, config Config, met map[string]int, reconfigures bool) int {
	a := newAgents(t, config, met)
	for range rapid.IntRange(1, 80).Draw(t, "moves") {
		a.move()
		if reconfigures && a.below(12) == 11 {
			a.reconfigure()
		}
	}
	a.quiet()
	a.ends(Server)
	a.ends(Host)
	if n := a.m.decider.Open(); n != 0 || len(a.m.client.withUser) != 0 || len(a.client) > 0 && !a.clientGone {
		a.wrong("at the end %d questions and %d requests are left, and the client has %v", n,
			len(a.m.client.withUser), a.client)
	}
	a.replay()
	a.again()
	return len(a.inputs)
}

// TestAgentModel is TestModel for agents. It takes the place of a test for each protocol.
func TestAgentModel(t *testing.T) {
	defer func() { breaks = nil }()
	met := map[string]int{}
	for _, protocol := range []Protocol{ACP, Codex} {
		t.Run(string(protocol), func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				config := drawnConfig(t, AskHost)
				playAgents(t, agentConfig(t, protocol, config.Engine), met, false)
			})
		})
	}
	t.Logf("%v", met)
	for _, what := range []string{"agent answered", "agent refused", "agent asked the client", "agent asked again"} {
		if met[what] == 0 && !testing.Short() {
			t.Errorf("no life had %q: the lives have lost their subject", what)
		}
	}
}

var agentSubjects = []string{"agent answered", "agent refused", "agent failed", "agent asked the client",
	"agent asked again", "agent withdrew", "turn ended", "answer for another", "agent form answered",
	"agent yes by policy"}

var agentMoves = strings.Fields("ask ask ask ask ask person person person person client client client client wrong " +
	"guardian guardian guardian tick tick withdraw cancel turn again late forge clock break journal end noise state")

func (a *agents) fromAgent(line string) {
	if a.serverSilent {
		return
	}
	from := Server
	if a.config.ACPChain {
		if line, from = wrapped(line), Client; a.clientGone {
			return
		}
	}
	a.said1(from, line)
}

func (a *agents) fromPerson(line string) {
	if !a.clientGone {
		a.said1(Client, line)
	}
}

func (a *agents) said1(from End, line string) {
	a.current = line
	a.step(Received{From: from}, []byte(line))
	a.current = ""
}

func (a *agents) move() {
	a.clock += int64(a.below(800))
	session := a.one("s1", "s2")
	switch rapid.SampledFrom(agentMoves).Draw(a.t, "move") {
	case "ask":
		a.ask(session)
	case "person":
		a.person()
	case "client":
		a.answer(false)
	case "wrong":
		a.answer(true)
	case "guardian":
		a.guardian()
	case "tick":
		a.timePasses()
	case "withdraw":
		if k := a.some(); k != nil {
			a.withdraw(k)
		}
	case "cancel":
		a.met["turn ended"]++
		a.fromPerson(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":%q}}`, session))
	case "turn":
		a.turn(session)
	case "again": // Codex sends a request again after thread/resume
		if k := a.some(); k != nil && a.config.Protocol == Codex {
			a.met["agent asked again"]++
			a.fromAgent(k.text)
		}
	case "late", "forge":
		id := 1 + a.below(a.next+3)
		if _, has := a.client[fmt.Sprint(id)]; !has {
			a.met["answer for another"]++
			a.fromPerson(fmt.Sprintf(`{%s"id":%d,"result":%s}`, a.head(), id, a.one(
				`{"outcome":{"outcome":"selected","optionId":"yes"}}`, `{"decision":"accept"}`,
				`{"action":"accept","content":{"v":"x"}}`)))
		}
	case "clock":
		a.clock += int64(a.below(200_000)) - 100_000
		a.met["clock jumped"]++
	case "break":
		a.arm, a.armNext = 1+a.below(6), max(0, a.below(8)-4)
	case "journal":
		if a.below(3) == 0 {
			a.fail = 1 + a.below(4)
		}
	case "end":
		if a.below(6) == 0 {
			a.ends([]End{Client, Server, Host}[a.below(3)])
		}
	case "noise":
		a.fromAgent(a.one(`{"jsonrpc":"2.0","id":1,`, `{"method":"item/agentMessage/delta","params":{"threadId":"s1"}}`,
			`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{}}}`))
	case "state":
		a.fromAgent(fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":%q,"update":{`+
			`"sessionUpdate":"state_update","state":%q}}}`, session, a.one("running", "idle", "_x")))
	}
}

// head is the beginning of a message in the protocol of the connection.
func (a *agents) head() string {
	if a.config.Protocol == Codex {
		return ""
	}
	return `"jsonrpc":"2.0",`
}

func (a *agents) some() *agentAsk {
	ids := slices.Sorted(maps.Keys(a.asked))
	if len(ids) == 0 {
		return nil
	}
	return a.asked[ids[a.below(len(ids))]]
}

// ask lets the agent ask. Each question has its tag in its text, and no yes is for two questions.
func (a *agents) ask(session string) {
	a.next++
	k := &agentAsk{id: a.next, session: session, kind: a.one("permission", "permission", "patch", "form")}
	method, params := "", ""
	form := fmt.Sprintf(`"mode":"form","message":"%s","requestedSchema":%s`, k.tag(), aSchema)
	switch codex := a.config.Protocol == Codex; {
	case k.kind == "form" && codex:
		method, params = "mcpServer/elicitation/request", fmt.Sprintf(
			`"threadId":%q,"turnId":"u","serverName":"m",%s`, session, form)
	case k.kind == "form":
		method, params = "elicitation/create", fmt.Sprintf(`"sessionId":%q,%s`, session, form)
	case codex && k.kind == "patch":
		method, params = "item/fileChange/requestApproval", fmt.Sprintf(
			`"threadId":%q,"turnId":"u","itemId":"i%d","reason":"%s"`, session, k.id, k.tag())
	case codex:
		method, params = "item/commandExecution/requestApproval", fmt.Sprintf(`"kind":"command","threadId":%q,`+
			`"turnId":"u","itemId":"i%d","command":"run %s","availableDecisions":["accept","cancel"]`, session, k.id, k.tag())
	default:
		about := fmt.Sprintf(`"toolCall":{"toolCallId":"t%d","title":"Run %s"}`, k.id, k.tag())
		if a.v2 {
			about = fmt.Sprintf(`"title":"Run %s","subject":{"type":"command","command":"run %[1]s","cwd":"/"}`, k.tag())
		}
		method, params = "session/request_permission", fmt.Sprintf(`"sessionId":%q,%s`, session, about)+
			`,"options":[{"optionId":"yes","name":"Y","kind":"allow_once"},`+
			`{"optionId":"always","name":"A","kind":"allow_always"},{"optionId":"no","name":"N","kind":"reject_once"}]`
	}
	k.text = fmt.Sprintf(`{%s"id":%d,"method":%q,"params":{%s}}`, a.head(), k.id, method, params)
	if !a.serverSilent && !a.clientGone && !a.hostLeft && !a.closedServer { // its questions end with each of them
		a.open[k.id], a.asked[k.id] = k, k
	}
	a.fromAgent(k.text)
}

func (a *agents) withdraw(k *agentAsk) {
	a.met["agent withdrew"]++
	if a.config.Protocol == ACP {
		a.fromAgent(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":%d}}`, k.id))
		return
	}
	delete(a.open, k.id) // the app-server says that it is settled, and waits no more
	delete(a.asked, k.id)
	a.fromAgent(fmt.Sprintf(`{"method":"serverRequest/resolved","params":{"threadId":%q,"requestId":%d}}`, k.session,
		k.id))
}

// turn begins or ends a turn.
func (a *agents) turn(session string) {
	switch {
	case a.config.Protocol == ACP && a.below(2) == 0:
		a.fromPerson(fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%s","method":"session/prompt","params":{"sessionId":%q,`+
			`"prompt":[]}}`, session, session))
	case a.config.Protocol == ACP:
		a.fromAgent(fmt.Sprintf(`{"jsonrpc":"2.0","id":"p%s","result":{"stopReason":"end_turn"}}`, session))
	default:
		for _, id := range slices.Sorted(maps.Keys(a.open)) { // Codex waits for none of them
			if a.open[id].session == session {
				delete(a.open, id)
				delete(a.asked, id)
			}
		}
		a.met["turn ended"]++
		a.fromAgent(fmt.Sprintf(`{"method":"turn/completed","params":{"threadId":%q,"turn":{"id":"u",`+
			`"status":"interrupted"}}}`, session))
	}
}

// answer lets the client answer what it was asked, with what fits or not.
func (a *agents) answer(wrong bool) bool {
	ids := slices.Sorted(maps.Keys(a.client))
	if len(ids) == 0 || a.clientGone {
		return false
	}
	id := ids[a.below(len(ids))]
	n := a.client[id]
	delete(a.client, id)
	tag, result := fmt.Sprint("q", n), ""
	yes := a.one("yes", "yes", "always", "no")
	switch kind := a.kindOf(n); {
	case wrong:
		result = a.one(`"result":{}`, `"result":null`, `"error":{"code":1,"message":"x"}`,
			`"result":{"outcome":{"outcome":"selected","optionId":"other"}}`, `"result":{"decision":"approved"}`,
			`"result":{"outcome":{"outcome":"selected","optionId":"yes","optionId":"no"}}`,
			`"result":{"decision":"decline","decision":"accept"}`, `"result":{"action":"accept","content":{"v":5}}`)
	case kind == "form" && yes == "no":
		result = `"result":{"action":"decline"}`
	case kind == "form":
		text := a.tag("a")
		a.from[text], a.from["yes "+tag] = tag, tag
		result = `"result":{"action":"accept","content":{"v":"` + text + `"}}`
	case a.config.Protocol == Codex:
		result = `"result":{"decision":"` + map[string]string{"yes": "accept", "always": "accept", "no": a.one("decline",
			"cancel")}[yes] + `"}`
	default:
		result = `"result":{"outcome":{"outcome":"selected","optionId":"` + yes + `"}}`
	}
	if !wrong && yes != "no" {
		a.from["yes "+tag] = tag
	}
	a.fromPerson(fmt.Sprintf(`{%s"id":%s,%s}`, a.head(), id, result))
	return true
}

func (a *agents) kindOf(n int) string {
	if k := a.asked[n]; k != nil {
		return k.kind
	}
	return ""
}

// quiet lets everybody do what is expected of them until nobody waits.
func (a *agents) quiet() {
	a.arm, a.armNext, a.fail = 0, 0, 0
	a.mute = a.config.AnswerWithin > 0 && a.below(2) == 0
	for n := range 800 {
		s, shown := a.onScreen()
		switch {
		case len(a.consults) > 0:
			c := a.consults[0]
			a.consults = a.consults[1:]
			if secondPerson(c) || a.below(4) > 0 { // otherwise its deadline passes
				a.step(c.Answer(a.agrees(c)), nil)
			}
		case shown && (n%4 < 3 || a.timer == 0): // a new engine may have it reviewed again, and waits for a guardian
			a.answerAs(s, elicit.Action(a.one("accept", "decline")), false)
			if _, still := a.screen[s.ID]; still && !a.answered[s.ID] { // the answer does not fit its form
				a.answerAs(s, elicit.Decline, false)
			}
		case !a.mute && a.answer(false):
		case a.timer != 0:
			a.clock = max(a.clock, a.timer)
			a.tick()
		default:
			a.owed()
			return
		}
	}
	a.wrong("after many answers somebody still waits: the agent for %v", slices.Sorted(maps.Keys(a.open)))
}

// owed checks that the agent waits for nothing. An app-server whose client has left may have another one.
func (a *agents) owed() {
	for _, id := range slices.Sorted(maps.Keys(a.open)) {
		if !a.serverSilent && (a.config.Protocol == ACP || !a.clientGone && !a.hostLeft) {
			a.wrong("the agent waits for an answer to %d for ever", id)
		}
	}
	if len(a.screen) > 0 {
		a.wrong("%d questions stay on the screen for ever", len(a.screen))
	}
}

// ends closes the stream of an end, or makes the host leave.
func (a *agents) ends(end End) {
	if end == Client && a.clientGone || end == Server && a.serverSilent {
		return
	}
	switch end {
	case Client:
		a.clientGone = true
		clear(a.client)
	case Server:
		a.serverSilent = true
	case Host:
		a.hostLeft = true
	}
	a.step(Ended{End: end}, nil)
	if len(a.screen) > 0 {
		a.wrong("%d questions are on the screen after the end of the %s", len(a.screen), end)
	}
	a.owed()
}

// keepsUp checks after a step that the client has only what the agent waits for. Within a step, the end of one question
// may show another one that ends next.
func (a *agents) keepsUp() {
	for _, id := range slices.Sorted(maps.Keys(a.client)) {
		if a.open[a.client[id]] == nil && !a.clientGone {
			a.wrong("the client still has the request %s, and the agent does not wait for q%d", id, a.client[id])
		}
	}
}

// heard checks one message that an end gets.
func (a *agents) heard(to End, text []byte, forwarded bool) {
	var msg struct {
		ID     json.RawMessage
		Method string
		Params struct{ RequestID json.RawMessage }
		Result struct {
			Outcome  struct{ Outcome, OptionID string }
			Decision any
			Action   string
			Content  json.RawMessage
		}
		Error json.RawMessage
	}
	if err := json.Unmarshal(text, &msg); err != nil {
		if !forwarded {
			a.wrong("what the %s gets cannot be read: %s", to, text)
		}
		return
	}
	tag := questionPattern.FindString(string(text))
	var id int
	number := json.Unmarshal(msg.ID, &id) == nil && id > 0
	if a.config.ACPChain && msg.Method == "" && number { // an answer to the agent, through the conductor
		to = Server
	}
	switch {
	case to == Client && msg.ID != nil && tag != "":
		switch {
		case a.broken:
			a.wrong("the client is asked after the journal failed: %s", text)
		case a.config.Ask != AskClient:
			a.wrong("the client is asked, and it must not be: %s", text)
		}
		a.met["agent asked the client"]++
		a.client[string(msg.ID)] = numberIn(tag)
		delete(a.over, string(msg.ID))
	case to == Client && (msg.Method == "$/cancel_request" || msg.Method == "serverRequest/resolved"):
		id := string(msg.Params.RequestID)
		if a.over[id] && a.config.Protocol == Codex {
			a.wrong("the client hears again of the end of %s", id)
		}
		a.over[id] = true
		delete(a.client, id)
	case to == Server && msg.Method == "" && number && a.asked[id] != nil:
		a.replied(a.asked[id], strings.Replace(string(text), `"jsonrpc":"2.0",`, "", 1), msg.Error != nil,
			msg.Result.Outcome.Outcome == "selected" && msg.Result.Outcome.OptionID != "no" ||
				msg.Result.Decision != nil && msg.Result.Decision != "decline" && msg.Result.Decision != "cancel" ||
				msg.Result.Action == "accept", msg.Result.Content)
	case to == Server && msg.Method == "" && number && a.config.Protocol == ACP && !forwarded && id <= a.next:
		a.wrong("an answer that nobody waits for: %s", text)
	}
}

// replied checks an answer to the agent.
func (a *agents) replied(k *agentAsk, text string, failed, yes bool, content json.RawMessage) {
	if before, again := a.resumed[k.id]; again {
		if a.config.Protocol != Codex || before != text && !failed {
			a.wrong("the agent gets a second answer: %s and %s", before, text)
		}
		return
	}
	delete(a.open, k.id)
	a.resumed[k.id] = text
	said := a.from["yes "+k.tag()] != ""
	switch text := answerPattern.FindString(string(content)); {
	case failed:
		a.met["agent failed"]++
	case !yes:
		a.met["agent refused"]++
		if content != nil && string(content) != "null" {
			a.wrong("a refusal carries content: %s", content)
		}
	case a.broken:
		a.wrong("the agent gets a yes to %s after the journal failed", k.tag())
	case !said && !(k.kind != "form" && a.policyMayAccept):
		a.wrong("the agent gets a yes to %s, and nobody said it", k.tag())
	case text != "" && a.from[text] != k.tag():
		a.wrong("%s gets the answer to %s", k.tag(), a.from[text])
	default:
		a.met["agent answered"]++
		if text != "" {
			a.met["agent form answered"]++
		}
		if !said {
			a.met["agent yes by policy"]++
		}
	}
}

func numberIn(tag string) (n int) {
	fmt.Sscanf(tag, "q%d", &n)
	return n
}

// wrapped is a message of the agent as a conductor delivers it.
func wrapped(text string) string {
	var msg map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &msg) != nil || msg["method"] == nil || string(msg["method"]) == `"$/cancel_request"` {
		return text
	}
	inner, _ := json.Marshal(map[string]any{"method": msg["method"], "params": msg["params"]})
	msg["method"], msg["params"] = json.RawMessage(`"proxy/successor"`), inner
	out, _ := json.Marshal(msg)
	return string(out)
}
