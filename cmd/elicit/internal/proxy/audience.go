package proxy

import (
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/elicit"
)

// Audience is a UI that follows a question from the moment it is asked until long after its end, and has more to tell
// than its answer.
type Audience interface {
	UI
	// Attend is called once, before anything else: do gives the engine an event about what is shown, from any goroutine and
	// without waiting.
	Attend(do func(engine.Event))
	// Asked is every question, before it is decided whether anybody has to see it.
	Asked(r elicit.Request)
	// Over is the end of every question; reply is nil when the question was taken back and had none.
	Over(r elicit.Request, reply *engine.Reply)
	Extend(e engine.Extend)
	Resolve(r engine.Resolve)
}

// attend makes the user interface an audience when it wants to be one.
func (p *Proxy) attend() {
	if a, ok := p.o.UI.(Audience); ok {
		p.audience = a
		a.Attend(func(ev engine.Event) { p.inbox.post(func() { p.do(ev) }) })
	}
}
