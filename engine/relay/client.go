package relay

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// sender sends what the client is asked, and what the server gets if there is no answer.
type sender interface {
	note(from End, problems ...elicit.Problem)
	send(to End, text []byte)
	decided(to End, text []byte, lost func())
}

// client has what the client was asked and has not answered: requests of the server, and requests of the machine. The
// client may answer only these.
//
// asks and asked have different keys. asks has the server's own ids, which the client sees unchanged. asked has ids
// that the machine made, or those of Codex, which keep the server's id. withUser is a second index of some of asked:
// what is in withUser is also in asked.
type client struct {
	asks     map[gate.Key]passed // requests of the server
	asked    map[gate.Key]*sent  // requests of the machine
	withUser map[elicit.ID]*sent // those that carry a question
	givenUp  link.Recent         // ids of requests that were not answered in time
	within   int64               // milliseconds for an answer; below 0 for no end
	look     *link.Timer         // looks for what is due

	to       *link.Connection
	out      sender
	withdraw func(id []byte, of any, why string) []byte // spells a withdrawal; nil if the client knows already
}

func newClient(within int64, to *link.Connection, out sender) client {
	return client{asks: map[gate.Key]passed{}, asked: map[gate.Key]*sent{}, withUser: map[elicit.ID]*sent{},
		within: within, to: to, out: out}
}

// sent is a request of the machine to the client.
type sent struct {
	id     []byte
	serial int
	due    int64                 // when it is given up; 0 for never
	taken  func(m *gate.Message) // takes the client's answer, invalid if it could not be read, silence if there is none
	of     any                   // what the dialogue knows of it
	step   int                   // in which it was sent
}

// request sends the client a request of the machine. It returns the id.
//
// The request is due after Config.AnswerWithin. If its record is lost, both indexes forget it, and the engine's
// question ends with an error by FailClosed. The loop over withUser runs only in that case.
func (c *client) request(r link.Request) []byte {
	s := &sent{id: r.ID, of: r.Of, taken: r.Heard, step: c.to.Clock.Steps}
	if s.id == nil {
		s.id = c.to.IDs.Next()
	}
	if r.Show != nil {
		s.taken = func(msg *gate.Message) { c.heard(r, msg) }
	}
	c.asked[gate.KeyOf(s.id)] = s
	s.serial, s.due = c.to.Calls.NextSerial(), c.patience()
	c.out.decided(Client, wire.AppendRequest(nil, s.id, r.Method, r.Params), func() {
		delete(c.asked, gate.KeyOf(s.id)) // the client never saw it
		for id, one := range c.withUser {
			if one == s {
				delete(c.withUser, id)
			}
		}
	})
	if r.Show != nil {
		c.withUser[r.Show.ID] = s
	}
	return s.id
}

// answers takes the client's answer to a request of the machine. It returns false for any other answer, also for one to
// a request that this step sends, because its guardian is late. Its id may be the agent's: a client that guesses it has
// seen nothing.
//
// msg.Kind may be invalid: an answer that cannot be read ends the request too, because the client will send no other
// one.
func (c *client) answers(msg *gate.Message) bool {
	key := gate.KeyOf(msg.ID)
	s := c.asked[key]
	if s == nil || s.step == c.to.Clock.Steps {
		return false
	}
	delete(c.asked, key)
	s.taken(msg)
	return true
}

// heard gives the client's answer to a question to the engine.
//
// The engine must hear one of three things. A readable result is the person's answer. Silence, and an error that says
// the method does not exist, are a decline that no person gave. Anything else means that no one has seen the question,
// and the engine may ask somebody else: with AskEither, it shows the question to the host next.
func (c *client) heard(r link.Request, msg *gate.Message) {
	s := r.Show
	delete(c.withUser, s.ID)
	switch msg.Kind {
	case gate.Result:
		answer, problems := r.Taken(msg.Result)
		if problems != nil {
			c.unseen(s, problems...)
			return
		}
		// The client says only the action and the content. The machine itself says who answers, and through which door.
		answer.Session, answer.ID, answer.Principal, answer.Via = s.Session, s.ID, c.to.Who.Principal, event.ViaClient
		c.to.Tell(answer)
	case gate.Silence:
		c.out.note(Client, link.NoAnswer(c.within))
		c.answer(s, elicit.Decline, event.ViaNoAnswer)
	case gate.Failure:
		why := gate.Problem("client_no_answer", elicit.Str("why", msg.Why()))
		// A client that declares elicitation but has no handler answers -32601, Method not found (JSON-RPC 2.0, section 5.1).
		if o, _ := wire.ReadObject(msg.Failure); string(o.Get("code")) == "-32601" {
			c.out.note(Client, why)
			c.answer(s, elicit.Decline, event.ViaNoAnswer) // it has nobody who answers such questions
			return
		}
		c.unseen(s, why)
	default: // the gate has reported the problem
		c.unseen(s)
	}
}

// unseen tells the engine that no one has seen a question, because of these problems with the client's answer.
func (c *client) unseen(s *effect.Show, problems ...elicit.Problem) {
	if len(problems) > 0 {
		c.out.note(Client, problems...)
	}
	c.answer(s, elicit.Cancel, event.ViaNoUI)
}

// answer answers a question in place of the client.
func (c *client) answer(s *effect.Show, action elicit.Action, via event.Via) {
	c.to.Tell(event.Answered{Session: s.Session, ID: s.ID, Principal: c.to.Who.Principal, Action: action, Via: via})
}

// Has reports whether the client has a question.
func (c *client) Has(id elicit.ID) bool { return c.withUser[id] != nil }

// TakeBack withdraws a question that the client has.
//
// It returns false if the host has the question, or nobody. The caller then withdraws it at the host.
func (c *client) TakeBack(id elicit.ID, why string) bool {
	s := c.withUser[id]
	if s != nil {
		delete(c.withUser, id)
		c.takeBack(s, why)
	}
	return s != nil
}

// takeBack tells the client that an answer to our request is no longer needed.
//
// The answer may already be on its way. It then finds no request and is dropped. A person reads a note of it only if
// the client was given up for its silence.
func (c *client) takeBack(s *sent, why string) {
	delete(c.asked, gate.KeyOf(s.id))
	if text := c.withdraw(s.id, s.of, why); text != nil {
		c.out.send(Client, text)
	}
}
