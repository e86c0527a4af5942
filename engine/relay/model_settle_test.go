package relay

import (
	"fmt"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// hostile sends a line that must not pass. The reference then records what the sender waits for.
func (w *world) hostile() {
	from := []End{Client, Server}[w.below(2)]
	if from == Client && w.clientGone || from == Server && w.serverSilent {
		return
	}
	id, method := w.freshID(from), w.one("tools/call", "elicitation/create", "ping", "initialize")
	line, kind := "", "nothing"
	switch w.below(8) {
	case 0:
		line = w.one("no json", "{", "[]", "[1,{}]", `"text"`, "{}\r", "\x80", `{"jsonrpc":"2.0"}`, "null")
	case 1:
		line, kind = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","params":{"a":1,"a":2}}`, id, method), "call"
	case 2:
		line, kind = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","Params":{}}`, id, method), "call"
	case 3:
		line = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"id":5,"method":"%s"}`, id, method)
	case 4:
		line = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"%s","result":{}}`, id, method)
	default:
		has := w.atServer
		if from == Client {
			has = w.atClient
		}
		if open := w.openAt(has); open != "" {
			id = open
		}
		line, kind = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id,
			w.one(`{"resultType":"complete","resultType":"input_required"}`, `{"result_type":"input_required"}`,
				`{"_meta":{"inputRequests":{},"inputRequests":{}}}`, `{"Action":"accept"}`, `1]`)), "answer"
	}
	ev := Received{From: from, Cut: kind != "nothing" && w.below(10) == 0}
	if due := w.due(); due != 0 && due <= max(w.clock, w.m.time.Now) {
		w.tick() // otherwise it is unclear whether an answer is for an earlier request with this id, as in receive
	}
	w.hearHostile(from, id, kind)
	w.current = ""
	w.step(ev, []byte(line))
}

// hearHostile records what the sender of a hostile line waits for, or whom it has answered.
func (p *peers) hearHostile(from End, id, kind string) {
	key := exact([]byte(id))
	switch {
	case kind == "call" && from == Client:
		if _, open := p.clientWaits[key]; !open {
			p.clientWaits[key] = request1{raw: id, method: "refused"}
		}
	case kind == "call" && !p.closedServer:
		if _, open := p.serverWaits[keyIn(p.serverWaits, []byte(id))]; !open {
			p.serverWaits[key] = request1{raw: id, method: "refused"}
		}
	case kind == "answer" && from == Client:
		delete(p.atClient, key)
	case kind == "answer":
		delete(p.atServer, key)
	}
}

// ended closes the stream of an end, or makes the host leave, and checks what that must have settled.
func (w *world) ended(end End) {
	if end == Client && w.clientGone || end == Server && w.serverSilent {
		return
	}
	switch end {
	case Client:
		w.clientGone = true
		clear(w.atClient)
	case Server:
		w.serverSilent = true
		clear(w.atServer)
	case Host:
		w.hostLeft = true
	}
	w.step(Ended{End: end}, nil)
	for _, c := range w.serverWaits {
		if c.question && !w.serverSilent {
			w.wrong("the question %s is open after the end of the %s", c.tag, end)
		}
	}
	if end == Server {
		clear(w.serverWaits)
		if len(w.clientWaits) > 0 {
			w.wrong("the server is gone, and the client still waits for %v", w.clientWaits)
		}
	}
	if len(w.screen) > 0 {
		w.wrong("%d questions are on the screen after the end", len(w.screen))
	}
}

// nothingDecided checks the step after a failure of the journal: everything open has an answer.
func (w *world) nothingDecided() {
	for _, c := range w.clientWaits {
		if !w.closedServer && !w.serverHas(c.tag) {
			w.wrong("the call %s %s is in nobody's hands after the journal failed", c.raw, c.tag)
		}
	}
	w.nothingAsked()
	if w.agents != nil {
		w.agents.owed()
	}
}

// nothingAsked checks that no question is open any more.
func (w *world) nothingAsked() {
	for _, c := range w.serverWaits {
		if c.question && !w.serverSilent {
			w.wrong("the question %s is open after the journal failed", c.tag)
		}
	}
	if len(w.screen) > 0 {
		w.wrong("%d questions are on the screen after the journal failed", len(w.screen))
	}
}

// settledDown checks what must hold after every step.
func (w *world) settledDown() {
	if w.broken {
		w.nothingAsked()
	}
	if w.agents != nil {
		w.agents.keepsUp()
	}
}

func (w *world) serverHas(tag string) bool {
	for _, c := range w.atServer {
		if c.tag == tag {
			return true
		}
	}
	return false
}

// settleOne does one thing that somebody waits for. It returns false if there is none.
func (w *world) settleOne() bool {
	if len(w.consults) > 0 {
		c := w.consults[0]
		w.consults = w.consults[1:]
		w.step(c.Answer(w.agrees(c)), nil)
		return true
	}
	if s, ok := w.onScreen(); ok {
		w.answerAs(s, elicit.Action(w.one("accept", "decline")), false)
		return true
	}
	if id := w.openAt(w.atClient); id != "" && !w.clientGone && !w.mute {
		w.fromClient(w.clientResult(id, w.atClient))
		return true
	}
	if id := w.openAt(w.atServer); id != "" && !w.serverSilent {
		w.fromServer(w.plain(id))
		return true
	}
	if w.timer == 0 {
		return false
	}
	w.clock = max(w.clock, w.timer)
	w.tick()
	return true
}

// checkOwed checks that no one waits for an answer that will never come.
func (w *world) checkOwed() {
	for _, c := range w.clientWaits {
		if !w.closedServer {
			w.wrong("the client waits for %s %s for ever", c.raw, c.tag)
		}
	}
	for _, c := range w.serverWaits {
		if c.question || !w.clientGone && !w.closedServer {
			w.wrong("the server waits for %s %s for ever", c.raw, c.tag)
		}
	}
	if len(w.screen) > 0 {
		w.wrong("%d questions stay on the screen for ever", len(w.screen))
	}
}
