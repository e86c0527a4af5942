package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/digest"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/codex"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// appServer is the dialogue of the Codex app-server. It asks directly, and it tells the client when a request of its
// own is settled: by serverRequest/resolved, which names the id of the request. So a question keeps its id at the
// client.
type appServer struct{}

func (appServer) vocabulary() *gate.Vocabulary { return &codexWords }

func (appServer) agreed(m *Machine, _ *Session) {}

func (appServer) declarations(gate.Method, wire.Object) []declaration { return nil }

func (appServer) judge(*Machine, *call, *gate.Message) (v gate.Passage, judged bool) {
	return gate.Taken, false
}

func (appServer) clientCancels(*Machine, *gate.Message) gate.Passage { return gate.Passes }

// serverCancels ends a question that codex mcp-server withdraws.
func (appServer) serverCancels(m *Machine, _ []byte, ref string) gate.Passage {
	a := m.codex.drop(ref)
	switch {
	case a == nil:
		return gate.Passes
	case a.atUser == nil:
		m.endForCodex(func(one *asked) bool { return one == a })
		return gate.Taken
	}
	same := string(a.atUser) == string(a.id) // then the notification itself tells the client
	a.told = same
	m.endForCodex(func(one *asked) bool { return one == a })
	return gate.Passage{Pass: same}
}

// withdrawal tells the client that a question is settled.
func (appServer) withdrawal(s *sent, why string) []byte {
	if s.asked == nil || s.asked.told {
		return nil
	}
	s.asked.told = true
	if s.asked.Method == codex.MethodServer {
		return modelContext{}.withdrawal(s, why)
	}
	return codex.AppendResolved(nil, s.asked.Thread, s.id)
}

// asks takes the questions. A request that is not known goes to the client only if the client is asked: its user then
// decides, as without the machine. Otherwise nobody would, so the machine answers with an error. Requests for the
// client's program always pass.
func (appServer) asks(m *Machine, msg *gate.Message) bool {
	if isQuestion(msg.Method) {
		m.askForCodex(msg)
		return true
	}
	name := m.interned(msg.Name)
	switch {
	case codex.ForProgram(name):
		return false
	case m.config.Ask == AskClient:
		m.note(Server, elicit.Problem{Code: "request_passed", Args: []elicit.Arg{elicit.Str("method", gate.Clipped(name))}})
		return false
	}
	unknown := []elicit.Problem{codex.UnknownMethod(name)}
	m.refuse(gate.Clone(msg.ID), &wire.Refusal{Code: wire.MethodNotFound, Problems: unknown})
	return true
}

// declarePerson declares in initialize that a person can be asked, if the host asks one. Otherwise Codex refuses a
// command for which an administrator demands a person, unless the client has declared it.
func (m *Machine) declarePerson(body []byte) []byte {
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	if _, declares := params.Child("capabilities"); !declares || m.config.Ask != AskHost || !m.config.Modes.Form {
		return body
	}
	body, _ = wire.Set(nil, body, []byte("true"), true, "params", "capabilities", "requiredHumanApproval")
	return body
}

// asked is a question of the app-server, until the app-server says that it is settled.
type asked struct {
	*codex.Question
	id     []byte
	ref    string
	digest [32]byte     // of the method and the params
	params []byte       // nil after the answer
	answer codex.Answer // of the client
	byHand bool         // the client has answered
	atUser []byte       // the id under which the client has seen it; nil if it has not
	text   []byte       // the params that the client has seen; nil after the answer
	told   bool         // the client knows that it is settled
	reply  []byte       // the answer for the app-server; nil before it
}

// codexState is what the machine remembers about an app-server.
type codexState struct {
	items codex.List
	known map[string]*asked // by ref, until they are settled
	order []string          // refs, oldest first
}

// maxKnown bounds the answered questions that are remembered. An app-server that never says that a question is settled
// costs no more memory.
const maxKnown = 4096

func (c *codexState) add(a *asked) {
	if c.known == nil {
		c.known = map[string]*asked{}
	}
	c.drop(a.ref)
	c.known[a.ref] = a
	c.order = append(c.order, a.ref)
	if len(c.order) > maxKnown {
		c.drop(c.order[0])
	}
}

// drop forgets a question and returns it, or nil.
func (c *codexState) drop(ref string) *asked {
	a := c.known[ref]
	if a != nil {
		delete(c.known, ref)
		c.order = slices.DeleteFunc(c.order, func(one string) bool { return one == ref })
	}
	return a
}

// askForCodex asks the engine about a request of the app-server.
func (m *Machine) askForCodex(msg *gate.Message) {
	if m.ending.begun { // the app-server's input is closed, so it cannot get an answer
		return
	}
	ref := gate.CanonicalID(msg.ID)
	a := &asked{id: gate.Clone(msg.ID), ref: ref, digest: digestOf(msg)}
	if m.replays(a) {
		return
	}
	if m.openAtServer(msg.ID) {
		m.inUse(msg.ID)
		return
	}
	a.params = gate.Clone(msg.Params)
	method := codexWords.Methods[msg.Method]
	q, no := codex.Unread(method), (*wire.Refusal)(nil)
	if problem := gate.EnvelopeProblem(wire.ReadBareEnvelope(msg.Raw, gate.QuestionLimits)); problem != nil {
		no = &wire.Refusal{Problems: []elicit.Problem{*problem}}
	} else {
		q, no = codex.Decode(method, a.params, &m.codex.items)
	}
	a.Question = q
	m.codex.add(a)
	if no != nil {
		m.refused(Server, no.Problems...)
		m.settleForCodex(a, codex.Answer{Action: elicit.Decline, Reason: wire.Sentence(no.Problems)})
		return
	}
	q.Take()
	m.settled.drop(ref)
	m.ask(m.questionFor(a))
}

