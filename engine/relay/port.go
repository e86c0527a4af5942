package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// port is the machine as a dialogue sees it. See link.Link and link.Repeater. Its methods translate between the words
// of a dialogue and the tables of the machine. It holds no state.
type port struct{ m *Machine }

func (p *port) Takes(id []byte) bool {
	switch {
	case p.m.ending.begun:
		return false
	case id == nil || !p.m.openAtServer(id):
		return true
	}
	p.m.out.refuseUsed(id)
	return false
}

// maxBehind bounds the sessions of servers behind the one at the other end, whose configuration has only a few.
// A peer chooses those names. Beyond the bound, all further servers share one session, and policy sees one name.
const maxBehind = 256

func (p *port) Session(declared, client elicit.Modes, name string) (session, server string) {
	switch {
	// The name is text of the peer. It must not be able to claim the name to which an administrator has given rules.
	case name == p.m.config.Server: // its rules are about the one at the other end
		name += " (server)"
	case p.m.decider.Sessions() >= maxBehind:
		name = "(other server)"
	}
	session = p.m.who.SessionOf(declared, client, name)
	p.m.decider.Session(session)
	return session, p.m.who.Opening(session).Server
}

func (p *port) Ask(asked *link.Question) {
	// The id is in use again. Settled must not say that this new question has its answer.
	if asked.Waits {
		p.m.settled.Drop(asked.Request.Ref)
	}
	p.m.decider.Ask(asked)
}

func (p *port) Open(ref string) (q *link.Question, atClient bool) {
	q = p.m.decider.Question(ref)
	return q, q != nil && p.m.client.Has(q.Request.ID)
}

func (p *port) Drop(which func(*link.Question) bool) {
	for _, ref := range p.m.decider.Drop(which) {
		p.m.settled.Add(ref)
	}
}

func (p *port) Withdraw(how func(*link.Question) link.How) { p.m.decider.Withdraw(how) }

func (p *port) Settled(id []byte, forget bool) bool {
	if forget {
		delete(p.m.client.asks, gate.KeyOf(id))
	}
	return !gate.Has(p.m.client.asks, gate.KeyOf(id)) && p.m.settled.Has(gate.CanonicalID(id))
}

func (p *port) Send(to link.End, text []byte, lost func()) { p.m.out.decided(End(to), text, lost) }

func (p *port) Refuse(from link.End, id []byte, no *wire.Refusal) {
	p.m.out.refused(End(from), no.Problems...)
	if id == nil {
		return
	}
	if from == link.Server {
		p.m.settled.Add(gate.CanonicalID(id))
	}
	p.m.out.send(End(from), no.Append(nil, gate.Clone(id)))
}

func (p *port) Request(r link.Request) []byte { return p.m.client.request(r) }

func (p *port) Note(about link.End, problems ...elicit.Problem) {
	p.m.out.note(End(about), problems...)
}

// Cancelled lets a dialogue withdraw the request that the notification names. A cancellation passes only if the client
// can have the request. It then names the request as the client knows it.
func (p *port) Cancelled(
	msg *gate.Message, member string, withdraw func(id []byte, ref string) gate.Passage,
) gate.Passage {
	m := p.m
	given := gate.CancelledID(msg.Params, member)
	id := given
	switch {
	case id == nil:
		return gate.Passes
	case m.ids.Own(id):
		return gate.Taken // it would cancel a question that the client has under an id of ours
	case gate.PlainID(id) == nil:
		return gate.Taken // no request has such an id
	}
	// The server asked under 5 and cancels "5". Both mean one request, as nothing is open under "5".
	if other := gate.OtherID(id); other != nil && !m.waitsUnder(id) && m.waitsUnder(other) {
		id = other
	}
	if v := withdraw(id, gate.CanonicalID(id)); !v.Pass || v.Text != nil {
		return v
	}
	return msg.Cancelling(member, given, gate.PlainID(id))
}

func (p *port) Tell(ev event.Event) { p.m.decider.Tell(ev) }

func (p *port) Fail(k *link.Call, problems ...elicit.Problem) { p.m.failCall(k, problems...) }

// Deliver sends a call to the server. A call whose record is lost gets an error. The host has not performed its Send,
// so the server never sees it.
func (p *port) Deliver(k *link.Call, id, body []byte) {
	k.Sent = true
	p.m.calls.SentAs(k, gate.KeyOf(id))
	p.m.out.decided(Server, body, func() { p.m.failCall(k, link.Lost()...) })
}

func (p *port) End(k *link.Call, answered bool) { p.m.callOver(k, answered) }

func (p *port) TakeBack(id []byte, why string) {
	if s := p.m.client.asked[gate.KeyOf(id)]; s != nil {
		p.m.client.takeBack(s, why)
	}
}

// Hurry puts the message into pass, before the message that this step forwards. Progress of the server in that message
// must come after progress of the machine, which has a lower number.
func (p *port) Hurry(text []byte) {
	p.m.out.pass = append(p.m.out.pass, Send{To: Client, Message: text})
}

func (p *port) Questions() []*link.Question { return p.m.decider.Questions() }

func (p *port) Engine() link.Engine { return p.m.decider.Engine() }
