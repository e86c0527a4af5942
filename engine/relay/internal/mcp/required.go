package mcp

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
func (d *Dialogue) judgeError(k *call, msg *gate.Message) (v gate.Passage, judged bool) {
	if _, code, _ := gate.Integer(msg.Code); code != mcp.URLRequired {
		return gate.Taken, false
	}
	fail := func(problems ...elicit.Problem) (gate.Passage, bool) {
		d.link.failRead(k, problems...)
		return gate.Taken, true
	}
	switch {
	case !mayAsk(k.method):
		return fail(gate.Problem("pages_not_allowed", elicit.Str("method", gate.Clipped(k.name))))
	case k.declared.None():
		return fail(elicit.Problem{Code: "elicitation_unsupported"})
	case !d.link.Takes(nil):
		return fail(link.ServerEnded)
	case !d.link.Calls.Keep(k.Call, len(msg.Failure)):
		return fail(link.TooManyCalls)
	}
	if problem := gate.Askable(msg.Raw); problem != nil {
		return fail(*problem)
	}
	list, problems := d.agreed.dialect.DecodeURLRequired(gate.Clone(msg.Failure), k.declared)
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
	k.visits, k.Shared = visit, true
	for i, q := range list {
		visit.seen[q.URL] = true
		if !visit.over {
			d.askVisit(k, visit, q, i)
		}
	}
	return gate.Taken, true
}

func (d *Dialogue) askVisit(k *call, v *visits, req elicit.Request, i int) {
	req.Session, req.Parent, req.Tool = k.session, d.parentOf(k), k.tool
	req.Ref = "required " + req.Parent + "/" + strconv.Itoa(v.times) + "/" + strconv.Itoa(i)
	q := &link.Question{Request: req}
	d.asking.Offer(q, func() mcp.Dialect { return d.agreed.dialect })
	q.Settle = func(r effect.Reply) {
		if r.Outcome != elicit.Accepted {
			d.visitsRefused(k, v, r)
			return
		}
		if v.unsettled--; v.unsettled == 0 && !v.over {
			k.next = d.link.Clock.After(d.link.config.CompletionWait, func() { d.visited(k, v) })
		}
	}
	q.Resolve = func(how effect.Resolution) {
		if v.unfinished--; v.unfinished == 0 && how == effect.PageCompleted {
			d.visited(k, v)
		}
	}
	d.link.ask(q)
}

// visited repeats the call, once: all pages are finished, or no one reported so in time.
func (d *Dialogue) visited(k *call, v *visits) {
	if v.over || v.unsettled > 0 || !k.Open {
		return
	}
	v.over = true
	d.link.Clock.Stop(k.next)
	d.release(k)
}

// visitsRefused fails the call that asked for pages, and withdraws the remaining ones.
func (d *Dialogue) visitsRefused(k *call, v *visits, r effect.Reply) {
	if v.over || !k.Open {
		return
	}
	v.over = true
	d.withdrawCall(k)
	problem := gate.Problem("page_refused", elicit.Str("outcome", string(r.Outcome)))
	if len(r.Problems) > 0 {
		problem = r.Problems[0]
	}
	d.link.Fail(k.Call, problem)
}