// digestOf names a request, so that the same request is recognised.
func digestOf(msg *gate.Message) [32]byte {
	sum := digest.New()
	sum.Write(msg.Name)
	sum.Write(msg.Params)
	return [32]byte(sum.Sum(nil))
}

// replays answers a request that the app-server sends again, as it does after thread/resume. It returns false for a new
// request.
func (m *Machine) replays(again *asked) bool {
	a := m.codex.known[again.ref]
	if a == nil || a.digest != again.digest {
		return false
	}
	if a.reply != nil { // the answer and the request have crossed
		m.send(Server, a.reply)
		return true
	}
	q := m.questions[a.ref]
	if q == nil || q.asked != a {
		return false
	}
	if m.withUser[q.request.ID] != nil { // the client has asked for it
		m.send(Client, wire.AppendRequest(nil, a.atUser, a.Method, a.text))
	}
	return true
}

// questionFor makes the engine's question.
func (m *Machine) questionFor(a *asked) *question {
	if m.config.Ask == AskHost && m.config.Modes.Form {
		a.OfferSubset()
	}
	q := &question{request: a.Request, direct: true, asked: a}
	modes := mcp.Modes{Form: true, URL: true}
	q.request.Ref, q.request.Parent = a.ref, "thread "+a.Thread
	if a.Turn != "" {
		q.request.Parent += " turn " + a.Turn
	}
	q.request.Session = m.openFor(modes, m.serverName(a.Server))
	q.request.Server = m.opening(q.request.Session).Server
	if m.config.Ask == AskClient || a.ClientOnly && m.config.Ask == AskHost {
		q.show = func(s effect.Show) { m.showCodex(s, a) }
	}
	q.settle = func(r effect.Reply) {
		if r.Outcome == elicit.Cancelled && r.Cause == elicit.ByShutdown {
			return // the client leaves; another one may still answer, and an app-server of its own ends too
		}
		m.settleForCodex(a, m.codexAnswer(a, r))
	}
	return q
}

// maxServers bounds the sessions of servers behind Codex. Its configuration has only a few.
const maxServers = 256

// serverName names a server behind Codex for policy. It never has the name of Codex itself, whose rules decide about
// commands.
func (m *Machine) serverName(server string) string {
	switch {
	case server == m.config.Server:
		return server + " (server)"
	case len(m.sessions) >= maxServers:
		return "(other server)"
	}
	return server
}

// settleForCodex answers the app-server.
func (m *Machine) settleForCodex(a *asked, answer codex.Answer) {
	m.settled.add(a.ref)
	a.params, a.text = nil, nil
	a.reply = wire.AppendResult(nil, a.id, a.AppendResult(nil, answer))
	m.decided(Server, a.reply, func() {
		a.reply = wire.AppendResult(nil, a.id, a.AppendResult(nil, codex.Answer{Action: elicit.Decline}))
		m.send(Server, a.reply)
	})
}

// appServerNotice watches for what ends questions, and for the items that they are about.
func (m *Machine) appServerNotice(msg *gate.Message) gate.Passage {
	items := &m.codex.items
	switch msg.Method {
	case methodItemStarted, methodPatchUpdated:
		if msg.Method == methodPatchUpdated || codex.AboutItems(msg.Params) {
			if it := codex.ReadItem(msg.Params); it != nil {
				items.Take(it)
			}
		}
	case methodItemDone:
		if !items.Empty() && codex.AboutItems(msg.Params) {
			items.Done(codex.ItemOf(msg.Params))
		}
	case methodTurnDone:
		thread, turn := codex.TurnOf(msg.Params)
		items.Close(thread)
		m.endForCodex(func(a *asked) bool { return a.Thread == thread && a.Turn == turn && turn != "" })
	case methodThreadClosed:
		thread, _ := codex.TurnOf(msg.Params)
		items.Close(thread)
		m.endForCodex(func(a *asked) bool { return a.Thread == thread })
	case methodResolved:
		return m.resolvedByCodex(msg)
	}
	return gate.Passes
}

// lateForCodex reports whether an answer of the client is for a question that has ended. It had the same id.
func (m *Machine) lateForCodex(id []byte) bool {
	return m.config.Protocol == Codex && m.settled.has(gate.CanonicalID(id))
}

// endForCodex ends open questions without an answer, because the app-server takes none any more.
// The latest end first, so that none is shown in the place of an earlier one just before it ends too.
func (m *Machine) endForCodex(which func(*asked) bool) {
	for _, q := range slices.Backward(m.openQuestions()) {
		if q.asked == nil || !which(q.asked) || !m.forget(q, takenBack(q.request)) {
			continue
		}
		m.settled.add(q.request.Ref)
		q.asked.params = nil
		engines := m.replaced
		m.do(event.Cancelled{Session: q.request.Session, Ref: q.request.Ref})
		if m.replaced > engines { // the new engine may not know that somebody has it
			m.takeDown(q)
		}
	}
}

// resolvedByCodex ends a question that is settled. The client hears of it once, and only if it has seen the question.
func (m *Machine) resolvedByCodex(msg *gate.Message) gate.Passage {
	id := codex.ResolvedID(msg.Params)
	if id == nil {
		return gate.Passes
	}
	a := m.codex.drop(gate.CanonicalID(id))
	if a == nil {
		delete(m.asks, gate.KeyOf(id))
		return gate.Passes
	}
	knew := a.told
	a.told = true
	m.endForCodex(func(one *asked) bool { return one == a })
	switch {
	case knew || a.atUser == nil:
		return gate.Taken
	case string(a.atUser) == string(a.id):
		return gate.Passes
	}
	m.send(Client, codex.AppendResolved(nil, a.Thread, a.atUser))
	return gate.Taken
}
