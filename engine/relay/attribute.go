package relay

import (
	"slices"

	"github.com/elicit-engine/elicit/engine/elicit"
)

// A question does not say which call it belongs to. A server could turn a rule for one tool off by asking late, or by
// keeping two calls open, so every call that could be meant goes to policy.

// ended is a tool call that has been answered.
type ended struct {
	tool string
	at   int64
}

// recentlyEnded is how long an answered call can still be meant when no call is open, in milliseconds.
const recentlyEnded = 60_000

// callEnded notes that a tool call has been answered.
func (m *Machine) callEnded(k *call) {
	list := slices.DeleteFunc(m.calls.recent, func(e ended) bool { return e.tool == k.tool || m.now-e.at > recentlyEnded })
	if len(list) > elicit.MaxCandidates {
		list = list[1:]
	}
	m.calls.recent = append(list, ended{k.tool, m.now})
}

// attribute says which tool call a question belongs to, or which it could belong to. One open call is the one, unless
// another tool's call was answered a moment ago.
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
		req.CandidatesCut = true // an SDK owns the connection, and the machine sees its questions alone
	}
	if len(open) == 1 {
		req.Parent = m.parentOf(open[0])
		if len(req.Candidates) == 1 {
			req.Tool, req.Candidates = open[0].tool, nil
		}
	}
}

// candidate adds a call of a tool, unless it is among the candidates.
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
