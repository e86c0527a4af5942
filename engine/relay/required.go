package relay

import (
	"strconv"

	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/relay/internal/gate"
	"github.com/elicit-engine/elicit/engine/relay/internal/link"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// maxVisits is how often one call is repeated after pages were visited. Some servers ask for the same page again and
// again.
const maxVisits = 3

// visits are the pages that a call waits for before it can be repeated.
type visits struct {
	seen       map[string]bool // URLs that were required for this call so far
	times      int
	unsettled  int // questions without an answer
	unfinished int // consented pages that are not finished
	over       bool
}

// judgeError looks for the error that asks for pages (2025-11-25, -32042), for a call of any method. The client never
// sees that error, because clients open such pages by themselves. The pages are shown to the person, and the call is
// repeated after all were visited. If that is not possible, the call fails with an error of the machine that names no
// page.
func (m *Machine) judgeError(k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	if _, code, _ := gate.Integer(msg.Code); code != mcp.URLRequired {
		return gate.Taken, false
	}
	fail := func(problems ...elicit.Problem) (gate.Passage, bool) {
		m.failRead(k, problems...)
		return gate.Taken, true
	}
	switch {
	case !mayAsk(k.method):
		return fail(gate.Problem("pages_not_allowed", elicit.Str("method", gate.Clipped(k.name))))
	case k.declared.None():
		return fail(elicit.Problem{Code: "elicitation_unsupported"})
	case m.ending.begun:
		return fail(serverEnded)
	case !m.calls.keep(k, len(msg.Failure)):
		return fail(tooManyCalls)
	}
	if problem := gate.Askable(msg.Raw); problem != nil {
		return fail(*problem)
	}
	list, problems := m.agreed.dialect.DecodeURLRequired(gate.Clone(msg.Failure), k.declared)
	if problems != nil {
		return fail(problems...)
	}
	visit := &visits{seen: map[string]bool{}, unsettled: len(list), unfinished: len(list)}
	if k.visits != nil {
		visit.seen, visit.times = k.visits.seen, k.visits.times
	}
	for _, q := range list {
		if visit.seen[q.URL] || visit.times >= maxVisits {
			return fail(elicit.Problem{Code: "page_again"})
		}
	}
	visit.times++
	k.visits, k.shared = visit, true
	for i, q := range list {
		visit.seen[q.URL] = true
		if !visit.over {
			m.askVisit(k, visit, q, i)
		}
	}
	return gate.Taken, true
}

func (m *Machine) askVisit(k *call, v *visits, req elicit.Request, i int) {
	req.Session, req.Parent, req.Tool = k.session, m.parentOf(k), k.tool
	req.Ref = "required " + req.Parent + "/" + strconv.Itoa(v.times) + "/" + strconv.Itoa(i)
	q := &question{Question: &link.Question{Request: req}}
	m.mayAskClient(q, func() mcp.Dialect { return m.agreed.dialect })
	q.Settle = func(r effect.Reply) {
		if r.Outcome != elicit.Accepted {
			m.visitsRefused(k, v, r)
			return
		}
		if v.unsettled--; v.unsettled == 0 && !v.over {
			k.next = m.time.After(m.config.CompletionWait, func() { m.visited(k, v) })
		}
	}
	q.resolve = func(how effect.Resolution) {
		if v.unfinished--; v.unfinished == 0 && how == effect.PageCompleted {
			m.visited(k, v)
		}
	}
	m.askOfTool(q)
}

// visited repeats the call, once: all pages are finished, or no one reported so in time.
func (m *Machine) visited(k *call, v *visits) {
	if v.over || v.unsettled > 0 || !m.calls.open(k) {
		return
	}
	v.over = true
	m.time.Stop(k.next)
	m.release(k)
}

// visitsRefused fails the call that asked for pages, and withdraws the remaining ones.
func (m *Machine) visitsRefused(k *call, v *visits, r effect.Reply) {
	if v.over || !m.calls.open(k) {
		return
	}
	v.over = true
	m.withdrawCall(k)
	problem := gate.Problem("page_refused", elicit.Str("outcome", string(r.Outcome)))
	if len(r.Problems) > 0 {
		problem = r.Problems[0]
	}
	m.failCall(k, problem)
}
