package proxy

import (
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// UI shows requests to a person. Show must not block. The UI gives the answer to answer, from any goroutine, once for
// each id, and again only after a Problem.
type UI interface {
	// Modes returns the modes that a person can be shown now. The proxy declares exactly these to the server.
	Modes() elicit.Modes
	Show(s effect.Show, answer ui.Answer)
	// Problem reports problems of an input. Only those about an answer are for the person, whose form is still open: a
	// terminal asks again, and a script cancels.
	Problem(p effect.Problem)
	Withdraw(w effect.Withdraw)
	Close() error
}

// Audience is a UI that follows a question from its arrival until after its end, and that gives the engine more events
// than the answer.
type Audience interface {
	UI
	// Attend is called once, before any other method. do gives an event about a shown question to the engine. Any
	// goroutine may call do, and it does not block.
	Attend(do func(event.Event))
	// Asked is called for every question, before it is decided whether a person has to see it.
	Asked(r elicit.Request)
	// Over is called at the end of every question. reply is nil when the asker withdrew the question.
	Over(r elicit.Request, reply *effect.Reply)
	Extend(e effect.Extend)
	Resolve(r effect.Resolve)
}

// connectAudience starts the user interface as an Audience when it implements that interface.
func (p *Proxy) connectAudience() {
	if a, ok := p.o.UI.(Audience); ok {
		p.audience = a
		a.Attend(func(ev event.Event) {
			p.inbox.post(func() { p.logShown(ev); p.do(ev) })
		})
	}
}
