package mcp

import (
	"cmp"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// holds reports whether a call needs an approval.
func (t *toolbox) holds(which gate.Method) bool { return t.held && which == methodToolsCall }

// release sends a call to the server, for the first time or again. A held call takes no other way to the server. It
// leaves only as it was accepted, under the rules that were in force then. Under other rules, it is decided again.
//
// This is the only place that sends a held call. The three checks before Deliver are the guarantee: the decision is
// there, the bytes are the accepted ones, and a record says so. k stays in the machine if a new decision is needed.
func (d *Dialogue) release(k *call) {
	held := d.link.tools.holds(k.method)
	if held && (k.approval.arguments == "" || k.approval.rules != d.link.calls.Engine().Rules) {
		d.hold(k)
		return
	}
	id := k.First.Raw()
	if k.Sent {
		id = d.link.IDs.Next()
	}
	body, problems := k.message(id, answerLimits)
	switch {
	case problems != nil:
		d.link.Fail(k.Call, problems...)
		return
	// This compares what is sent, not what was kept. It holds although other code builds the body.
	case held && argumentsOf(paramsOf(body)) != k.approval.arguments:
		d.link.Fail(k.Call, elicit.Problem{Code: "call_not_accepted"})
		return
	case held && !d.recordCall(k):
		d.link.Fail(k.Call, elicit.Problem{Code: cmp.Or(d.link.calls.Engine().Why, "internal")})
		return
	}
	d.link.calls.Deliver(k.Call, id, body)
}

// recordCall puts into the journal that a held call is sent. It returns false if no record says so.
//
// The engine reports no success. A record is missing if the engine failed in Tell, or is broken.
func (d *Dialogue) recordCall(k *call) bool {
	before := d.link.calls.Engine()
	d.link.Tell(event.Called{Session: k.approval.session, Ref: k.approval.ref, Tool: k.tool, Digest: k.approval.digest,
		Again: k.Sent})
	after := d.link.calls.Engine()
	return !after.Broken && after.Failed == before.Failed
}

// message is the call for the server, under an id, with the answers of its last round.
//
// Three cases: never sent, sent without a round (after pages), and sent with one. The result is a copy in all of them.
func (k *call) message(id []byte, lim wire.Limits) ([]byte, []elicit.Problem) {
	switch {
	case !k.Sent:
		return gate.Clone(k.Request), nil
	case k.turn == nil:
		return gate.Splice(k.Request, "id", id), nil
	}
	retry, problems := k.turn.Retry(id)
	if problems != nil {
		return nil, problems
	}
	return mcp.AppendRetry(nil, k.Request, retry, lim)
}
