package mcp

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
)

// A question does not say which call it belongs to. By asking late, or by keeping two calls open, a server could
// escape a rule for one tool. So policy gets every call that the question may belong to.
//
// A call that the server answered counts only if the server asks late: it was seen to ask without an open call, or a
// policy assumes it of every server. Otherwise a client that makes one call after the other would never have a
// question with a tool. A call that ended without an answer of the server always counts, because its work may go on.

// ended is a tool call that is over.
type ended struct {
	tool string
	at   int64
}

// endings are tool calls that are over, the oldest first, each tool once.
type endings []ended

// recentlyEnded is how long, in milliseconds, a question may belong to an ended call when no call is open.
const recentlyEnded = 60_000

// with adds a tool at the end and drops what is too old. One more than MaxCandidates are kept. A question after all of
// them then has its list cut, and says so to policy.
func (l endings) with(tool string, now int64) endings {
	l = slices.DeleteFunc(l, func(e ended) bool { return e.tool == tool || now-e.at > recentlyEnded })
	if len(l) > elicit.MaxCandidates {
		l = l[1:]
	}
	return append(l, ended{tool, now})
}

// past are the tool calls that are over.
//
// asksLate never becomes false again: a server that has asked late once may do so again.
type past struct {
	asksLate      bool    // the server was seen to ask about a call that was over
	answeredTools endings // tool calls whose answer the client has
	unanswered    endings // tool calls that ended in another way: cancelled, failed, or continued by the client
}

// over records that a tool call is over. answered says that the client has the server's answer to it.
func (c *past) over(k *call, answered bool, now int64) {
	list := &c.unanswered
	if answered {
		list = &c.answeredTools
	}
	*list = list.with(k.tool, now)
}

// attribute sets the tool call that a question belongs to, or the calls that it may belong to. A single open call is
// the one, unless the question may belong to an ended call.
//
// Policy decides about a question for every candidate, and the strictest decision counts. So a wrong candidate makes
// the answer safer and never laxer. The order is: open calls by arrival, then unanswered ones, then answered ones.
func (d *Dialogue) attribute(q *link.Question) {
	open, req := openTools(d.link.Calls), &q.Request
	for _, k := range open {
		q.Calls = append(q.Calls, k.Key)
		d.link.tools.candidate(req, k.tool, true)
	}
	d.past.watchLate(open, d.link.Calls)
	// With an open call the question most likely belongs to that one, so ended calls count only as long as their questions
	// could still be open.
	within := int64(recentlyEnded)
	if len(open) > 0 {
		within = d.link.config.CallOver
	}
	late := len(open) != 1 || d.past.asksLate || d.link.calls.Engine().Late
	for i, list := range []endings{d.past.unanswered, d.past.answeredTools} {
		for _, e := range list {
			if d.link.Clock.Now-e.at <= within && (i == 0 || late) {
				d.link.tools.candidate(req, e.tool, false)
			}
		}
	}
	if d.link.config.Blind && len(open) == 0 {
		req.CandidatesCut = true // an SDK owns the connection, and the machine sees only its questions
	}
	// With two open calls, no Parent is set. The end of one of them must not end the question of the other.
	if len(open) == 1 {
		req.Parent = d.parentOf(open[0])
		if len(req.Candidates) == 1 {
			req.Tool, req.Candidates = open[0].tool, nil
		}
	}
}

// watchLate notes that the server asks late: some tool call is over, and no open call of the client can have brought
// the question. A call that the server has answered, and that the machine still holds for a round or a page, brings
// none.
//
// Example: the client calls a tool, gets the answer, and has nothing open. A question now must belong to the call that
// is over. If the client has a prompts/get open at the server, it may belong to that, and nothing is noted.
func (c *past) watchLate(open []*call, calls *link.Calls) {
	if c.asksLate || len(c.unanswered)+len(c.answeredTools)+len(open) == 0 {
		return
	}
	for _, k := range calls.ByServer {
		if mayAsk(of(k).method) {
			return
		}
	}
	c.asksLate = true
}

// candidate adds a call of a tool, unless it is a candidate already.
//
// Two calls of one tool are one candidate, because rules are about tools. Open is true if one of them is open: the open
// calls are added first.
func (t *toolbox) candidate(req *elicit.Request, tool string, open bool) {
	for i := range req.Candidates {
		if req.Candidates[i].Tool == tool {
			return
		}
	}
	if len(req.Candidates) == elicit.MaxCandidates {
		req.CandidatesCut = true
		return
	}
	req.Candidates = append(req.Candidates, elicit.Candidate{Tool: tool, Annotations: t.annotations[tool], Open: open})
}
