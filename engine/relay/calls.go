package relay

import (
	"slices"
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// call is a request of the client without an answer.
type call struct {
	key       gate.Key
	id        []byte   // the client's own id, raw
	first     gate.Key // of the id that the server gets first: the client's own, or one of ours
	serverKey gate.Key // of the id that the server currently knows for it
	atServer  bool     // false while a person or a client is asked
	sent      bool     // the server has got it; again, it needs another id
	method    gate.Method
	name      string      // the method's text
	tool      string      // of a tools/call
	task      string      // of a request about a task of 2026-07-28
	request   []byte      // as sent to the server, for repeating it; empty if it will not be repeated
	asked     string      // argumentsOf the call as the client made it, if request has others; else ""
	approval  approval    // of a held call
	kept      int         // bytes kept for it: the request, its round and the answers
	session   string      // the engine session for questions of this call
	declared  mcp.Modes   // the modes that the request or its session declared to the server
	client    mcp.Modes   // the modes that the client itself declared there
	rounds    bool        // the client supports multi-round calls
	turn      *turn       // the current round; nil before the first
	pauses    int         // consecutive results with only state
	visits    *visits     // the pages that it waits for; nil before the first
	next      *link.Timer // repeats it; nil for none
	doubted   *link.Timer // fails it after an answer that could not be read; nil for none
	serial    int         // how many calls and questions came before it
	tokenText []byte      // memory for the token of progress
	progress  progress    // the progress that the client was told
	shared    bool        // something other than the tables refers to it
	held      bool        // a tools/call that waits for a decision; the server does not know of it
	parent    string      // its name in the engine; "" before the first parentOf
}

// These bound what is remembered about requests. A request beyond them is refused. Otherwise the answer to a request
// that is not remembered would look like an answer that no one asked for.
const (
	maxCalls     = 1 << 16
	maxKeptBytes = 256 << 20
	maxFree      = 64
)

// tooManyCalls is the problem with a request beyond these bounds.
var tooManyCalls = gate.Problem("too_many_calls", elicit.Num("limit", maxCalls))

// serverEnded is the answer to requests of the client that the server will never answer.
var serverEnded = elicit.Problem{Code: "server_ended"}

// calls holds every request of the client without an answer from the server or the machine.
type calls struct {
	byClient map[gate.Key]*call
	byServer map[gate.Key]*call
	byToken  map[gate.Key]*call // by the client's progress token
	free     []*call            // forgotten calls, for reuse
	kept     int                // bytes kept for open calls and for rounds that clients have
	serial   int                // calls and questions so far

	asksLate      bool    // the server was seen to ask about a call that was over
	answeredTools endings // tool calls whose answer the client has
	unanswered    endings // tool calls that ended in another way: cancelled, failed, or continued by the client
}

func newCalls() *calls {
	return &calls{byClient: map[gate.Key]*call{}, byServer: map[gate.Key]*call{}, byToken: map[gate.Key]*call{}}
}

// make returns an empty call. It reuses forgotten ones, so that a message that only passes causes no allocation.
func (c *calls) make() *call {
	if n := len(c.free); n > 0 {
		k := c.free[n-1]
		c.free = c.free[:n-1]
		*k = call{id: k.id[:0], request: k.request[:0], tokenText: k.tokenText[:0],
			progress: progress{total: k.progress.total[:0]}}
		return k
	}
	return &call{}
}

// add records a call on its way to the server. It keeps body if the call may have to be repeated. It returns false for
// a call that cannot be kept.
func (c *calls) add(k *call, body []byte) bool {
	if len(c.byClient) >= maxCalls {
		return false
	}
	if mayAsk(k.method) {
		if !c.keep(k, len(body)) {
			return false
		}
		k.request = append(k.request, body...)
	}
	c.byClient[k.key] = k
	k.serial = c.nextSerial()
	if k.progress.token != nil {
		c.byToken[gate.KeyOf(k.progress.token)] = k
	}
	c.sent(k, k.first)
	return true
}

// keep counts bytes that are kept for a call. It returns false above the bound.
func (c *calls) keep(k *call, n int) bool {
	if c.kept+n > maxKeptBytes {
		return false
	}
	k.kept += n
	c.kept += n
	return true
}

// nextSerial numbers calls and questions in the order of their arrival.
func (c *calls) nextSerial() int {
	c.serial++
	return c.serial
}

// sent records the id that the server knows for the call from now on.
func (c *calls) sent(k *call, id gate.Key) {
	k.serverKey, k.atServer = id, true
	c.byServer[id] = k
}

// answered returns the call that the server answers under id, and marks it as no longer at the server. It returns nil
// when there is none.
func (c *calls) answered(id gate.Key) *call {
	k := c.byServer[id]
	if k != nil {
		delete(c.byServer, id)
		k.atServer = false
	}
	return k
}

// answeredAs is answered for an id in the server's spelling, which may differ from ours.
func (c *calls) answeredAs(id []byte) *call {
	key, _ := gate.Find(c.byServer, id)
	return c.answered(key)
}

// named returns the open call that an id of the client names, or nil.
func (c *calls) named(id []byte) *call {
	key, _ := gate.Find(c.byClient, id)
	return c.byClient[key]
}

// remove forgets a call. The caller may read it until the next call of make.
func (c *calls) remove(k *call) {
	if k.atServer {
		delete(c.byServer, k.serverKey)
		k.atServer = false
	}
	if c.byClient[k.key] != k {
		return
	}
	delete(c.byClient, k.key)
	if k.progress.token != nil {
		if token := gate.KeyOf(k.progress.token); c.byToken[token] == k {
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

// all lists the open calls in the order of their arrival.
func (c *calls) all() []*call {
	list := make([]*call, 0, len(c.byClient))
	for _, k := range c.byClient {
		list = append(list, k)
	}
	order.Stable(list, func(a, b *call) int { return a.serial - b.serial })
	return list
}

// tools lists the open tool calls in the order of their arrival. A call counts even while it waits for a round, a page
// or a pause. Otherwise a server could end a call for as long as it asks something that a rule for the tool refuses.
func (c *calls) tools() (list []*call) {
	for _, k := range c.byClient {
		if k.method == methodToolsCall && !k.held {
			list = append(list, k)
		}
	}
	order.Stable(list, func(a, b *call) int { return a.serial - b.serial })
	return list
}

// parentOf names a call to the engine: by its id, or by a longer name if questions of an earlier call with that id are
// open. A client may reuse an id while it has a round of the earlier call. The end of one call must not end the other.
func (m *Machine) parentOf(k *call) string {
	if k.parent != "" {
		return k.parent
	}
	k.parent = string(k.id)
	taken := slices.ContainsFunc(m.handed.all(), func(c *continuation) bool { return c.turn.call.parent == k.parent })
	for _, q := range m.questions.byRef {
		taken = taken || q.Request.Parent == k.parent
	}
	if taken {
		k.parent += "~" + strconv.Itoa(k.serial)
	}
	return k.parent
}
