package proxy

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/english"
)

// Reload says how the rules change while the proxy runs: the policies and the guardians.
type Reload struct {
	// Read reads the rules anew, and checks them as before the start. It is called from a goroutine of its own, and not
	// again before it has returned and its Rules are done with. An error tells a person, in one line or more, why they
	// cannot be used.
	Read func() (Rules, error)
	// Changed tells that Read would find something else; nil for never.
	Changed <-chan struct{}
	// HungUp reports whether SIGHUP means that the proxy's terminal is gone, and not that the rules are to be read.
	HungUp func() bool
}

// Rules are what Read has found.
type Rules struct {
	Same     bool   // as the rules in force: nothing else is set
	Config   []byte // the engine's configuration; it keeps the grants that hold
	Guests   engine.Guests
	Programs map[string][]string // of guardians that are programs
	Tells    []string            // lines for a person: what has changed
	// Done is called from the loop: taken says that these rules are in force and the old ones are not used any more,
	// else these are not used.
	Done func(taken bool)
}

// reloading is how far a change of the rules is.
type reloading struct {
	busy    bool   // Read runs
	again   bool   // and has to run once more
	asked   bool   // somebody asked for it, so the result is told in any case
	refused string // why the rules that are there now were refused; told once
}

// changed is what tells that the rules have changed, nil when nothing does.
func (p *Proxy) changed() <-chan struct{} {
	if p.o.Reload == nil {
		return nil
	}
	return p.o.Reload.Changed
}

// asksToReload reports whether a signal asks for the rules to be read, and does not end the proxy.
func (p *Proxy) asksToReload(s os.Signal) bool {
	return s == syscall.SIGHUP && p.o.Reload != nil && !p.ending.begun && !p.o.Reload.HungUp()
}

// reload has the rules read anew. The loop goes on meanwhile, under the old rules.
func (p *Proxy) reload(asked bool) {
	if p.ending.begun {
		return
	}
	if p.broken {
		p.tell("nothing is decided any more, so the rules are not read again")
		return
	}
	p.reloading.asked = p.reloading.asked || asked
	if p.reloading.busy {
		p.reloading.again = true
		return
	}
	p.reloading.busy = true
	go func() {
		rules, err := p.o.Reload.Read()
		p.inbox.post(func() { p.reread(rules, err) })
	}()
}

// reread puts rules in force, or says why not.
func (p *Proxy) reread(rules Rules, err error) {
	r := &p.reloading
	asked, again := r.asked, r.again
	r.busy, r.asked, r.again = false, false, false
	switch {
	case p.ending.begun || err == nil && rules.Same:
		if err == nil && !rules.Same {
			rules.Done(false)
		}
		if r.refused = ""; asked {
			p.tell("the rules were read again; nothing has changed")
		}
	case err != nil:
		p.refuseRules(err, asked)
	default:
		p.takeRules(rules, asked)
	}
	if again {
		p.reload(false)
	}
}

// takeRules puts rules in force.
func (p *Proxy) takeRules(rules Rules, asked bool) {
	problems, err := p.driver.Configure(rules.Config, rules.Guests, func() {
		if p.o.Outside != nil {
			p.o.Outside.Use(rules.Programs)
		}
	})
	switch {
	case err == drive.ErrShutdown:
		rules.Done(false)
	case len(problems) > 0:
		rules.Done(false)
		var lines []string
		for _, problem := range problems {
			lines = append(lines, strings.TrimSpace(problem.Pointer+" "+english.Problem(problem)))
		}
		p.refuseRules(errors.New(strings.Join(lines, "\n")), asked)
	default:
		p.reloading.refused = ""
		rules.Done(true)
		if p.check(err); err != nil {
			return // the journal failed, and the machine refuses every question
		}
		p.tell("new rules are in force")
		for _, line := range rules.Tells {
			p.tell("  %s", line)
		}
	}
}

// refuseRules tells a person and the journal why the old rules stay in force. The same reason is told once,
// unless somebody asked.
func (p *Proxy) refuseRules(why error, asked bool) {
	if why.Error() == p.reloading.refused && !asked {
		return
	}
	p.reloading.refused = why.Error()
	p.tell("the new rules are refused, and the old rules stay in force:")
	text := strings.TrimSpace(why.Error())
	for line := range strings.SplitSeq(text, "\n") {
		p.tell("  %s", line)
	}
	p.do(engine.Configured{Refused: plain.Cut(strings.ToValidUTF8(text, "\uFFFD"), mostWhy)})
}

// mostWhy is how many bytes of a reason the journal gets. The engine takes 4096.
const mostWhy = 4000

// tell writes a line about the rules. A peer causes none of these, and cannot use up their rate.
func (p *Proxy) tell(format string, args ...any) {
	fmt.Fprintf(p.o.Notes, "elicit proxy: %s\n", ui.Plain(fmt.Sprintf(format, args...)))
}
