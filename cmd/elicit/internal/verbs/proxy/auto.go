package proxy

import (
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
	second func() (proxy.UI, error) // opens the second place; the error says why there is none

	mu      sync.Mutex
	opened  bool
	other   proxy.UI        // the second place; nil until it is open, and when there is none
	onPage  map[string]bool // addresses whose consent was asked on a page, which opens them itself
	closed  bool
	doEvent func(event.Event)
}

func newPoliteTerminal(terminal *ui.Terminal, notes io.Writer, second func() (proxy.UI, error)) *politeTerminal {
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
func (p *politeTerminal) open(why string) proxy.UI {
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
	if a, ok := other.(proxy.Audience); ok {
		a.Attend(p.doEvent)
	}
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
func (p *politeTerminal) place() proxy.UI {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.other
}

// audience returns the second place if it follows questions.
func (p *politeTerminal) audience() (proxy.Audience, bool) {
	a, ok := p.place().(proxy.Audience)
	return a, ok
}

// Attend keeps the way to the engine for the second place.
func (p *politeTerminal) Attend(do func(event.Event)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.doEvent = do
	p.Terminal.Attend(do)
}

// Asked tells both places of every question.
func (p *politeTerminal) Asked(r elicit.Request) {
	p.Terminal.Asked(r)
	if a, ok := p.audience(); ok {
		a.Asked(r)
	}
}

// Over tells both places of the end of every question.
func (p *politeTerminal) Over(r elicit.Request, reply *effect.Reply) {
	p.Terminal.Over(r, reply)
	if a, ok := p.audience(); ok {
		a.Over(r, reply)
	}
}

// Extend changes a deadline in the place that knows the question.
func (p *politeTerminal) Extend(e effect.Extend) {
	p.Terminal.Extend(e)
	if a, ok := p.audience(); ok {
		a.Extend(e)
	}
}

// Resolve tells a page how a visited address ended.
func (p *politeTerminal) Resolve(r effect.Resolve) {
	if a, ok := p.audience(); ok {
		a.Resolve(r)
	}
}

// Withdraw removes a question from both places: one of them does not know it and does nothing.
func (p *politeTerminal) Withdraw(w effect.Withdraw) {
	p.Terminal.Withdraw(w)
	if other := p.place(); other != nil {
		other.Withdraw(w)
	}
}

// Problem reports the problems of an answer to the place that knows the question.
func (p *politeTerminal) Problem(e effect.Problem) {
	p.Terminal.Problem(e)
	if other := p.place(); other != nil {
		other.Problem(e)
	}
}

// Close closes both places.
func (p *politeTerminal) Close() error {
	p.mu.Lock()
	p.closed = true
	other := p.other
	p.mu.Unlock()
	err := p.Terminal.Close()
	if other != nil {
		if closing := other.Close(); err == nil {
			err = closing
		}
	}
	return err
}
