package mcp

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// call is what the dialogue knows of a call of the client.
//
// link.Call has its place in the tables, and Of points back here. made resets everything except memory for reuse. A
// call waits for at most one of a decision, a round and pages at a time.
type call struct {
	*link.Call
	method    gate.Method
	name      string    // the method's text
	tool      string    // of a tools/call
	task      string    // of a request about a task of 2026-07-28
	asked     string    // argumentsOf the call as the client made it, if Request has others; else ""
	approval  approval  // of a held call
	session   string    // the engine session for questions of this call
	declared  mcp.Modes // the modes that the request or its session declared to the server
	client    mcp.Modes // the modes that the client itself declared there
	rounds    bool      // the client supports multi-round calls
	turn      *turn     // the current round; nil before the first
	retried   *retried  // it continues a round that the client has; nil for a call of its own
	pauses    int       // consecutive results with only state
	visits    *visits   // the pages that it waits for; nil before the first
	next      *link.Timer
	tokenText []byte // memory for the token of progress
	progress  progress
	held      bool   // a tools/call that waits for a decision; the server does not know of it
	parent    string // its name in the engine; "" before the first parentOf
}

// of returns what the dialogue knows of a call.
//
// It panics for a call that did not go through Called. The machine has no other calls.
func of(c *link.Call) *call { return c.Of.(*call) }

// made makes what the dialogue knows of a new call. It reuses that of a forgotten one.
func made(c *link.Call) *call {
	k, _ := c.Of.(*call)
	if k == nil {
		k = &call{}
		c.Of = k
	}
	*k = call{Call: c, tokenText: k.tokenText[:0], progress: progress{total: k.progress.total[:0]}}
	return k
}

// openTools lists the open tool calls in the order of their arrival. A call counts even while it waits for a round, a
// page or a pause. Otherwise a server could end a call for as long as it asks something that a rule for the tool
// refuses.
func openTools(calls *link.Calls) (list []*call) {
	for _, c := range calls.All() {
		if k := of(c); k.method == methodToolsCall && !k.held {
			list = append(list, k)
		}
	}
	return list
}

// parentOf names a call to the engine: by its id, or by a longer name if questions of an earlier call with that id are
// open. A client may reuse an id while it has a round of the earlier call. The end of one call must not end the other.
//
// "~" and the serial make the longer name unique. A client's id is a JSON text, which never ends so.
func (d *Dialogue) parentOf(k *call) string {
	if k.parent != "" {
		return k.parent
	}
	k.parent = string(k.ID)
	taken := d.handed.has(k.parent)
	for _, q := range d.link.calls.Questions() {
		taken = taken || q.Request.Parent == k.parent
	}
	if taken {
		k.parent += "~" + strconv.Itoa(k.Serial)
	}
	return k.parent
}

// withdrawCall ends the questions of a call that the client cancelled or that has failed.
//
// One Cancelled event ends every question with that parent in the engine. The questions that the machine knows then end
// without another event. Only a failing engine needs the second way.
func (d *Dialogue) withdrawCall(k *call) {
	parent := d.parentOf(k)
	failed := d.link.calls.Engine().Failed
	d.link.Tell(event.Cancelled{Session: k.session, Parent: parent})
	d.link.Withdraw(func(q *link.Question) link.How {
		switch {
		case q.Request.Parent == parent && q.Request.Session == k.session:
			if d.link.calls.Engine().Failed > failed { // the engine that got the event is gone, and the new one still asks
				return link.Cancel
			}
			return link.Forget
		case q.Of == any(k):
			return link.Cancel
		case k.turn != nil && q.Of == any(k.turn): // asked under the id that the call had before a client continued it
			return link.Cancel
		}
		return link.Keep
	})
}

// failRead fails a call whose answer asks in a way that cannot be used.
func (c *conn) failRead(k *call, problems ...elicit.Problem) {
	c.refused(link.Server, problems...)
	c.Fail(k.Call, problems...)
}

// approval is the yes to a held call. The zero value is none.
//
// arguments and rules together are the test of release. A call that differs in one of them is asked about again.
type approval struct {
	arguments string // argumentsOf the call that was accepted, with the person's edits
	rules     int    // Engine.Rules when it was accepted
	// These are for the journal: the question, and the digest of the arguments as it may keep them.
	session, ref, digest string
}
