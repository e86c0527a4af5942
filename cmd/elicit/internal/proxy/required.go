package proxy

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/wire"
	"github.com/elicit-engine/elicit/engine/wire/mcp"
)

// maxVisits is how often one call is made again after pages were visited. Servers have raised the same page for ever.
const maxVisits = 3

// visits are the pages that a call waits for before it can be made again.
type visits struct {
	seen       map[string]bool // URLs raised for this call so far
	times      int
	refused    []byte // the error to pass on if the person does not agree, with its line end
	unsettled  int    // questions without an answer
	unfinished int    // consented pages that are not finished
	links      []string
	over       bool
}

// visitRequired puts the pages of a -32042 error before the person and makes the call again once all have been visited.
// False passes the error on: it is something else, or nobody could be asked, or it has been tried before.
func (p *Proxy) visitRequired(k *call, e wire.Envelope) bool {
	o, _ := wire.ReadObject(e.Error)
	if string(o.Get("code")) != strconv.Itoa(mcp.URLRequired) || k.request == nil || k.declared.None() || p.ending.begun {
		return false
	}
	list, problems := p.dialect.DecodeURLRequired(e.Error, k.declared)
	if problems != nil {
		p.note("passed on an error that asks for pages in a way that cannot be used: %s", printable(wire.Sentence(problems)))
		return false
	}
	v := &visits{seen: map[string]bool{}, refused: bytes.Clone(e.Raw), unsettled: len(list), unfinished: len(list)}
	if k.visits != nil {
		v.seen, v.times = k.visits.seen, k.visits.times
	}
	for _, q := range list {
		if v.seen[q.URL] || v.times >= maxVisits {
			p.note("passed on an error that asks for a page again (%s)", printable(q.URL))
			return false
		}
	}
	v.times++
	k.visits = v
	for i, q := range list {
		v.seen[q.URL] = true
		p.askVisit(k, v, q, i)
	}
	return true
}

func (p *Proxy) askVisit(k *call, v *visits, req elicit.Request, i int) {
	req.Session, req.Parent, req.Tool = k.session, k.key, k.tool
	req.Ref = fmt.Sprintf("required %s/%d/%d", k.key, v.times, i)
	if !p.o.ForwardToClient {
		p.links.add(req.Link)
		v.links = append(v.links, req.Link)
	}
	q := &question{request: req}
	if p.o.ForwardToClient {
		q.show = func(s engine.Show, done answer) {
			params, _ := p.dialect.AppendCreate(nil, &req)
			p.askClient(s.ID, params, req.Mode, done)
		}
	}
	q.settle = func(r engine.Reply) {
		if r.Outcome != elicit.Accepted {
			p.visitsRefused(k, v)
			return
		}
		if v.unsettled--; v.unsettled == 0 && !v.over {
			p.after(p.o.CompletionWait, func() { p.visited(k, v) })
		}
	}
	q.resolve = func(how engine.Resolution) {
		if v.unfinished--; v.unfinished == 0 && how == engine.PageCompleted {
			p.visited(k, v)
		}
	}
	p.ask(q)
}

// visited makes the call again, once: all pages are finished, or nobody said so in time.
func (p *Proxy) visited(k *call, v *visits) {
	if v.over || v.unsettled > 0 || !p.calls.open(k) {
		return
	}
	v.over = true
	id := p.newID()
	p.calls.sent(k, id)
	p.toServer.put(ended(splice(k.request, "id", id)))
}

// visitsRefused passes the error on that asked for the pages, and withdraws those still asked for.
func (p *Proxy) visitsRefused(k *call, v *visits) {
	if v.over || !p.calls.open(k) {
		return
	}
	v.over = true
	p.withdrawCall(k)
	for _, link := range v.links { // now the client knows of them
		p.links.drop(link)
	}
	p.finish(k, v.refused, []byte{'\n'})
}
