package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/internal/jsontext"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// maxHanded is the most rounds that wait for clients to repeat their calls. Beyond it, the oldest round is abandoned.
const maxHanded = 64

// handedFor is how long a client may keep a round, in milliseconds. Its questions count among those that are shown, so
// a round that no one continues would make every later question wait.
const handedFor = 30 * 60_000

// handOver ends the client's request with the part of the server's result that only the client can answer.
func (m *Machine) handOver(t *turn, keys []string) {
	k := t.call
	t.over = true
	token := m.ids.Next()
	entries := jsontext.Begin(nil)
	for _, key := range keys {
		entries.Text(jsontext.Text{Raw: []byte(key)}, entryText(t.entry(key)))
	}
	// The result has only the entries, because no check has read the other members of the server's result.
	out := jsontext.Begin(nil)
	out.Str("resultType", "input_required")
	out.Raw("inputRequests", entries.End())
	out.Raw("requestState", token)
	m.calls.remove(k)
	m.callOver(k, false)
	state, _ := wire.Text(token)
	c := &continuation{state: state, request: k.request, asked: k.asked, approval: k.approval, turn: t, keys: keys}
	if c.asked == "" {
		c.asked = argumentsOf(paramsOf(k.request))
	}
	k.request = nil
	m.calls.kept += c.size()
	m.out.answer(k.id, wire.AppendResult(nil, k.id, out.End()))

	c.over = m.time.After(handedFor, func() { m.abandon(c) })
	m.handed.keep(c)
	if list := m.handed.all(); len(list) > maxHanded {
		m.abandon(list[0])
	}
}

// abandon ends a round that a client has not continued.
func (m *Machine) abandon(c *continuation) {
	m.takeHanded(c)
	m.withdrawCall(c.turn.call)
}

func (m *Machine) takeHanded(c *continuation) {
	m.handed.take(c)
	m.time.Stop(c.over)
	m.calls.kept -= c.size()
}

// sameAs reports whether a request calls what k called. An answer that a person gave to one tool is not for another
// tool.
func (k *call) sameAs(msg *gate.Message) bool {
	name, _ := wire.Text(msg.Tool)
	return k.method == msg.Method && (k.method != methodToolsCall || k.tool == name)
}

// resumed takes the client's retry of a round. Its answers go through the engine. Then the server gets the call that
// it had, with all answers and its own state. Every token is valid for one retry with the arguments of that call. A
// retry with other arguments is an error, and the round stays open for its own call.
func (m *Machine) resumed(msg *gate.Message, key gate.Key) bool {
	if !msg.Responses {
		return false
	}
	o, _ := wire.ReadObject(msg.Params)
	state, _ := wire.Text(o.Get("requestState"))
	c := m.handed.find(state)
	if c == nil || !c.turn.call.sameAs(msg) {
		return false
	}
	if argumentsOf(msg.Params) != c.asked {
		problem := elicit.Problem{Code: "round_altered", Pointer: "/params"}
		m.out.refuse(msg.ID, wire.InvalidParams, problem)
		return true
	}
	m.takeHanded(c)
	t := c.turn
	k := &call{key: key, first: key, id: gate.Clone(msg.Given), method: msg.Method, name: t.call.name, tool: t.call.tool,
		session: m.agreed.session, rounds: true, shared: true, sent: true, asked: c.asked, approval: c.approval}
	k.progress.token = gate.Clone(msg.Token)
	body := gate.Splice(withMeta(c.request, msg.Meta), "id", k.id)
	body = m.declareIn(k, msg.Method, withoutDraftResponses(body))
	if !m.calls.add(k, body) {
		m.out.fail(msg.ID, tooManyCalls)
		return true
	}
	m.calls.answered(key) // the server does not have it yet
	t.over, t.call, k.turn = false, k, t
	if !m.calls.keep(k, t.size) {
		t.size, t.failed = 0, []elicit.Problem{tooManyCalls}
	}
	if t.failed != nil {
		m.failRound(t, t.failed...)
		return true
	}
	responses, _ := o.Child("inputResponses")
	t.begins = true
	for _, key := range c.keys {
		m.takeResponse(t, key, gate.Clone(responses.Get(key)))
	}
	t.begins = false
	m.advance(t)
	return true
}

// takeResponse takes one answer of the client into the round. An answer to a question goes through the engine.
func (m *Machine) takeResponse(t *turn, key string, raw []byte) {
	show := t.toClient[key]
	if show == nil {
		if raw != nil {
			_ = m.supply(t, key, raw) // on a problem, the entry stays open and is handed over again
		}
		return
	}
	delete(t.toClient, key)
	a, problems := rounds.DecodeAnswer(raw, t.entry(key).Request.Mode)
	if raw == nil || problems != nil {
		m.answer(show, elicit.Cancel, nil, event.ViaNoUI)
		return
	}
	m.answer(show, a.Action, a.Content, event.ViaClient)
}

// supply stores the client's response to an entry that is no question.
func (m *Machine) supply(t *turn, key string, raw []byte) *elicit.Problem {
	if !m.calls.open(t.call) {
		return &serverEnded
	}
	if !m.calls.keep(t.call, len(raw)) {
		return &tooManyCalls
	}
	t.size += len(raw)
	return t.Supply(key, raw, answerLimits)
}

// entry returns the entry called key, which must be there.
func (t *turn) entry(key string) *mcp.Entry {
	return &t.Entries[slices.IndexFunc(t.Entries, func(e mcp.Entry) bool { return e.Key == key })]
}

// requestForeign asks a client that has a session for the entries that are no questions, by the requests of its
// protocol. An error from the client fails the call, because a round cannot express an error.
func (m *Machine) requestForeign(t *turn) {
	for i := range t.Entries {
		e := &t.Entries[i]
		if _, ours := t.toClient[e.Key]; !ours || !e.Foreign() || t.requests[e.Key] != nil {
			continue
		}
		if t.requests == nil {
			t.requests = map[string]*sent{}
		}
		t.requests[e.Key] = m.request(e.Method, e.Params, func(msg *gate.Message) {
			if msg.Kind != gate.Result {
				m.failRound(t, gate.Problem("client_refused", elicit.Str("method", e.Method)))
				return
			}
			if problem := m.supply(t, e.Key, gate.Clone(msg.Result)); problem != nil {
				m.failRound(t, *problem)
				return
			}
			m.advance(t)
		})
	}
}

// unrequest withdraws the requests to the client for a round that no one waits for any more.
func (m *Machine) unrequest(t *turn) {
	for i := range t.Entries {
		if s := t.requests[t.Entries[i].Key]; s != nil && m.asked[gate.KeyOf(s.id)] == s {
			m.takeBack(s, string(elicit.ByPeerCancelled))
		}
	}
}
