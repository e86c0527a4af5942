package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// maxHanded bounds the rounds that wait for clients to call again; a client that never does abandons the oldest.
const maxHanded = 64

// handed is a round in the hands of a client that knows multi-round calls. The state it was given is a token of ours:
// it tells which round a retry continues, whatever the server's own state says, and nobody can guess it.
type handed struct {
	turn *turn
	keys []string
}

// handOver ends the client's request with the part of the server's result that only the client can answer.
func (p *Proxy) handOver(t *turn, keys []string) {
	k := t.call
	t.over = true
	token := p.newID()
	members := append([]byte(nil), '{')
	for i, key := range keys {
		if i > 0 {
			members = append(members, ',')
		}
		members = append(append(members, quote(key)...), ':')
		members = append(members, t.entry(key)...)
	}
	members = append(members, '}')
	result := t.result
	if t.Array {
		result = append(append([]byte(`{"resultType":"input_required","inputRequests":`), members...), '}')
	}
	result, _ = wire.Set(nil, result, members, true, "inputRequests")
	result, _ = wire.Set(nil, result, token, true, "requestState")
	p.calls.remove(k)
	p.toClient.put(ended(wire.AppendResult(nil, k.id, result)))

	state, _ := wire.Text(token)
	p.handed[state] = &handed{t, keys}
	p.handedOrder = append(p.handedOrder, state)
	if len(p.handedOrder) > maxHanded {
		if h := p.takeHanded(p.handedOrder[0]); h != nil {
			p.withdrawCall(h.turn.call)
		}
	}
}

// entry is the text of one entry as the client is to read it.
func (t *turn) entry(key string) []byte {
	if !t.Array {
		o, _ := wire.ReadObject(t.result)
		o, _ = o.Child("inputRequests")
		return o.Get(key)
	}
	for i := range t.Entries {
		if t.Entries[i].Key == key {
			params, _ := rounds.AppendCreate(nil, &t.Entries[i].Request)
			return append(append([]byte(`{"method":"`+mcp.MethodCreate+`","params":`), params...), '}')
		}
	}
	return nil
}

func (p *Proxy) takeHanded(state string) *handed {
	h := p.handed[state]
	delete(p.handed, state)
	for i, s := range p.handedOrder {
		if s == state {
			p.handedOrder = append(p.handedOrder[:i:i], p.handedOrder[i+1:]...)
			break
		}
	}
	return h
}

// resumed takes the client's retry of a round it was handed: its answers go through the engine, and the server gets the
// call with all answers and its own state. Every token is good for one retry.
func (p *Proxy) resumed(e wire.Envelope) bool {
	o, _ := wire.ReadObject(e.Params)
	state, ok := wire.Text(o.Get("requestState"))
	if !ok || p.handed[state] == nil || p.handed[state].turn.call.method != e.Method {
		return false
	}
	h := p.takeHanded(state)
	k := &call{id: e.ID, key: wire.IDKey(e.ID), method: e.Method, tool: h.turn.call.tool, rounds: true}
	k.pulse.token = readToken(o)
	body := e.Raw
	whole, _ := wire.ReadObject(body)
	for _, at := range places(e.Method, whole) {
		body, k.declared = p.declare(body, at)
	}
	k.session = p.open(k.declared)
	p.calls.add(k, body, true)
	p.calls.answered(e.ID) // the server does not have it yet
	t := h.turn
	t.over, t.call, k.turn = false, k, t
	responses, _ := o.Child("inputResponses")
	for _, key := range h.keys {
		p.takeResponse(t, key, responses.Get(key))
	}
	p.advance(t)
	return true
}

// takeResponse brings one answer of the client into the round: a question's through the engine, anything else as it is.
func (p *Proxy) takeResponse(t *turn, key string, raw []byte) {
	done := t.toClient[key]
	if done == nil {
		if raw != nil {
			_ = t.Supply(key, raw, p.limits) // what cannot be supplied stays open and is handed over again
		}
		return
	}
	delete(t.toClient, key)
	a, problems := rounds.DecodeAnswer(raw, t.mode(key))
	if raw == nil || problems != nil {
		done(ui.Given{Action: elicit.Cancel, Via: engine.ViaNoUI})
		return
	}
	done(ui.Given{Action: a.Action, Content: a.Content, Via: engine.ViaClient})
}

func (t *turn) mode(key string) elicit.Mode {
	for i := range t.Entries {
		if t.Entries[i].Key == key {
			return t.Entries[i].Request.Mode
		}
	}
	return ""
}

// requestForeign asks a client of a session for what a round wants besides answers, as the requests its protocol has
// for that. An error from the client fails the call: a round has no words for it.
func (p *Proxy) requestForeign(t *turn) {
	for i := range t.Entries {
		e := &t.Entries[i]
		if _, ours := t.toClient[e.Key]; !ours || !e.Foreign() || t.requested[e.Key] != nil {
			continue
		}
		if t.requested == nil {
			t.requested = map[string][]byte{}
		}
		id := p.newID()
		t.requested[e.Key] = id
		p.asked[wire.IDKey(id)] = func(a wire.Envelope) {
			if a.Kind != wire.Result {
				p.failRound(t, elicit.Problem{Code: "client_refused", Args: []elicit.Arg{elicit.Str("method", e.Method)}})
				return
			}
			if problem := t.Supply(e.Key, a.Result, p.limits); problem != nil {
				p.failRound(t, *problem)
				return
			}
			p.advance(t)
		}
		p.toClient.put(ended(wire.AppendRequest(nil, id, e.Method, e.Params)))
	}
}

// unrequest takes back what the client has been asked for a round that nobody waits for any more.
func (p *Proxy) unrequest(t *turn) {
	for _, id := range t.requested {
		if p.asked[wire.IDKey(id)] != nil {
			p.takeBack(id, string(elicit.ByPeerCancelled))
		}
	}
}
