package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// A client that was given a question, or a request of the server, may never answer it. After Config.AnswerWithin it is
// given up. A question is declined then, so that the server can go on, and any other request gets an error. Both kinds
// have one timer: it looks for what is due, and is set again for what is due next.

// passed is a request of the server that the client has.
//
// It is a value, and it is compared as one. serial is unique, so an equal value is the same request.
type passed struct {
	serial int   // in the order of arrival
	due    int64 // when it is given up; 0 for never
	known  bool  // the protocol has the method
}

// pass notes a request of the server that goes to the client. known says that the protocol has the method, slow that
// its answer comes when some work of the client ends, however long that takes.
//
// slow is for requests such as terminal/wait_for_exit of ACP and tasks/result of MCP, which may rightly take hours.
func (c *client) pass(id []byte, known, slow bool) {
	p := passed{serial: c.to.Calls.NextSerial(), known: known}
	if !slow {
		p.due = c.patience()
	}
	c.asks[gate.KeyOf(id)] = p
}

// patience returns when a request that the client gets now is given up, and sees to it. 0 is never.
func (c *client) patience() int64 {
	if c.within < 0 {
		return 0
	}
	// An earlier look is sooner: within is the same for all requests. It sets itself again for this one.
	if c.look == nil {
		c.look = c.to.Clock.After(c.within, c.giveUp)
	}
	return c.to.Clock.Now + c.within
}

// giveUp gives up what the client has had for too long, the earliest first.
func (c *client) giveUp() {
	c.look = nil
	type overdue struct {
		serial int
		end    func()
	}
	// One request that ends may end others, so each function tests again whether its own is still open. Maps have no
	// order, and the effects of a step must not depend on it. So the requests end by serial.
	var late []*overdue // pointers share the code of one sort in Wasm
	next := int64(0)
	look := func(due int64, serial int, end func()) {
		switch {
		case due == 0:
		case due <= c.to.Clock.Now:
			late = append(late, &overdue{serial, end})
		case next == 0 || due < next:
			next = due
		}
	}
	for key, s := range c.asked {
		look(s.due, s.serial, func() {
			if c.asked[key] == s {
				c.takeBack(s, string(elicit.ByNoAnswer))
				c.givenUp.Add(gate.CanonicalID(s.id))
				s.taken(&gate.Message{Kind: gate.Silence})
			}
		})
	}
	for key, p := range c.asks {
		look(p.due, p.serial, func() {
			if c.asks[key] == p {
				c.giveUpPassed(key, p.known)
			}
		})
	}
	if next != 0 {
		c.look = c.to.Clock.After(next-c.to.Clock.Now, c.giveUp)
	}
	order.Stable(late, func(a, b *overdue) int { return a.serial - b.serial })
	for _, one := range late {
		one.end()
	}
}

// giveUpPassed answers a request of the server in place of the client.
func (c *client) giveUpPassed(key gate.Key, known bool) {
	delete(c.asks, key)
	id := key.Raw()
	c.givenUp.Add(gate.CanonicalID(id))
	problem := link.NoAnswer(c.within)
	c.out.note(Client, problem)
	if text := c.withdraw(id, nil, string(elicit.ByNoAnswer)); text != nil {
		c.out.send(Client, text)
	}
	// A client that ignores a method outside the protocol probably does not have it.
	code := wire.MethodNotFound
	if known {
		code = wire.InternalError
	}
	c.out.send(Server, wire.AppendProblems(nil, id, code, []elicit.Problem{problem}))
}
