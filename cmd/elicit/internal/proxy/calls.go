package proxy

import (
	"bytes"

	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// call is one request of the client that has no answer yet.
type call struct {
	id       []byte // the client's own id, raw
	key      string // of id; also the parent of questions that belong to the call
	serverID []byte // the id under which the server has it now; nil while a person or a client is asked
	method   string
	tool     string    // of a tools/call
	request  []byte    // as sent to the server, to be sent again; nil when that will never be needed
	session  string    // the engine session questions of this call belong to
	declared mcp.Modes // what the request, or the session it is part of, declared to the server
	rounds   bool      // the client knows multi-round calls itself
	turn     *turn     // the round it is in; nil before the first
	pauses   int       // results with only state, one after the other
	visits   *visits   // the pages it waits for; nil before the first
	born     int       // how many calls and questions there were before it
	pulse    pulse     // how far it is, as the client was told
}

// Bounds of what is remembered about calls. A call beyond them still passes; it is only not understood.
const (
	maxCalls     = 1 << 16
	maxKeptBytes = 64 << 20
)

// calls is every request of the client that the proxy may have to answer, answer for, or make again.
type calls struct {
	byClient map[string]*call // key of the client's id
	byServer map[string]*call // key of the id the server has
	byToken  map[string]*call // key of the client's progress token
	kept     int
	born     int // calls and questions so far
}

func newCalls() *calls {
	return &calls{byClient: map[string]*call{}, byServer: map[string]*call{}, byToken: map[string]*call{}}
}

// add notes a call that is on its way to the server. request is kept when repeat says that it may be made again.
func (c *calls) add(k *call, request []byte, repeat bool) {
	if len(c.byClient) >= maxCalls {
		return
	}
	if old := c.byClient[k.key]; old != nil { // the client uses one id twice: only the later call can be told apart
		c.remove(old)
	}
	if repeat && c.kept+len(request) <= maxKeptBytes {
		k.request = bytes.Clone(request)
		c.kept += len(request)
	}
	c.byClient[k.key] = k
	k.born = c.bear()
	if k.pulse.token != nil {
		c.byToken[wire.IDKey(k.pulse.token)] = k
	}
	c.sent(k, k.id)
}

// bear counts calls and questions, so that it can be told which was there first.
func (c *calls) bear() int {
	c.born++
	return c.born
}

// heard notes how far the server says it is with a call.
func (c *calls) heard(progress wire.Object) {
	if k := c.byToken[wire.IDKey(progress.Get("progressToken"))]; k != nil {
		k.pulse.hear(progress)
	}
}

// sent notes the id under which the server has the call from now on.
func (c *calls) sent(k *call, id []byte) {
	k.serverID = bytes.Clone(id)
	c.byServer[wire.IDKey(id)] = k
}

// answered takes the call that the server answers under id out of the server's hands; nil when there is none.
func (c *calls) answered(id []byte) *call {
	k := c.byServer[wire.IDKey(id)]
	if k != nil {
		delete(c.byServer, wire.IDKey(id))
		k.serverID = nil
	}
	return k
}

// remove forgets a call.
func (c *calls) remove(k *call) {
	if k.serverID != nil {
		delete(c.byServer, wire.IDKey(k.serverID))
	}
	if c.byClient[k.key] == k {
		delete(c.byClient, k.key)
		if token := wire.IDKey(k.pulse.token); c.byToken[token] == k {
			delete(c.byToken, token)
		}
		c.kept -= len(k.request)
	}
}

// open reports whether the call still waits for an answer.
func (c *calls) open(k *call) bool { return c.byClient[k.key] == k }

// only returns the tool call in flight when there is exactly one: then a question of the server can belong to no other.
func (c *calls) only() *call {
	var found *call
	for _, k := range c.byServer {
		if k.method != "tools/call" {
			continue
		}
		if found != nil {
			return nil
		}
		found = k
	}
	return found
}
