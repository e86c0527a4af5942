package mcp

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Vocabulary returns the words of MCP.
func (*Dialogue) Vocabulary() *gate.Vocabulary { return &mcpWords }

// Agreed takes the date and the modes of a session.
//
// A session may be one of 2026-07-28 here: an SDK passes the questions of a round on one by one. No initialize leads to
// that date.
func (d *Dialogue) Agreed(version string, declared elicit.Modes) {
	d.agreed.dialect = direct(version)
	if known, ok := mcp.Lookup(version); ok {
		d.agreed.dialect = known
	}
	modes := mcp.Modes{Form: declared.Form, URL: declared.URL}
	d.begin(modes, modes) // the client declared them, and the host added none
}

// Called records what is to be known about a request, and writes our declaration into it.
//
// The order is fixed. A retry of a round is recognised first, because its answers must not be removed. Then calls that
// nobody could decide about are refused. The declarations are written last, into the text that the server gets.
func (d *Dialogue) Called(c *link.Call, msg *gate.Message) []byte {
	k := made(c)
	if retry, body := d.resumed(k, msg); retry {
		return body
	}
	if msg.State && mayAsk(msg.Method) {
		// The client has no state but ours. So this state is changed, used up or too old, and servers must reject such
		// a state. Without the state, the call would begin again, and the client would take that for the next round.
		problem := elicit.Problem{Code: "unknown_request_state", Pointer: "/params/requestState"}
		d.link.refuse(msg.ID, wire.InvalidParams, problem)
		return nil
	}
	if d.link.tools.holds(msg.Method) {
		if problem := heldFault(msg.Params); problem != nil {
			d.link.refuse(msg.ID, wire.InvalidParams, *problem)
			return nil
		}
	}
	body := msg.Raw
	switch {
	case !msg.Responses:
	// Answers without a round are answers to questions that no one has asked. A lax server might take them as consent.
	case msg.Method != methodTaskUpdate:
		body = d.link.withoutResponses(body)
	default:
		if body = d.tasks.updated(msg); body == nil {
			return nil
		}
	}
	k.method, k.name = msg.Method, d.names.text(msg.Name)
	k.Repeats = mayAsk(k.method)
	// A request of 2026-07-28 declares for itself, and declareIn then overwrites these.
	k.session, k.declared, k.client = d.agreed.session, d.agreed.declared, d.agreed.client
	if msg.Params == nil {
		return body
	}
	if msg.Method == methodInitialize || msg.Declares {
		body = d.declareIn(k, msg.Method, body)
	}
	// The token is copied into memory of the call, because msg has spans of the input.
	if msg.Token != nil {
		k.tokenText = append(k.tokenText, msg.Token...)
		k.progress.token = k.tokenText
	}
	if msg.Method == methodToolsCall {
		k.tool = d.names.text(msg.Tool)
	}
	if ofTasks(msg.Method) {
		o, _ := wire.ReadObject(msg.Params)
		k.task, _ = wire.Text(o.Get("taskId"))
		d.tasks.heard(k, body)
	}
	return body
}

// Added holds a call, and continues a round.
//
// Calls.Add has already recorded the call as sent. Answered takes it out of the server's table again.
func (d *Dialogue) Added(c *link.Call) bool {
	k := of(c)
	d.link.signs.watch(k)
	switch {
	case k.retried != nil:
		d.link.Calls.Answered(k.Key) // the server does not have it yet
		d.retry(k)
	case d.link.tools.holds(k.method):
		d.link.Calls.Answered(k.Key)
		d.release(k)
	default:
		return false
	}
	return true
}

// Answered looks for an answer that asks for something, to a call of any method.
func (d *Dialogue) Answered(c *link.Call, msg *gate.Message) (v gate.Passage, judged bool) {
	switch {
	case c == nil:
		if refused := d.tasks.answered(msg); refused != nil {
			d.link.Note(link.Server, *refused)
		}
		return gate.Taken, true
	case msg.Kind == gate.Failure:
		return d.judgeError(of(c), msg)
	}
	return d.judgeResult(of(c), msg)
}

// judgeResult looks for a result that asks for something.
//
// It looks at every method, because a lax client acts on a result that asks, whichever call it answers.
func (d *Dialogue) judgeResult(k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	switch {
	case k.method == methodInitialize:
		if problem := d.gate.Distinct(msg.Result, "/result"); problem != nil { // readers could read it in different ways
			d.link.failRead(k, *problem)
			return gate.Taken, true
		}
		o, _ := wire.ReadObject(msg.Result)
		version, _ := wire.Text(o.Get("protocolVersion"))
		d.agreed.dialect = direct(version)
		// The server's answer fixes the date, and with it the modes that exist. Called cannot open the session yet.
		d.begin(k.declared, k.client)
	case k.method == methodToolsList:
		d.link.tools.listed(msg.Result)
	}
	if v, told := d.tasks.told(k, msg); told {
		return v, true
	}
	return gate.Taken, d.roundAsked(k, msg)
}

