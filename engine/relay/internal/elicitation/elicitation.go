// Package elicitation asks what an elicitation/create asks, for the dialogues whose protocol has that request.
//
// Ask has the whole way of such a request: it reads the params in the dialect of the protocol, gives the question to
// the engine, and spells the reply. Show has the way to a client. The caller brings only the dialect and the reading.
package elicitation

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// Elicitation asks for one dialogue.
type Elicitation struct {
	link  *link.Connection
	links link.Recent // of pages that the client never saw
}

// New makes what asks over a connection.
func New(l *link.Connection) Elicitation { return Elicitation{link: l} }

// Links returns how many links of pages are remembered.
func (e *Elicitation) Links() int { return e.links.Len() }

// Ask asks the engine what an elicitation/create asks. read reads its params into q.
//
// read may set q.Withdrawn. The server then gets a cancel, and neither the engine nor a person hears of the question.
// dialect is a function because Show may run much later, after another initialize. The reply is in the words in which
// the question came.
func (e *Elicitation) Ask(
	msg *gate.Message, dialect func() mcp.Dialect, read func(q *link.Question, params []byte) (mcp.Extra, *wire.Refusal),
) {
	// The server's input may be closed. And with two answers under one id, no one could tell which question each answers.
	if !e.link.Takes(msg.ID) {
		return
	}
	if problem := gate.Askable(msg.Raw); problem != nil {
		e.link.Refuse(link.Server, msg.ID, &wire.Refusal{Code: wire.InvalidRequest, Problems: []elicit.Problem{*problem}})
		return
	}
	// The request outlives the step, and Params is a span of the received bytes.
	params := slices.Clone(msg.Params)
	q := &link.Question{}
	extra, no := read(q, params)
	if no != nil {
		e.link.Refuse(link.Server, msg.ID, no)
		return
	}
	ref := gate.CanonicalID(msg.ID)
	q.Request.Ref, q.Waits = ref, true
	spoken, id, mode := dialect(), slices.Clone(msg.ID), q.Request.Mode
	e.Offer(q, dialect)
	if q.Withdrawn {
		e.link.Reply(ref, reply(spoken, id, mode, extra, effect.Reply{Outcome: elicit.Cancelled}), nil)
		return
	}
	q.Settle = func(r effect.Reply) {
		e.link.Reply(ref, reply(spoken, id, mode, extra, r), func() {
			lost := effect.Reply{Outcome: elicit.Failed, Cause: elicit.ByShutdown, Problems: link.Lost()}
			e.link.Send(link.Server, reply(spoken, id, mode, extra, lost), nil)
		})
	}
	e.link.Ask(q)
}

// reply spells the engine's reply.
//
// An answer that the dialect cannot spell, such as a failure, becomes a JSON-RPC error with the problems as its data.
func reply(d mcp.Dialect, id []byte, mode elicit.Mode, extra mcp.Extra, r effect.Reply) []byte {
	a := mcp.Answer{Action: elicit.Action(r.Outcome), Mode: mode, Content: r.Content, Echo: extra.Echo}
	if out, ok := d.AppendAnswer(nil, id, a); ok && d.Carrier == wire.Rounds {
		return wire.AppendResult(nil, id, out) // of an SDK that passes the questions of a round on one by one
	} else if ok {
		return out
	}
	return wire.AppendProblems(nil, id, link.ErrorCode(r.Cause), r.Problems)
}

// Offer prepares a question that the client may be asked. The client must not hear that a page is finished which it
// never saw.
//
// links lists the pages of which the client must not hear. Show takes a page off the list when the client gets it.
func (e *Elicitation) Offer(q *link.Question, dialect func() mcp.Dialect) {
	if e.link.Who.MaybeClient() {
		q.Show = func(s *effect.Show) { e.Show(q, s, dialect()) }
	}
	if q.Request.Link != "" {
		e.links.Add(q.Request.Link)
	}
}

// Show asks the client a question, in the words that were inspected. The answer goes through the engine. An answer
// that cannot be read counts as if no one had seen the question.
//
// The words are those of the engine's Show, not those of the server: the message may have masks or a note in it.
func (e *Elicitation) Show(q *link.Question, s *effect.Show, d mcp.Dialect) {
	// q.Request itself stays as the server sent it. The journal and Settled are about that request.
	req := q.Request
	req.Message = s.Message
	if s.Form != nil {
		// The client might draw a member of the schema that no check has read, so the machine writes a new schema.
		req.Schema = s.Form.AppendSchema(nil, d.Modes)
	}
	if req.Link == "" { // AppendCreate writes it where the dialect has one
		req.Link = e.link.IDs.Prefix + req.Ref
	}
	e.links.Drop(req.Link)
	params, ok := d.AppendCreate(nil, &req)
	if !ok {
		e.link.Tell(event.Answered{Session: s.Session, ID: s.ID, Principal: e.link.Who.Principal, Action: elicit.Cancel,
			Via: event.ViaNoUI})
		return
	}
	if q.Scope != nil {
		params = append(append([]byte{'{'}, q.Scope...), params[1:]...)
	}
	mode := req.Mode
	e.link.Request(link.Request{Method: mcp.MethodCreate, Params: params, Show: s,
		Taken: func(result []byte) (event.Answered, []elicit.Problem) { return taken(result, d, mode) }})
}

// taken reads the client's answer to a question.
//
// A person's answer goes to the server, whose reader may take another one of two equal keys than the engine's check.
func taken(result []byte, d mcp.Dialect, mode elicit.Mode) (answer event.Answered, problems []elicit.Problem) {
	a, problems := d.DecodeAnswer(gate.Clone(result), mode)
	if problems == nil {
		if p := gate.Distinct(a.Content, "/content"); p != nil {
			problems = []elicit.Problem{*p}
		}
	}
	return event.Answered{Action: a.Action, Content: a.Content}, problems
}

// Completed acts on a notification that a page of the server is finished.
//
// It passes if the client may have the page open. A client that never saw it would get an elicitationId that it does
// not know.
func (e *Elicitation) Completed(session, page string) gate.Passage {
	e.link.Tell(event.Completed{Session: session, Link: page})
	if e.links.Has(page) {
		return gate.Taken
	}
	return gate.Passes
}
