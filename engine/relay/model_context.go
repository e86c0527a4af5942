package relay

import (
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// modelContext is the dialogue of MCP.
type modelContext struct {
	m    *Machine
	link *port
}

// Vocabulary returns the words of MCP.
func (*modelContext) Vocabulary() *gate.Vocabulary { return &mcpWords }

// Agreed takes the date and the modes of a session.
func (d *modelContext) Agreed(version string, declared elicit.Modes) {
	m := d.m
	m.agreed.dialect = direct(version)
	if d, ok := mcp.Lookup(version); ok {
		m.agreed.dialect = d
	}
	m.agreed.declared = mcp.Modes{Form: declared.Form, URL: declared.URL && m.agreed.dialect.URL}
	m.agreed.client = m.agreed.declared // the client declared them, and the host added none
	m.agreed.session = m.open(m.who.between(m.agreed.declared, m.agreed.client))
}

// called records what the machine needs to know about a request, and writes our declaration into it. body is the
// request without answers that continue no round of ours.
func (d *modelContext) called(k *call, msg *gate.Message, body []byte) []byte {
	k.session, k.declared, k.client = d.m.agreed.session, d.m.agreed.declared, d.m.agreed.client
	if msg.Params == nil {
		return body
	}
	if msg.Method == methodInitialize || msg.Declares {
		body = d.m.declareIn(k, msg.Method, body)
	}
	if msg.Token != nil {
		k.tokenText = append(k.tokenText, msg.Token...)
		k.progress.token = k.tokenText
	}
	if msg.Method == methodToolsCall {
		k.tool = d.m.names.text(msg.Tool)
	}
	if ofTasks(msg.Method) {
		o, _ := wire.ReadObject(msg.Params)
		k.task, _ = wire.Text(o.Get("taskId"))
		d.m.tasks.heard(k, body)
	}
	return body
}

func (d *modelContext) answered(k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	if msg.Kind == gate.Failure {
		return d.m.judgeError(k, msg)
	}
	return d.m.judgeResult(k, msg)
}

// Asks takes an elicitation/create.
func (d *modelContext) Asks(msg *gate.Message) bool {
	if msg.Method == methodCreate {
		d.link.Create(msg, func() mcp.Dialect { return d.m.agreed.dialect }, d.readQuestion)
		return true
	}
	return false
}

// readQuestion reads an elicitation/create into q.
func (d *modelContext) readQuestion(q *link.Question, params []byte) (mcp.Extra, *wire.Refusal) {
	req, extra, no := d.m.agreed.dialect.DecodeCreate(params, d.m.agreed.declared)
	if no == nil {
		q.Request = req
		q.Request.Session = d.m.agreed.session
		d.m.attribute(q)
		d.m.tools.describe(q)
	}
	return extra, no
}

// clientCancels ends the questions of a call that the client cancels. No answer to the call is due any more. The
// server gets the notification with the id that it knows for the call.
func (d *modelContext) clientCancels(msg *gate.Message) gate.Passage {
	m := d.m
	id := gate.CancelledID(msg.Params)
	if id == nil {
		return gate.Passes
	}
	k := m.calls.named(id)
	switch {
	case k == nil && m.ids.Own(id):
		return gate.Taken // it would cancel a repeated call, for which the client still waits under its own id
	case k == nil && gate.PlainID(id) == nil:
		return gate.Taken // the server has no request with such an id
	case k == nil:
		return msg.Cancelling(id, gate.PlainID(id))
	}
	k.shared = true
	atServer, serverID := k.atServer, k.serverKey.Raw()
	if atServer {
		m.recents.given.Add(gate.CanonicalID(serverID))
	}
	m.calls.remove(k) // first, because if the engine fails for good, every open call gets an error
	m.withdrawCall(k)
	m.callOver(k, false)
	if !atServer { // the server has answered, and only the machine still has the call
		return gate.Taken
	}
	return msg.Cancelling(id, serverID)
}

// ServerTold takes the notifications that are for the machine.
func (d *modelContext) ServerTold(msg *gate.Message) gate.Passage {
	switch msg.Method {
	case methodTaskTold, methodTaskStatus:
		return d.m.taskNotice(msg)
	case methodProgress:
		d.m.serverProgress(msg)
	case methodCancelled:
		return d.link.Cancelled(msg, d.serverCancels)
	case methodComplete:
		if page, problems := d.m.agreed.dialect.DecodeComplete(msg.Params); problems == nil {
			return d.link.Completed(d.m.agreed.session, page)
		}
	}
	return gate.Passes
}

// ClientTold watches for the cancellation of a call, which ends its questions. Other notifications lose the answers
// to a round: they continue no round, but a lax server may take the notification for a call.
func (d *modelContext) ClientTold(msg *gate.Message) gate.Passage {
	switch {
	case d.m.tools.holds(msg.Method): // some servers would make the call, and nobody could be told of a decline
		d.m.out.refused(Client, elicit.Problem{Code: "call_without_id"})
		return gate.Taken
	case msg.Method == methodCancelled:
		return d.clientCancels(msg)
	case msg.Responses:
		return gate.Changed(d.m.withoutResponses(msg.Raw))
	}
	return gate.Passes
}

func (d *modelContext) serverCancels(id []byte, ref string) gate.Passage {
	m := d.m
	if q := m.questions.byRef[ref]; q != nil {
		m.dropQuestion(q)
		return gate.Taken
	}
	delete(m.asks, gate.KeyOf(id))
	if m.recents.settled.Has(ref) {
		return gate.Taken // too late, and for a link that the client never saw
	}
	return gate.Passes
}

// Withdrawal withdraws any request.
func (*modelContext) Withdrawal(id []byte, _ any, why string) []byte {
	return mcp.AppendCancelled(nil, id, why)
}

// Late is false: a late answer has an id of the machine.
func (*modelContext) Late([]byte) bool { return false }

// Unread is nil: an error is the answer to a request that cannot be read.
func (*modelContext) Unread(bool) []byte { return nil }

// ended does nothing: the machine has ended the call.
func (*modelContext) ended(*call) {}
