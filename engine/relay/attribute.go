package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A question does not say which call it belongs to. By asking late, or by keeping two calls open, a server could escape
// a rule for one tool. So policy gets every call that the question may belong to.

// ended is a tool call with an answer.
type ended struct {
	tool string
	at   int64
}

// recentlyEnded is how long, in milliseconds, a question may belong to an answered call when no call is open.
const recentlyEnded = 60_000

// callEnded records that a tool call has an answer.
func (m *Machine) callEnded(k *call) {
	list := slices.DeleteFunc(m.calls.recent, func(e ended) bool { return e.tool == k.tool || m.now-e.at > recentlyEnded })
	if len(list) > elicit.MaxCandidates {
		list = list[1:]
	}
	m.calls.recent = append(list, ended{k.tool, m.now})
}

// attribute sets the tool call that a question belongs to, or the calls that it may belong to. A single open call is
// the one, unless a call of another tool was answered a moment ago.
func (m *Machine) attribute(q *question) {
	open, req := m.calls.tools(), &q.request
	q.calls = open
	for _, k := range open {
		k.shared = true
	}
	within := int64(recentlyEnded)
	if len(open) > 0 {
		within = m.config.CallOver
	}
	for _, k := range open {
		m.candidate(req, k.tool, true)
	}
	for _, e := range m.calls.recent {
		if m.now-e.at <= within {
			m.candidate(req, e.tool, false)
		}
	}
	if s := m.config.Session; s != nil && !s.CallsSeen && len(open) == 0 {
		req.CandidatesCut = true // an SDK owns the connection, and the machine sees only its questions
	}
	if len(open) == 1 {
		req.Parent = m.parentOf(open[0])
		if len(req.Candidates) == 1 {
			req.Tool, req.Candidates = open[0].tool, nil
		}
	}
}

// candidate adds a call of a tool, unless it is a candidate already.
func (m *Machine) candidate(req *elicit.Request, tool string, open bool) {
	for i := range req.Candidates {
		if c := &req.Candidates[i]; c.Tool == tool {
			c.Open = c.Open || open
			return
		}
	}
	if len(req.Candidates) == elicit.MaxCandidates {
		req.CandidatesCut = true
		return
	}
	req.Candidates = append(req.Candidates, elicit.Candidate{Tool: tool, Annotations: m.tools[tool], Open: open})
}
