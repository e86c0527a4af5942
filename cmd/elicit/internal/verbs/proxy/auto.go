package proxy

import (
	"cmp"
	"fmt"
	"io"
	"sync"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/browser"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/desktop"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/proxy"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine/effect"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/event"
)

// politeTerminal is the user interface of --ui auto where there is a terminal. It asks on the terminal, but not while
// another program reads its keys or is in its foreground. Then it asks in a second place, which it opens when it first
// needs it.
type politeTerminal struct {
	*ui.Terminal
	notes  io.Writer
	second func() (proxy.Audience, error) // opens the second place; the error says why there is none

	mu      sync.Mutex
	opened  bool
	other   proxy.Audience  // the second place; nil until it is open, and when there is none
	onPage  map[string]bool // addresses whose consent was asked on a page, which opens them itself
	closed  bool
	doEvent func(event.Event)
}

func newPoliteTerminal(terminal *ui.Terminal, notes io.Writer, second func() (proxy.Audience, error)) *politeTerminal {
	p := &politeTerminal{Terminal: terminal, notes: notes, second: second, onPage: map[string]bool{}}
	terminal.OrElse(p.elsewhere)
	return p
}

// elsewhere asks a question in the second place.
func (p *politeTerminal) elsewhere(s effect.Show, answer ui.Answer, why string) {
	other := p.open(why)
	if other == nil {
		answer(ui.Given{Action: elicit.Cancel, Via: event.ViaNoUI})
		return
	}
	if _, page := other.(*browser.Browser); page && s.Mode == elicit.URL {
		p.mu.Lock()
		p.onPage[s.URL] = true
		p.mu.Unlock()
	}
	other.Show(s, answer)
}

// open returns the second place, nil when there is none. The first call says on stderr where questions go, and why.
func (p *politeTerminal) open(why string) proxy.Audience {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.opened || p.closed {
		return p.other
	}
	p.opened = true
	other, err := p.second()
	if err != nil {
		fmt.Fprintf(p.notes, "elicit proxy: %s, and there is no other place to ask (%v), so the question is cancelled; "+
			"see --ui for other ways\n", why, err)
		return nil
	}
	fmt.Fprintf(p.notes, "elicit proxy: %s, so questions do not use it\n", why)
	other.Attend(p.doEvent)
	p.other = other
	return other
}

// openPage opens a page after consent, unless the page of the second place has done it.
func (p *politeTerminal) openPage(url string) error {
	p.mu.Lock()
	done := p.onPage[url]
	delete(p.onPage, url)
	p.mu.Unlock()
	if done {
		return nil
	}
	return desktop.OpenPage(url)
}

// place returns the second place, nil while there is none.
func (p *politeTerminal) place() proxy.Audience {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.other
}

// both tells the terminal and then the second place, if there is one. A place that does not know a question does
// nothing.
func (p *politeTerminal) both(tell func(proxy.Audience)) {
	tell(p.Terminal)
	if other := p.place(); other != nil {
		tell(other)
	}
}

// Attend keeps the way to the engine for the second place.
func (p *politeTerminal) Attend(do func(event.Event)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doEvent = do
	p.Terminal.Attend(do)
}

// Both places follow every question.

func (p *politeTerminal) Asked(r elicit.Request) { p.both(func(a proxy.Audience) { a.Asked(r) }) }

func (p *politeTerminal) Over(r elicit.Request, reply *effect.Reply) {
	p.both(func(a proxy.Audience) { a.Over(r, reply) })
}

func (p *politeTerminal) Extend(e effect.Extend)   { p.both(func(a proxy.Audience) { a.Extend(e) }) }
func (p *politeTerminal) Resolve(r effect.Resolve) { p.both(func(a proxy.Audience) { a.Resolve(r) }) }
func (p *politeTerminal) Withdraw(w effect.Withdraw) {
	p.both(func(a proxy.Audience) { a.Withdraw(w) })
}
func (p *politeTerminal) Problem(e effect.Problem) { p.both(func(a proxy.Audience) { a.Problem(e) }) }

// Close closes both places.
func (p *politeTerminal) Close() (err error) {
	p.mu.Lock()
	p.closed = true
	p.mu.Unlock()
	p.both(func(a proxy.Audience) { err = cmp.Or(err, a.Close()) })
	return err
}
