package proxy

import (
	"bytes"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
	"github.com/elicit-engine/elicit/engine/guardian"
	"github.com/elicit-engine/elicit/engine/relay"
)

// host performs the machine's effects. It queues messages at once, and performs every other effect in the loop.
type host struct{ *Proxy }

func (p *Proxy) outlet(to relay.End) *outlet {
	if to == relay.Client {
		return p.toClient
	}
	return p.toServer
}

// Forward sends the current line on, with its line end. A last line without a line end gets one, so that the next
// message does not join it.
func (h host) Forward(to relay.End) {
	raw := h.current.raw
	if n := len(raw); n == 0 || raw[n-1] != '\n' {
		raw = append(bytes.Clone(raw), '\n')
	}
	h.o.Stats.Count("forwarded", 1)
	h.outlet(to).put(raw)
}

// Send writes a message of the machine's own.
func (h host) Send(to relay.End, message []byte) {
	h.o.Stats.Count("written", 1)
	h.outlet(to).put(append(message, '\n'))
}

// Perform performs any other effect, in the loop.
func (h host) Perform(next relay.Effect) { h.inbox.post(func() { h.perform(next) }) }

// Consult asks a guardian that is a program. The driver has asked the others itself.
func (h host) Consult(c effect.Consult) {
	if h.o.Programs == nil { // in tests
		h.inbox.post(func() { h.do(c.Answer(event.Consulted{Fault: guardian.FaultUnavailable})) })
		return
	}
	h.o.Programs.Consult(c)
}

func (p *Proxy) perform(next relay.Effect) {
	switch ef := next.(type) {
	case relay.Question:
		if p.audience != nil {
			p.audience.Asked(ef.Request)
		}
	case effect.Show:
		p.show(ef)
	case effect.Withdraw:
		p.endPrograms(ef.ID)
		p.logWithdrawn(ef)
		if p.o.UI != nil {
			p.o.UI.Withdraw(ef)
		}
	case relay.Settled:
		p.settled(ef)
	case relay.Note:
		p.notePeer(ef)
	case relay.Close:
		p.closed(ef.End)
	case effect.OpenURL:
		p.openURL(ef)
	case effect.Resolve:
		if p.audience != nil {
			p.audience.Resolve(ef)
		}
	case effect.Remember:
		p.remember(ef)
	case effect.Extend:
		if p.audience != nil {
			p.audience.Extend(ef)
		}
	case effect.Problem:
		p.logProblem(ef)
		if ef.About == effect.AboutAnswer && p.o.UI != nil {
			p.o.UI.Problem(ef)
		}
	}
}

// endPrograms ends the programs that are asked about a settled request, and forgets what the log would say of it.
func (p *Proxy) endPrograms(id elicit.ID) {
	delete(p.asking, id)
	if p.o.Programs != nil && id != "" {
		p.o.Programs.Withdraw(id)
	}
}

// show shows a request to the person.
func (p *Proxy) show(s effect.Show) {
	p.logAsked(s)
	answered := p.o.Stats.Time("answer")
	done := func(g ui.Given) {
		answered()
		p.inbox.post(func() {
			p.do(event.Answered{Session: s.Session, ID: s.ID, Principal: p.o.Principal, Action: g.Action, Content: g.Content,
				Cleared: ui.Cleared(s, g), Via: g.Via, Mute: g.Mute, Note: g.Note, Arguments: g.Arguments,
				Remember: elicit.Wish{Scope: g.Remember, Prepared: g.Remember != "" && g.Via == event.ViaScript}})
		})
	}
	if p.o.UI == nil {
		done(ui.Given{Action: elicit.Cancel, Via: event.ViaNoUI})
		return
	}
	p.o.UI.Show(s, done)
}

// settled reports the end of a question to the log and the user interface.
func (p *Proxy) settled(s relay.Settled) {
	p.o.Stats.Count("settled_"+string(s.Outcome), 1)
	p.endPrograms(s.ID)
	if p.audience != nil {
		reply := &s.Reply
		if reply.Cause == elicit.ByPeerCancelled {
			reply = nil
		}
		p.audience.Over(s.Request, reply)
	}
	p.logSettled(s)
}

// openURL opens a page in the person's browser. For a prepared answer it opens nothing, because that consents to a page
// without visiting it.
func (p *Proxy) openURL(o effect.OpenURL) {
	if p.o.Open == nil {
		return
	}
	go func() {
		if err := p.o.Open(o.URL); err != nil {
			p.inbox.post(func() { p.note("cannot open a browser (%v); open this page yourself: %s", err, printable(o.URL)) })
		}
	}()
}

// remember stores a grant that holds always. The engine itself keeps the other grants.
func (p *Proxy) remember(r effect.Remember) {
	if r.Grant.Scope != elicit.Always {
		return
	}
	if p.o.Grants == nil {
		p.note("there is nowhere to keep what you agreed to always; it holds until this run ends")
	} else if err := p.o.Grants.Add(r.Grant); err != nil {
		p.note("%v; what you agreed to holds until this run ends", err)
	}
}
