package proxy

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/elicit-engine/elicit/cmd/elicit/internal/each"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/plain"
	"github.com/elicit-engine/elicit/cmd/elicit/internal/ui"
	"github.com/elicit-engine/elicit/engine"
	"github.com/elicit-engine/elicit/engine/drive"
	"github.com/elicit-engine/elicit/engine/elicit"
	"github.com/elicit-engine/elicit/engine/english"
	"github.com/elicit-engine/elicit/engine/event"
)

// Reload says how the rules change while the proxy runs: the policies and the guardians.
type Reload struct {
	// Read reads the rules again, and checks them as before the start. The proxy calls it in a goroutine of its own. It
	// calls Read again only after Read has returned and Rules.Done was called. The error tells a person, in one or more
	// lines, why the rules cannot be used.
	Read func() (Rules, error)
	// Changed delivers a value when the files of the rules have changed. It is nil when nothing watches them.
	Changed <-chan struct{}
	// HungUp reports whether SIGHUP means that the proxy's terminal is gone. Else SIGHUP asks for a reload.
	HungUp func() bool
}

// Rules are the result of Reload.Read.
type Rules struct {
	Same     bool   // equal to the rules in force; then no other member is set
	Config   []byte // the engine's configuration; it keeps the grants that hold
	Guests   engine.Guests
	Programs map[string][]string // of guardians that are programs
	Messages []string            // lines for a person: what has changed
	// Done is called from the loop. When taken is true, these rules are in force and the old ones are no longer used.
	// When it is false, these rules are not used.
	Done func(taken bool)
}

// reloading is the state of a reload.
type reloading struct {
	busy    bool   // Read runs
	again   bool   // Read must run once more after that
	asked   bool   // a signal asked for it, so the result is printed in any case
	refused string // why the newest rules were refused; printed once
}

// changed returns Reload.Changed, or nil when there is no Reload.
func (p *Proxy) changed() <-chan struct{} {
	if p.o.Reload == nil {
		return nil
	}
	return p.o.Reload.Changed
}

// asksToReload reports whether a signal asks for a reload, and does not end the proxy.
func (p *Proxy) asksToReload(s os.Signal) bool {
	return s == syscall.SIGHUP && p.o.Reload != nil && !p.shutdown.begun && !p.o.Reload.HungUp()
}

// reload starts to read the rules again. Meanwhile the loop continues under the old rules.
func (p *Proxy) reload(asked bool) {
	if p.shutdown.begun {
		return
	}
	if p.broken {
		p.noteRules("nothing is decided any more, so the rules are not read again")
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
		p.inbox.post(func() { p.finishReload(rules, err) })
	}()
}

// finishReload handles the result of Reload.Read: it puts the rules in force or prints why not.
func (p *Proxy) finishReload(rules Rules, err error) {
	r := &p.reloading
	asked, again := r.asked, r.again
	r.busy, r.asked, r.again = false, false, false
	switch {
	case p.shutdown.begun || err == nil && rules.Same:
		if err == nil && !rules.Same {
			rules.Done(false)
		}
		if r.refused = ""; asked {
			p.noteRules("the rules were read again; nothing has changed")
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

// takeRules puts the rules in force if the engine accepts them.
func (p *Proxy) takeRules(rules Rules, asked bool) {
	problems, err := p.driver.Configure(rules.Config, rules.Guests, func() {
		if p.o.Programs != nil {
			p.o.Programs.Use(rules.Programs)
		}
	})
	switch {
	case err == drive.ErrShutdown:
		rules.Done(false)
	case len(problems) > 0:
		rules.Done(false)
		lines := each.Of(problems, func(problem elicit.Problem) string {
			return strings.TrimSpace(problem.Pointer + " " + english.Problem(problem))
		})
		p.refuseRules(errors.New(strings.Join(lines, "\n")), asked)
	default:
		p.reloading.refused = ""
		rules.Done(true)
		if p.check(err); err != nil {
			return // the journal failed, and the machine refuses every question
		}
		p.noteRules("new rules are in force")
		for _, line := range rules.Messages {
			p.noteRules("  %s", line)
		}
	}
}

// refuseRules tells a person and the journal why the old rules stay in force. It prints the same reason once, unless a
// signal asked for the reload.
func (p *Proxy) refuseRules(why error, asked bool) {
	if why.Error() == p.reloading.refused && !asked {
		return
	}
	p.reloading.refused = why.Error()
	p.noteRules("the new rules are refused, and the old rules stay in force:")
	text := strings.TrimSpace(why.Error())
	for line := range strings.SplitSeq(text, "\n") {
		p.noteRules("  %s", line)
	}
	p.do(event.Configured{Refused: plain.Cut(strings.ToValidUTF8(text, "\uFFFD"), mostWhy)})
}

// mostWhy is the most bytes of a reason that the journal gets. The engine takes 4096.
const mostWhy = 4000

// noteRules writes a line about the rules for the person. It has no limit on its rate, because a peer cannot cause it.
func (p *Proxy) noteRules(format string, args ...any) {
	fmt.Fprintf(p.o.Notes, "elicit proxy: %s\n", ui.Plain(fmt.Sprintf(format, args...)))
}
