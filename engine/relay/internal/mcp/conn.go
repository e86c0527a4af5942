package mcp

import (
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire"
)

// conn is the connection, with what the dialogue does often.
type conn struct{ *link.Connection }

// refused reports that a message of an end was refused.
func (c conn) refused(from link.End, problems ...elicit.Problem) {
	c.Refuse(from, nil, &wire.Refusal{Problems: problems})
}

// refuse refuses a request of the client.
func (c conn) refuse(id []byte, code int, problem elicit.Problem) {
	c.Refuse(link.Client, id, &wire.Refusal{Code: code, Problems: []elicit.Problem{problem}})
}

// answerCall gives the client an answer that contains a decision.
func (c conn) answerCall(id, text []byte) {
	c.Send(link.Client, text, func() {
		c.Send(link.Client, wire.AppendProblems(nil, gate.Clone(id), wire.InternalError, link.Lost()), nil)
	})
}

// answer gives an answer to a question to the engine.
func (c conn) answer(s *effect.Show, action elicit.Action, content []byte, via event.Via) {
	c.Tell(event.Answered{Session: s.Session, ID: s.ID, Principal: c.Who.Principal, Action: action,
		Content: content, Via: via})
}

// withoutResponses removes the answers of a round from a request, also where drafts have them, because no one asked
// for them.
func (c conn) withoutResponses(body []byte) []byte {
	c.Note(link.Client, elicit.Problem{Code: "responses_removed"})
	o, _ := wire.ReadObject(body)
	params, _ := o.Child("params")
	body = wire.Apply(nil, body, params.Exchange(nil, nil, "inputResponses", "requestState"))
	return withoutDraftResponses(body)
}
