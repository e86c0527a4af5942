package acp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire/acp"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// prompt is a call of the client that begins a turn, or the connection.
//
// Called makes it, and Ended drops it. session is "" for initialize.
type prompt struct {
	begins    bool // it is an initialize
	session   string
	cancelled bool // the client has cancelled it, and waits for its answer
	// Of initialize: the modes that it declares, also in the way of the later version.
	declared, declaredLater mcp.Modes
}

// prompts are the open ones.
type prompts map[gate.Key]*prompt

// belonging is the session that a question belongs to.
type belonging struct{ session string }

func sessionOf(q *link.Question) string {
	if b, ok := q.Of.(belonging); ok {
		return b.session
	}
	return ""
}

// belongs records what a question belongs to. It is withdrawn some time after the last of these calls has ended.
//
// q.Calls decides when a question is withdrawn, and Parent how the engine groups it. In version 1 every question of a
// session ends with its prompt. In version 2 only a question about one request of the editor ends with that request.
func (d *Dialogue) belongs(q *link.Question, s acp.Scope) {
	q.Of = belonging{s.Session}
	if s.Session == "" {
		q.Request.Parent = "request " + string(s.Request)
	} else {
		q.Request.Parent = "session " + s.Session
	}
	for key, p := range d.prompts {
		// In a version with states, work goes on after the answer.
		if s.Session != "" && p.session == s.Session && !d.version.States {
			q.Calls = append(q.Calls, key)
		}
	}
	if s.Request == nil {
		return
	}
	if key := gate.KeyOf(s.Request); !slices.Contains(q.Calls, key) {
		if d.link.Calls.ByClient[key] != nil {
			q.Calls = append(q.Calls, key)
		}
	}
}

// turnCancelled reports whether the client has cancelled the turn of a session, and the agent has not ended it yet.
// The client then answers every question of the session with a cancel (session/cancel).
//
// Example: the editor sends session/prompt, session/cancel and session/prompt again. The first prompt has no answer
// yet. A question now may be of either turn, so it is asked.
func (d *Dialogue) turnCancelled(session string) (cancelled bool) {
	cancelled = d.working[session]
	for _, p := range d.prompts {
		if session != "" && p.session == session {
			if !p.cancelled {
				return false // the client has begun another turn
			}
			cancelled = true
		}
	}
	return cancelled
}

// callCancelled ends the questions of a call that the client cancels. The call stays open, because the agent still
// answers it.
//
// $/cancel_request passes to the agent, which answers the call with an error or a result. Its id may name no open call:
// it then passes too, unless it is an id of the machine.
func (d *Dialogue) callCancelled(msg *gate.Message) gate.Passage {
	id := gate.CancelledID(msg.Params, requestID)
	if id == nil {
		return gate.Passes
	}
	key := gate.KeyOf(id)
	switch open := d.link.Calls.ByClient[key] != nil; {
	case !open && d.link.IDs.Own(id):
		return gate.Taken
	case !open:
		return gate.Passes
	}
	p := d.prompts[key]
	if p != nil {
		p.cancelled = true
	}
	d.link.Withdraw(func(q *link.Question) link.How {
		turn := d.version.States && p != nil && p.session != "" && sessionOf(q) == p.session
		return answered(turn || slices.Contains(q.Calls, key))
	})
	return gate.Passes
}

// sessionCancelled ends the questions of a session whose turn the client cancels.
//
// The client must answer every open session/request_permission of the session with cancelled (ACP, Prompt Turn,
// Cancellation). The machine does that for its open questions, wherever they are shown.
func (d *Dialogue) sessionCancelled(msg *gate.Message) gate.Passage {
	session := acp.SessionOf(msg.Params)
	if session == "" {
		return gate.Passes
	}
	for _, p := range d.prompts {
		if p.session == session {
			p.cancelled = true
		}
	}
	d.working.set(session, true)
	d.link.Withdraw(func(q *link.Question) link.How { return answered(sessionOf(q) == session) })
	return gate.Passes
}
