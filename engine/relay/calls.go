package relay

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// call is one request of the client that has no answer yet.
type call struct {
	key       idKey
	id        []byte // the client's own id, raw
	serverKey idKey  // of the id under which the server has it now
	atServer  bool   // false while a person or a client is asked
	method    method
	name      string    // the method's text
	tool      string    // of a tools/call
	request   []byte    // as sent to the server, to be sent again; empty when that will never be needed
	kept      int       // bytes that are remembered for it, of the request, its round and the answers
	session   string    // the engine session that questions of this call belong to
	declared  mcp.Modes // what the request, or the session it is part of, declared to the server
	rounds    bool      // the client knows multi-round calls itself
	turn      *turn     // the round it is in; nil before the first
	pauses    int       // results with only state, one after the other
	visits    *visits   // the pages it waits for; nil before the first
	next      *timer    // makes it again; nil for none
	born      int       // how many calls and questions there were before it
	tokenText []byte    // memory of the token of pulse
	pulse     pulse     // how far it is, as the client was told
	shared    bool      // something besides the tables refers to it
	parent    string    // names the call to the engine; "" until parentOf has been asked for it
}

// Bounds of what is remembered about requests. A request beyond them is refused: an answer to one that is not
// remembered could not be told from one that nobody asked for.
const (
	maxCalls     = 1 << 16
	maxKeptBytes = 256 << 20
	maxFree      = 64
)

// tooManyCalls refuses what is beyond these bounds.
var tooManyCalls = elicit.Problem{Code: "too_many_calls", Args: []elicit.Arg{elicit.Num("limit", maxCalls)}}

// calls is every request of the client that the server, or the machine, has yet to answer.
type calls struct {
	byClient map[idKey]*call
	byServer map[idKey]*call
	byToken  map[idKey]*call // by the client's progress token
	free     []*call         // forgotten calls, to be used again
	recent   []ended         // tool calls that were answered lately, oldest first
	kept     int             // bytes that are remembered for open calls and for rounds that clients have
	born     int             // calls and questions so far
}

func newCalls() *calls {
	return &calls{byClient: map[idKey]*call{}, byServer: map[idKey]*call{}, byToken: map[idKey]*call{}}
}

// make returns an empty call. Forgotten ones are used again, so that a message which only passes costs no memory.
func (c *calls) make() *call {
	if n := len(c.free); n > 0 {
		k := c.free[n-1]
		c.free = c.free[:n-1]
		*k = call{id: k.id[:0], request: k.request[:0], tokenText: k.tokenText[:0], pulse: pulse{total: k.pulse.total[:0]}}
		return k
	}
	return &call{}
}

// add notes a call that is on its way to the server. body is kept when the call may have to be made again. It reports
// false for a call that cannot be kept.
func (c *calls) add(k *call, body []byte) bool {
	if len(c.byClient) >= maxCalls {
		return false
	}
	if k.method.mayAsk() {
		if !c.keep(k, len(body)) {
			return false
		}
		k.request = append(k.request, body...)
	}
	c.byClient[k.key] = k
	k.born = c.bear()
	if k.pulse.token != nil {
		c.byToken[keyOf(k.pulse.token)] = k
	}
	c.sent(k, k.key)
	return true
}

// keep counts bytes that are remembered for a call, and reports false for more than may be remembered.
func (c *calls) keep(k *call, n int) bool {
	if c.kept+n > maxKeptBytes {
		return false
	}
	k.kept += n
	c.kept += n
	return true
}

// bear counts calls and questions, so that it can be told which was there first.
func (c *calls) bear() int {
	c.born++
	return c.born
}

// sent notes the id under which the server has the call from now on.
func (c *calls) sent(k *call, id idKey) {
	k.serverKey, k.atServer = id, true
	c.byServer[id] = k
}

// answered takes the call that the server answers under id out of the server's hands; nil when there is none.
func (c *calls) answered(id idKey) *call {
	k := c.byServer[id]
	if k != nil {
		delete(c.byServer, id)
		k.atServer = false
	}
	return k
}

// remove forgets a call. It may still be read until the next one is made.
func (c *calls) remove(k *call) {
	if k.atServer {
		delete(c.byServer, k.serverKey)
		k.atServer = false
	}
	if c.byClient[k.key] != k {
		return
	}
	delete(c.byClient, k.key)
	if k.pulse.token != nil {
		if token := keyOf(k.pulse.token); c.byToken[token] == k {
			delete(c.byToken, token)
		}
	}
	c.kept -= k.kept
	if !k.shared && len(c.free) < maxFree && cap(k.request) <= 1<<20 {
		c.free = append(c.free, k)
	}
}

// open reports whether the call still waits for an answer.
func (c *calls) open(k *call) bool { return c.byClient[k.key] == k }

// all lists the open calls in the order in which they were made.
func (c *calls) all() []*call {
	list := make([]*call, 0, len(c.byClient))
	for _, k := range c.byClient {
		list = append(list, k)
	}
	slices.SortFunc(list, func(a, b *call) int { return a.born - b.born })
	return list
}

// tools lists the open tool calls in the order in which they were made. A call counts although it waits for a round, a
// page or a moment: a server could give a call back for as long as it asks what a rule for the tool refuses.
func (c *calls) tools() (list []*call) {
	for _, k := range c.byClient {
		if k.method == methodToolsCall {
			list = append(list, k)
		}
	}
	slices.SortFunc(list, func(a, b *call) int { return a.born - b.born })
	return list
}

// parentOf names a call to the engine: by its id, or by more where questions of an earlier call with that id are open.
// A client may use an id again while it has a round of the earlier call, and what ends one call must not end the other.
func (m *Machine) parentOf(k *call) string {
	if k.parent != "" {
		return k.parent
	}
	k.parent = string(k.id)
	taken := slices.ContainsFunc(m.handed, func(h *handed) bool { return h.turn.call.parent == k.parent })
	for _, q := range m.questions {
		taken = taken || q.request.Parent == k.parent
	}
	if taken {
		k.parent += "~" + strconv.Itoa(k.born)
	}
	return k.parent
}

// requests are those of the server that the client has, by id: the only ones that an answer of the client may be for.
type requests map[idKey]struct{}
