package link

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/internal/order"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
)

// Call is a request of the client without an answer.
//
// Calls.Make creates it, Add opens it, and Remove ends it. Key, ID and Serial stay for its life. ServerKey changes with
// each repetition. Open and AtServer say where it is:
//
//	Open and AtServer       the server works on it
//	Open and not AtServer   the machine has it: it is held, or waits for a round, a page or a pause
//	not Open                the client has its answer, or waits for none
type Call struct {
	Key       gate.Key
	ID        []byte   // the client's own id, raw
	First     gate.Key // of the id that the server gets first: the client's own, or one of ours
	ServerKey gate.Key // of the id that the server currently knows for it
	AtServer  bool     // false while a person or a client is asked
	Open      bool     // it has no answer yet
	Sent      bool     // the server has got it; again, it needs another id
	Repeats   bool     // the dialogue says that it may have to be repeated
	Shared    bool     // something other than the tables refers to it
	Request   []byte   // as sent to the server, for repeating it; empty if it will not be repeated
	Serial    int      // how many calls and questions came before it; 0 if it was never open
	Doubted   *Timer   // fails it after an answer that could not be read; nil for none
	Of        any      // what the dialogue knows of it; another call may get it later
	kept      int      // bytes kept for it: the request, and what Keep counts
}

// These bound what is remembered about requests. A request beyond them is refused. Otherwise the answer to a request
// that is not remembered would look like an answer that no one asked for.
const (
	// A peer can reach each of these. None is near what an honest client has open.
	MaxCalls     = 1 << 16
	MaxKeptBytes = 256 << 20
	MaxFree      = 64
)

// TooManyCalls is the problem with a request beyond these bounds.
var TooManyCalls = gate.Problem("too_many_calls", elicit.Num("limit", MaxCalls))

// ServerEnded is the answer to requests of the client that the server will never answer.
var ServerEnded = elicit.Problem{Code: "server_ended"}

// Calls holds every request of the client without an answer from the server or the machine.
//
// ByClient has every open call. ByServer has those at the server, under the latest id only: an answer under an earlier
// id of a repeated call finds nothing. Kept is the sum of kept over the open calls, and of the rounds that clients
// have.
type Calls struct {
	ByClient map[gate.Key]*Call
	ByServer map[gate.Key]*Call
	Given    Recent // ids of failed and cancelled calls that the server may still answer
	Kept     int    // bytes kept for open calls, and for what clients may continue
	free     []*Call
	serial   int // calls and questions so far
}

// NewCalls makes an empty table.
func NewCalls() *Calls { return &Calls{ByClient: map[gate.Key]*Call{}, ByServer: map[gate.Key]*Call{}} }

// Free returns how many forgotten calls wait for reuse.
func (c *Calls) Free() int { return len(c.free) }

// Make returns an empty call. It reuses forgotten ones, so that a message that only passes causes no allocation.
//
// Of stays too, so that a dialogue can reuse its own memory. The dialogue must reset what it finds there.
func (c *Calls) Make() *Call {
	if n := len(c.free); n > 0 {
		k := c.free[n-1]
		c.free = c.free[:n-1]
		*k = Call{ID: k.ID[:0], Request: k.Request[:0], Of: k.Of}
		return k
	}
	return &Call{}
}

// Add records a call on its way to the server. It keeps body if the call may have to be repeated. It returns false for
// a call that cannot be kept.
//
// The body is copied, because it is usually a span of the received message. Only tools/call, prompts/get and
// resources/read are kept, so a message of 64 MB of another method costs nothing here.
func (c *Calls) Add(k *Call, body []byte) bool {
	if len(c.ByClient) >= MaxCalls {
		return false
	}
	if k.Repeats {
		if !c.Keep(k, len(body)) {
			return false
		}
		k.Request = append(k.Request, body...)
	}
	c.ByClient[k.Key] = k
	k.Open, k.Serial = true, c.NextSerial()
	c.SentAs(k, k.First)
	return true
}

// Keep counts bytes that are kept for a call. It returns false above the bound.
//
// n may be below 0, to give bytes back. That always works.
func (c *Calls) Keep(k *Call, n int) bool {
	if c.Kept+n > MaxKeptBytes {
		return false
	}
	k.kept += n
	c.Kept += n
	return true
}

// NextSerial numbers calls and questions in the order of their arrival.
func (c *Calls) NextSerial() int {
	c.serial++
	return c.serial
}

// SentAs records the id that the server knows for the call from now on.
func (c *Calls) SentAs(k *Call, id gate.Key) {
	k.ServerKey, k.AtServer = id, true
	c.ByServer[id] = k
}

// Answered returns the call that the server answers under id, and marks it as no longer at the server. It returns nil
// when there is none.
func (c *Calls) Answered(id gate.Key) *Call {
	k := c.ByServer[id]
	if k != nil {
		delete(c.ByServer, id)
		k.AtServer = false
	}
	return k
}

// AnsweredAs is Answered for an id in the server's spelling, which may differ from ours.
func (c *Calls) AnsweredAs(id []byte) *Call {
	key, _ := gate.Find(c.ByServer, id)
	return c.Answered(key)
}

// Named returns the open call that an id of the client names, or nil.
func (c *Calls) Named(id []byte) *Call {
	key, _ := gate.Find(c.ByClient, id)
	return c.ByClient[key]
}

// Remove forgets a call. The caller may read it until the next call of Make.
func (c *Calls) Remove(k *Call) {
	if k.AtServer {
		delete(c.ByServer, k.ServerKey)
		k.AtServer = false
	}
	if !k.Open {
		return
	}
	k.Open = false
	delete(c.ByClient, k.Key)
	c.Kept -= k.kept
	// A shared call may still be read by a timer or a question. A large buffer is not kept for calls that may never need
	// it.
	if !k.Shared && cap(k.Request) <= 1<<20 {
		c.Spare(k)
	}
}

// Spare takes a call for reuse that nothing refers to.
func (c *Calls) Spare(k *Call) {
	if len(c.free) < MaxFree {
		c.free = append(c.free, k)
	}
}

// All lists the open calls in the order of their arrival.
//
// It sorts, because the order of a map would make the effects of a step random.
func (c *Calls) All() []*Call {
	list := make([]*Call, 0, len(c.ByClient))
	for _, k := range c.ByClient {
		list = append(list, k)
	}
	order.Stable(list, func(a, b *Call) int { return a.Serial - b.Serial })
	return list
}

// Sound reports whether the tables agree. Kept must be handed and the sum over the open calls. The server must have no
// call that the machine holds. With more than MaxFree open calls it compares only totals, so that a step stays cheap.
func (c *Calls) Sound(handed int) bool {
	if len(c.ByServer) > len(c.ByClient) {
		return false
	}
	if len(c.ByClient) > MaxFree {
		return c.Kept >= handed
	}
	for key, k := range c.ByClient {
		if !k.Open || k.Key != key || k.AtServer != (c.ByServer[k.ServerKey] == k) {
			return false
		}
		handed += k.kept
	}
	return c.Kept == handed
}