// Ended forgets a call.
//
// It returns true for a tools/call only: a question that names no call may belong to any of them.
func (d *Dialogue) Ended(c *link.Call, answered bool) bool {
	k := of(c)
	d.link.Clock.Stop(k.next)
	if k.Serial == 0 { // it could not be kept
		return false
	}
	d.link.signs.forget(k)
	d.unrequest(k.turn)
	if k.method != methodToolsCall {
		return false
	}
	d.past.over(k, answered, d.link.Clock.Now)
	return true
}

// Over forgets what clients and tasks may continue.
func (d *Dialogue) Over() {
	for len(d.handed.list) > 0 {
		d.takeHanded(d.handed.list[0])
	}
	d.tasks = newTasks(d.link)
}

// Asks takes an elicitation/create.
func (d *Dialogue) Asks(msg *gate.Message) bool {
	if msg.Method == methodCreate {
		d.asking.Ask(msg, func() mcp.Dialect { return d.agreed.dialect }, d.readQuestion)
		return true
	}
	return false
}

// readQuestion reads an elicitation/create into q.
func (d *Dialogue) readQuestion(q *link.Question, params []byte) (mcp.Extra, *wire.Refusal) {
	req, extra, no := d.agreed.dialect.DecodeCreate(params, d.agreed.declared)
	if no == nil {
		q.Request = req
		q.Request.Session = d.agreed.session
		d.attribute(q)
		d.link.tools.describe(q)
		d.link.keepAlive()
	}
	return extra, no
}

// ServerTold takes the notifications that are for the machine.
//
// A notification that the machine acts on passes all the same, unless it would tell the client of something that the
// client never saw.
func (d *Dialogue) ServerTold(msg *gate.Message) gate.Passage {
	switch msg.Method {
	case methodTaskTold, methodTaskStatus:
		return d.tasks.notice(msg)
	case methodProgress:
		d.link.signs.report(msg)
	case methodCancelled:
		return d.link.Cancelled(msg, requestID, d.serverCancels)
	case methodComplete:
		if page, problems := d.agreed.dialect.DecodeComplete(msg.Params); problems == nil {
			return d.asking.Completed(d.agreed.session, page)
		}
	}
	return gate.Passes
}

// serverCancels ends a question that the server withdraws.
//
// A question that the client has is withdrawn there by Drop, under the id that the client knows. The server's own
// notification names another id, so it does not pass.
func (d *Dialogue) serverCancels(id []byte, ref string) gate.Passage {
	if q, _ := d.link.Open(ref); q != nil {
		d.link.Drop(func(one *link.Question) bool { return one == q })
		return gate.Taken
	}
	if d.link.Settled(id, true) {
		return gate.Taken // too late, and for a link that the client never saw
	}
	return gate.Passes
}

// ClientTold watches for the cancellation of a call, which ends its questions. Other notifications lose the answers
// to a round: they continue no round, but a lax server may take the notification for a call.
func (d *Dialogue) ClientTold(msg *gate.Message) gate.Passage {
	switch {
	case d.link.tools.holds(msg.Method): // some servers would make the call, and nobody could be told of a decline
		d.link.refused(link.Client, elicit.Problem{Code: "call_without_id"})
		return gate.Taken
	case msg.Method == methodCancelled:
		return d.clientCancels(msg)
	case msg.Responses:
		return gate.Changed(d.link.withoutResponses(msg.Raw))
	}
	return gate.Passes
}

// clientCancels ends the questions of a call that the client cancels. No answer to the call is due any more. The
// server gets the notification with the id that it knows for the call.
//
// The id in the notification is the client's. If the call was repeated, the server knows it as "elicit-…-3", and the
// notification names that.
func (d *Dialogue) clientCancels(msg *gate.Message) gate.Passage {
	id := gate.CancelledID(msg.Params, requestID)
	if id == nil {
		return gate.Passes
	}
	calls := d.link.Calls
	c := calls.Named(id)
	switch {
	case c == nil && d.link.IDs.Own(id):
		return gate.Taken // it would cancel a repeated call, for which the client still waits under its own id
	case c == nil && gate.PlainID(id) == nil:
		return gate.Taken // the server has no request with such an id
	case c == nil:
		return msg.Cancelling(requestID, id, gate.PlainID(id))
	}
	serverID := c.ServerKey.Raw()
	atServer := c.AtServer
	if atServer {
		// The server may still answer (MCP 2025-11-25, Cancellation). The answer must not count for a later call with this
		// id.
		calls.Given.Add(gate.CanonicalID(serverID))
	}
	calls.Remove(c) // first, because if the engine fails for good, every open call gets an error
	d.withdrawCall(of(c))
	d.link.calls.End(c, false)
	if !atServer { // the server has answered, and only the machine still has the call
		return gate.Taken
	}
	return msg.Cancelling(requestID, id, serverID)
}

// Withdrawal withdraws any request.
func (*Dialogue) Withdrawal(id []byte, _ any, why string) []byte {
	return mcp.AppendCancelled(nil, id, why)
}
