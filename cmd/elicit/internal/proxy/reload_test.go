package proxy

import (
	"errors"
	"os"
	"strings"
	"syscall"
	"testing"
)

// rulebook is where a proxy of the test reads its rules.
type rulebook struct {
	reads   chan chan read // a call of Read, and where its result goes
	changed chan struct{}
	signals chan os.Signal
	journal kept
	hungUp  bool
}

type read struct {
	Rules
	err error
}

// reading starts a proxy whose rules the test gives.
func reading(t *testing.T, b *rulebook) (*peers, *someone) {
	b.reads, b.changed, b.signals = make(chan chan read), make(chan struct{}), make(chan os.Signal)
	return talk(t, func(o *Options) {
		o.Drive.Journal, o.Signals = &b.journal, b.signals
		o.Reload = &Reload{Changed: b.changed, HungUp: func() bool { return b.hungUp }, Read: func() (Rules, error) {
			result := make(chan read)
			b.reads <- result
			found := <-result
			return found.Rules, found.err
		}}
	})
}

// rules are rules with a configuration; what Done is told is in done.
func rules(config string, done chan bool) read {
	return read{Rules: Rules{Config: []byte(config), Messages: []string{"told"}, Done: func(taken bool) { done <- taken }}}
}

const declining = `{"policy":{"user":{"version":1,"rules":[{"when":{},"then":"decline"}]}}}`

func TestReloadDecidesTheNextQuestion(t *testing.T) {
	b, done := &rulebook{}, make(chan bool, 1)
	p, s := reading(t, b)
	p.server.say(askDeploy + "\n")
	shown := next(t, s.shown)
	b.signals <- syscall.SIGHUP
	result := next(t, b.reads)
	p.server.say(marker + "\n")
	p.hear.want(marker) // the loop goes on while the rules are read
	result <- rules(declining, done)
	if !next(t, done) {
		t.Error("the rules were not taken")
	}
	p.server.say(askName + "\n")
	p.server.hear.want(`{"jsonrpc":"2.0","id":2,"result":{"action":"decline"}}`)
	shown.answer("accept", []byte(`{}`), "") // what is before the person stays
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":{}}}`)
	if notes := p.notes.String(); !strings.Contains(notes, "new rules are in force\nelicit proxy:   told\n") {
		t.Errorf("noted %s", notes)
	}
}

// TestReloadOfABurst holds that what changes while the rules are read is read once more, and once.
func TestReloadOfABurst(t *testing.T) {
	b := &rulebook{}
	reading(t, b)
	b.signals <- syscall.SIGHUP
	result := next(t, b.reads)
	for range 3 {
		b.changed <- struct{}{}
		b.signals <- syscall.SIGHUP
	}
	result <- read{Rules: Rules{Same: true}}
	next(t, b.reads) <- read{Rules: Rules{Same: true}}
	b.changed <- struct{}{}
	next(t, b.reads) <- read{Rules: Rules{Same: true}}
}

func TestReloadRefused(t *testing.T) {
	b, done := &rulebook{}, make(chan bool, 1)
	p, _ := reading(t, b)
	broken := `{"policy":{"user":{"version":1,"rules":[{"when":{},"then":"maybe"}]}}}`
	wrong := errors.New("a.json:1: one\nand two\n")
	noted := func(what string) int { return strings.Count(p.notes.String(), what) }
	for i, c := range []struct {
		asked  bool
		result read
		times  int // that a refusal has been told so far
		why    string
	}{
		{false, read{err: wrong}, 1, "elicit proxy:   a.json:1: one\nelicit proxy:   and two\n"},
		{false, read{err: wrong}, 1, ""},
		{true, read{err: wrong}, 2, ""},
		{false, rules(broken, done), 3, "/policy/user/rules/0/then"},
		{false, read{err: wrong}, 4, ""},
		{false, read{Rules: Rules{Same: true}}, 4, ""},
		{false, read{err: wrong}, 5, ""},
		{false, read{err: errors.New("\xff" + strings.Repeat("ü", 3000))}, 6, ""},
	} {
		if c.asked {
			b.signals <- syscall.SIGHUP
		} else {
			b.changed <- struct{}{}
		}
		next(t, b.reads) <- c.result
		if c.result.Config != nil && next(t, done) {
			t.Error("a broken policy was taken")
		}
		b.changed <- struct{}{} // read by the loop after the result was
		next(t, b.reads) <- c.result
		if c.result.Config != nil {
			next(t, done)
		}
		p.server.say(marker + "\n")
		p.hear.want(marker)
		if noted("the new rules are refused") != c.times || !strings.Contains(p.notes.String(), c.why) {
			t.Errorf("%d: noted %s", i, p.notes)
		}
	}
	if n := strings.Count(b.journal.String(), `"event":"configured","refused":"`); n != 6 {
		t.Errorf("%d refusals in %s", n, b.journal.String())
	}
}

// TestReloadWithoutAJournal lets the journal fail at the record of the new rules. Nothing is decided any more, by them
// or by others.
func TestReloadWithoutAJournal(t *testing.T) {
	b, done := &rulebook{}, make(chan bool, 1)
	p, _ := reading(t, b)
	b.journal.mu.Lock()
	b.journal.err = errors.New("disk full")
	b.journal.mu.Unlock()
	b.changed <- struct{}{}
	next(t, b.reads) <- rules(`{"policy":{"user":{"version":1,"rules":[{"when":{},"then":"accept"}]}}}`, done)
	next(t, done)
	p.server.say(askDeploy + "\n")
	if got := p.server.hear.line(); !strings.Contains(got, "journal_failed") {
		t.Errorf("the server heard %s", got)
	}
	b.signals <- syscall.SIGHUP
	p.server.say(marker + "\n")
	p.hear.want(marker)
	if notes := p.notes.String(); strings.Contains(notes, "in force") || !strings.Contains(notes, "disk full") ||
		!strings.Contains(notes, "the rules are not read again") {
		t.Errorf("noted %s", notes)
	}
}

// TestHangUpEnds holds that SIGHUP ends a proxy whose terminal is gone, and one that is ending.
func TestHangUpEnds(t *testing.T) {
	b := &rulebook{hungUp: true}
	p, s := reading(t, b)
	p.server.say(askDeploy + "\n")
	next(t, s.shown)
	b.signals <- syscall.SIGHUP
	p.server.hear.want(`{"jsonrpc":"2.0","id":1,"result":{"action":"cancel"}}`)
	if got := next(t, p.server.signals); got != syscall.SIGHUP {
		t.Errorf("the server got %v", got)
	}
}
