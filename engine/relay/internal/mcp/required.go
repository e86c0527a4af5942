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
//
// One value is for one error of the server. seen and times go over to the next one of the same call.
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
//
// The gate has respelled the code, so -32042.0 counts too. A client that converts it to a number acts on it as well.
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
	// The server has read that nobody can be asked, and asks all the same. The client must not open the pages instead.
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
	// The counts are set before the first question: policy may answer it inside askVisit.
	visit := &visits{seen: map[string]bool{}, unsettled: len(list), unfinished: len(list)}
	if k.visits != nil {
		visit.seen, visit.times = k.visits.seen, k.visits.times
	}
	// A page that was visited for this call would be visited again without end. The test is on the exact URL.
	for _, q := range list {
		if visit.seen[q.URL] || visit.times >= maxVisits {
			return fail(elicit.Problem{Code: "page_again"})
		}
	}
	visit.times++
	k.visits, k.Shared = visit, true
	for i, q := range list {
		visit.seen[q.URL] = true
		// One refusal fails the call. The other pages must not be shown after it.
		if !visit.over {
			d.askVisit(k, visit, q, i)
		}
	}
	return gate.Taken, true
}

// askVisit asks about the i-th page. Accepting means that a person opens it. Resolve says later that the page is
// finished, by a notification of the server, or how else it ended.
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
		// Many servers never say that a page is finished. The call is then repeated CompletionWait after the last consent.
		if v.unsettled--; v.unsettled == 0 && !v.over {
			k.next = d.link.Clock.After(d.link.config.CompletionWait, func() { d.visited(k, v) })
		}
	}
	q.Resolve = func(how effect.Resolution) {
		// All pages have ended, and the server has said so of the last one. The wait can end early.
		if v.unfinished--; v.unfinished == 0 && how == effect.PageCompleted {
			d.visited(k, v)
		}
	}
	d.link.ask(q)
}

// visited repeats the call, once: all pages are finished, or no one reported so in time.
func (d *Dialogue) visited(k *call, v *visits) {
	if v.over || !k.Open {
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
