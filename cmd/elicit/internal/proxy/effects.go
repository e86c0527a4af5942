package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/guardian"
)

// host performs the driver's effects in the loop. Its methods are called under the driver's lock and only post.
type host struct{ *Proxy }

func (h host) Show(s engine.Show)         { h.inbox.post(func() { h.show(s) }) }
func (h host) Withdraw(w engine.Withdraw) { h.inbox.post(func() { h.withdraw(w) }) }
func (h host) Reply(r engine.Reply)       { h.inbox.post(func() { h.replied(r) }) }
func (h host) OpenURL(o engine.OpenURL)   { h.inbox.post(func() { h.openURL(o) }) }
func (h host) Resolve(r engine.Resolve)   { h.inbox.post(func() { h.resolved(r) }) }
func (h host) Problem(e engine.Problem)   { h.inbox.post(func() { h.problem(e) }) }

// Consult asks a guardian that is a program. The others the driver has asked itself.
func (h host) Consult(c engine.Consult) {
	if h.o.Outside == nil {
		h.inbox.post(func() { h.do(c.Answer(engine.Consulted{Fault: guardian.FaultUnavailable})) })
		return
	}
	h.o.Outside.Consult(c)
}

// over ends what programs still think about a request that is settled.
func (p *Proxy) over(id elicit.ID) {
	if p.o.Outside != nil {
		p.o.Outside.Withdraw(id)
	}
}

// show puts a request before someone.
func (p *Proxy) show(s engine.Show) {
	done := p.answers(s)
	q := p.questions[s.Ref]
	if q == nil {
		done(ui.Given{Action: elicit.Cancel, Via: engine.ViaNoUI}) // taken back meanwhile
		return
	}
	p.logShown(s)
	switch {
	case q.show != nil:
		q.shown = s
		q.show(s, done)
	case p.o.UI != nil:
		p.o.UI.Show(s, done)
	default:
		done(ui.Given{Action: elicit.Cancel, Via: engine.ViaNoUI})
	}
}

// answers is how a user interface answers a request that is shown.
func (p *Proxy) answers(s engine.Show) answer {
	return func(g ui.Given) {
		p.inbox.post(func() {
			p.do(engine.Answered{Session: s.Session, ID: s.ID, Action: g.Action, Content: g.Content,
				Cleared: ui.Cleared(s, g), Via: g.Via, Remember: engine.Wish{Scope: g.Remember}, Mute: g.Mute})
		})
	}
}

func (p *Proxy) withdraw(w engine.Withdraw) {
	p.over(w.ID)
	p.logWithdrawn(w)
	if take, ok := p.withClient[w.ID]; ok {
		delete(p.withClient, w.ID)
		take(w.Cause)
		return
	}
	if p.o.UI != nil {
		p.o.UI.Withdraw(w)
	}
}

// replied hands a reply to whoever waits for it.
func (p *Proxy) replied(r engine.Reply) {
	p.over(r.ID)
	q := p.questions[r.Ref]
	if q == nil {
		return // taken back meanwhile
	}
	p.forget(q, &r)
	p.logSettled(q, r)
	if q.resolve != nil && r.Outcome == elicit.Accepted {
		p.visiting[r.ID] = q
	}
	q.settle(r)
}

// forget strikes a question off, wherever it stood; reply is nil when it was taken back.
func (p *Proxy) forget(q *question, reply *engine.Reply) {
	delete(p.questions, q.request.Ref)
	if p.audience != nil {
		p.audience.Over(q.request, reply)
	}
}

// openURL opens a page where a person sits; a prepared answer consents to a page without visiting it.
func (p *Proxy) openURL(o engine.OpenURL) {
	if p.o.Open == nil || p.o.ForwardToClient {
		return
	}
	go func() {
		if err := p.o.Open(o.URL); err != nil {
			p.inbox.post(func() { p.note("cannot open a browser (%v); open this page yourself: %s", err, printable(o.URL)) })
		}
	}()
}

func (p *Proxy) resolved(r engine.Resolve) {
	if p.audience != nil {
		p.audience.Resolve(r)
	}
	if q := p.visiting[r.ID]; q != nil {
		delete(p.visiting, r.ID)
		q.resolve(r.Resolution)
	}
}

// problem is an input the engine could not use: an answer to mend, or a question it does not take.
func (p *Proxy) problem(e engine.Problem) {
	if e.Ref != "" && p.again[e.Ref] > 0 {
		if p.again[e.Ref]--; p.again[e.Ref] == 0 {
			delete(p.again, e.Ref)
		}
		p.refuseAgain(e.Ref)
		return
	}
	if q := p.questions[e.Ref]; e.Ref != "" && q != nil {
		failed := engine.Reply{Session: e.Session, Ref: e.Ref, Outcome: elicit.Failed, Cause: elicit.ByDuplicate, Problems: e.Problems}
		p.forget(q, &failed)
		q.settle(failed)
		return
	}
	p.logProblem(e)
	if e.About == engine.AboutAnswer && !p.warned(e) && p.o.UI != nil {
		p.o.UI.Problem(e)
	}
}
